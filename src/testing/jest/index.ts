/**
 * `ringback/jest`: importing it adds matchers for simulators to Jest's `expect`. Snapshots show simulators as
 * timelines, and events as JSON with keys in a fixed order. `matchers` is for any other `expect.extend`.
 */

import type { Matchers } from "expect";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { isFilteredByJest, jestTest } from "../../findings/jest-state.ts";
import { matchers } from "../matchers.ts";
import type { RingbackMatchers } from "../matching.ts";
import { NoteTaker } from "../received-notes.ts";
import { type FakeTimers, type SharedTime, shareTimeWith } from "../shared-time.ts";
import { snapshotSerializer } from "../snapshot.ts";

/** Jest's own matchers, which this package extends. Naming them here makes them part of the program. */
export type JestMatchers<R extends void | Promise<void>, T = unknown> = Matchers<R, T>;
export { matchers } from "../matchers.ts";
export type { DataMatch, FixtureOptions, RingbackMatchers, SilenceOptions, StreamLine } from "../matching.ts";
export type { FakeTimers, SharedTime } from "../shared-time.ts";
export { snapshotSerializer } from "../snapshot.ts";

declare global {
  namespace jest {
    interface Matchers<R, T> extends RingbackMatchers<R> {}
  }
}

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T> extends RingbackMatchers<R> {}
}

/**
 * Gives the app under test the time of a simulator, by Jest's fake timers. Turns fake timers on if they are off;
 * `jest.useRealTimers()` ends it. An endpoint may wait for a timer before it answers, but not for one that repeats:
 * then `advance` fails at once.
 * @param sim the simulator whose time both have
 * @param timers Jest's `jest` object, which every test file has
 * @example
 * import { shareTime } from "ringback/jest";
 *
 * const time = shareTime(sim, jest);
 * const later = new Promise((resolve) => setTimeout(() => resolve(new Date().toISOString()), 20_000));
 * await time.advance("PT1M");
 * await later; // => "2026-07-01T00:00:20.000Z"
 * jest.useRealTimers();
 */
export function shareTime(sim: Simulator, timers: FakeTimers): SharedTime {
  return shareTimeWith(sim, timers);
}

interface Expect {
  extend(all: typeof matchers): void;
  getState?(): { readonly testPath?: string };
  addSnapshotSerializer?(serializer: typeof snapshotSerializer): void;
}

// a test that imports `expect` instead of using the global extends it itself
const { expect } = globalThis as { expect?: Expect };
expect?.extend(matchers);
expect?.addSnapshotSerializer?.(snapshotSerializer);

const { afterAll } = globalThis as { afterAll?: (hook: () => void) => void };
// Jest takes no hooks while a test runs, so a test that loads this leaves no notes
if (afterAll !== undefined && expect !== undefined && jestTest(globalThis) === undefined) {
  const running = () => jestTest(globalThis)?.names.join(" > ");
  const notes = new NoteTaker({
    file: () => expect.getState?.().testPath,
    // nothing tells a project's name, and projects often differ in their environment
    project: () => ("document" in globalThis ? "dom" : undefined),
    isFiltered: () => isFilteredByJest(globalThis),
    tests: () => [running() ?? []].flat(),
    isRunning: (test) => running() === test,
  });
  notes.listen();
  afterAll(() => notes.write());
}
