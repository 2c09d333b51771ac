import { nodeModule } from "./node-module.ts";

/** The runtime's own timers and clock, even if a test's fake timers were on when this was loaded. */

interface Process {
  nextTick?(callback: () => void): void;
}
type Timers = Pick<typeof globalThis, "setTimeout" | "clearTimeout">;

/** Whether a test's fake timers are on now, or have taken the real ones away. */
export function areGlobalTimersFake(): boolean {
  const { setTimeout: given } = globalThis as Partial<Timers>;
  return given === undefined || "clock" in given;
}

/** Where all copies of the package that are loaded keep what stands behind the doors of `clock-doors.ts`. */
export const DOORS: unique symbol = Symbol.for("ringback.clock");

/** What stands behind a door of `clock-doors.ts`, which another copy of the package may have placed; else the function itself. */
export function behindDoor<Door extends object>(door: Door): Door {
  const { [DOORS]: doors } = globalThis as { [DOORS]?: { readonly behind: WeakMap<object, object> } };
  return (doors?.behind.get(door) as Door | undefined) ?? door;
}

const areFake = areGlobalTimersFake();
const timers = areFake ? (nodeModule<Timers>("node:timers") ?? globalThis) : globalThis;
const clock = areFake
  ? (nodeModule<{ performance: Performance }>("node:perf_hooks")?.performance ?? performance)
  : performance;

/** A global variable of Node itself. Jest gives its tests globals of their own. */
export function ownGlobal<T>(
  name: "Object" | "Promise" | "process" | "queueMicrotask" | "WebAssembly",
): T | undefined {
  const vm = nodeModule<{ readonly Script: new (code: string) => { runInThisContext(): T } }>("node:vm");
  try {
    return vm && new vm.Script(name).runInThisContext();
  } catch {
    return undefined; // other runtimes have a module that only throws
  }
}

/** Node's own process. Jest gives its tests a copy, even as a module: Node tells the copy nothing, and its ticks may be fake. */
export const ownProcess = <T>(): T | undefined => ownGlobal<T>("process");

/** Whether the timers are fake nevertheless, as in a browser. */
export const areTimersFake: boolean = "clock" in timers.setTimeout;
export const realSetTimeout: typeof setTimeout = behindDoor(timers.setTimeout);
export const realClearTimeout: typeof clearTimeout = timers.clearTimeout;
/** Node's `process.nextTick`; undefined elsewhere. */
export const realNextTick: Process["nextTick"] = ownProcess<Process>()?.nextTick;
/** Wall-clock time since the process started, ms. */
export const wallClockMs: () => number = behindDoor(clock.now).bind(clock);
/** When the process started, ms since 1970. */
export const realOrigin: number = clock.timeOrigin;
