import { DateTime, IANAZone } from "luxon";
import type { Deviation, ReachedPoint } from "../core/engine/deviations.ts";
import { changeBetween, iso } from "../core/foundation/instants.ts";
import type { Bound } from "./bound.ts";

/**
 * Worlds that stand elsewhere in the calendar: the scenario begins shortly before an instant at which programs count days,
 * months or years. Explored only where the kind `calendar` is named.
 */

/** What comes soon after the first step, in the order in which it is explored. */
const clauses = {
  midnight: "the organisation's midnight comes in the middle of it",
  clocksForward: "the organisation's clocks go forward in the middle of it",
  clocksBack: "the organisation's clocks go back in the middle of it",
  monthEnd: "a month ends in the middle of it",
  yearEnd: "a year ends in the middle of it",
} as const;
export type CalendarKind = keyof typeof clauses;

/** When a run starts whose first step comes shortly before a turn of the calendar. */
export interface CalendarStart {
  readonly is: CalendarKind;
  /** ISO 8601. */
  readonly start: string;
}

/** How long after the first step the turn comes, ms: most calls are rung or answered then. */
const INTO_IT_MS = 10_000;

const DAY_MS = 86_400_000;
/** A zone whose clocks change does it twice within so many days. */
const DAYS_OF_A_YEAR = 370;

/**
 * The starts of a scenario at each turn of the calendar that comes after its own start. Clocks that never change have none.
 * @param firstStepMs when its first step is played that is no webhook, ms from its start
 */
export function calendarStarts(startMs: number, zone: string, firstStepMs: number): readonly CalendarStart[] {
  const intoIt = firstStepMs + INTO_IT_MS;
  const after = startMs + intoIt;
  const { forwardMs, backMs } = clockChanges(after, zone);
  const turns: Readonly<Record<CalendarKind, number | undefined>> = {
    midnight: nextDay(after, zone, ({ day }) => day > 1),
    clocksForward: forwardMs,
    clocksBack: backMs,
    monthEnd: nextDay(after, zone, ({ day, month }) => day === 1 && month > 1),
    yearEnd: nextDay(after, zone, ({ day, month }) => day === 1 && month === 1),
  };
  return (Object.keys(turns) as CalendarKind[]).flatMap((is) => {
    const turnMs = turns[is];
    return turnMs === undefined ? [] : [{ is, start: iso(turnMs - intoIt) }];
  });
}

/** The first beginning of such a day after an instant, ms. */
function nextDay(afterMs: number, zone: string, isMeant: (day: DateTime) => boolean): number {
  let day = DateTime.fromMillis(afterMs, { zone, locale: "en-US" });
  do day = day.plus({ days: 1 }).startOf("day");
  while (!isMeant(day));
  return day.toMillis();
}

/** When the clocks of a zone next go forward and back after an instant, ms. */
function clockChanges(afterMs: number, name: string): { forwardMs?: number; backMs?: number } {
  const zone = IANAZone.create(name);
  const found: { forwardMs?: number; backMs?: number } = {};
  for (let day = 0; day < DAYS_OF_A_YEAR; day++) {
    const fromMs = afterMs + day * DAY_MS;
    const toMs = fromMs + DAY_MS;
    if (zone.offset(fromMs) === zone.offset(toMs)) continue;
    const changeMs = changeBetween(fromMs, toMs, (ms) => zone.offset(ms));
    if (zone.offset(changeMs) > zone.offset(changeMs - 1)) found.forwardMs ??= changeMs;
    else found.backMs ??= changeMs;
  }
  return found;
}

/** The deviation point of the calendar, if a bound includes it. */
export function calendarPoints(
  { kinds }: Bound,
  starts: () => readonly CalendarStart[],
): readonly ReachedPoint[] {
  if (kinds?.has("calendar") !== true) return [];
  const options = starts().map(({ is }) => ({ is }));
  return options.length === 0 ? [] : [{ point: { what: "calendar", at: 0, of: "start", nth: 1 }, options }];
}

/** What the calendar does in a world, as a clause. */
export function calendarClause({ is }: Pick<Deviation, "is">): string {
  return clauses[is as CalendarKind];
}
