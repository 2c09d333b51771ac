import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError } from "../core/foundation/errors.ts";
import { ScenarioError } from "../core/scenario/scenario.ts";
import type { ExplorationListener } from "../explore/exploration-listener.ts";
import { exploreAs } from "../explore/explore.ts";
import { writeArtifacts } from "../explore/report/artifacts.ts";
import { type ExploreReport, goneText, NO_WORLD, NOT_RUN } from "../explore/report/report.ts";
import type { Reproduction } from "../explore/report/reproduce.ts";
import { printSummary } from "../explore/report/summary.ts";
import { endLine, headLine, mergeResults, worldLine } from "../explore/results.ts";
import { ciSystemOf, shardOfEnvironment } from "../explore/search/ci-shard.ts";
import { type DeviationKind, deviationKinds, requirable, type Variation } from "../explore/search/options.ts";
import type { Shard } from "../explore/search/sharding.ts";
import { quoted } from "../findings/quoted.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { type AppFlags, addAppOptions, readAppFlags } from "./app-flags.ts";
import {
  dialectOption,
  durationArgument,
  jsonOption,
  kindsOption,
  profileOption,
  usageErrorIn,
  wholeNumberFrom,
} from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { PRIVATE, readTextFile } from "./disk.ts";
import { explorationProgress } from "./exploration-progress.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { mustNotBeInput } from "./output-file.ts";
import {
  allowLocalOption,
  findScenarios,
  inFile,
  organisationFilesBeside,
  type ReadFlags,
  readScenario,
} from "./scenario-files.ts";
import { dialectIn } from "./serve.ts";
import { type ReportFormat, reportFormats, reportToGithub, type Test, testReport } from "./test-report.ts";
import { ownVersion } from "./version.ts";

interface ExploreFlags extends AppFlags, ReadFlags {
  readonly deviations?: number;
  readonly kinds?: readonly DeviationKind[];
  readonly worlds?: number;
  readonly for?: string;
  readonly patience?: string;
  readonly horizon?: number;
  readonly steps?: number;
  readonly seeds?: { readonly from: number; readonly to: number };
  readonly vary?: Variation;
  readonly workers?: number;
  readonly shard?: Shard | "auto";
  readonly corpus?: string;
  readonly mutants?: boolean;
  readonly forged?: boolean;
  readonly require?: readonly (typeof requirable)[number][];
  readonly known?: Readonly<Record<string, string>>;
  readonly shrinkFor?: string;
  readonly people?: number;
  readonly explain?: boolean;
  readonly out?: string;
  readonly stats?: string;
  readonly format?: ReportFormat;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly dialect?: string;
}

/** Adds the options that say how long a world and its shrinking may take. */
function addLimitOptions(command: Command): Command {
  return command
    .option(
      "--patience <duration>",
      "how long the app may take without anything happening; default: PT5S",
      durationArgument,
    )
    .option(
      "--horizon <duration>",
      "how long a world goes on after the last thing that was new; default: PT15M",
      durationArgument,
    )
    .option("--steps <n>", "how many steps a world may take; default: 10,000", wholeNumberFrom(1))
    .option(
      "--shrink-for <duration>",
      "how long the smallest world of a failure may be searched for; default: PT30S",
      durationArgument,
    );
}

/** `ringback explore`. */
export const exploreCommand: CommandRow = {
  name: "explore",
  group: "app",
  summary: "run an app in every world with lost, doubled or late requests, up to a bound",
  usual: [
    ...[
      "--with",
      "--run",
      "--server",
      "--reset",
      "--idle",
      "--silence",
      "--restart",
      "--eventually",
      "--check",
    ],
    ...["--deviations", "--kinds", "--people", "--require", "--workers", "--worlds", "--corpus"],
    ...["--verbose", "--json"],
  ],
  mayChange: ["--dialect", "--known", "--mutants", "--profile"],
  declare: (command, output, exit) => {
    addLimitOptions(
      addAppOptions(
        command.argument(
          "<scenario>",
          "what happens in each world: a file, or a lesson by number such as 01",
        ),
      ),
    )
      .option("--deviations <k>", "the most deviations in a world; default: 1", wholeNumberFrom(0))
      .addOption(
        kindsOption(
          "only these kinds of deviations; never, outage, behind, assumption, unspecified, caller and calendar happen only if named",
          deviationKinds,
        ),
      )
      .addOption(
        new Option("--seeds <a..b>", "instead: one world for each seed")
          .argParser(readSeedRange)
          .conflicts("deviations"),
      )
      .addOption(
        new Option(
          "--vary <what...>",
          "what the seeds vary: some of conditions, traffic, behaviour, each also with numbers: conditions=0.5 (the share of deviation points), traffic=20 (calls); default: all",
        ).argParser(readVariation),
      )
      .option(
        "--people <n>",
        "also play what becomes of the scenario if people do so many things more, or leave a step undone",
        wholeNumberFrom(1),
      )
      .option("--workers <n>", "the most threads to run worlds in; default: 1", wholeNumberFrom(1))
      .option("--worlds <n>", "the most worlds to run", wholeNumberFrom(1))
      .option("--for <duration>", "start no world after this time, such as PT10M", durationArgument)
      .addOption(new Option("--explain").hideHelp())
      .addOption(
        new Option(
          "--shard <i/n>",
          "run one of several parts, such as 2/4, or auto: the one that the variables of the CI system say; default: all",
        ).argParser(readShard),
      )
      .option("--corpus <folder>", "scenarios to play first; the smallest scenario of each failure is added")
      .option(
        "--mutants",
        "also change the platform, and say which changes were noticed, recovered from, or neither",
      )
      .option("--forged", "also send forged requests where the app does not look at signatures")
      .option("--no-forged", "send no forged requests")
      .option(
        "--require <what>",
        "what must be tried, separated by commas: restarts, forged; where one was not, the exploration fails",
        readRequired,
      )
      .option(
        "--known <property=reason>",
        "a property that fails for a known reason: it does not count, and must still fail; may be given again",
        readKnown,
      )
      .addOption(profileOption())
      .addOption(dialectOption())
      .addOption(allowLocalOption())
      .option("-o, --out <file>", "write the results as JSON lines, for `ringback merge`")
      .addOption(new Option("--stats <file>").hideHelp())
      .addOption(reportOption())
      .addOption(verboseOption())
      .addOption(jsonOption())
      .action((scenario: string, flags: ExploreFlags) => exit(explore(scenario, flags, output)));
  },
};

/** `ringback merge`. */
export const mergeCommand: CommandRow = {
  name: "merge",
  group: "app",
  summary: "put the results of all shards of an exploration together",
  declare: (command, output, exit) => {
    command
      .argument("<results...>", "the files that `ringback explore --out` wrote, in any order")
      .addOption(reportOption())
      .addOption(verboseOption())
      .addOption(jsonOption())
      .action((paths: string[], flags: ShowFlags) => exit(merge(paths, flags, output)));
  },
};

/** @returns the exit code: 0, or 1 when a property fails, or no world was run */
async function explore(given: string, flags: ExploreFlags, output: CommandOutput): Promise<number> {
  const [path = "", other] = findScenarios([given]);
  if (other !== undefined) throw new UsageError("this folder has several scenarios, expected one", given);
  mustNotBeInput(flags.out, [path, ...organisationFilesBeside(path), flags.with, flags.dialect]);
  const { text } = readScenario(path, flags);
  const { options: appOptions, flags: appFlags, again: usual } = readAppFlags(flags, flags.allowLocal);
  const again = flags.dialect === undefined ? usual : withDialect(usual, flags.dialect);
  const {
    out,
    stats,
    explain,
    format,
    json: _json,
    verbose,
    with: _,
    clock: _clock,
    server: _server,
    run: _run,
    reset,
    idle,
    silence,
    restart,
    dependency,
    always,
    eventually,
    check,
    shard: own,
    deviations: atMost,
    kinds,
    dialect,
    people: acts,
    ...bounds
  } = flags;
  const deviations = kinds === undefined ? atMost : { kinds, ...(atMost === undefined ? {} : { atMost }) };
  mustFitTogether(flags);
  for (const [name, value] of Object.entries({ "--stats": stats, "--explain": explain }))
    if (value !== undefined) output.err(`ringback: ${name} has no effect any more\n`);
  const shard = shardFor(own, output);
  const options = {
    ...{
      ...appOptions,
      ...bounds,
      ...(deviations === undefined ? {} : { deviations }),
      ...(acts === undefined ? {} : { people: { acts } }),
      scenario: path,
      phoneNumbers: readPhoneNumber,
      dialect: await dialectIn(dialect),
    },
    ...(shard === undefined ? {} : { shard }),
  };
  const file = out === undefined ? undefined : openSync(out, "w", PRIVATE);
  const progress = explorationProgress(output);
  const ended = failOnEarlyExit(output);
  try {
    const write = (line: string) => void (file === undefined || writeSync(file, line));
    const report = await exploreAs(options, {
      ...listeners(progress, write, { app: appFlags, module: flags.with }),
      replay: again.command,
    });
    write(endLine(report.result));
    progress.end();
    const code = show(writeArtifacts(report, again), path, { format, verbose }, output);
    ended();
    return code;
  } catch (error) {
    progress.end();
    ended();
    throw error instanceof ScenarioError ? inFile(path, error, text) : asUsageError(path, error, flags);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @throws {UsageError} for flags that another one makes senseless */
function mustFitTogether({ server, run, workers = 1, vary, seeds }: ExploreFlags): void {
  if ((server ?? run) !== undefined && workers > 1)
    throw new UsageError(
      run === undefined
        ? "a server runs one world at a time; give --server again for each further instance of it"
        : "with --run, one world runs at a time",
      "--workers",
    );
  if (vary !== undefined && seeds === undefined)
    throw new UsageError("--vary says what the seeds vary: add --seeds A..B");
}

/** The exit code of a process that ends before the exploration does. */
const ENDED_EARLY = 70;

/** Until the function that is returned is called, the process ends with 70, whatever code the app ends it with. */
function failOnEarlyExit(output: CommandOutput): () => void {
  const own = process as NodeJS.Process & { reallyExit(code?: number): never };
  const { reallyExit } = own;
  const cause = "the process ended before the exploration did";
  const next = "let nothing in the app end the process, such as process.exit";
  const fail = () => {
    if (output.isJson) output.out(output.result([{ cause, place: null, next }]));
    else output.err(`ringback: ${cause}\n`);
    return reallyExit.call(own, ENDED_EARLY);
  };
  // at once, since another listener may set another code
  process.once("exit", fail);
  // the process can also end by this, without an `exit` event
  own.reallyExit = fail;
  return () => {
    process.off("exit", fail);
    own.reallyExit = reallyExit;
  };
}

/** Shows progress, and writes each world as soon as it was run, so that an interrupted exploration is not lost. */
function listeners(
  progress: Required<Omit<ExplorationListener, "replay">>,
  write: (line: string) => void,
  { app, module }: { readonly app: string; readonly module: string | undefined },
): ExplorationListener {
  return {
    onStart(read) {
      const { prepared, limits } = read;
      write(headLine(prepared, limits, { version: ownVersion(), app, module: hashOf(module) }));
      progress.onStart(read);
    },
    onWorld(outcome) {
      write(worldLine(outcome));
      progress.onWorld(outcome);
    },
    onPartDone: () => progress.onPartDone(),
    onMinimize: (failures) => progress.onMinimize(failures),
  };
}

/** Runs a failing world again in the same dialect. A test could not say how its file is read. */
function withDialect({ command }: Reproduction, dialect: string): Reproduction {
  return {
    command: (file, isForged) => `${command(file, isForged)} --dialect ${quoted(dialect)}`,
    kept: undefined,
  };
}

/** Tells an app's module from others, wherever its file is and however its lines end. */
function hashOf(module: string | undefined): string | undefined {
  if (module === undefined) return undefined;
  return createHash("sha256")
    .update(readTextFile(module).replaceAll("\r\n", "\n"))
    .digest("hex")
    .slice(0, 16);
}

async function merge(paths: readonly string[], flags: ShowFlags, output: CommandOutput): Promise<number> {
  const files = paths.map((name) => ({ name, text: readTextFile(name) }));
  try {
    return show(writeMergedArtifacts(mergeResults(files)), undefined, flags, output);
  } catch (error) {
    throw asUsageError("", error);
  }
}

/** Writes the files that the whole exploration would, but no tests: the app may be on other machines. */
function writeMergedArtifacts(report: ExploreReport): ExploreReport {
  const command = report.failures[0]?.replay.replace("save it as FILE, then ", "");
  return writeArtifacts(report, {
    command: (world) => (command ?? "").replaceAll("FILE", world),
    kept: undefined,
  });
}

interface ShowFlags {
  readonly verbose?: boolean | undefined;
  readonly format?: ReportFormat | undefined;
}

const reportOption = () =>
  new Option("--format <format>", "print the report as other test runners do").choices(reportFormats);

const verboseOption = () =>
  new Option(
    "--verbose",
    "also print what breaks how often, the longest worlds, the machines, and each change of --mutants",
  );

function show(
  report: ExploreReport,
  path: string | undefined,
  flags: ShowFlags,
  output: CommandOutput,
): number {
  const { format, verbose = false } = flags;
  const suite = { suite: "ringback explore", tests: [reportTest(report, path)] };
  reportToGithub(suite, output.err);
  // the text of what passes has it
  if (format !== undefined || !report.passed || output.isJson)
    printSummary(report.result, report.result.title);
  if (output.isJson) output.out(output.result(listFailures(report, path), withoutFailures(report.result)));
  else output.out(format === undefined ? report.toText({ verbose }) : testReport(suite, format));
  return report.passed ? 0 : 1;
}

/** A report's result without its failures, which are printed apart. */
function withoutFailures({ failures: _, ...result }: ExploreReport["result"]): object {
  return result;
}

/** The failures, each with all that the report says of it, and the properties that were never tested. */
function listFailures(
  { failures, gone, neverHeld, unmet, passed, isEmpty, result }: ExploreReport,
  path: string | undefined,
): CommandFailure[] {
  const failed = failures.map((failure) => {
    const { property, message, files } = failure;
    const next =
      files?.page === undefined
        ? "save this output as FILE.json; `ringback inspect FILE.json` shows the smallest world"
        : `open ${files.page}, which shows the smallest world`;
    const place = files?.scenario ?? failure.kept ?? path ?? null;
    return { cause: `${property}: ${message}`, place, next, ...failure };
  });
  if (passed) return failed;
  const never = neverHeld.map((name) => ({
    cause: `"${name}" held in no world: that situation was never tested`,
    place: path ?? null,
    next: "add steps that lead to it",
  }));
  const empty = {
    cause: NO_WORLD,
    place: path ?? null,
    next: "give it more time: `--for` was over before the first world",
  };
  const marked = gone.map((name) => ({
    cause: goneText(name),
    place: path ?? null,
    next: "take the property out of `known`: what failed is mended",
  }));
  const untried = unmet.map((cause) => ({
    cause,
    place: path ?? null,
    next: "do what it says, or take it out of `require`",
  }));
  const missing = result.notRun.map((why) => ({
    cause: `${NOT_RUN}: ${why}`,
    place: path ?? null,
    next: "mend what it says, and explore again: nothing is known of these worlds",
  }));
  return [...failed, ...marked, ...never, ...untried, ...missing, ...(isEmpty ? [empty] : [])];
}

/** The exploration as one test, which has the same name whether it passes or not. */
function reportTest(report: ExploreReport, given: string | undefined): Test {
  const { failures, passed, result } = report;
  const named = { name: result.title, path: given ?? result.title };
  if (passed) return { ...named, status: "passed", problems: [] };
  if (failures.length === 0 && result.notRun.length > 0)
    return { ...named, status: "error", problems: result.notRun };
  return { ...named, status: "failed", problems: [report.toText()], replay: failures[0]?.replay };
}

/** Turns an error that the user can fix into a `UsageError`. */
function asUsageError(path: string, error: unknown, flags: object = {}): unknown {
  if (!(error instanceof InputError)) return error;
  return usageErrorIn(path === "" ? null : path, flags, error);
}

/** `restarts,forged`. */
function readRequired(given: string): (typeof requirable)[number][] {
  return given.split(",").map((each) => {
    const found = requirable.find((name) => name === each.trim());
    if (found === undefined)
      throw new InvalidArgumentError(`Expected some of ${requirable.join(", ")}, separated by commas.`);
    return found;
  });
}

/** Adds a property that may fail to those before it. */
function readKnown(given: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, property, reason] = /^([^=]+)=(.+)$/s.exec(given) ?? [];
  if (property === undefined || reason === undefined)
    throw new InvalidArgumentError('Expected a property and a reason, such as "one activity a call=CRM-12".');
  return { ...before, [property.trim()]: reason.trim() };
}

/** `2/5`: the second of five; or `auto`. @throws {UsageError} */
function readShard(text: string): Shard | "auto" {
  if (text === "auto") return text;
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(`expected auto or INDEX/COUNT such as 2/5, the first is 1, got ${text}`, "--shard");
}

/** The shard that is asked for; undefined for all worlds. Says what the variables of a CI system have to do with it. */
function shardFor(asked: Shard | "auto" | undefined, output: CommandOutput): Shard | undefined {
  if (asked === "auto") {
    const shard = shardOfJob();
    if (shard === undefined) output.err("ringback: all worlds, as no CI system says that this is a shard\n");
    else output.err(`ringback: shard ${shard.index} of ${shard.count}, as ${shard.name} says\n`);
    return shard && { index: shard.index, count: shard.count };
  }
  const system = asked === undefined ? ciSystemOf(process.env) : undefined;
  if (system !== undefined)
    output.err(`ringback: all worlds, in each of the jobs of ${system}; --shard auto runs a part in each\n`);
  return asked;
}

function shardOfJob(): ReturnType<typeof shardOfEnvironment> {
  try {
    return shardOfEnvironment(process.env);
  } catch (error) {
    throw asUsageError("--shard auto", error);
  }
}

/** `conditions`, `traffic=20`: one more of what the seeds vary. */
function readVariation(text: string, before: Variation = {}): Variation {
  const [, what, number] = /^(\w+)(?:=(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (what === "conditions")
    return { ...before, conditions: number === undefined ? true : { rate: Number(number) } };
  if (what === "traffic")
    return { ...before, traffic: number === undefined ? true : { calls: Number(number) } };
  if (what === "behaviour" && number === undefined) return { ...before, behaviour: true };
  throw new InvalidArgumentError("Expected conditions, traffic or behaviour, such as traffic=20.");
}

/** `1..500`, or `500` for the same. */
function readSeedRange(text: string): { readonly from: number; readonly to: number } {
  const [, first, last] = /^(?:(\d{1,15})\.\.)?(\d{1,15})$/.exec(text) ?? [];
  const range = { from: Number(first ?? 1), to: Number(last) };
  if (range.from <= range.to) return range;
  throw new InvalidArgumentError("Expected a range such as 1..500.");
}
