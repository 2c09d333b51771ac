import { callerOf } from "../../core/foundation/caller.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { omit } from "../../core/foundation/values.ts";
import { sourceOf } from "../../core/scenario/parse.ts";
import { quoted, system } from "../../findings/quoted.ts";
import { type RunningTest, runningTest } from "../../findings/running-test.ts";
import { readFiles, rulesIn } from "../run/files.ts";
import { isOfModule } from "../search/limits.ts";
import type { ExploreModuleOptions, ExploreOptions } from "../search/options.ts";
import { type KeptTest, type Runner, type TestCommand, usualCommands } from "./kept-test.ts";
import { namedWorldIn, shortWorld, WORLD } from "./named-world.ts";
import {
  argsForTest,
  FILE,
  nodeOptions,
  type TypedCommand,
  typedCommand,
  typedOptions,
  withoutChoice,
} from "./typed-command.ts";

/** How to run a failing world again. */
export interface Reproduction {
  /**
   * The command that runs it.
   * @param file the scenario's file
   * @param isForged whether forged requests bring the failure about: only explorations send them
   */
  command(file: string, isForged: boolean): string;
  /** What a regression test of it needs; undefined if no test can play it. */
  readonly kept: ReproducedTest | undefined;
}

/** What a regression test needs besides what failed. */
export type ReproducedTest = Pick<KeptTest, "runner" | "command" | "isLocal" | "app">;

/** The parts of Node's process that are used. */
interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly ppid?: number;
  cwd(): string;
}

/** The parts of Node's `path` that are used. */
interface Paths {
  readonly sep: string;
  isAbsolute(path: string): boolean;
  relative(from: string, to: string): string;
  resolve(...paths: string[]): string;
}

/**
 * The options with the scenario that `RINGBACK_WORLD` names in place of an exploration; unchanged if it names none.
 * @throws {InputError} if there is no such file, or several
 */
export function withNamedWorld<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
): ExploreOptions<T> | ExploreModuleOptions {
  const scenario = namedWorld();
  if (scenario === undefined) return options;
  const more = omit(options, "seeds", "vary", "people", "shard", "corpus", "mutants", "require");
  const { file, isForged } = namedWorldIn(scenario, nodeModule<Process>("node:process")?.env ?? {});
  const forged = isForged === undefined ? {} : { forged: isForged };
  return { ...more, ...forged, scenario: file, deviations: 0, allowLocal: isLocalAllowed(options) };
}

/** The scenario's file that is played in place of each exploration. */
export function namedWorld(): string | undefined {
  return nodeModule<Process>("node:process")?.env[WORLD] || undefined;
}

/**
 * The scenario's file, if it is played alone and an earlier failure wrote it. A failure in it has its scenario and its
 * test already: if they were written once more, each run would add tests.
 */
export function corpusFileOf<T>(options: ExploreOptions<T> | ExploreModuleOptions): string | undefined {
  const { scenario, deviations, seeds } = options;
  if (typeof scenario !== "string" || deviations !== 0 || seeds !== undefined) return undefined;
  return rulesIn(readFiles(scenario, false).text) === undefined ? undefined : relativePath(scenario);
}

/**
 * How the worlds of an exploration in code are run again; undefined if nothing tells which program this is.
 * @param stack the stack of the code that explores
 */
export function findReproduction<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  stack: string,
): Reproduction | undefined {
  const process = nodeModule<Process>("node:process");
  if (process === undefined) return undefined;
  const running = runningTest();
  const runner = running?.runner ?? "node:test";
  const program = runAgain(process, running);
  if (isOfModule(options) && (program === undefined || !hasMoreThanFlags(options)))
    return reproductionWithModule(
      { module: options.with, clock: options.clock, isLocal: isLocalAllowed(options) },
      runner,
    );
  if (program === undefined) return undefined;
  const more = loadingOptions(process, runner);
  const isGiven = program.words(LONGER).includes(VM_MODULES);
  return {
    command(world) {
      const named = { [WORLD]: shortWorld(world, process.env) };
      const words = program.words(LONGER - withVariables(named, []).length);
      return withVariables({ ...named, ...(isGiven ? {} : more) }, words);
    },
    kept: keptInCode(options, runner, stack, program.testCommand),
  };
}

/** What a regression test needs of an app that is given in code; undefined if no file of the user's calls `explore`. */
function keptInCode<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  runner: Runner,
  stack: string,
  command: TestCommand,
): ReproducedTest | undefined {
  const [, file, line] = /^(.*):(\d+):\d+$/.exec(callerOf(stack) ?? "") ?? [];
  if (file === undefined) return undefined;
  const path = file.startsWith("file:")
    ? (nodeModule<{ fileURLToPath(url: string): string }>("node:url")?.fileURLToPath(file) ?? file)
    : file;
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const app = { file: relativePath(path), line: Number(line), given };
  return { runner, command, isLocal: isLocalAllowed(options), app };
}

/** Whether options decide how a world goes for which the command that plays it with a module has no flag. */
function hasMoreThanFlags({ dialect, horizon, patience, steps }: ExploreModuleOptions): boolean {
  return [dialect, horizon, patience, steps].some((each) => each !== undefined);
}

/** A module with an app, and how it is run. */
interface GivenModule {
  readonly module: string;
  readonly clock: "virtual" | "real" | undefined;
  readonly isLocal: boolean;
}

/** How worlds are run again with an app in a module. */
export function reproductionWithModule(
  { module, clock, isLocal }: GivenModule,
  runner: Runner,
): Reproduction {
  const file = relativePath(module);
  const isReal = clock === "real";
  return {
    command: (world, isForged) => {
      const [play, ...more] = playingWords(isForged);
      const flags = [...(isReal ? ["--clock", "real"] : []), ...(isLocal ? ["--allow-local"] : [])];
      const words = ["npx", "ringback", play, world, "--with", file, ...more, ...flags];
      const process = nodeModule<Process>("node:process");
      return withVariables(process === undefined ? {} : loadingOptions(process, undefined), words);
    },
    kept: {
      ...{ runner, command: usualTestCommand(runner), isLocal },
      app: {
        lines: [`with: ${JSON.stringify(file)},`, ...(isReal ? ['clock: "real",'] : [])],
        ...{ names: [], module: file },
      },
    },
  };
}

/** The usual command of a runner, if it needs `NODE_OPTIONS` to load the module; undefined if not. */
function usualTestCommand(runner: Runner): TestCommand | undefined {
  const process = nodeModule<Process>("node:process");
  const given = process && loadingOptions(process, undefined).NODE_OPTIONS;
  if (given === undefined) return undefined;
  const { variables, words } = usualCommands[runner];
  const own = Object.values(variables).filter((option) => !given.includes(option));
  return { variables: { NODE_OPTIONS: [given, ...own].join(" ") }, words };
}

/**
 * The command that plays a scenario, and its flags.
 * @param isForged whether to send forged requests too, also to an app that no longer looks at signatures
 */
export function playingWords(isForged: boolean): readonly [command: string, ...flags: string[]] {
  return isForged ? ["explore", "--deviations", "0", "--forged"] : ["run"];
}

function isLocalAllowed<T>({ scenario, allowLocal }: ExploreOptions<T> | ExploreModuleOptions): boolean {
  if (allowLocal !== undefined) return allowLocal;
  return typeof scenario === "object" && sourceOf(scenario)?.allowLocal === true;
}

/**
 * A file as seen from the folder in which the program runs, if it is there.
 * @param path the functions of the operating system @param here the folder
 */
export function relativePath(
  file: string,
  path = nodeModule<Paths>("node:path"),
  here = nodeModule<Process>("node:process")?.cwd(),
): string {
  if (path === undefined || here === undefined) return file;
  const relative = path.relative(here, path.resolve(here, file));
  // what is on another drive has no relative path
  return relative.startsWith("..") || path.isAbsolute(relative)
    ? file
    : `./${relative.replaceAll(path.sep, "/")}`;
}

/**
 * A command with variables of the environment.
 * @param on the operating system; on Windows the command is one of cmd
 */
export function withVariables(
  variables: Readonly<Record<string, string>>,
  words: readonly string[],
  on = system,
): string {
  const given = Object.entries(variables).map(([name, value]) =>
    on === "win32" ? `set "${name}=${value}" && ` : `${name}=${quoted(value, on)} `,
  );
  return given.join("") + words.map((word) => quoted(word, on)).join(" ");
}

/** Options of Node that decide how code is loaded: without them, a command may not load what this process did. */
const loading = /(?:^|\s)(?:-r|--import|--require|--loader|--experimental-(?:loader|vm-modules))(?:\s|=|$)/;
const VM_MODULES = "--experimental-vm-modules";

/**
 * `NODE_OPTIONS`, if a command needs it too. Who pastes a command may not have exported it.
 * @param runner the test runner that the command starts
 */
export function loadingOptions(
  { env: { NODE_OPTIONS = "" }, execArgv }: Pick<Process, "env" | "execArgv">,
  runner: Runner | undefined,
): { readonly NODE_OPTIONS?: string } {
  if (loading.test(NODE_OPTIONS)) return { NODE_OPTIONS };
  return runner === "jest" && execArgv.includes(VM_MODULES) ? { NODE_OPTIONS: VM_MODULES } : {};
}

/** How much longer the command may be than the one that was typed, in characters. */
const LONGER = 120;
/** The least that is left of a test's name. */
const SHORTEST_NAME = 16;

/** The command that runs this test, or this program, again. */
interface RunAgain {
  /** @param spare how many characters it may add to what was typed; a test's name is shortened to its end */
  words(spare: number): readonly string[];
  /** The command that runs another test's file in the same way. */
  readonly testCommand: TestCommand;
}

function runAgain(process: Process, running: RunningTest | undefined): RunAgain | undefined {
  const { argv, execArgv, ppid } = process;
  const file = running?.file ?? argv[1];
  if (file === undefined) return undefined;
  const own = relativePath(file).replace(/^\.\//, "");
  if (running === undefined) {
    const flags = execArgv.filter((flag) => !flag.startsWith("--test"));
    const words = ["node", ...flags, own, ...argv.slice(2)];
    return { words: () => words, testCommand: { variables: {}, words: ["node", ...flags, "--test", FILE] } };
  }
  const { runner, names } = running;
  const { program, args } = typedCommand(runner, ppid) ?? usualCommand(runner, execArgv);
  const typedLength = lengthOf([...program, ...args]);
  const start = [...program, ...argsFor(runner, withoutChoice(args), own)];
  const name = names?.join(" ");
  return {
    testCommand: {
      variables: { ...loadingOptions(process, runner) },
      words: [...program, ...argsForTest(runner, args, own)],
    },
    words(spare) {
      if (runner === "node:test" || name === undefined) return start;
      return [
        ...start,
        "-t",
        namePattern(name, spare - (lengthOf([...start, "-t", "''"]) - typedLength) - 1),
      ];
    },
  };
}

/** What starts a runner, where the system does not tell what was typed. */
function usualCommand(runner: Runner, execArgv: readonly string[]): TypedCommand {
  if (runner === "node:test") return { program: ["node"], args: [...typedOptions(execArgv), "--test"] };
  return { program: ["npx", runner], args: runner === "vitest" ? ["run"] : [] };
}

/** What is typed behind a runner to run one file. */
function argsFor(runner: Runner, typed: readonly string[], own: string): readonly string[] {
  if (runner === "node:test") return [...nodeOptions(typed), own];
  const [first = "", ...others] = typed;
  const isMode = ["run", "watch", "dev"].includes(first);
  const isRun = typed.includes("--run");
  const args = runner === "jest" || isRun ? typed : ["run", ...(isMode ? others : typed)];
  const isNamed = typed.some((word, index) => index >= (isMode ? 1 : 0) && isPathPart(word, own));
  // Jest reads a regular expression, and Vitest a part of the path
  return isNamed ? args : [...args, runner === "jest" ? own.replaceAll(/[\\^$*+?()[\]{}|]/g, ".") : own];
}

function isPathPart(word: string, path: string): boolean {
  const part = word.replace(/^\.\//, "");
  return part !== "" && !part.startsWith("-") && path.includes(part);
}

/** A regular expression for the whole name of a test, or as much of its end as fits. */
function namePattern(name: string, length: number): string {
  const whole = `^${escaped(name)}$`;
  if (whole.length <= length) return whole;
  let end = name;
  while (escaped(end).length + 1 > length && end.length > SHORTEST_NAME) end = end.slice(1);
  const fromWord = end.slice(end.indexOf(" ") + 1);
  return `${escaped(fromWord.length >= SHORTEST_NAME ? fromWord : end)}$`;
}

function lengthOf(words: readonly string[]): number {
  return words.map((word) => quoted(word, system)).join(" ").length;
}

/** A text as a regular expression that matches it. cmd has no way to quote `"` and `%`, so any character stands for them. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(/["%]/g, ".");
}
