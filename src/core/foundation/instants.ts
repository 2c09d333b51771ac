import { DateTime, Duration, type DurationLike } from "luxon";
import { InputError, type Keys } from "./errors.ts";
import { show } from "./show.ts";

/** An ISO 8601 duration (`PT30S`), a Luxon `Duration` or `DurationLike` object, or a number of milliseconds. */
export type DurationInput = string | number | Duration | DurationLike;

/** An ISO 8601 instant, a `Date`, a Luxon `DateTime`, or milliseconds since the Unix epoch. */
export type InstantInput = string | number | Date | DateTime;

/** The last instant that a JavaScript `Date` can hold. */
export const LAST_DATE_MS = 8.64e15;

/** The longest duration that is accepted. Added to any sensible start it still fits into a date. */
const LONGEST_MS = 100_000 * 365 * 86_400_000;

/**
 * Reads a duration as whole milliseconds, 0 or more.
 * @param longestMs the longest that is accepted; default 100,000 years
 * @throws {InputError} with the input's place, if it is not such a duration
 */
export function readDurationMs(input: unknown, keys: Keys, longestMs = LONGEST_MS): number {
  const ms = durationMs(input);
  if (ms === undefined || !Number.isInteger(ms) || ms < 0) {
    throw new InputError(
      keys,
      `expected a duration of whole milliseconds, 0 or more (ISO 8601 such as "PT30S", a Luxon Duration, { seconds: 30 } or ms), got ${show(input)}`,
    );
  }
  if (ms > longestMs)
    throw new InputError(keys, `expected a duration that a date can hold, got ${show(input)}`);
  return ms;
}

/** The milliseconds of a duration in any accepted form, or `undefined` when it is not one. */
export function durationMs(input: unknown): number | undefined {
  if (typeof input === "number") return input;
  const parsed = parseDuration(input);
  if (parsed === undefined || !parsed.isValid) return undefined;
  // Luxon multiplies in floating point: 1.001 s becomes 1000.9999999999999 ms
  const ms = parsed.toMillis();
  const wholeMs = Math.round(ms);
  return Math.abs(ms - wholeMs) <= 4 * Number.EPSILON * Math.abs(ms) ? wholeMs : ms;
}

/** Without a locale, Luxon looks up the system's, which takes longer than a whole call. */
const anyLocale = { locale: "en-US" };

function parseDuration(input: unknown): Duration | undefined {
  try {
    // Luxon reads "PT" as 0 and drops fractions of a millisecond
    if (typeof input === "string")
      return /\d/.test(input) && !/[.,]\d{3}\d*[1-9]/.test(input)
        ? Duration.fromISO(input, anyLocale)
        : undefined;
    // Luxon reads an object without units (a `Date`, an empty list) as 0
    if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return undefined;
    return Duration.isDuration(input) ? input : Duration.fromObject(input, anyLocale);
  } catch {
    return undefined; // Luxon throws on unknown units; the caller reports the path
  }
}

/**
 * Reads an instant as milliseconds since the Unix epoch. A string without an offset is read as UTC.
 * @throws {InputError} with the input's place, if it is not an instant
 */
export function readInstantMs(input: unknown, keys: Keys): number {
  const ms = instantMs(input);
  if (ms === undefined || !Number.isSafeInteger(ms) || Math.abs(ms) > LAST_DATE_MS) {
    throw new InputError(
      keys,
      `expected an instant (ISO 8601 such as "2026-07-01T09:00:00Z", a Date, a DateTime or integer ms since the epoch), got ${show(input)}`,
    );
  }
  return ms;
}

function instantMs(input: unknown): number | undefined {
  if (typeof input === "number") return input;
  if (input instanceof Date) return input.getTime();
  if (typeof input === "string") return parseInstant(input);
  return DateTime.isDateTime(input) ? input.toMillis() : undefined;
}

const ISO_INSTANT =
  /^(?<year>\d{4}|[+-]\d{6})(-(?<month>\d\d)(-(?<day>\d\d)(T(?<time>\d\d:\d\d)(:(?<second>\d\d)([.,](?<fraction>\d+))?)?(?<offset>Z|[+-]\d\d(:?\d\d)?)?)?)?)?$/;

/** Parses a date with an optional time. Not by Luxon, which reads the wall clock when it parses. */
function parseInstant(input: string): number | undefined {
  const parts = ISO_INSTANT.exec(input)?.groups;
  if (parts === undefined) return undefined;
  const {
    year,
    month = "01",
    day = "01",
    time = "00:00",
    second = "00",
    fraction = "",
    offset = "Z",
  } = parts;
  const text = `${year}-${month}-${day}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const date = new Date(text);
  // a date that does not exist is either invalid or comes back as another date
  if (Number.isNaN(date.getTime()) || date.toISOString() !== text) return undefined;
  if (offset === "Z") return date.getTime();
  const [hours = 0, minutes = 0] = (offset.match(/\d\d/g) ?? []).map(Number);
  return date.getTime() - Number(`${offset[0]}1`) * (hours * 60 + minutes) * 60_000;
}

let lastMs = Number.NaN;
let lastIso = "";

/** Formats an instant as ISO 8601, UTC, with milliseconds. Caches the last: many fields share an instant. */
export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastIso = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastIso;
}

/** Returns the same boxed number for all fields of an instant, which saves memory: see `shareInstants`. */
export function internInstant(ms: number): number {
  iso(ms);
  return lastMs;
}

const shapes: object[] = [];

/**
 * Lets objects of a shape share V8's boxes for their instants, by making one object with `null` there. A call has
 * forty instants; unshared they take 16 bytes each, a tenth of a call's memory.
 */
export function shareInstants(make: (nothing: number) => object): void {
  // null on purpose: this object decides how V8 stores the fields
  shapes.push(Object.freeze(make(null as unknown as number)));
}

/** A duration as a file has it: `PT4.321S`. */
export function isoDuration(ms: number): string {
  return `PT${ms / 1_000}S`;
}

/** Formats a duration as `45s`, `2m 5s`, `1h 2m 3s` or `0s`: whole seconds, rounded down. */
export function durationText(ms: number): string {
  const whole = Math.floor(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  let text = hours > 0 ? `${hours}h` : "";
  if (minutes > 0) text += text === "" ? `${minutes}m` : ` ${minutes}m`;
  if (seconds > 0) text += text === "" ? `${seconds}s` : ` ${seconds}s`;
  return text === "" ? "0s" : text;
}

/** A duration to the millisecond: `45s`, `2m 5s`, `1s 500ms`. */
export function exactDurationText(ms: number): string {
  const rest = ms % 1000;
  if (rest === 0) return durationText(ms);
  return ms < 1000 ? `${rest}ms` : `${durationText(ms)} ${rest}ms`;
}

/**
 * The first instant at which something is as it is at the end, where it changes once in between.
 * @param fromMs an instant before the change
 * @param toMs an instant after it
 */
export function changeBetween(fromMs: number, toMs: number, valueAt: (ms: number) => number): number {
  const later = valueAt(toMs);
  let [low, high] = [fromMs, toMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (valueAt(middle) === later) high = middle;
    else low = middle;
  }
  return high;
}

/** Converts an instant to a Luxon `DateTime` in UTC. */
export function utc(ms: number): DateTime {
  return DateTime.fromMillis(ms, { zone: "utc" });
}
