import { durationText } from "../core/foundation/instants.ts";
import type { ExplorationListener } from "../explore/exploration-listener.ts";
import { realTimeMs } from "../findings/real-time.ts";
import type { Output } from "./output.ts";
import { progressLine } from "./progress.ts";

/** How wide the bar is, in characters: with what follows it fits into a terminal of 80. */
const BAR = 20;

/** Shows how far an exploration is, once it takes more than two seconds: as a bar on a terminal, else a line now and then. */
export function explorationProgress(
  { isTerminal, isErrTerminal = isTerminal, err }: Output,
  nowMs: () => number = realTimeMs,
): Required<Omit<ExplorationListener, "replay">> & { end(): void } {
  const line = progressLine({ isTerminal: isErrTerminal, err }, nowMs);
  let [worlds, failures, parts, allParts] = [0, 0, 0, 0];
  const update = () =>
    line.update((passedMs) => {
      const share = parts / Math.max(allParts, 1);
      // on the assumption that all parts take equally long
      const left = parts === 0 ? "" : `, ${durationText((passedMs / parts) * (allParts - parts))} left`;
      const rate = Math.round((worlds / passedMs) * 1_000);
      const counts = `${worlds} worlds, ${rate}/s, ${failures} failing${left}`;
      const percent = `${Math.floor(share * 100)}%`;
      const bar = "█".repeat(Math.round(share * BAR)).padEnd(BAR, "░");
      return isErrTerminal ? `${bar} ${percent}  ${counts}` : `ringback: ${percent}, ${counts}`;
    });
  return {
    onStart({ parts: count }) {
      allParts = count;
    },
    onWorld({ failures: found }) {
      worlds++;
      if (found.length > 0) failures++;
      update();
    },
    onPartDone() {
      parts++;
      update();
    },
    onMinimize: line.end,
    end: line.end,
  };
}
