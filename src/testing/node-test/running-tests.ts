import { lineIn } from "../../core/foundation/caller.ts";
import { InputError } from "../../core/foundation/errors.ts";
import { show } from "../../core/foundation/show.ts";
import { runningTest } from "../../findings/running-test.ts";
import { withRuns } from "../failed-test.ts";
import type { MatcherContext } from "../matching.ts";
import { RecentSimulators } from "../recent-simulators.ts";
import type { MockTimers } from "./mock-clock.ts";

/** The used parts of a test's context. */
export interface NodeTestContext {
  /** The names of its suites and its own, from the outside in, with ` > ` between them. */
  readonly fullName: string;
  /** The path of its file. Not in Node 20. */
  readonly filePath?: string;
  readonly assert?: object;
  readonly mock: { readonly timers: MockTimers };
  /** Why it failed: an error of the runner's, with what was thrown as its cause. Null if it did not. */
  readonly error: { readonly failureType?: string; readonly cause?: unknown } | null;
  diagnostic(text: string): void;
}

/** The file around all tests, and the last test around a simulator. */
const FILE = "file";
/** The kinds of failures that are a test's own: neither those of its parts nor those of hooks. */
const OWN_FAILURES = ["testCodeFailure", "testTimeoutFailure", "uncaughtException", "unhandledRejection"];

/** The tests of `node:test` that run. Those that fail get the runs of their simulators. */
export class RunningTests {
  readonly recent = new RecentSimulators();
  private readonly running = new Map<string, NodeTestContext>();
  private count = 0;

  start(test: NodeTestContext): void {
    const around = [...this.running].filter(([, each]) => test.fullName.startsWith(`${each.fullName} > `));
    const id = String(++this.count);
    this.recent.startTest(id, [{ id: FILE, startedMs: 0 }], around.at(-1)?.[0]);
    this.running.set(id, test);
  }

  end(test: NodeTestContext): void {
    const id = [...this.running].find(([, each]) => each === test)?.[0];
    if (id === undefined) return;
    this.report(test, id);
    this.recent.endTest(id);
    this.running.delete(id);
  }

  /** The name of the test that runs and its file, as far as one is known to run. */
  nameNow(): MatcherContext {
    const test = this.now();
    return { currentTestName: test?.fullName, testPath: test?.filePath };
  }

  /** @throws {InputError} if several tests run */
  timersNow(): MockTimers {
    const test = this.now();
    if (test === undefined)
      throw new InputError(
        ["shareTime"],
        "expected fake timers as the second argument, since not exactly one test runs: give it `t.mock.timers`",
      );
    return test.mock.timers;
  }

  private now(): NodeTestContext | undefined {
    const [id, ...others] = this.recent.innermost();
    return id === undefined || others.length > 0 ? undefined : this.running.get(id);
  }

  private report(test: NodeTestContext, id: string): void {
    const { failureType = "", cause } = test.error ?? {};
    if (test.error === null || !OWN_FAILURES.includes(failureType)) return;
    const error = isError(cause) ? cause : undefined;
    const problem = error?.message ?? (typeof cause === "string" ? cause : show(cause));
    if (this.recent.isExplorationError(problem)) return;
    const file = test.filePath ?? runningTest()?.file;
    const line = file === undefined ? undefined : lineIn(error?.stack, file);
    const details = { problem, difference: differenceIn(error), ...(line === undefined ? {} : { line }) };
    const of = { currentTestName: test.fullName, testPath: file };
    const message = withRuns(of, this.recent.listFor(id), details);
    if (message === problem) return;
    // what is thrown need not be an error, and a time limit has none
    if (error === undefined || Object.isFrozen(error)) test.diagnostic(message.slice(problem.length).trim());
    else setMessage(error, message);
  }
}

function isError(
  value: unknown,
): value is Error & { readonly expected?: unknown; readonly actual?: unknown } {
  return typeof (value as Partial<Error> | null | undefined)?.message === "string";
}

function differenceIn(
  error: { readonly expected?: unknown; readonly actual?: unknown } | undefined,
): { expected: string; received: string } | undefined {
  const { expected, actual } = error ?? {};
  if (typeof expected !== "string" || typeof actual !== "string") return undefined;
  return { expected, received: actual };
}

/** The runner shows an error's stack, which begins with the message that the error had first. */
function setMessage(error: Error, message: string): void {
  const { message: before, stack } = error;
  error.message = message;
  if (stack?.includes(before)) error.stack = stack.replace(before, () => message);
}
