import { useMemo } from "preact/hooks";
import { clock, fullTimeOfDay, shortClock } from "../common/format.ts";
import { useSelect } from "./context.ts";
import type { LoadedRun } from "./loading.ts";

/** How the page writes the instant of something that happened, ms from the start of the run. */
export type WriteTime = (atMs: number) => string;

/**
 * Times of a run that is inspected are times of day. A scenario that is written or taught counts from its start, as its
 * steps do.
 */
export function useClock(): WriteTime {
  const summary = useSelect((state) => state.run?.summary);
  const isInspected = useSelect((state) => state.mode === "inspect" && state.teaching === undefined);
  if (isInspected && summary !== undefined) return (atMs) => fullTimeOfDay(summary, atMs);
  return (atMs) => (atMs % 1000 === 0 ? clock(atMs) : shortClock(atMs));
}

/** Of how many rows the times are measured: the last ones are the longest. */
const MEASURED = 200;

/** The width that the times of a run's rows need, px. */
export function useTimeWidth(run: LoadedRun): number {
  const time = useClock();
  return useMemo(
    () => 18 + 7 * Math.max(6, ...run.rows.slice(-MEASURED).map(({ atMs }) => time(atMs).length)),
    [run, time(0)],
  );
}
