import { joinPath, type Keys } from "../foundation/errors.ts";
import { isoDuration } from "../foundation/instants.ts";
import { show } from "../foundation/show.ts";
import type { PlatformEvent } from "../platform/declare/events.ts";
import { type AlignedPair, align } from "./align.ts";
import type { ExpectedLine, Position } from "./scenario.ts";

/**
 * A difference between what was expected and what happened: an event, an attempt of a delivery, or a step whose event
 * never came.
 */
export interface Mismatch {
  /** What differs: an event of the stream, an attempt of a delivery, or a step that waits. */
  readonly of: "events" | "attempts" | "steps";
  /** Its index among the actual events, attempts or steps. For a missing one, the index where it would be. */
  readonly index: number;
  /** The line of the expectation in the scenario's text, from 1. */
  readonly line: number | undefined;
  /** The expectation, such as `PT6S call.answered`. Undefined if nothing more was expected. */
  readonly expected: string | undefined;
  /** What happened. Undefined if nothing more happened. */
  readonly actual: string | undefined;
  /** What is wrong, in words. */
  readonly problem: string;
}

/** A row of expected and actual side by side. Without a problem they agree. */
export type ComparedRow = Omit<Mismatch, "problem"> & { readonly problem: string | undefined };

/** The rows with a problem. */
export function mismatchesIn(rows: readonly ComparedRow[]): Mismatch[] {
  return rows.flatMap(({ problem, ...row }) => (problem === undefined ? [] : [{ ...row, problem }]));
}

/** What `compareRows` needs to know about the items of two lists. */
export interface RowComparison<Expected, Actual> {
  /** Whether both are the same kind of item, perhaps with another time or other data. */
  isAlike(line: Expected, seen: Actual): boolean;
  /** What is wrong, in words; undefined if they agree. */
  findProblem(line: Expected, seen: Actual): string | undefined;
  expectedText(line: Expected): string;
  actualText(seen: Actual): string;
}

/** Compares two lists, aligned so that one missing item is one difference. */
export function compareRows<Expected extends { readonly position?: Position }, Actual>(
  of: Mismatch["of"],
  expected: readonly Expected[],
  actual: readonly Actual[],
  { isAlike, findProblem, expectedText, actualText }: RowComparison<Expected, Actual>,
): ComparedRow[] {
  const byIndex = <T>(apply: (line: Expected, seen: Actual) => T) => {
    return (line: number, seen: number) => apply(expected[line] as Expected, actual[seen] as Actual);
  };
  const isSame = byIndex((line, seen) => findProblem(line, seen) === undefined);
  const rows = align(expected.length, actual.length, isSame, byIndex(isAlike));
  const missing = rows.flatMap((row) => (row.actual === undefined ? [row.expected ?? 0] : []));
  const extra = rows.flatMap((row) => (row.expected === undefined ? [row.actual ?? 0] : []));
  const problemIn = (row: AlignedPair): string | undefined => {
    if (row.expected === undefined)
      return missing.some((line) => isSame(line, row.actual ?? 0)) ? "out of order" : "not expected";
    if (row.actual === undefined)
      return extra.some((index) => isSame(row.expected ?? 0, index)) ? "out of order" : "did not happen";
    return byIndex(findProblem)(row.expected, row.actual);
  };
  let next = 0;
  return rows.map((row) => {
    const line = row.expected === undefined ? undefined : expected[row.expected];
    const seen = row.actual === undefined ? undefined : actual[row.actual];
    const index = next;
    if (row.actual !== undefined) next = row.actual + 1;
    const texts = { expected: line && expectedText(line), actual: seen && actualText(seen) };
    return { of, index, line: line?.position?.line, ...texts, problem: problemIn(row) };
  });
}

/** How values other than plain data are compared. Test frameworks bring matchers of their own. */
export interface Equality {
  equals(actual: unknown, wanted: unknown): boolean;
  /** Shows a value for a message. */
  show(value: unknown): string;
}

const plainEquality: Equality = { equals: Object.is, show };

/** Compares the streams: each event's type, its time to the millisecond, and `match` where a line has one. */
export function compare(
  expected: readonly (ExpectedLine & { readonly position?: Position })[],
  events: readonly PlatformEvent[],
  startMs: number,
  equality = plainEquality,
): ComparedRow[] {
  return compareRows<ExpectedLine & { readonly position?: Position }, PlatformEvent>(
    "events",
    expected,
    events,
    {
      isAlike: (line, event) => line.type === event.type,
      findProblem: (line, event) => findProblem(line, event, startMs, equality),
      expectedText,
      actualText: (event) => eventText(event, startMs),
    },
  );
}

/** An event as a line, such as `PT6S call.answered`. */
export function eventText(event: PlatformEvent, startMs: number): string {
  return `${isoDuration(event.createdTimestamp - startMs)} ${event.type}`;
}

/** An expected line as it stands in the file, with its offset in seconds. */
function expectedText(line: ExpectedLine): string {
  return `${isoDuration(line.atMs)} ${line.type}`;
}

function findProblem(
  line: ExpectedLine,
  event: PlatformEvent,
  startMs: number,
  equality: Equality,
): string | undefined {
  const offMs = event.createdTimestamp - startMs - line.atMs;
  if (line.type !== event.type) return `expected ${line.type}`;
  if (offMs !== 0) return `${Math.abs(offMs)} ms ${offMs > 0 ? "late" : "early"}`;
  return line.match && dataDifference(line.match, event, equality);
}

/** The first place where an event's data lacks something of the expected subset; undefined if there is none. */
export function dataDifference(
  wanted: unknown,
  event: PlatformEvent,
  equality = plainEquality,
): string | undefined {
  return differenceIn(wanted, event.data, ["data"], equality);
}

/**
 * The first place where `actual` lacks something of `wanted`: objects are compared by the keys of `wanted`, lists
 * item by item.
 */
function differenceIn(wanted: unknown, actual: unknown, keys: Keys, equality: Equality): string | undefined {
  const isOther = () => `${joinPath(keys)} is ${equality.show(actual)}, expected ${equality.show(wanted)}`;
  if (!isPlain(wanted)) return equality.equals(actual, wanted) ? undefined : isOther();
  if (!isPlain(actual) || Array.isArray(wanted) !== Array.isArray(actual)) return isOther();
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length !== actual.length)
    return `${joinPath(keys)} has ${actual.length} items, expected ${wanted.length}`;
  for (const [key, value] of Object.entries(wanted)) {
    const index = Array.isArray(wanted) ? Number(key) : key;
    const difference = differenceIn(value, actual[key], [...keys, index], equality);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Whether a value is a list or a plain object. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
