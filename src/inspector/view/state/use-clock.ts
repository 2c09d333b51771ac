import { useMemo } from "preact/hooks";
import type { RunSummary } from "../../model/types.ts";
import { fullTimeOfDay, shortClock, timeOfDay } from "../common/format.ts";
import { useSelect } from "./context.ts";
import type { LoadedRun } from "./loading.ts";

/** How the page writes the instant of something that happened, ms from the start of the run. */
export type WriteTime = (atMs: number) => string;

/**
 * Times of a run that is inspected are times of day. A scenario that is written or taught counts from its start, as its
 * steps do.
 */
export function useWriteTime(): WriteTime {
  const summary = useInspected();
  return summary === undefined ? shortClock : (atMs) => fullTimeOfDay(summary, atMs);
}

/** The same for a scale: a time of day has no fraction, and a full minute no seconds. */
export function useScaleClock(): WriteTime {
  const summary = useInspected();
  return summary === undefined ? shortClock : (atMs) => timeOfDay(summary, atMs).replace(/:00$/, "");
}

/** The run, if its times are times of day. */
function useInspected(): RunSummary | undefined {
  const summary = useSelect((state) => state.run?.summary);
  const isInspected = useSelect((state) => state.mode === "inspect" && state.teaching === undefined);
  return isInspected ? summary : undefined;
}

/** The width that the times of a run's rows need, px. */
export function useTimeWidth(run: LoadedRun): number {
  const time = useWriteTime();
  return useMemo(() => {
    // of times with one fraction the last is the longest, but after ten minutes the fraction may be left out
    const last = new Map<string, number>();
    for (const { atMs } of run.rows) last.set(`${atMs % 1000} ${atMs < 600_000}`, atMs);
    return 18 + 7 * Math.max(6, ...[...last.values()].map((atMs) => time(atMs).length));
  }, [run, time(0)]);
}
