import { IANAZone } from "luxon";
import { clock } from "../foundation/clock.ts";
import { InputError } from "../foundation/errors.ts";
import { durationMs, iso, readInstantMs } from "../foundation/instants.ts";

/** When a run was, ms since the Unix epoch, and the time zone of its organisation. */
export interface RunTime {
  readonly startMs: number;
  readonly endMs: number;
  /** An IANA time zone. */
  readonly zone: string;
}

const DAY_MS = 86_400_000;

/** An instant as the organisation's clock on the wall shows it: `10:03:20`. @param zone an IANA time zone */
export function localTime(ms: number, zone: string): string {
  return iso(ms + offsetMs(ms, zone)).slice(11, 19);
}

/** By how much the clocks of a zone are ahead of UTC. */
function offsetMs(ms: number, zone: string): number {
  return IANAZone.create(zone).offset(ms) * 60_000;
}

const CLOCK = /^(?<plus>\+)?(?<first>\d{1,2}):(?<second>\d\d)(?::(?<third>\d\d))?(?<fraction>\.\d{1,3})?$/;

/**
 * Reads an instant of a run as people write it: the wall clock on the run's first day (`10:03`, `10:03:20`), a time since the start
 * (`0:20`, `1:02:03`, `PT20S`, `+10:03`), or an instant (ISO 8601). A text that may be several of these is the first that lies in the run:
 * with two digits before the colon the organisation's clock, then UTC, then the time since the start; with one digit that time first.
 * @returns ms since the Unix epoch
 * @throws {InputError} for any other text, and outside the run
 */
export function readRunInstant(text: string, run: RunTime, keys: readonly string[]): number {
  const given = text.trim();
  const asked = candidates(given, run);
  const found = asked.find((ms) => ms >= run.startMs && ms <= run.endMs);
  if (found !== undefined) return found;
  const { startMs, endMs, zone } = run;
  const span = `from ${localTime(startMs, zone)} to ${localTime(endMs, zone)} (${zone}), 0:00 to ${clock(endMs - startMs)} after the start, or ${iso(startMs)} to ${iso(endMs)}`;
  throw new InputError(keys, `expected an instant of the run: ${span}; got ${JSON.stringify(given)}`);
}

/** What a text may mean, the likeliest first. */
function candidates(text: string, { startMs, zone }: RunTime): number[] {
  if (text.startsWith("P")) return [startMs + (durationMs(text) ?? Number.NaN)];
  const parts = CLOCK.exec(text)?.groups;
  if (parts === undefined) return isoInstant(text);
  const { plus, first = "", second, third, fraction = "" } = parts;
  const numbers = [first, second, third].filter((part) => part !== undefined).map(Number);
  const fractionMs = Math.round(Number(`0${fraction}`) * 1000);
  const sinceStart = startMs + numbers.reduce((sum, part) => sum * 60 + part, 0) * 1000 + fractionMs;
  if (plus !== undefined) return [sinceStart];
  const [hours = 0, minutes = 0, seconds = 0] = numbers;
  const ofDayMs = ((hours * 60 + minutes) * 60 + seconds) * 1000 + fractionMs;
  const onWall = [zone, "UTC"].map((each) => {
    const day = Math.floor((startMs + offsetMs(startMs, each)) / DAY_MS) * DAY_MS;
    const about = day + ofDayMs - offsetMs(startMs, each);
    return day + ofDayMs - offsetMs(about, each);
  });
  const isWall = Number(first) < 24;
  const walls = isWall ? onWall : [];
  return first.length === 1 ? [sinceStart, ...walls] : [...walls, sinceStart];
}

function isoInstant(text: string): number[] {
  try {
    return [readInstantMs(text, [])];
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
