import { byOrder } from "../run/outcome.ts";
import type { LongWorld } from "./report.ts";

/** How many of the longest worlds the report lists. */
export const LONGEST = 3;

/** The worlds with the most steps. Of equals, the first. */
export function longestWorlds(worlds: readonly LongWorld[]): LongWorld[] {
  return [...worlds].sort((a, b) => b.steps - a.steps || byOrder(a, b)).slice(0, LONGEST);
}
