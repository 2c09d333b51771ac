import { realInstantMs } from "./real-time.ts";

/** The test in which an exploration runs, as far as its runner tells. */
export interface RunningTest {
  readonly runner: "vitest" | "jest" | "node:test";
  /** The path of the test's file; undefined if the runner does not tell. */
  readonly file: string | undefined;
  /** The names of its suites and its own, from the outside in; undefined if the runner does not tell. */
  readonly names: readonly string[] | undefined;
  /** How long the test may take, ms, and how much of it is left. `Infinity` if the runner does not tell. */
  readonly timeoutMs: number;
  readonly leftMs: number;
}

/** The part of Vitest's state of a thread or process that is used. It is private, so each field may be missing. */
interface VitestState {
  readonly filepath?: unknown;
  readonly current?: VitestTask | undefined;
}

interface VitestTask {
  readonly name?: unknown;
  readonly suite?: VitestTask | undefined;
  readonly timeout?: unknown;
  readonly result?: {
    readonly startTime?: unknown;
    readonly retryCount?: unknown;
    readonly repeatCount?: unknown;
  };
}

/** The same of Jest. */
interface JestState {
  readonly testTimeout?: unknown;
  readonly currentlyRunningTest?: JestTest | null | undefined;
}

interface JestTest {
  readonly name?: unknown;
  readonly parent?: JestTest | undefined;
  readonly timeout?: unknown;
  readonly startedAt?: unknown;
}

/** The globals by which runners can be recognised. */
interface RunnerGlobals {
  readonly __vitest_worker__?: VitestState;
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly argv?: readonly string[];
  };
  readonly [symbol: symbol]: unknown;
}

/** The test that runs now; undefined outside of a test, and in a runner that is not known. */
export function runningTest(globals: object = globalThis): RunningTest | undefined {
  const runnerGlobals = globals as RunnerGlobals;
  return vitestTest(runnerGlobals) ?? jestTest(runnerGlobals) ?? nodeTest(runnerGlobals);
}

function vitestTest({ __vitest_worker__: state }: RunnerGlobals): RunningTest | undefined {
  const task = state?.current;
  if (task === undefined || task === null) return undefined;
  const { startTime, retryCount = 0, repeatCount = 0 } = task.result ?? {};
  // a second try has its own time, and when it began is not said
  const isFirstTry = retryCount === 0 && repeatCount === 0;
  return {
    runner: "vitest",
    file: textOrUndefined(state?.filepath),
    names: namesFrom(task, ({ suite }) => suite),
    ...timeLimits(task.timeout, isFirstTry ? startTime : undefined),
  };
}

/** Jest keeps its state under a symbol that only its description tells from others. */
const JEST_STATE = "JEST_STATE_SYMBOL";

function jestTest(runnerGlobals: RunnerGlobals): RunningTest | undefined {
  const symbol = Object.getOwnPropertySymbols(runnerGlobals).find(
    ({ description }) => description === JEST_STATE,
  );
  const state = symbol === undefined ? undefined : (runnerGlobals[symbol] as JestState | undefined);
  const test = state?.currentlyRunningTest;
  if (test === undefined || test === null) return undefined;
  const matchers = runnerGlobals[Symbol.for("$$jest-matchers-object")] as
    | { readonly state?: { readonly testPath?: unknown } }
    | undefined;
  return {
    runner: "jest",
    file: textOrUndefined(matchers?.state?.testPath),
    // the outermost suite stands for the file
    names: namesFrom(test, ({ parent }) => parent)?.filter((name) => name !== "ROOT_DESCRIBE_BLOCK"),
    ...timeLimits(test.timeout ?? state?.testTimeout, test.startedAt),
  };
}

/** Node's own runner tells a test's file, but neither its name nor its time. */
function nodeTest({ process }: RunnerGlobals): RunningTest | undefined {
  if (process?.env?.NODE_TEST_CONTEXT === undefined) return undefined;
  const endless = Number.POSITIVE_INFINITY;
  return {
    runner: "node:test",
    file: process.argv?.[1],
    names: undefined,
    timeoutMs: endless,
    leftMs: endless,
  };
}

/** @param timeout how long the test may take, ms @param started when it began, ms since 1970 */
function timeLimits(timeout: unknown, started: unknown): Pick<RunningTest, "timeoutMs" | "leftMs"> {
  const timeoutMs =
    typeof timeout === "number" && timeout > 0 && Number.isFinite(timeout)
      ? timeout
      : Number.POSITIVE_INFINITY;
  const passedMs = typeof started === "number" ? realInstantMs() - started : 0;
  // hooks before the test have time of their own, so it may have begun later than its runner says
  const isPossible = passedMs >= 0 && passedMs < timeoutMs;
  return { timeoutMs, leftMs: isPossible ? timeoutMs - passedMs : timeoutMs };
}

/** @param outer finds what a test or suite is in */
function namesFrom<Named extends { readonly name?: unknown }>(
  test: Named,
  outer: (named: Named) => Named | undefined,
): string[] | undefined {
  const names: string[] = [];
  for (let each: Named | undefined = test; each !== undefined && each !== null; each = outer(each)) {
    if (typeof each.name !== "string") return undefined;
    if (each.name !== "") names.unshift(each.name);
  }
  return names;
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
