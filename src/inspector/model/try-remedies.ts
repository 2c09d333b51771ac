import type { Simulator } from "../../index.ts";
import type { Act } from "./acts.ts";
import { playFork } from "./fork.ts";
import type { Recording } from "./recording.ts";
import type { WhyAnswer } from "./why-answer.ts";

/** How many remedies are tried at most, since each is a whole run. */
const MAX_TRIED = 12;
/** How many rows a run may have for remedies to be tried, since the page must answer quickly. */
const MAX_ROWS_TRIED = 5_000;

/** Keeps the acts that lead to the wanted result on a fork. */
export function tryRemedies(
  recording: Recording,
  acts: readonly { readonly row: number; readonly act: Act }[],
  isThere: (simulator: Simulator) => boolean,
): Pick<WhyAnswer, "remedies" | "failedCount"> {
  if (recording.rows.length > MAX_ROWS_TRIED) return { remedies: [], failedCount: 0 };
  const chosen = acts.slice(0, MAX_TRIED);
  const remedies = chosen
    .filter(({ row, act }) => isThere(playFork(recording, row, act).simulator))
    .map(({ row, act }) => ({ row, act, atMs: recording.rows[row]?.atMs ?? 0 }));
  return { remedies, failedCount: chosen.length - remedies.length };
}
