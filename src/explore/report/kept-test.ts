import type { RunningTest } from "../../findings/running-test.ts";

/** The test runner for which a regression test is written. */
export type Runner = RunningTest["runner"];

/** What a failure leaves for `ringback keep`, which writes a regression test of it. Plain data. */
export interface KeptTest {
  readonly title: string;
  /** What happens in the world, in one sentence. */
  readonly story: string;
  /** Whether forged requests bring it about. */
  readonly isForged: boolean;
  readonly runner: Runner;
  /** The command that runs a test's file, with `FILE` in its place; undefined for the usual one. */
  readonly command: TestCommand | undefined;
  /** Whether endpoints may be at local and private hosts. */
  readonly isLocal: boolean;
  readonly app: AppInCode | AppByOptions;
}

/** A command, its variables, and `FILE` where the test's file stands. */
export interface TestCommand {
  readonly variables: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** The commands that run a test's file where the one that was typed is not known. */
export const usualCommands: Readonly<Record<Runner, TestCommand>> = {
  vitest: { variables: {}, words: ["npx", "vitest", "run", "FILE"] },
  jest: {
    variables: { NODE_OPTIONS: "--experimental-vm-modules" },
    words: ["npx", "jest", "--runTestsByPath", "FILE"],
  },
  "node:test": { variables: {}, words: ["node", "--test", "FILE"] },
};

/** An app that is given to `explore` in code. */
export interface AppInCode {
  /** The file that calls `explore`, as seen from the folder in which it ran, and its line. */
  readonly file: string;
  readonly line: number;
  /** The options that were given, by name. */
  readonly given: readonly string[];
}

/** An app in a module or a server, which options name. */
export interface AppByOptions {
  /** The lines of the options. */
  readonly lines: readonly string[];
  /** What these lines import from `ringback/explore`. */
  readonly names: readonly string[];
  /** The module; undefined for a server. */
  readonly module: string | undefined;
}

/** The options that say which worlds are explored: a kept test plays one world. */
export const aboutWorlds = [
  ...["scenario", "deviations", "seeds", "people", "vary", "worlds", "for", "within", "shard", "workers"],
  ...["corpus", "mutants", "require", "known", "sometimes", "forged", "allowLocal", "explain"],
] as const;
