import { inChunks } from "../core/foundation/chunks.ts";
import { printable, printableLines } from "../core/foundation/printable.ts";
import { quoted } from "../findings/quoted.ts";
import type { AppFlags } from "./app-flags.ts";
import { coloursIf } from "./colours.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import { type ComparedRun, goldenProblems, updateGolden } from "./golden.ts";
import { type CommandOutput, errorColours, errorText, type Format, type Output, render } from "./output.ts";
import { mustNotBeInput, replaceText } from "./output-file.ts";
import { play } from "./play.ts";
import {
  findScenarios,
  organisationFilesBeside,
  organisationsBeside,
  type ReadFlags,
  RefusedFile,
  readScenario,
  type ScenarioFile,
} from "./scenario-files.ts";
import { isReportFormat, type ReportFormat, reportToGithub, type Test, testReport } from "./test-report.ts";
import { writeExpect } from "./write-expect.ts";

export interface RunFlags extends ReadFlags, AppFlags {
  readonly format?: Format | ReportFormat;
  readonly output?: string;
  readonly update?: boolean;
  readonly writeExpect?: boolean;
  readonly twice?: boolean;
  readonly watch?: boolean;
  readonly dialect?: string;
  /** The call whose journey is shown. */
  readonly journey?: string;
}

/** The given option that only a scenario without an app has. */
export function scenarioOptionIn(flags: RunFlags): string | undefined {
  return (["update", "writeExpect", "twice", "watch"] as const).find((name) => flags[name] === true);
}

/** The result of one scenario. */
interface PlayedScenario {
  readonly file: ScenarioFile;
  readonly run: ComparedRun;
  /** What is not as expected; empty if everything is. */
  readonly problems: readonly CommandFailure[];
  /** The properties that hold for an app. */
  readonly holding?: readonly string[];
  /** The files that were written: golden files, or the scenario with its expectations. */
  readonly written: readonly string[];
}

/** A scenario that cannot be read, or not be played to its end. */
interface RefusedScenario {
  readonly path: string;
  readonly error: UsageError;
  /** The scenario, if it could be read. */
  readonly file?: ScenarioFile;
}

/** How a scenario is played. */
export interface PlayMode {
  /** Whether to narrate the run while it is played, because it will be shown. */
  readonly keepsStory: boolean;
  /** Whether to write the golden file. */
  readonly update: boolean;
  /** Whether to write into the scenario what happens as what is expected. */
  readonly writesExpect: boolean;
}

/** Plays a scenario. @returns the run, and its problems apart from the stream */
export type Player = (
  file: ScenarioFile,
  output: Output,
  mode: PlayMode,
) => {
  readonly run: ComparedRun;
  readonly problems: readonly CommandFailure[];
  readonly holding?: readonly string[];
  readonly written?: readonly string[];
};

/** Plays a scenario without an app. */
const playAlone: Player = (file, output, { keepsStory, update, writesExpect }) => {
  const played = play(file, output, keepsStory);
  const expected = writesExpect ? writeExpect(file, played) : [];
  // what it expects now is what happened
  const run = writesExpect ? { ...played, mismatches: [], report: "" } : played;
  const written = [...expected, ...(update ? updateGolden(file, run) : [])];
  return { run, problems: goldenProblems(file, run), written };
};

/**
 * `ringback run`: plays scenarios and compares their streams. If one cannot be played, the others still are.
 * @returns the exit code: 0, 1 when a stream is not as expected, or 2 when a scenario cannot be played
 */
export function run(
  paths: readonly string[],
  flags: RunFlags,
  output: CommandOutput,
  player: Player = playAlone,
): number {
  const counts = { passed: 0, failed: 0, refused: 0 };
  const scenarios = findScenarios(paths);
  const { output: to, with: module, dialect } = flags;
  mustNotBeInput(to, [...scenarios, ...scenarios.flatMap(organisationFilesBeside), module, dialect]);
  const texts = runAll(scenarios, flags, output, counts, player);
  if (to === undefined) for (const text of texts) output.out(text);
  else if (replaceText(to, texts) && !output.isJson) output.err(`replaced ${to}\n`);
  return counts.refused > 0 ? 2 : Math.min(counts.failed, 1);
}

/** Plays the scenarios one by one, each when the text of the one before was consumed. */
function* runAll(
  paths: readonly string[],
  flags: RunFlags,
  output: CommandOutput,
  counts: { passed: number; failed: number; refused: number },
  player: Player,
): Generator<string> {
  const rows: ReturnType<typeof summary>[] = [];
  const tests: Test[] = [];
  // a file gets no colours; one scenario shows progress, several are counted
  const destination = flags.output === undefined ? output : { ...output, isTerminal: false };
  const report = isReportFormat(flags.format) ? flags.format : undefined;
  const single = paths.length === 1 ? "timeline" : undefined;
  const format = isReportFormat(flags.format) ? undefined : (flags.format ?? single);
  if (flags.journey !== undefined && format === undefined)
    throw new UsageError("expected one scenario, or --format timeline", "--journey");
  for (const path of paths) {
    const keepsStory = !output.isJson && format !== undefined && format !== "jsonl";
    const { update = false, writeExpect: writesExpect = false } = flags;
    const result = playOne(path, flags, { keepsStory, update, writesExpect }, output, player);
    if ("error" in result) counts.refused++;
    else if (result.problems.length > 0) counts.failed++;
    else counts.passed++;
    tests.push(reportTest(result));
    if (output.isJson) rows.push(summary(result));
    else if (report !== undefined) continue;
    else if ("error" in result) {
      yield* inChunks(showRefused(result, format, destination));
      output.err(errorText(result.error, output));
    } else {
      yield* inChunks(showRun(result, format, destination, flags.journey));
      for (const problem of result.problems) output.err(`\n${colourProblem(textOf(problem), output)}`);
      for (const property of result.holding ?? []) output.err(`holds: ${printable(property)}\n`);
      for (const written of result.written) output.err(`wrote  ${written}\n`);
    }
  }
  const { passed, failed, refused } = counts;
  const suite = { suite: "ringback run", tests };
  reportToGithub(suite, output.err);
  if (report !== undefined && !output.isJson) {
    yield testReport(suite, report);
    return;
  }
  if (output.isJson)
    yield output.result(
      rows.flatMap(({ failures }) => failures),
      { scenarios: rows.map(({ row }) => row) },
    );
  else if (format === undefined) yield `\n${passed} passed, ${failed + refused} failed\n`;
}

function playOne(
  path: string,
  flags: ReadFlags,
  mode: PlayMode,
  output: Output,
  player: Player,
): PlayedScenario | RefusedScenario {
  let file: ScenarioFile | undefined;
  try {
    file = readScenario(path, flags);
    const { run, problems, holding = [], written = [] } = player(file, output, mode);
    const all = [...streamProblem(file, run), ...problems];
    return { file, run, problems: all, holding, written };
  } catch (error) {
    if (error instanceof UsageError) return { path, error, ...(file === undefined ? {} : { file }) };
    throw error;
  }
}

/** The report of the first mismatch, with the file and the line of the expectation. */
function streamProblem({ path }: ScenarioFile, { mismatches, report }: ComparedRun): CommandFailure[] {
  const [first] = mismatches;
  if (first === undefined) return [];
  const { line } = first;
  const next = "fix `expect`, or what the steps do; --format html -o run.html shows the run";
  return [{ cause: report, place: `${path}${line === undefined ? "" : `:${line}`}`, next }];
}

/** A problem as it is printed. */
function textOf({ place, cause }: CommandFailure): string {
  return printableLines(`${place}: ${cause}`);
}

/** Colours a problem on a terminal: the marked lines of a report, and the expected beside the actual. */
function colourProblem(problem: string, output: Output): string {
  const colours = errorColours(output);
  return problem
    .replace(/^>.*$/gm, (line) => colours.red(line))
    .replace(/^ {2}expected .*$/gm, (line) => colours.green(line))
    .replace(/^ {2}actual .*$/gm, (line) => colours.red(line));
}

function* showRun(
  { file, run, problems }: PlayedScenario,
  format: Format | undefined,
  output: Output,
  journey: string | undefined,
): Generator<string> {
  const { title, description, options, expect, expectAttempts } = file.scenario;
  const isGood = problems.length === 0;
  if (format === undefined) {
    const colours = coloursIf(output.isTerminal);
    const verdict = isGood ? colours.green("ok     ") : colours.red("FAILED ");
    yield `${verdict}${printable(`${file.path}  ${title}`)} (${run.events.length} events, seed ${options.seed})\n`;
    return;
  }
  const verdict = isGood ? "as expected" : "NOT as expected";
  const isCompared = expect !== undefined || expectAttempts !== undefined || !isGood;
  const { text: scenario } = file;
  const texts = problems.map(textOf);
  const organisations = organisationsBeside(file.path);
  const about = { title, description, problems: texts, scenario, organisations };
  const more = { ...about, journey };
  yield* render(run.simulator, format, output, isCompared ? { ...more, verdict } : more);
}

/** A refused scenario: its line in the list, or the run up to the step that was refused. */
function* showRefused(
  { path, error, file }: RefusedScenario,
  format: Format | undefined,
  output: Output,
): Generator<string> {
  const run = error instanceof RefusedFile ? error.run : undefined;
  if (format === undefined) {
    const colours = coloursIf(output.isTerminal);
    const title = file === undefined ? "" : `  ${file.scenario.title}`;
    const events = run === undefined ? "" : ` (${run.events.length} events before it was refused)`;
    yield `${colours.red("REFUSED")} ${printable(`${path}${title}`)}${events}\n`;
    return;
  }
  // a stream that ends early would look like a whole one
  if (run === undefined || file === undefined || format === "jsonl") return;
  const { title, description } = file.scenario;
  yield* render(run, format, output, { title, description, verdict: "refused", problems: [error.message] });
}

function reportTest(result: PlayedScenario | RefusedScenario): Test {
  if ("error" in result) {
    const { path, error } = result;
    const line = error instanceof RefusedFile ? error.problems[0]?.line : undefined;
    return { name: path, path, line, status: "error", problems: [error.message] };
  }
  const { file, run, problems } = result;
  const { path, scenario } = file;
  const status = problems.length === 0 ? "passed" : "failed";
  const texts = problems.map(textOf);
  const replay = problems[0]?.replay ?? replayOf(path);
  return {
    name: printable(scenario.title),
    path,
    line: run.mismatches[0]?.line,
    status,
    problems: texts,
    replay,
  };
}

function replayOf(path: string): string {
  return `npx ringback run ${quoted(path)}`;
}

/** One scenario's part of the JSON. */
function summary(result: PlayedScenario | RefusedScenario): {
  readonly row: object;
  readonly failures: readonly CommandFailure[];
} {
  if ("error" in result) {
    const { path, error } = result;
    const { problems: places, run } = error instanceof RefusedFile ? error : {};
    const played = run === undefined ? {} : { events: run.events.length, endedAt: run.now.toISO() };
    const row = { path, passed: false, ...(places === undefined ? {} : { places }), ...played };
    return { row, failures: error.failures() };
  }
  const { file, run, problems, written } = result;
  const { title, options } = file.scenario;
  const { path } = file;
  const row = {
    ...{ path, scenario: title, seed: options.seed, passed: problems.length === 0 },
    ...{ events: run.events.length, endedAt: run.simulator.now.toISO(), mismatches: run.mismatches },
    ...(written.length === 0 ? {} : { written }),
  };
  return { row, failures: problems.map((each) => ({ replay: replayOf(path), ...each })) };
}
