import { IANAZone } from "luxon";
import { changeBetween } from "../../foundation/instants.ts";
import type { Organisation, UserInput } from "../organisation/schema.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far to look for a span. One that falls into the hour that a clock skips is there again a week later. */
const DAYS_AHEAD = 21;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** A span of one day, in ms from local midnight. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether an instant is within a user's hours. */
export interface HoursNow {
  readonly isOut: boolean;
  /** When that changes; undefined if it never does. */
  readonly nextMs: number | undefined;
}

/**
 * The working hours of the users who have any. A user without hours, or with hours around the clock, always works.
 */
export function readWorkingHours({ users = [], timezone }: Organisation): ReadonlyMap<string, WorkingHours> {
  const clocks = new Map<string, ZoneClock>();
  const hours = new Map<string, WorkingHours>();
  for (const user of users) {
    const week = user.workingHours && weekOf(user.workingHours);
    if (week === undefined || isAroundTheClock(week)) continue;
    const zone = user.timezone ?? timezone ?? "UTC";
    const clock = clocks.get(zone) ?? new ZoneClock(zone);
    clocks.set(zone, clock);
    hours.set(user.id, new WorkingHours(clock, week));
  }
  return hours;
}

/** A weekly table of hours in a time zone. It never changes, so forks share it. */
export class WorkingHours {
  constructor(
    private readonly clock: ZoneClock,
    /** The spans of each weekday from Monday on, sorted by their beginning. */
    private readonly week: readonly (readonly Span[])[],
  ) {}

  /**
   * Whether an instant is within the hours. Spans that touch or overlap, even over midnight, count as one. The start
   * is within, the end is not.
   */
  at(ms: number): HoursNow {
    const today = Math.floor(ms / DAY_MS);
    let endMs = Number.NEGATIVE_INFINITY; // of the stretch made by the spans so far
    // the local day may still be yesterday, and a clock that goes back over midnight shows it twice
    for (let day = today - 3; day <= today + DAYS_AHEAD; day++) {
      for (const { start, end } of this.week[weekdayOf(day)] ?? []) {
        const fromMs = this.clock.findInstant(day * DAY_MS + start);
        const toMs = this.clock.findInstant(day * DAY_MS + end);
        if (toMs === fromMs) continue; // the clock skips this span
        if (fromMs > endMs) {
          if (ms < endMs) return { isOut: false, nextMs: endMs };
          if (ms < fromMs) return { isOut: true, nextMs: fromMs };
        }
        endMs = Math.max(endMs, toMs);
      }
    }
    return { isOut: true, nextMs: undefined };
  }
}

/** The local time in a time zone, and the instant of a local time. */
class ZoneClock {
  private readonly zone: IANAZone;
  /** Offsets at the beginning of each UTC day, by day since the epoch. Luxon asks `Intl`, which is slow. */
  private readonly offsetsOfDays = new Map<number, number>();

  constructor(name: string) {
    this.zone = IANAZone.create(name);
  }

  /**
   * The first instant at which the clock shows a local time, given as if it were UTC. For a time that the clock
   * skips, the instant of the skip.
   */
  findInstant(localMs: number): number {
    const day = Math.floor(localMs / DAY_MS);
    // no zone is a whole day away from UTC, so these offsets lie before and after any local time of the day
    const before = this.offsetOfDay(day - 1);
    const after = this.offsetOfDay(day + 2);
    if (before === after || this.offsetMs(localMs - before) === before) return localMs - before;
    if (this.offsetMs(localMs - after) === after) return localMs - after;
    return changeBetween(localMs - after, localMs - before, (ms) => this.offsetMs(ms));
  }

  /** How far the clock is ahead of UTC, in ms. */
  private offsetMs(ms: number): number {
    return this.zone.offset(ms) * MINUTE_MS;
  }

  private offsetOfDay(day: number): number {
    let offset = this.offsetsOfDays.get(day);
    if (offset === undefined) {
      offset = this.offsetMs(day * DAY_MS);
      this.offsetsOfDays.set(day, offset);
    }
    return offset;
  }
}

function weekOf(hours: NonNullable<UserInput["workingHours"]>): Span[][] {
  return weekdays.map((day) =>
    (hours[day] ?? [])
      .map(({ from, to }) => ({ start: timeOfDayMs(from), end: timeOfDayMs(to) }))
      .sort((a, b) => a.start - b.start),
  );
}

function isAroundTheClock(week: readonly (readonly Span[])[]): boolean {
  return week.every((spans) => {
    const reached = spans.reduce(
      (until, { start, end }) => (start > until ? until : Math.max(until, end)),
      0,
    );
    return reached === DAY_MS;
  });
}

/** `24:00` is the end of the day. */
function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** The day of the week, 0 for Monday. The epoch began on a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
