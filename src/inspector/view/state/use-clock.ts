import { clock, exactTimeOfDay, shortClock } from "../common/format.ts";
import { useSelect } from "./context.ts";

/** How the page writes the instant of something that happened, ms from the start of the run. */
export type WriteTime = (atMs: number) => string;

/**
 * Times of a run that is inspected are times of day. A scenario that is written or taught counts from its start, as its
 * steps do.
 */
export function useClock(): WriteTime {
  const summary = useSelect((state) => state.run?.summary);
  const isInspected = useSelect((state) => state.mode === "inspect" && state.teaching === undefined);
  if (isInspected && summary !== undefined) return (atMs) => exactTimeOfDay(summary, atMs);
  return (atMs) => (atMs % 1000 === 0 ? clock(atMs) : shortClock(atMs));
}
