import { joinPath, type Keys } from "../engine/errors.ts";
import { show } from "../engine/instants.ts";
import type { PlatformEvent } from "../platform/events.ts";
import type { ExpectedLine, Position } from "./scenario.ts";

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

/** How what is not plain data is compared: values, and the matchers of a test framework. */
export interface Equality {
  equals(actual: unknown, wanted: unknown): boolean;
  /** A value in words. */
  show(value: unknown): string;
}

const plainEquality: Equality = { equals: Object.is, show };

/** Compares the streams place by place: type, time to the millisecond, and `match` where a line has one. */
export function compare(
  expected: readonly (ExpectedLine & { readonly position?: Position })[],
  events: readonly PlatformEvent[],
  startMs: number,
  equality = plainEquality,
): Mismatch[] {
  const count = Math.max(expected.length, events.length);
  return Array.from({ length: count }, (_, index) => {
    const [line, event] = [expected[index], events[index]];
    const problem = problemOf(line, event, startMs, equality);
    if (problem === undefined) return [];
    const texts = { expected: line && expectedText(line), actual: event && eventText(event, startMs) };
    return [{ of: "events" as const, index, line: line?.position?.line, ...texts, problem }];
  }).flat();
}

/** `PT6S call.answered`. */
export function eventText(event: PlatformEvent, startMs: number): string {
  return `PT${(event.createdTimestamp - startMs) / 1000}S ${event.type}`;
}

/** The line as the file has it, with its offset in seconds. */
export function expectedText(line: ExpectedLine): string {
  return `PT${line.atMs / 1000}S ${line.type}`;
}

function problemOf(
  line: ExpectedLine | undefined,
  event: PlatformEvent | undefined,
  startMs: number,
  equality: Equality,
): string | undefined {
  if (line === undefined) return "not expected";
  if (event === undefined) return "did not happen";
  const offMs = event.createdTimestamp - startMs - line.atMs;
  if (line.type !== event.type) return `expected ${line.type}`;
  if (offMs !== 0) return `${Math.abs(offMs)} ms ${offMs > 0 ? "late" : "early"}`;
  return line.match && dataDifference(line.match, event, equality);
}

/** The first place where an event's data does not hold what is wanted; undefined where it holds it all. */
export function dataDifference(
  wanted: unknown,
  event: PlatformEvent,
  equality = plainEquality,
): string | undefined {
  return differenceIn(wanted, event.data, ["data"], equality);
}

/** The first place where `actual` does not hold the subset `wanted`: objects by their keys, lists item by item. */
function differenceIn(wanted: unknown, actual: unknown, keys: Keys, equality: Equality): string | undefined {
  const isOther = () => `${joinPath(keys)} is ${equality.show(actual)}, expected ${equality.show(wanted)}`;
  if (!isPlain(wanted)) return equality.equals(actual, wanted) ? undefined : isOther();
  if (!isPlain(actual) || Array.isArray(wanted) !== Array.isArray(actual)) return isOther();
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length !== actual.length)
    return `${joinPath(keys)} has ${actual.length} items, expected ${wanted.length}`;
  for (const [key, value] of Object.entries(wanted)) {
    const place = Array.isArray(wanted) ? Number(key) : key;
    const difference = differenceIn(value, actual[key], [...keys, place], equality);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** An object or a list without a class of its own. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
