import type { Simulator } from "../../index.ts";
import type { OfferedAct } from "./acts.ts";
import { playFork } from "./fork.ts";
import type { Recording } from "./recording.ts";
import type { WhyAnswer } from "./why-answer.ts";

/** The maximum number of remedies to try, since each is a whole run. */
const MAX_TRIED = 12;
/** Remedies are tried only in runs up to this length, rows, since the page must answer quickly. */
const MAX_ROWS_TRIED = 5_000;

/** Tries acts on forks, and keeps those that lead to the wanted result. */
export function tryRemedies(
  recording: Recording,
  acts: readonly { readonly row: number; readonly act: OfferedAct }[],
  isThere: (simulator: Simulator) => boolean,
): Pick<WhyAnswer, "remedies" | "failedCount"> {
  if (recording.rows.length > MAX_ROWS_TRIED) return { remedies: [], failedCount: 0 };
  const chosen = acts.slice(0, MAX_TRIED);
  const remedies = chosen
    .filter(({ row, act }) => isThere(playFork(recording, row, act).simulator))
    .map(({ row, act }) => ({ row, act, atMs: recording.rows[row]?.atMs ?? 0 }));
  return { remedies, failedCount: chosen.length - remedies.length };
}
