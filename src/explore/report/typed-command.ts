import { nodeModule } from "../../core/foundation/node-module.ts";
import type { RunningTest } from "../../findings/running-test.ts";

type Runner = RunningTest["runner"];

/** The command that started a test runner. */
export interface TypedCommand {
  /** How its runner is started, such as `npx vitest`. */
  readonly program: readonly string[];
  /** What follows. */
  readonly args: readonly string[];
}

/** The words of a process's command line. @param id its id, or `self` */
export type ReadCommandLine = (id: number | "self") => readonly string[] | undefined;

/** The program of a runner, whose workers have other files. */
const programs = {
  vitest: /(^|[\\/])vitest(\.mjs)?$/,
  jest: /(^|[\\/])jest(\.js)?$/,
} as const;

/**
 * The command that runs the tests, as the user typed it or a script has it. A runner's workers do not get it, so it is read where
 * the system tells it: on Linux. Elsewhere undefined.
 */
export function typedCommand(
  runner: Runner,
  parent: number | undefined,
  read: ReadCommandLine = readCommandLine,
): TypedCommand | undefined {
  for (const id of parent === undefined ? (["self"] as const) : (["self", parent] as const)) {
    const words = read(id);
    const command = words && commandIn(words, runner);
    if (command !== undefined) return command;
  }
  return undefined;
}

function commandIn(words: readonly string[], runner: Runner): TypedCommand | undefined {
  if (runner === "node:test")
    return words.includes("--test") ? { program: ["node"], args: words.slice(1) } : undefined;
  const at = words.findIndex((word) => programs[runner].test(word));
  if (at < 0) return undefined;
  const flags = words.slice(1, at);
  const program = flags.length === 0 ? ["npx", runner] : ["node", ...flags, words[at] as string];
  return { program, args: words.slice(at + 1) };
}

function readCommandLine(id: number | "self"): readonly string[] | undefined {
  const fs = nodeModule<{ readFileSync(path: string, encoding: "utf8"): string }>("node:fs");
  try {
    return fs?.readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    // another system, or files that this process may not read: the command is made without it
    return undefined;
  }
}

/** Options that would run other tests than the one that failed; some have their value in the next word. */
const choosing = /^(-t|--testNamePattern|--shard|--test-shard)(=|$)/;

/** The words without options that choose tests. */
export function withoutChoice(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    const before = args[index - 1] ?? "";
    return !choosing.test(word) && !(choosing.test(before) && !before.includes("="));
  });
}

/** Options of Node that stand before their value, if no `=` does. */
const valued =
  /^(-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--test-(reporter|reporter-destination|concurrency|timeout|name-pattern|skip-pattern|isolation|global-setup))$/;

/** The options of `node --test`, without the files behind them. */
export function nodeOptions(args: readonly string[]): readonly string[] {
  const last = args.findLastIndex((word) => word.startsWith("-"));
  return args.slice(0, valued.test(args[last] ?? "") ? last + 2 : last + 1);
}

/** Stands for the file of a test in a command. */
export const FILE = "FILE";
/** Has Jest take a path as it is. */
const BY_PATH = "--runTestsByPath";
/** Options without a value that a command gets anyway, or does not need. */
const setAnew = new Set([BY_PATH, "--run"]);
const TEST_FILE = /\.(test|spec)\.[cm]?[jt]sx?(:\d+)?$/;

/**
 * What is typed behind a runner to run the file of another test: the options, without the files.
 * @param own the file of the test that ran, as a relative path
 */
export function argsForTest(runner: Runner, typed: readonly string[], own: string): readonly string[] {
  if (runner === "node:test") return [...nodeOptions(typed), FILE];
  const options = withoutChoice(typed).filter((word, index, all) => {
    const before = all[index - 1] ?? "";
    if (word.startsWith("-")) return !setAnew.has(word);
    // an option before a test's file is one without a value
    const isFile = TEST_FILE.test(word) || word.replace(/^\.\//, "") === own;
    return before.startsWith("-") && !before.includes("=") && !setAnew.has(before) && !isFile;
  });
  return runner === "jest" ? [...options, BY_PATH, FILE] : ["run", ...options, FILE];
}

/**
 * What Node itself, from 24 on, gives to the process of each test file, although nobody typed it: each option that has a value
 * by default.
 */
const ofNode =
  /^--(test.*|inspect-(publish-uid|port)=.*|stack-trace-limit=10|report-signal=SIGUSR2|heap-prof-interval=524288|cpu-prof-interval=1000|v8-pool-size=4|trace-event-file-pattern=node_trace\.\$\{rotation\}\.log|secure-heap(-min)?=[02]|watch-kill-signal=SIGTERM|tls-cipher-list=.*|experimental-addon-modules|use-largepages=off|max-http-header-size=16384|node-snapshot|network-family-autoselection-attempt-timeout=(250|500)|heapsnapshot-near-heap-limit=0)$/;

/** The options of the process of a test file that somebody typed. */
export function typedOptions(execArgv: readonly string[]): readonly string[] {
  return execArgv.filter((flag) => !ofNode.test(flag));
}
