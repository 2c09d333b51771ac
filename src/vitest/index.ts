/**
 * `ringback/vitest`: importing it adds matchers for simulators to Vitest's `expect`, and has simulators and events
 * written into snapshots with their keys in a fixed order.
 */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { AliveSimulators } from "../expect/alive.ts";
import { again, againOf } from "../expect/explain.ts";
import { matchers } from "../expect/matchers.ts";
import type { RingbackMatchers } from "../expect/matching.ts";
import { type SharedTime, shareTimeWith } from "../expect/shared-time.ts";
import { snapshotSerializer } from "../expect/snapshot.ts";
import type { Simulator } from "../simulator.ts";

export type { DataMatch, RingbackMatchers, SilenceOptions, StreamLine } from "../expect/matching.ts";
export type { SharedTime } from "../expect/shared-time.ts";

declare module "vitest" {
  interface Matchers<T> extends RingbackMatchers {}
}

/**
 * Gives the app under test, by Vitest's fake timers, and a simulator one time: that of the simulator. Turns fake timers on
 * if they are not; `vi.useRealTimers()` ends it. An endpoint that waits for a timer before it answers fails at once, since
 * time does not pass while it is asked: have it answer first.
 */
export function shareTime(sim: Simulator): SharedTime {
  return shareTimeWith(sim, vi);
}

expect.extend(matchers);
expect.addSnapshotSerializer(snapshotSerializer);

const alive = new AliveSimulators();
beforeEach(({ task }) => alive.begin(task.id));
// whatever a test fails with: its runs are written, and its failure names their files
afterEach(({ task }) => {
  alive.end();
  const [error] = task.result?.errors ?? [];
  if (task.result?.state !== "fail" || error === undefined) return;
  const test = { currentTestName: fullName(task), testPath: task.file.filepath };
  const found = alive.foundBy(error.message);
  const texts =
    found.length > 0
      ? found.map((failure) => againOf(test, failure))
      : alive.list().map((sim) => again(test, sim, error.message));
  for (const text of texts) {
    // a matcher of ours may have said so already
    if (!error.message.includes(text)) error.message += `\n\n${text}`;
  }
});

/** As Vitest names a test: its suites and itself. */
function fullName({ name, suite }: { readonly name: string; readonly suite?: unknown }): string {
  const outer = suite as { readonly name: string; readonly suite?: unknown } | undefined;
  return outer === undefined || outer.name === "" ? name : `${fullName(outer)} > ${name}`;
}
