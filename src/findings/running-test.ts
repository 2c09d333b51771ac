import { jestTest } from "./jest-state.ts";
import { realInstantMs } from "./real-time.ts";
import { vitestTest } from "./vitest-state.ts";

/** The test in which an exploration runs, as far as its runner tells. */
export interface RunningTest {
  readonly runner: "vitest" | "jest" | "node:test";
  /** The path of the test's file; undefined if the runner does not tell. */
  readonly file: string | undefined;
  /** The names of its suites and its own, from the outside in; undefined if the runner does not tell. */
  readonly names: readonly string[] | undefined;
  /** What tells the runs of one file apart: a project of Vitest, or that Jest has a document. Undefined if nothing does. */
  readonly project: string | undefined;
  /** How long the test may take, ms, and how much of it is left. `Infinity` if the runner does not tell. */
  readonly timeoutMs: number;
  readonly leftMs: number;
}

/** What a runner's state tells of a test, unchecked. `timeout` in ms, `started` in ms since 1970. */
interface TestState {
  readonly file: unknown;
  readonly project?: unknown;
  readonly names: readonly unknown[] | undefined;
  readonly timeout: unknown;
  readonly started: unknown;
}

/** The test that runs now; undefined outside of a test, and in a runner that is not known. */
export function runningTest(globals: object = globalThis): RunningTest | undefined {
  const readers = { vitest: vitestTest, jest: jestTest, "node:test": nodeTest };
  for (const runner of ["vitest", "jest", "node:test"] as const) {
    const state = readers[runner](globals);
    if (state !== undefined) return { runner, ...checkState(state) };
  }
  return undefined;
}

/** Node's own runner tells a test's file, but neither its name nor its time. */
function nodeTest(globals: object): TestState | undefined {
  const { process } = globals as { readonly process?: Partial<Pick<NodeJS.Process, "env" | "argv">> };
  if (process?.env?.NODE_TEST_CONTEXT === undefined) return undefined;
  return { file: process.argv?.[1], names: undefined, timeout: undefined, started: undefined };
}

function checkState({ file, project, names, timeout, started }: TestState): Omit<RunningTest, "runner"> {
  const isLimited = typeof timeout === "number" && timeout > 0 && Number.isFinite(timeout);
  const timeoutMs = isLimited ? timeout : Number.POSITIVE_INFINITY;
  const passedMs = typeof started === "number" ? realInstantMs() - started : 0;
  // hooks before the test have time of their own, so it may have begun later than its runner says
  const isPossible = passedMs >= 0 && passedMs < timeoutMs;
  return {
    file: typeof file === "string" ? file : undefined,
    project: typeof project === "string" && project !== "" ? project : undefined,
    names: names?.every((name) => typeof name === "string") ? names.filter((name) => name !== "") : undefined,
    timeoutMs,
    leftMs: isPossible ? timeoutMs - passedMs : timeoutMs,
  };
}
