import { isOfWorld } from "../../core/engine/whose-code.ts";
import {
  type Clock,
  keepClockDoors,
  lastPerformanceMs,
  like,
  useClock,
} from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { wallClockMs } from "../../core/foundation/real-functions.ts";
import {
  type AnyFunction,
  promisified,
  replaceFunction,
  replaceTimerFunctions,
  replaceTimers,
  type SleepOptions,
  sleep,
  type TimerSource,
} from "../../core/foundation/timer-functions.ts";
import { isFromClient } from "./call-sites.ts";
import { replaceFakeFunctions } from "./fake-timers.ts";
import { clearModuleTimer, moduleTimersOfCaller, type RealStarts } from "./module-timers.ts";
import { noteRealRead } from "./real-timers.ts";
import { VirtualTimer, type VirtualTimers } from "./virtual-timers.ts";
import { isFollowed } from "./world-context.ts";

/**
 * The clock and the timers of a world, in place of the runtime's: they go with the virtual time. So that each run of a world
 * is the same, `Math.random` draws the same numbers. Code that belongs to no world, such as another test, gets the real ones,
 * or a test's fake ones, at any time.
 */

/** The time of a world. */
export interface WorldTime {
  /** The virtual time, ms since the epoch. */
  now(): number;
  readonly timers: VirtualTimers;
  /** Draws a number from 0 (included) to 1 (excluded): the same ones in each run of the world. */
  random(): number;
}

// biome-ignore lint/nursery/noJsRestrictedProperties: to know whether a test has replaced it
const { random: realRandom } = Math;

/** Taken before they are replaced. */
const realStarts = nodeModule<RealStarts>("node:timers") && {
  ...(nodeModule<RealStarts>("node:timers") as RealStarts),
};

keepClockDoors();

let world: WorldTime | undefined;
/** What `performance.now()` returns when a world begins: the same in each run, and no less than what code has read before, ms. */
let performanceStartMs = -1;
/** What it returns when the virtual time is 0. */
let offsetMs = 0;
/** Whether no world has begun since the clock was installed. */
let isFirstWorld = true;
let undo: (() => void)[] = [];
let users = 0;
/** The `setTimeout` that worlds get. */
let installed: typeof globalThis.setTimeout | undefined;

/** The time of the code that runs now; undefined if that is not virtual. */
export function timeOfCaller(): WorldTime | undefined {
  return world !== undefined && isFollowed() ? world : undefined;
}

const worldClock: Clock = {
  nowMs() {
    const time = timeOfCaller();
    if (time === undefined && world !== undefined) noteRealRead();
    return time?.now();
  },
  performanceMs() {
    const time = timeOfCaller();
    return time && time.now() + offsetMs;
  },
};

let isCallingReal = false;

/** Whether code of a world with the real clock calls a function of `timers/promises`, or `AbortSignal.timeout`. */
export function callsRealFunction(): boolean {
  return isCallingReal;
}

/** What sets timers for the code that runs now; undefined if that has the real ones. */
function sourceOfCaller(): TimerSource | undefined {
  const time = timeOfCaller();
  if (time !== undefined) return { start: (callback, ms, repeats) => startIn(time, callback, ms, repeats) };
  const module = moduleTimersOfCaller();
  return module?.areReal === true && realStarts !== undefined ? module.sourceOf(realStarts) : undefined;
}

function timersOfCaller(): TimerSource | undefined {
  const source = sourceOfCaller();
  if (source !== undefined || !isOfWorld()) return source;
  // the real function is called next
  isCallingReal = true;
  void Promise.resolve().then(() => {
    isCallingReal = false;
  });
  return undefined;
}

/** Gives code of worlds this time from now on; undefined for the real one. */
export function setWorldTime(time: WorldTime | undefined): void {
  world = undefined;
  if (time === undefined) return;
  // while worlds run, it stays
  if (isFirstWorld && lastPerformanceMs() >= performanceStartMs)
    performanceStartMs = Math.ceil(wallClockMs());
  isFirstWorld = false;
  offsetMs = performanceStartMs - time.now();
  world = time;
}

/** Replaces clock and timers of the runtime. Without a world, the new ones do what the old ones do. */
export function installClock(): void {
  if (users++ > 0) return;
  isFirstWorld = true;
  undo.push(replaceTimers(virtualStart, virtualClear));
  installed = globalThis.setTimeout;
  undo.push(useClock(worldClock));
  // frozen intrinsics, as of SES, keep theirs: then other numbers are drawn in each run
  if (!Object.isFrozen(globalThis.Math)) undo.push(replaceFunction(globalThis.Math, "random", virtualRandom));
  const promises = nodeModule<{ readonly scheduler?: object }>("node:timers/promises");
  const { AbortSignal: abortSignal } = globalThis;
  undo.push(replaceFakeFunctions(() => timeOfCaller() !== undefined));
  undo.push(replaceTimerFunctions({ promises, abortSignal }, timersOfCaller));
}

/** Whether somebody has replaced the virtual timers since, as fake timers do that an app begins. */
export function areTimersReplaced(): boolean {
  return installed !== undefined && globalThis.setTimeout !== installed;
}

/** Undoes `installClock`. */
export function uninstallClock(): void {
  if (--users > 0) return;
  for (const each of undo.reverse()) each();
  undo = [];
  installed = undefined;
}

function virtualStart(before: AnyFunction, repeats: boolean): AnyFunction {
  const start = (callback: unknown, ms?: unknown, ...given: unknown[]) => {
    const time = typeof callback === "function" ? timeOfCaller() : undefined;
    if (typeof callback !== "function" || isFromClient()) return before(callback, ms, ...given);
    if (time !== undefined) return startIn(time, callback as AnyFunction, ms, repeats, given);
    const module = moduleTimersOfCaller();
    if (module?.areReal !== true) return before(callback, ms, ...given);
    return module.start(before, { callback: callback as AnyFunction, ms, repeats, given });
  };
  const sleeps: unknown = Reflect.get(before, promisified);
  const own = typeof sleeps === "function" ? { [promisified]: virtualSleep(sleeps as AnyFunction) } : {};
  return like(before, start, own);
}

/** Sets a timer in a world. */
function startIn({ timers }: WorldTime, ...given: Parameters<VirtualTimers["start"]>): VirtualTimer {
  const module = timers.isModuleRunning ? moduleTimersOfCaller() : undefined;
  const timer = timers.start(...given);
  if (module === undefined) return timer;
  timer.isOfModule = true;
  module.noteLoop(given[1]);
  return timer;
}

function virtualClear(before: AnyFunction): AnyFunction {
  return like(before, (given: unknown) => {
    if (clearModuleTimer(given)) return;
    const timer = given instanceof VirtualTimer ? given : world?.timers.find(given);
    if (timer === undefined) before(given);
    else timer.close();
  });
}

function virtualSleep(before: AnyFunction): AnyFunction {
  return (ms?: unknown, value?: unknown, options?: SleepOptions) => {
    const timers = sourceOfCaller();
    return timers === undefined ? before(ms, value, options) : sleep(timers, ms, value, options);
  };
}

/** A function that a test put in place of `Math.random` is left as it is. */
function virtualRandom(before: AnyFunction): AnyFunction {
  if (before !== realRandom) return before;
  return like(before, () => timeOfCaller()?.random() ?? realRandom());
}
