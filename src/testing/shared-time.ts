import { clockNow, singleTimersOf } from "../core/engine/fake-clock.ts";
import { keepClockDoors, shareClock } from "../core/foundation/clock-doors.ts";
import { CommandError, InputError } from "../core/foundation/errors.ts";
import { type DurationInput, readDurationMs } from "../core/foundation/instants.ts";
import { nodeModule } from "../core/foundation/node-module.ts";
import { areTimersFake, realSetTimeout } from "../core/foundation/real-functions.ts";
import { replaceTimerFunctions, syncModules, type TimerSource } from "../core/foundation/timer-functions.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/**
 * One time for an app under test and a simulator. For `handlers(time)` it also answers the simulator's REST API at
 * that time.
 */
export interface SharedTime extends Pick<Simulator, "fetch" | "urls"> {
  /**
   * Moves time for both: each of the app's timers and each item of the simulator runs at its own instant, the app's
   * first if they share one.
   * An endpoint or a handler may wait for a timer of the app that runs once.
   * @param duration how much time passes
   * @throws {CommandError} `not_allowed` if one waits for a timer that repeats
   * @example
   * const seen: string[] = [];
   * setTimeout(() => seen.push("the app's timer"), 20_000);
   * sim.on("call.not_answered", () => seen.push("nobody answered"));
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * await time.advance("PT1M");
   * seen; // => ["the app's timer", "nobody answered"]
   */
  advance(duration: DurationInput): Promise<void>;
  /**
   * Moves the simulator to the instant of the app's clock. Call it in a timer of the app before it commands the
   * simulator, which otherwise still stands at its last item.
   * @example
   * setTimeout(async () => {
   *   await time.catchUp();
   *   sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
   * }, 20_000);
   * await time.advance("PT30S");
   * expect(sim).toHaveEmittedStream(["PT20S call.started"]);
   */
  catchUp(): Promise<void>;
}

/** A test framework's fake timers: Vitest's `vi` or Jest's `jest`. */
export interface FakeTimers {
  /** Turns fake timers on. */
  useFakeTimers(): unknown;
  /** Whether fake timers are on. Jest has no such function. */
  isFakeTimers?(): boolean;
  /**
   * Sets the fake clock, in ms since the epoch.
   * @param nowMs ms since the epoch
   */
  setSystemTime(nowMs: number): unknown;
  /** Runs the next timer. */
  advanceTimersToNextTimerAsync(): Promise<unknown>;
  /**
   * Lets fake time pass, in ms.
   * @param ms how much time passes, ms
   */
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
  /** How many timers are set. */
  getTimerCount(): number;
}

keepClockDoors();

/** How many turns of the event loop, and real ms each, to wait for something other than a timer. */
const TURNS = 25;
const TURN_MS = 20;
/** The longest delay that a timer takes, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** Gives an app with fake timers the time of a simulator. */
export function shareTimeWith(sim: Simulator, timers: FakeTimers): SharedTime {
  if (typeof timers?.useFakeTimers !== "function")
    throw new InputError(
      ["shareTime"],
      "expected Vitest's `vi` or Jest's `jest`; `ringback/node-test` has a `shareTime` for the fake timers of node:test. In a world of `explore` the app has virtual time without any",
    );
  // or fake timers that begin would take ours for the real ones
  if (clockNow() === undefined) undoMore();
  if (!(timers.isFakeTimers?.() ?? "clock" in globalThis.setTimeout)) timers.useFakeTimers();
  timers.setSystemTime(sim.timestamp);
  replaceMoreFunctions();
  const clock = clockNow();
  shareClock(() => (clock !== undefined && clockNow() === clock ? clock.now : undefined));
  // a handler that waits for an app's timer is not waited for
  const appTimers = clock && (() => singleTimersOf(clock));
  const detach = sim.services.engine.probes.attach(appTimers ? { appTimers } : {});
  const open = new Set<Promise<unknown>>();
  // a request must not wait for a module to load while time passes
  const restLoaded = sim.loadRest();
  const runTo = (ms: number) => failIfStuck(sim, timers, () => sim.advanceToAsync(ms), detach);
  const catchUp = async () => {
    if (Date.now() > sim.timestamp) await runTo(Date.now());
  };
  const waitForAnswers = async () => {
    // a held answer comes only as time passes
    while (open.size > sim.services.restTraffic.heldCount)
      await Promise.race(
        [...open, sim.services.restTraffic.untilNextHeld()].map((each) => each.catch(() => {})),
      );
    // lets the app handle its answer, unless it waits for more
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
      await restLoaded;
      await waitForAnswers();
      const endMs = sim.timestamp + readDurationMs(duration, ["advance"]);
      while (sim.timestamp < endMs) {
        const dueMs = sim.pending()[0]?.dueTimestamp ?? endMs;
        await toNextTimer(timers, Math.min(dueMs, endMs) - sim.timestamp);
        await waitForAnswers();
        // by the clock, even if both agree already: something may be due at this instant
        await runTo(Math.max(Date.now(), sim.timestamp));
      }
      // whatever is left of the last instant, on both sides
      await timers.advanceTimersByTimeAsync(0);
      await waitForAnswers();
      await runTo(endMs);
    },
  };
}

let undoMore: () => void = () => undefined;

/**
 * While fake timers are on, lets `AbortSignal.timeout` and `node:timers/promises` use them: frameworks leave some of these
 * real.
 */
function replaceMoreFunctions(): void {
  undoMore();
  const { AbortSignal: abortSignal } = globalThis;
  const promises = nodeModule<{ readonly scheduler?: object }>("node:timers/promises");
  const undo = replaceTimerFunctions({ promises, abortSignal }, () => {
    if (clockNow() !== undefined) return timersNow;
    undoMore();
    return undefined;
  });
  syncModules();
  undoMore = () => {
    undoMore = () => undefined;
    undo();
    syncModules();
  };
}

/** The timers that are installed. */
const timersNow: TimerSource = {
  start(callback, ms, repeats) {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const timer = repeats ? setInterval(callback, Number(ms)) : setTimeout(callback, Number(ms));
    return {
      close: () => (repeats ? clearInterval(timer) : clearTimeout(timer)),
      unref: () => (timer as Partial<NodeJS.Timeout>).unref?.(),
    };
  },
};

/** Runs the app's next timer if it is due within this time; otherwise lets the time pass. */
async function toNextTimer(timers: FakeTimers, ms: number): Promise<void> {
  const marker = setTimeout(() => {}, Math.min(ms, LONGEST_MS));
  await timers.advanceTimersToNextTimerAsync();
  clearTimeout(marker);
}

/**
 * Lets the simulator run.
 * @param giveUp lets it look for timers of the app no more, which would keep the process busy
 * @throws {CommandError} `not_allowed` if an endpoint waits for a timer that repeats, which cannot run before the
 * endpoint has answered
 */
async function failIfStuck(
  sim: Simulator,
  timers: FakeTimers,
  begin: () => Promise<void>,
  giveUp: () => void,
): Promise<void> {
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
    giveUp();
    throw new CommandError(
      "not_allowed",
      `${waitedFor}: waits for a timer that repeats, which cannot run: time stands still until the handler answers. Wait for a single timer (setTimeout), answer first and do the rest later, or use real timers (useRealTimers) and advanceAsync`,
    );
  };
  const finished = begin().finally(() => {
    isOver = true;
  });
  finished.catch(() => {}); // awaited below, unless the watch throws first
  if (areTimersFake) await finished;
  else await Promise.race([finished, watch().then(() => finished)]);
}
