import { durationText } from "../engine/instants.ts";
import type { Simulator } from "../simulator.ts";

/** Where progress is shown. */
export interface ProgressOutput {
  /** A line can be written over: someone watches a terminal. */
  readonly isTerminal: boolean;
  err(text: string): void;
}

/** How long nothing is said, and how long between what is said then, ms. */
const QUIET_MS = 2000;
const BETWEEN_MS = { terminal: 200, log: 10_000 } as const;
/** The clock is looked at after so many events. */
const EVENTS = 500;

/**
 * Says how far a run has come, from its third second on.
 * @param now the wall clock, ms
 * @returns what ends it
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
  const hear = () => {
    if (++events % EVENTS !== 0 || now() < dueMs) return;
    dueMs = now() + (output.isTerminal ? BETWEEN_MS.terminal : BETWEEN_MS.log);
    const time = durationText(simulator.timestamp - simulator.startTimestamp);
    const line = `${what}: ${time} of platform time, ${events} events so far`;
    output.err(output.isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
    isShown = true;
  };
  simulator.on("*", hear);
  return () => {
    simulator.off("*", hear);
    if (isShown && output.isTerminal) output.err("\r\u001b[K");
  };
}
