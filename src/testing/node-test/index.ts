/**
 * `ringback/node-test`: importing it adds assertions for simulators to `t.assert` of Node's own test runner. Snapshots show
 * simulators as timelines, and events as JSON with keys in a fixed order. A test that fails while it has a simulator names
 * the page of its run.
 */
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { NoteTaker } from "../received-notes.ts";
import { type SharedTime, shareTimeWith } from "../shared-time.ts";
import { snapshotSerializer } from "../snapshot.ts";
import { type Assertion, assertionsFor, type RingbackAssertions } from "./assertions.ts";
import { followTimers, type MockTimers } from "./mock-clock.ts";
import { type NodeTestContext, RunningTests } from "./running-tests.ts";

export type { SharedTime } from "../shared-time.ts";
export type { RingbackAssertions } from "./assertions.ts";
export type { MockTimers } from "./mock-clock.ts";

declare module "node:test" {
  interface TestContextAssert extends RingbackAssertions {}
}

/** The used parts of `node:test`. The last two are missing in Node 20. */
interface NodeTest {
  beforeEach(hook: (test: NodeTestContext) => void): void;
  after(hook: () => void): void;
  afterEach(hook: (test: NodeTestContext) => void): void;
  readonly mock: { readonly timers: MockTimers };
  readonly assert?: { register(name: string, assertion: Assertion): void };
  readonly snapshot?: { setDefaultSnapshotSerializers(all: readonly ((value: unknown) => unknown)[]): void };
}

const runner = nodeModule<NodeTest>("node:test");
if (runner?.beforeEach === undefined)
  throw new Error(
    "ringback/node-test needs Node's own test runner, node:test: run the file by `node --test`",
  );

const tests = new RunningTests();
const assertions = assertionsFor(() => tests.nameNow());

for (const [name, assertion] of assertions) runner.assert?.register(name, assertion);
runner.snapshot?.setDefaultSnapshotSerializers([
  (value) =>
    snapshotSerializer.test(value)
      ? snapshotSerializer.serialize(value as Simulator)
      : JSON.stringify(value, null, 2),
]);
runner.beforeEach((test) => {
  tests.start(test);
  // Node 20 has no `register`
  if (runner.assert === undefined) Object.assign(test.assert ?? {}, Object.fromEntries(assertions));
});
runner.afterEach((test) => tests.end(test));

const { argv, execArgv } = process;
const notes = new NoteTaker({
  // without isolation one process runs all files
  file: () => tests.nameNow().testPath ?? argv[1],
  isFiltered: () => execArgv.some((each) => /^--test-(name-pattern|skip-pattern|only)/.test(each)),
  tests: () => tests.recent.innermost(),
  isRunning: (test) => tests.recent.isRunning(test),
});
notes.listen();
runner.after(() => notes.write());

/**
 * Gives the app under test the time of a simulator, by the fake timers of `node:test`. Turns them on, with `setTimeout`,
 * `setInterval` and `Date`; they end with the test, or by `reset()` of those that are given. An endpoint may wait for a timer
 * before it answers, but not for one that repeats: then `advance` fails at once.
 * @param sim the simulator whose time both have
 * @param timers the fake timers; by default `t.mock.timers` of the test that runs
 * @throws {InputError} if fake timers are on already, or if several tests run and no timers are given
 * @example
 * import { mock } from "node:test";
 * import { shareTime } from "ringback/node-test";
 *
 * const time = shareTime(sim, mock.timers);
 * const later = new Promise((resolve) => setTimeout(() => resolve(new Date().toISOString()), 20_000));
 * await time.advance("PT1M");
 * await later; // => "2026-07-01T00:00:20.000Z"
 * mock.timers.reset();
 */
export function shareTime(sim: Simulator, timers: MockTimers = tests.timersNow()): SharedTime {
  return shareTimeWith(sim, followTimers(timers));
}
