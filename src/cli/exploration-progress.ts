import cliProgress from "cli-progress";
import { durationText } from "../core/foundation/instants.ts";
import type { ExplorationListener } from "../explore/explore.ts";
import { realTimeMs } from "../findings/real-time.ts";
import type { Output } from "./output.ts";

/** How long to stay quiet at first, ms. */
const QUIET_MS = 2_000;
/** Without a terminal, how long to wait between two lines, ms. */
const BETWEEN_LINES_MS = 10_000;

const counts = "{worlds} worlds, {rate}/s, {failures} failing{left}";

/** Shows how far an exploration is, once it takes more than two seconds: as a bar on a terminal, else a line now and then. */
export function explorationProgress(
  output: Output,
  stream: NodeJS.WritableStream = process.stderr,
  nowMs: () => number = realTimeMs,
): Required<Omit<ExplorationListener, "replay">> & { end(): void } {
  const { isTerminal, isErrTerminal = isTerminal } = output;
  const bar = new cliProgress.SingleBar({
    format: isErrTerminal ? `{bar} {percentage}%  ${counts}` : `ringback: {percentage}%, ${counts}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    stream,
    hideCursor: true,
    clearOnComplete: true,
    noTTYOutput: !isErrTerminal,
    notTTYSchedule: BETWEEN_LINES_MS,
  });
  const startedMs = nowMs();
  let [worlds, failures, parts, allParts] = [0, 0, 0, 0];
  const update = () => {
    const passedMs = nowMs() - startedMs;
    if (passedMs < QUIET_MS) return;
    // on the assumption that all parts take equally long
    const leftMs = (passedMs / parts) * (allParts - parts);
    const left = parts === 0 ? "" : `, ${durationText(leftMs)} left`;
    const values = { worlds, failures, left, rate: Math.round((worlds / passedMs) * 1_000) };
    if (bar.isActive) bar.update(parts, values);
    else bar.start(allParts, parts, values);
  };
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
    onMinimize: () => bar.stop(),
    end: () => bar.stop(),
  };
}
