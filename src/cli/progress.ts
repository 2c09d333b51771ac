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

/** A line that says how far something is: written over the last one on a terminal, else a line now and then. */
export interface ProgressLine {
  /**
   * Shows a line if it is time to.
   * @param text makes the line, from how long it has taken so far, ms
   */
  update(text: (passedMs: number) => string): void;
  /** Removes the line from a terminal. */
  end(): void;
}

/** @param now the wall clock, ms */
export function progressLine({ isTerminal, err }: ProgressOutput, now: () => number): ProgressLine {
  const startedMs = now();
  let dueMs = startedMs + QUIET_MS;
  let isShown = false;
  return {
    update(text) {
      const atMs = now();
      if (atMs < dueMs) return;
      dueMs = atMs + (isTerminal ? BETWEEN_MS.terminal : BETWEEN_MS.log);
      const line = text(atMs - startedMs);
      err(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
      isShown = true;
    },
    end() {
      if (isShown && isTerminal) err("\r\u001b[K");
      isShown = false;
    },
  };
}

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
  const line = progressLine(output, now);
  let events = 0;
  const onEvent = () => {
    if (++events % EVENTS !== 0) return;
    line.update(() => {
      const time = durationText(simulator.timestamp - simulator.startTimestamp);
      return `${what}: ${time} of platform time, ${events} events so far`;
    });
  };
  simulator.on("*", onEvent);
  return () => {
    simulator.off("*", onEvent);
    line.end();
  };
}
