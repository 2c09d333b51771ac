import { joinPath, type Keys } from "../engine/errors.ts";
import { show } from "../engine/instants.ts";
import type { PlatformEvent } from "../platform/events.ts";
import type { ExpectedEvent } from "./scenario.ts";

/** One place where the stream of events, or the row of attempts of deliveries, is not what was expected. */
export interface Mismatch {
  readonly of: "events" | "attempts";
  /** Place among the events or the attempts, from 0. */
  readonly index: number;
  /** Of what was expected, in the scenario's text, from 1. */
  readonly line: number | undefined;
  /** `PT6S call.answered`; undefined where nothing more was expected. */
  readonly expected: string | undefined;
  /** Undefined where nothing more happened. */
  readonly actual: string | undefined;
  /** What is wrong, in words. */
  readonly problem: string;
}

/** Compares the streams place by place: type, time to the millisecond, and `match` where a line has one. */
export function compare(
  expected: readonly ExpectedEvent[],
  events: readonly PlatformEvent[],
  startMs: number,
): Mismatch[] {
  const count = Math.max(expected.length, events.length);
  return Array.from({ length: count }, (_, index) => {
    const [line, event] = [expected[index], events[index]];
    const problem = problemOf(line, event, startMs);
    if (problem === undefined) return [];
    const texts = { expected: line && expectedText(line), actual: event && eventText(event, startMs) };
    return [{ of: "events" as const, index, line: line?.position.line, ...texts, problem }];
  }).flat();
}

/** `PT6S call.answered`. */
export function eventText(event: PlatformEvent, startMs: number): string {
  return `PT${(event.createdTimestamp - startMs) / 1000}S ${event.type}`;
}

/** The line as the file has it, with its offset in seconds. */
export function expectedText(line: ExpectedEvent): string {
  return `PT${line.atMs / 1000}S ${line.type}`;
}

function problemOf(
  line: ExpectedEvent | undefined,
  event: PlatformEvent | undefined,
  startMs: number,
): string | undefined {
  if (line === undefined) return "not expected";
  if (event === undefined) return "did not happen";
  const offMs = event.createdTimestamp - startMs - line.atMs;
  if (line.type !== event.type) return `expected ${line.type}`;
  if (offMs !== 0) return `${Math.abs(offMs)} ms ${offMs > 0 ? "late" : "early"}`;
  return line.match && differenceIn(line.match, event.data, ["data"]);
}

/** The first place where `actual` does not hold the subset `wanted`: objects by their keys, lists item by item. */
function differenceIn(wanted: unknown, actual: unknown, keys: Keys): string | undefined {
  const isOther = `${joinPath(keys)} is ${show(actual)}, expected ${show(wanted)}`;
  if (typeof wanted !== "object" || wanted === null) return Object.is(wanted, actual) ? undefined : isOther;
  if (typeof actual !== "object" || actual === null || Array.isArray(wanted) !== Array.isArray(actual))
    return isOther;
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length !== actual.length)
    return `${joinPath(keys)} has ${actual.length} items, expected ${wanted.length}`;
  for (const [key, value] of Object.entries(wanted)) {
    const place = Array.isArray(wanted) ? Number(key) : key;
    const difference = differenceIn(value, (actual as Record<string, unknown>)[key], [...keys, place]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
