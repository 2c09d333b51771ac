/**
 * `ringback/vitest`: importing it adds matchers for simulators to Vitest's `expect`, and has simulators and events
 * written into snapshots with their keys in a fixed order.
 */
import { expect } from "vitest";
import type { DurationInput } from "../engine/instants.ts";
import type { EventType } from "../platform/events.ts";
import type { SilenceOptions, StreamLine } from "./expectations.ts";
import { matchers } from "./matchers.ts";
import { snapshotSerializer } from "./snapshot.ts";

/** The matchers of `ringback/vitest`, all for `expect(simulator)`. */
export interface RingbackMatchers<Result = void> {
  /**
   * An event of this type was emitted, and its `data` holds `match`: objects by the keys that are named, lists item by
   * item; asymmetric matchers such as `expect.any(String)` may stand anywhere in it.
   */
  toHaveEmitted(type: EventType, match?: object): Result;
  /** The whole stream is this, in order and to the millisecond; lines are like those of a scenario's `expect`. */
  toHaveEmittedStream(lines: readonly StreamLine[]): Result;
  /** A webhook's endpoint at exactly this URL took an event of this type: it answered with a 2xx. */
  toHaveDelivered(url: string, type: EventType, match?: object): Result;
  /** Nothing is scheduled but what goes on for ever, such as working hours. */
  toBeIdle(): Result;
  /**
   * No event would come for this long if nobody did anything. Time does not pass: a fork looks ahead. There your handlers of
   * events do not act, and your endpoints are not asked but stood in for by a 200 without a body.
   */
  toBeSilentFor(duration: DurationInput, options?: SilenceOptions): Result;
}

export type { SilenceOptions, StreamLine } from "./expectations.ts";

declare module "vitest" {
  interface Matchers<T> extends RingbackMatchers {}
}

export { type SharedTime, shareTime } from "./share-time.ts";

expect.extend(matchers);
expect.addSnapshotSerializer(snapshotSerializer);
