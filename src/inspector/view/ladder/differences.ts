import type { Mismatch } from "../../../core/scenario/compare.ts";
import { clock, lengthText } from "../common/format.ts";
import type { ExpectedPlace } from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import { placeOf } from "../state/verdict-words.ts";

/** Where the ladder shows that the stream differs from what its scenario expects. */

export interface Differences {
  /** In the order of time; those of one instant in the order of the scenario. */
  readonly places: readonly ExpectedPlace[];
  /** What is wrong with the event of a row, by the row's index: `10 s later than expected`. */
  readonly wrong: ReadonlyMap<number, string>;
}

export const noDifferences: Differences = { places: [], wrong: new Map() };

/** An expected event gets a place unless it came at its instant with other data. */
export function differencesIn({ rows }: LoadedRun, mismatches: readonly Mismatch[]): Differences {
  const events = mismatches.filter(({ of }) => of === "events");
  if (events.length === 0) return noDifferences;
  const rowOf = new Map(
    // later attempts have the event too
    rows.flatMap(({ event, index, firstRow }) => (firstRow === undefined ? [[event, index]] : [])),
  );
  const places: ExpectedPlace[] = [];
  const wrong = new Map<number, string>();
  for (const mismatch of events) {
    const [wanted, seen] = [placeOf(mismatch.expected), placeOf(mismatch.actual)];
    const row = rowOf.get(mismatch.index);
    const isSame = wanted?.type === seen?.type;
    if (seen !== undefined && row !== undefined)
      wrong.set(row, isSame ? lateText(wanted?.atMs, seen.atMs, mismatch.problem) : mismatch.problem);
    if (wanted === undefined || (isSame && wanted.atMs === seen?.atMs)) continue;
    const { atMs, type } = wanted;
    places.push({ atMs, type, time: clock(atMs), row });
  }
  return { places: places.sort((a, b) => a.atMs - b.atMs), wrong };
}

function lateText(wantedMs: number | undefined, seenMs: number, problem: string): string {
  const offMs = seenMs - (wantedMs ?? seenMs);
  return offMs === 0
    ? problem
    : `${lengthText(Math.abs(offMs))} ${offMs > 0 ? "later" : "earlier"} than expected`;
}
