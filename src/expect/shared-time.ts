import { CommandError } from "../engine/errors.ts";
import { clockNow, singleTimersOf } from "../engine/fake-clock.ts";
import { type DurationInput, readDurationMs } from "../engine/instants.ts";
import type { Simulator } from "../simulator.ts";

/** One time for the app under test and a simulator, and the simulator's REST API at that time: `handlers(time)`. */
export interface SharedTime extends Pick<Simulator, "fetch" | "urls"> {
  /**
   * Lets time pass for both: each of the app's timers and each item of the simulator at its own instant, the app's first
   * where they share one.
   * An endpoint or a handler may wait for one of the app's timers that runs once.
   * @throws {CommandError} `not_allowed` for one that waits for a timer that repeats
   */
  advance(duration: DurationInput): Promise<void>;
  /**
   * Brings the simulator to the instant of the app's clock. For a timer of the app that gives the simulator a command: when it
   * runs, the simulator still stands where it last had something to do.
   */
  catchUp(): Promise<void>;
}

/** A test framework's fake timers: Vitest's `vi`, Jest's `jest`. */
export interface FakeTimers {
  useFakeTimers(): unknown;
  isFakeTimers?(): boolean;
  setSystemTime(nowMs: number): unknown;
  advanceTimersToNextTimerAsync(): Promise<unknown>;
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
  getTimerCount(): number;
}

/** Real ones, taken before fake ones replace them. */
const { setTimeout: realSetTimeout } = globalThis;

/** For so long, in turns of the event loop and real ms each, something else than a timer may be what is waited for. */
const TURNS = 25;
const TURN_MS = 20;

/** Gives an app with fake timers and a simulator one time: that of the simulator. */
export function shareTimeWith(sim: Simulator, timers: FakeTimers): SharedTime {
  if (!(timers.isFakeTimers?.() ?? "clock" in globalThis.setTimeout)) timers.useFakeTimers();
  timers.setSystemTime(sim.timestamp);
  const clock = clockNow();
  // a handler that waits for one of them is not waited for
  if (clock !== undefined) sim.inside.engine.timeWaits.app = { list: () => singleTimersOf(clock) };
  const open = new Set<Promise<unknown>>();
  // a request must not wait for a module to load while time passes
  const loaded = sim.loadRest();
  const runTo = (ms: number) => unlessStuck(sim, timers, sim.advanceToAsync(ms));
  const catchUp = async () => {
    if (Date.now() > sim.timestamp) await runTo(Date.now());
  };
  const answered = async () => {
    // an answer that is held back comes only as time passes
    while (open.size > sim.heldAnswers)
      await Promise.race([...open, sim.nextHeldAnswer()].map((each) => each.catch(() => {})));
    // what the app does with its answer, if it does not wait for more
    await timers.advanceTimersByTimeAsync(0);
  };
  return {
    urls: sim.urls,
    fetch(input, init) {
      const answer = catchUp().then(() => sim.fetch(input, init));
      open.add(answer);
      const end = () => void open.delete(answer);
      answer.then(end, end);
      return answer;
    },
    catchUp,
    async advance(duration) {
      await loaded;
      await answered();
      const endMs = sim.timestamp + readDurationMs(duration, ["advance"]);
      while (sim.timestamp < endMs) {
        const dueMs = sim.pending()[0]?.dueTimestamp ?? endMs;
        await toNextTimer(timers, Math.min(dueMs, endMs) - sim.timestamp);
        await answered();
        // by the clock, and also where the two already agree: something may be due at this instant
        await runTo(Math.max(Date.now(), sim.timestamp));
      }
      // what else the last instant holds, on both sides
      await timers.advanceTimersByTimeAsync(0);
      await answered();
      await runTo(endMs);
    },
  };
}

/** Runs the next of the app's timers, if it is due within this time; else lets the time pass. */
async function toNextTimer(timers: FakeTimers, ms: number): Promise<void> {
  const marker = setTimeout(() => {}, ms);
  await timers.advanceTimersToNextTimerAsync();
  clearTimeout(marker);
}

/**
 * Awaits a run of the simulator.
 * @throws {CommandError} `not_allowed` when what it asks waits for a timer that repeats, which cannot run before the answer is there
 */
async function unlessStuck(sim: Simulator, timers: FakeTimers, run: Promise<void>): Promise<void> {
  let isOver = false;
  const before = timers.getTimerCount();
  const watch = async () => {
    let waitedFor = "";
    for (let turn = 0; turn < TURNS; turn++) {
      await new Promise((resolve) => void realSetTimeout(resolve, TURN_MS));
      if (isOver) return;
      const now = sim.waitingFor.join(", ");
      const isStill = now === waitedFor && now !== "" && timers.getTimerCount() > before;
      if (!isStill) turn = 0;
      waitedFor = now;
    }
    throw new CommandError(
      "not_allowed",
      `${waitedFor}: waits for a timer that repeats, which cannot run: time stands still until the handler answers. Wait for a single timer (setTimeout), answer first and do the rest later, or use real timers (useRealTimers) and advanceAsync`,
    );
  };
  const over = run.finally(() => {
    isOver = true;
  });
  over.catch(() => {}); // it is awaited below, unless the watch throws first
  if ("clock" in realSetTimeout) await over;
  else await Promise.race([over, watch().then(() => over)]);
}
