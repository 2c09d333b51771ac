import { clockNow, type FakeClock, type FakeTimer } from "../../core/engine/fake-clock.ts";
import { InputError } from "../../core/foundation/errors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import type { FakeTimers } from "../shared-time.ts";

/**
 * `mock.timers` of `node:test` as fake timers that can go with a simulator: it runs all timers that are due at the instant to
 * which it ticks, so it must tick from one to the next. It does not tell when that is, so the timers are followed.
 */

/** The fake timers of `node:test`: `mock.timers`, or those of one test, `t.mock.timers`. */
export interface MockTimers {
  /**
   * Turns fake timers on.
   * @param options what they replace, and their time, ms since the epoch
   */
  enable(options: { apis: ("setTimeout" | "setInterval" | "Date")[]; now?: number }): void;
  /**
   * Sets the fake clock.
   * @param ms ms since the epoch
   */
  setTime(ms: number): void;
  /**
   * Lets fake time pass.
   * @param ms how much time passes, ms
   */
  tick(ms: number): void;
  /** Turns fake timers off. */
  reset(): void;
}

/** A timer that is followed, by the object which `mock.timers` makes of it. */
interface FollowedTimer extends FakeTimer {
  callAt: number;
}

/** The longest delay that Node takes, ms. */
const LONGEST_MS = 2 ** 31 - 1;

const modules = nodeModule<typeof globalThis>("node:timers");
const promises = nodeModule<{ setTimeout: unknown; setInterval: unknown }>("node:timers/promises");
/** Taken before anything can replace it. */
const realSetImmediate = modules?.setImmediate ?? globalThis.setImmediate;
const turn = () => new Promise<void>((resolve) => void realSetImmediate(resolve));

/** Makes fake timers of those of `node:test`. */
export function followTimers(timers: MockTimers): FakeTimers {
  const all = new Map<object, FollowedTimer>();
  let isTicking = false;
  const nextMs = () => {
    let first = Number.POSITIVE_INFINITY;
    for (const { callAt } of all.values()) first = Math.min(first, callAt);
    return first;
  };
  const tickTo = async (ms: number) => {
    isTicking = true;
    try {
      timers.tick(Math.max(ms - Date.now(), 0));
    } finally {
      isTicking = false;
    }
    await turn();
  };
  const tickAsync = async (ms: number) => {
    const endMs = Date.now() + ms;
    await turn();
    for (let next = nextMs(); next <= endMs; next = nextMs()) await tickTo(next);
    await tickTo(endMs);
  };
  return {
    isFakeTimers: () => false,
    useFakeTimers() {
      if ("isMock" in Date || clockNow() !== undefined)
        throw new InputError(
          ["shareTime"],
          "fake timers are on already: leave `mock.timers.enable` to `shareTime`, and end what an earlier test turned on by `mock.timers.reset()`",
        );
      const { setTimeout, setInterval } = promises ?? {};
      timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
      // `shareTime` replaces those of `node:timers/promises`, and its own must lead back to the real ones
      if (promises !== undefined) Object.assign(promises, { setTimeout, setInterval });
      follow(all, () => isTicking, tickAsync);
    },
    setSystemTime: (ms) => timers.setTime(ms),
    getTimerCount: () => all.size,
    advanceTimersByTimeAsync: tickAsync,
    async advanceTimersToNextTimerAsync() {
      await turn();
      if (all.size > 0) await tickTo(nextMs());
    },
  };
}

/** Puts functions that note the timers in front of those of `mock.timers`, which takes both away when it is reset. */
function follow(
  all: Map<object, FollowedTimer>,
  isTicking: () => boolean,
  tickAsync: (ms: number) => Promise<void>,
): void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  let count = 0;
  const start =
    (mocked: AnyFunction, repeats: boolean) =>
    (callback: AnyFunction, delay?: unknown, ...given: unknown[]) => {
      if (typeof callback !== "function")
        throw new TypeError(`expected a function for a timer, got ${String(callback)}`);
      const asked = Number(delay);
      // as in Node, but that 0 is now: within a tick that would run it before what is due
      const ms =
        asked >= 1 && asked <= LONGEST_MS ? Math.trunc(asked) : isTicking() || repeats || asked > 1 ? 1 : 0;
      const timer: FollowedTimer = {
        id: ++count,
        callAt: Date.now() + ms,
        interval: repeats ? ms : undefined,
      };
      const run = () => {
        // Node 20 runs an interval again that was cleared while it ran
        if (!all.has(handle)) return;
        if (repeats) timer.callAt += ms;
        else all.delete(handle);
        callback(...given);
      };
      const handle = mocked(run, ms) as object;
      all.set(handle, timer);
      return handle;
    };
  const clear = (mocked: typeof clearTimeout) => (handle: unknown) => {
    all.delete(handle as object);
    mocked(handle as NodeJS.Timeout);
  };
  const stop = clear(clearTimeout);
  const clock: FakeClock = {
    get now() {
      return Date.now();
    },
    get timers() {
      return new Map([...all.values()].map((timer) => [timer.id, timer]));
    },
    tickAsync,
    clearTimeout: stop,
  };
  const followed = {
    setTimeout: Object.assign(start(setTimeout as AnyFunction, false), { clock }),
    setInterval: Object.assign(start(setInterval as AnyFunction, true), { clock }),
    clearTimeout: stop,
    clearInterval: clear(clearInterval),
  };
  for (const place of modules === undefined ? [globalThis] : [globalThis, modules])
    Object.assign(place, followed);
}
