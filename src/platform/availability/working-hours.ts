import { IANAZone } from "luxon";
import type { Organisation, UserInput } from "../organisation/schema.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A span may fall into the hour that a clock skips; a week later it is there again. */
const DAYS_AHEAD = 21;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Ms from local midnight. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a user's hours say of an instant. */
export interface HoursNow {
  readonly isOut: boolean;
  /** When that changes; undefined: never. */
  readonly nextMs: number | undefined;
}

/** The working hours of those users who have any: who has none, or works around the clock, is always in hours. */
export function workingHoursOf({ users = [], timezone }: Organisation): ReadonlyMap<string, WorkingHours> {
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

/** A weekly table by the clock of a time zone. Never changes, so forks share it. */
export class WorkingHours {
  constructor(
    private readonly clock: ZoneClock,
    /** Of each weekday from Monday on, sorted by their beginning. */
    private readonly week: readonly (readonly Span[])[],
  ) {}

  /** Spans that touch or overlap, also over midnight, are one stretch of work: in hours from its start up to its end. */
  at(ms: number): HoursNow {
    const today = Math.floor(ms / DAY_MS);
    let endMs = Number.NEGATIVE_INFINITY; // of the stretch that the spans so far make
    // there it may be yesterday still, which a clock that goes back over midnight shows twice
    for (let day = today - 3; day <= today + DAYS_AHEAD; day++) {
      for (const { from, to } of this.week[weekdayOf(day)] ?? []) {
        const fromMs = this.clock.instantOf(day * DAY_MS + from);
        const toMs = this.clock.instantOf(day * DAY_MS + to);
        if (toMs === fromMs) continue; // the clock skips it
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

/** What the clocks of a time zone show, and when. */
class ZoneClock {
  private readonly zone: IANAZone;
  /** By day since the epoch, at its beginning in UTC: Luxon asks `Intl`, which is slow. */
  private readonly offsetsOfDays = new Map<number, number>();

  constructor(name: string) {
    this.zone = IANAZone.create(name);
  }

  /**
   * The first instant at which the clock shows a local time, given as if it were UTC. A time that the clock skips is
   * taken at the skip.
   */
  instantOf(localMs: number): number {
    const day = Math.floor(localMs / DAY_MS);
    // no zone is a day away from UTC, so these are before and after whatever day it is there
    const before = this.offsetOfDay(day - 1);
    const after = this.offsetOfDay(day + 2);
    if (before === after || this.offsetMs(localMs - before) === before) return localMs - before;
    if (this.offsetMs(localMs - after) === after) return localMs - after;
    return this.changeBetween(localMs - after, localMs - before);
  }

  /** The first instant with the later offset. */
  private changeBetween(beforeMs: number, afterMs: number): number {
    const later = this.offsetMs(afterMs);
    let [low, high] = [beforeMs, afterMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetMs(middle) === later) high = middle;
      else low = middle;
    }
    return high;
  }

  /** How far the clock is ahead of UTC. */
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
      .map(({ from, to }) => ({ from: timeOfDayMs(from), to: timeOfDayMs(to) }))
      .sort((a, b) => a.from - b.from),
  );
}

function isAroundTheClock(week: readonly (readonly Span[])[]): boolean {
  return week.every((spans) => {
    const reached = spans.reduce((until, { from, to }) => (from > until ? until : Math.max(until, to)), 0);
    return reached === DAY_MS;
  });
}

/** `24:00` is the end of the day. */
function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** 0 for Monday; the epoch began on a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
