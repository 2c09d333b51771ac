import { timeOfDay } from "../common/format.ts";
import type { LoadedRun } from "../state/loading.ts";

/** The time below the bands of a busy run. */

/** How far the bands reach, ms: to the last thing that happens, not to the end of an idle run. */
export function shownEndMs({ rows, summary }: Pick<LoadedRun, "rows" | "summary">): number {
  return Math.max(1, rows.at(-1)?.atMs ?? summary.endMs);
}

/** A time that is written below the bands. */
export interface FullTime {
  readonly atMs: number;
  readonly text: string;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
/** The steps of a clock that people read at a glance. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * DAY),
];
/** How many times stand below the bands at most. */
const MOST = 7;

/** The full minutes, hours or days of the organisation's clock, with seconds only where a minute has several. */
export function fullTimes(run: Pick<LoadedRun, "rows" | "summary">): FullTime[] {
  const { summary } = run;
  const endMs = shownEndMs(run);
  const step = steps.find((each) => endMs / each < MOST) ?? DAY * 364;
  const [hours = 0, minutes = 0, seconds = 0] = timeOfDay(summary, 0).split(":").map(Number);
  const sinceMidnight = (hours * 60 + minutes) * MINUTE + seconds * SECOND + (summary.startMs % SECOND);
  const dates = new Intl.DateTimeFormat("en-GB", { timeZone: summary.zone, day: "numeric", month: "short" });
  const times: FullTime[] = [];
  for (let atMs = (step - (sinceMidnight % step)) % step; atMs <= endMs; atMs += step) {
    const clock = timeOfDay(summary, atMs);
    const text =
      step >= DAY ? dates.format(summary.startMs + atMs) : step >= MINUTE ? clock.slice(0, 5) : clock;
    times.push({ atMs, text });
  }
  return times;
}
