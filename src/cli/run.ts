import { LimitError } from "../engine/errors.ts";
import { runScenario, type ScenarioRun } from "../scenario/run.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { findScenarios, inFile, readScenario, type ScenarioFile, UsageError } from "./files.ts";
import { goldenProblems, updateGolden } from "./golden.ts";
import { type Format, type Output, render } from "./output.ts";

export interface RunFlags {
  readonly format?: Format;
  readonly update?: boolean;
  readonly json?: boolean;
}

/** What one scenario came to. */
interface Played {
  readonly file: ScenarioFile;
  readonly run: ScenarioRun;
  /** What is not as expected, to print; empty when all is. */
  readonly problems: readonly string[];
}

/** A scenario that cannot be read, or not be played to its end. */
interface Refused {
  readonly path: string;
  readonly error: UsageError;
}

/**
 * `ringback run`: plays scenarios and compares their streams. One that cannot be played does not keep the others from it.
 * @returns the exit code: 0, 1 when a stream is not as expected, or 2 when a scenario cannot be played
 */
export function run(paths: readonly string[], flags: RunFlags, output: Output): number {
  const files = findScenarios(paths);
  const results = files.map((path) => play(path, flags.update === true));
  const failed = results.filter((result) => "error" in result || result.problems.length > 0).length;
  const code = results.some((result) => "error" in result) ? 2 : Math.min(failed, 1);
  if (flags.json === true) {
    output.out(`${JSON.stringify(results.map(summary), null, 2)}\n`);
    return code;
  }
  // one scenario is watched, many are counted
  const format = flags.format ?? (files.length === 1 ? "timeline" : undefined);
  for (const result of results) show(result, format, output);
  if (format === undefined) output.out(`\n${results.length - failed} passed, ${failed} failed\n`);
  return code;
}

function play(path: string, update: boolean): Played | Refused {
  try {
    const file = readScenario(path);
    const run = playOne(file);
    if (update) updateGolden(file, run);
    const problems = [streamProblem(file, run), ...goldenProblems(file, run)];
    return { file, run, problems: problems.filter((problem) => problem !== "") };
  } catch (error) {
    if (error instanceof UsageError) return { path, error };
    throw error;
  }
}

function playOne({ path, scenario }: ScenarioFile): ScenarioRun {
  try {
    return runScenario(scenario);
  } catch (error) {
    if (error instanceof ScenarioError) throw inFile(path, error);
    if (error instanceof LimitError) throw new UsageError(`${path}: ${error.message}; \`until\` sets an end`);
    throw error;
  }
}

/** The report of the first mismatch, after the file and the line that expects something else. */
function streamProblem({ path }: ScenarioFile, { mismatches, report }: ScenarioRun): string {
  const [first] = mismatches;
  if (first === undefined) return "";
  const { line } = first;
  return `${path}${line === undefined ? "" : `:${line}`}: ${report}`;
}

function show(result: Played | Refused, format: Format | undefined, output: Output): void {
  if ("error" in result) {
    output.err(`ringback: ${result.error.message}\n`);
    return;
  }
  const { file, run, problems } = result;
  const { title, description, options, expect, expectAttempts } = file.scenario;
  const isGood = problems.length === 0;
  if (format === undefined) {
    output.out(
      `${isGood ? "ok     " : "FAILED "}${file.path}  ${title} (${run.events.length} events, seed ${options.seed})\n`,
    );
  } else {
    const verdict = isGood ? "as expected" : "NOT as expected";
    const isCompared = expect !== undefined || expectAttempts !== undefined || !isGood;
    const about = { title, description, problems };
    output.out(render(run.simulator, format, output, isCompared ? { ...about, verdict } : about));
  }
  for (const problem of problems) output.err(`\n${problem}`);
}

function summary(result: Played | Refused) {
  if ("error" in result) {
    const { path, error } = result;
    return { path, passed: false, problems: [error.message] };
  }
  const { file, run, problems } = result;
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
