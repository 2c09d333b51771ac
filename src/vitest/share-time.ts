import { vi } from "vitest";
import { type DurationInput, readDurationMs } from "../engine/instants.ts";
import type { Simulator } from "../simulator.ts";

/** One time for the app under test and a simulator, and the simulator's REST API at that time: `handlers(time)`. */
export interface SharedTime extends Pick<Simulator, "fetch" | "urls"> {
  /**
   * Lets time pass for both: each of the app's timers and each item of the simulator at its own instant, the app's first
   * where they share one.
   */
  advance(duration: DurationInput): Promise<void>;
  /**
   * Brings the simulator to the instant of the app's clock. For a timer of the app that gives the simulator a command: when it
   * runs, the simulator still stands where it last had something to do.
   */
  catchUp(): Promise<void>;
}

/**
 * Gives the app under test, by Vitest's fake timers, and a simulator one time: that of the simulator. Turns fake timers on
 * if they are not; `vi.useRealTimers()` ends it. An endpoint that waits for a timer before it answers is never done, since
 * time does not pass while it is asked: have it answer first.
 */
export function shareTime(sim: Simulator): SharedTime {
  if (!vi.isFakeTimers()) vi.useFakeTimers();
  vi.setSystemTime(sim.timestamp);
  const catchUp = async () => {
    if (Date.now() > sim.timestamp) await sim.advanceToAsync(Date.now());
  };
  return {
    urls: sim.urls,
    async fetch(input, init) {
      await catchUp();
      return sim.fetch(input, init);
    },
    catchUp,
    async advance(duration) {
      const endMs = sim.timestamp + readDurationMs(duration, ["advance"]);
      while (sim.timestamp < endMs) {
        const dueMs = sim.pending()[0]?.dueTimestamp ?? endMs;
        await toNextTimer(Math.min(dueMs, endMs) - sim.timestamp);
        // by the clock, and also where the two already agree: something may be due at this instant
        await sim.advanceToAsync(Math.max(Date.now(), sim.timestamp));
      }
      // what else the last instant holds, on both sides
      await vi.advanceTimersByTimeAsync(0);
      await sim.advanceToAsync(endMs);
    },
  };
}

/** Runs the next of the app's timers, if it is due within this time; else lets the time pass. */
async function toNextTimer(ms: number): Promise<void> {
  const marker = setTimeout(() => {}, ms);
  await vi.advanceTimersToNextTimerAsync();
  clearTimeout(marker);
}
