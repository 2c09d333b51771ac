import { durationText } from "../core/foundation/instants.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/** Where progress is shown. */
export interface ProgressOutput {
  /** Someone watches a terminal, so a line can be overwritten. */
  readonly isTerminal: boolean;
  err(text: string): void;
}

/** How long to stay quiet at first, and between two lines, ms. */
const QUIET_MS = 2000;
const BETWEEN_MS = { terminal: 200, log: 10_000 } as const;
/** How many events to wait before looking at the clock again. */
const EVENTS = 500;

/**
 * Shows how far a run has come, once it takes more than two seconds.
 * @param now the wall clock, ms
 * @returns a function that ends it
 */
export function showProgress(
  simulator: Simulator,
  what: string,
  output: ProgressOutput,
  now: () => number = () => performance.now(),
): () => void {
  const startedMs = now();
  let dueMs = startedMs + QUIET_MS;
  let events = 0;
  let isShown = false;
  const onEvent = () => {
    if (++events % EVENTS !== 0 || now() < dueMs) return;
    dueMs = now() + (output.isTerminal ? BETWEEN_MS.terminal : BETWEEN_MS.log);
    const time = durationText(simulator.timestamp - simulator.startTimestamp);
    const line = `${what}: ${time} of platform time, ${events} events so far`;
    output.err(output.isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
    isShown = true;
  };
  simulator.on("*", onEvent);
  return () => {
    simulator.off("*", onEvent);
    if (isShown && output.isTerminal) output.err("\r\u001b[K");
  };
}
