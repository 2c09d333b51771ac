/**
 * `ringback/vitest`: importing it adds matchers for simulators to Vitest's `expect`, and has simulators and events
 * written into snapshots with their keys in a fixed order.
 */
import { expect, vi } from "vitest";
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
