import { findJourney } from "../../../core/narration/journeys.ts";
import type { LoadedRun } from "./loading.ts";

/** The indices of the calls that are chosen; undefined if all are shown alike. */
export type Chosen = ReadonlySet<number> | undefined;

/** The chosen call with its whole journey, or it alone. */
export function chosenIn(
  run: Pick<LoadedRun, "summary"> | undefined,
  { record, isAlone }: { readonly record: number | undefined; readonly isAlone: boolean },
): Chosen {
  if (record === undefined || run === undefined) return undefined;
  return isAlone ? new Set([record]) : findJourney(run.summary.records, record);
}

/** The labels of chosen calls, such as `A, C`; of many, the first. */
export function listLabels({ summary }: LoadedRun, chosen: ReadonlySet<number>, most: number): string {
  const labels = [...chosen].map((index) => summary.records[index]?.label);
  return `${labels.slice(0, most).join(", ")}${labels.length > most ? " …" : ""}`;
}
