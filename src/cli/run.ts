import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runScenario, type ScenarioRun } from "../scenario/run.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { findScenarios, goldenPath, inFile, readScenario, type ScenarioFile } from "./files.ts";
import { type Format, type Output, render } from "./output.ts";

export interface RunFlags {
  readonly format?: Format;
  readonly update?: boolean;
  readonly json?: boolean;
}

/** What one scenario came to. */
interface Result {
  readonly file: ScenarioFile;
  readonly run: ScenarioRun;
  /** What is wrong, to print; empty when all is as expected. */
  readonly problems: readonly string[];
}

/**
 * `ringback run`: plays scenarios and compares their streams.
 * @returns the exit code: 0, or 1 when a stream is not as expected
 */
export function run(paths: readonly string[], flags: RunFlags, output: Output): number {
  const files = findScenarios(paths).map(readScenario);
  const results = files.map((file) => play(file, flags.update === true));
  const failed = results.filter((result) => result.problems.length > 0).length;
  if (flags.json === true) {
    output.out(`${JSON.stringify(results.map(summary), null, 2)}\n`);
    return failed > 0 ? 1 : 0;
  }
  // one scenario is watched, many are counted
  const format = flags.format ?? (files.length === 1 ? "timeline" : undefined);
  for (const result of results) show(result, format, output);
  if (format === undefined) output.out(`\n${results.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

function play(file: ScenarioFile, update: boolean): Result {
  const run = playOne(file);
  const golden = goldenPath(file.path);
  const stream = run.simulator.events.toJSONL();
  if (update) writeFileSync(golden, stream);
  const problems = [run.report, goldenProblem(golden, stream)].filter((problem) => problem !== "");
  return { file, run, problems };
}

function playOne({ path, scenario }: ScenarioFile): ScenarioRun {
  try {
    return runScenario(scenario);
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(path, error) : error;
  }
}

/** Says where the stream's bytes leave the golden file, if there is one. */
function goldenProblem(path: string, stream: string): string {
  if (!existsSync(path)) return "";
  const golden = readFileSync(path, "utf8");
  if (golden === stream) return "";
  const [expected, actual] = [golden.split("\n"), stream.split("\n")];
  const line = expected.findIndex((each, index) => each !== actual[index]);
  const at = line < 0 ? expected.length : line;
  return [
    `${path}:${at + 1}: the stream's bytes differ from the golden file (\`--update\` writes it anew)`,
    `  expected ${excerpt(expected[at], actual[at])}`,
    `  actual   ${excerpt(actual[at], expected[at])}`,
    "",
  ].join("\n");
}

/** The part of a long line around where it leaves the other. */
function excerpt(line = "(nothing)", other = ""): string {
  const first = [...line].findIndex((sign, index) => sign !== other[index]);
  const from = Math.max(0, first - 40);
  return `${from > 0 ? "..." : ""}${line.slice(from, from + 100)}${line.length > from + 100 ? "..." : ""}`;
}

function show({ file, run, problems }: Result, format: Format | undefined, output: Output): void {
  const { title, options, expect } = file.scenario;
  const isGood = problems.length === 0;
  if (format === undefined) {
    output.out(
      `${isGood ? "ok     " : "FAILED "}${file.path}  ${title} (${run.events.length} events, seed ${options.seed})\n`,
    );
  } else {
    const verdict = isGood ? "as expected" : "NOT as expected";
    output.out(render(run.simulator, format, output, expect === undefined ? { title } : { title, verdict }));
  }
  for (const problem of problems) output.err(`\n${problem}`);
}

function summary({ file, run, problems }: Result) {
  const { title, options } = file.scenario;
  return {
    path: file.path,
    scenario: title,
    seed: options.seed,
    passed: problems.length === 0,
    events: run.events.length,
    endedAt: run.simulator.now.toISO(),
    mismatches: run.mismatches,
    problems,
  };
}
