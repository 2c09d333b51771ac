import { inTwoUnits } from "../../model/time-units.ts";
import type { RunSummary } from "../../model/types.ts";

export { clock, exactClock, shortClock } from "../../../core/foundation/clock.ts";
export { counted } from "../../../core/platform/declare/words.ts";

/** Numbers and times as the page writes them. */

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The time of day at an instant of a run, by the organisation's clock: `10:03:20`. @param atMs since the start of the run */
export function timeOfDay({ startMs, zone }: Pick<RunSummary, "startMs" | "zone">, atMs: number): string {
  const known = clocks.get(zone);
  const clockOf =
    known ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium", hourCycle: "h23" });
  if (known === undefined) clocks.set(zone, clockOf);
  return clockOf.format(startMs + atMs);
}

/** The time of day with its fraction, if it has one: `10:03:20.5`. @param atMs since the start of the run */
export function fullTimeOfDay(run: Pick<RunSummary, "startMs" | "zone">, atMs: number): string {
  const rest = (((run.startMs + atMs) % 1000) + 1000) % 1000;
  const text = timeOfDay(run, atMs);
  return rest === 0 ? text : `${text}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}

const signs = { day: "d", hour: "h", minute: "min", second: "s" } as const;

/** A duration: `16 s`, `4 min 59 s`, `2 h`, `3 d`. */
export function lengthText(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return inTwoUnits(ms, (count, unit) => `${count} ${signs[unit]}`);
}

/** A size: `9.1 KB`. */
export function sizeText(count: number): string {
  return count < 1024
    ? `${count} bytes`
    : count < 1024 * 1024
      ? `${(count / 1024).toFixed(1)} KB`
      : `${(count / 1024 / 1024).toFixed(1)} MB`;
}

/** What an error says. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
