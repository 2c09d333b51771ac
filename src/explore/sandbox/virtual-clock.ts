import { nodeModule } from "../../core/foundation/node-module.ts";
import { VirtualTimer, type VirtualTimers } from "./virtual-timers.ts";
import { isOfWorld } from "./world-context.ts";

/**
 * The clock and the timers of a world, in place of the runtime's: they go with the virtual time. Code that belongs to no
 * world, such as another test, gets the real ones, or a test's fake ones, at any time.
 */

/** The time of a world. */
export interface WorldTime {
  /** The virtual time, ms since the epoch. */
  now(): number;
  readonly timers: VirtualTimers;
}

type Sleep = (ms?: number, value?: unknown, options?: SleepOptions) => Promise<unknown>;
interface SleepOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}
interface TimerPromises {
  setTimeout: Sleep;
  setInterval(ms?: number, value?: unknown, options?: SleepOptions): AsyncIterable<unknown>;
  readonly scheduler?: { wait(ms: number, options?: SleepOptions): Promise<unknown> };
}
type AnyFunction = (...given: never[]) => unknown;
type Properties = Record<PropertyKey, unknown>;

const promisify = Symbol.for("nodejs.util.promisify.custom");
const { Date: RealDate } = globalThis;

let world: WorldTime | undefined;
/** What `performance.now()` returns when the virtual time is 0. */
let offsetMs = 0;
let undo: (() => void)[] = [];
let users = 0;

/** The time of the code that runs now; undefined if that is not virtual. */
export function timeOfCaller(): WorldTime | undefined {
  return world !== undefined && isOfWorld() ? world : undefined;
}

/** Gives code of worlds this time from now on; undefined for the real one. */
export function setWorldTime(time: WorldTime | undefined): void {
  world = undefined;
  if (time === undefined) return;
  // goes on from the real one, which code may have read while it was loaded
  offsetMs = globalThis.performance.now() - time.now();
  world = time;
}

/** Replaces clock and timers of the runtime. Without a world, the new ones do what the old ones do. */
export function installClock(): void {
  if (users++ > 0) return;
  const timers = nodeModule<Properties>("node:timers");
  for (const place of [globalThis as unknown as Properties, timers]) {
    if (place === undefined) continue;
    replace(place, "setTimeout", (before) => virtualStart(before, false));
    replace(place, "setInterval", (before) => virtualStart(before, true));
    for (const name of ["clearTimeout", "clearInterval"]) replace(place, name, virtualClear);
  }
  replacePromises(nodeModule<TimerPromises>("node:timers/promises"));
  replace(globalThis as unknown as Properties, "Date", virtualDate);
  replace(globalThis.performance as unknown as Properties, "now", virtualNow);
  replace(globalThis.AbortSignal as unknown as Properties, "timeout", virtualAbort);
}

/** Undoes `installClock`. */
export function uninstallClock(): void {
  if (--users > 0) return;
  for (const each of undo.reverse()) each();
  undo = [];
}

/** Lets code that imported names of Node's modules see what has changed. */
export function syncModules(): void {
  nodeModule<{ syncBuiltinESMExports?(): void }>("node:module")?.syncBuiltinESMExports?.();
}

/** Replaces a property. It is put back as it was, unless somebody else has replaced it since. */
function replace(place: Properties, name: string, make: (before: AnyFunction) => AnyFunction): void {
  const before = place[name] as AnyFunction | undefined;
  if (typeof before !== "function") return;
  const own = Object.getOwnPropertyDescriptor(place, name);
  const value = make(before);
  const enumerable = own?.enumerable ?? true;
  Object.defineProperty(place, name, { value, enumerable, writable: true, configurable: true });
  undo.push(() => {
    if (place[name] !== value) return;
    if (own === undefined) delete place[name];
    else Object.defineProperty(place, name, own);
  });
}

/** Gives a function the own properties of another, such as the clock of fake timers. @param own those that it has itself */
function like<F extends AnyFunction>(before: AnyFunction, made: F, own: Properties = {}): F {
  const properties: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(before);
  for (const name of Reflect.ownKeys(own))
    properties[name] = { value: own[name], enumerable: false, writable: true, configurable: true };
  return Object.defineProperties(made, properties);
}

function virtualStart(before: AnyFunction, repeats: boolean): AnyFunction {
  const start = (callback: AnyFunction, ms?: number, ...given: never[]) => {
    const time = typeof callback === "function" ? timeOfCaller() : undefined;
    if (time === undefined || isCalledByFetch()) return before(callback as never, ms as never, ...given);
    return time.timers.start(callback, ms, given, repeats);
  };
  const sleeps = (before as unknown as Properties)[promisify] as Sleep | undefined;
  return like(before, start, sleeps === undefined ? {} : { [promisify]: virtualSleep(sleeps) });
}

interface CallSite {
  getFileName(): string | null | undefined;
}

/** How far up the stack the caller of a replaced function is. */
const CALLER = 2;

/** Whether Node's `fetch` sets a timer. Its time limits are those of real connections. */
function isCalledByFetch(): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = CALLER + 1;
  Error.prepareStackTrace = (_, sites: CallSite[]) => sites;
  const sites = new Error("where").stack as unknown as CallSite[] | string | undefined;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return Array.isArray(sites) && sites[CALLER]?.getFileName()?.startsWith("node:internal/deps/") === true;
}

function virtualClear(before: AnyFunction): AnyFunction {
  return like(before, (given: unknown) => {
    const timer = given instanceof VirtualTimer ? given : world?.timers.find(given);
    if (timer === undefined) before(given as never);
    else timer.close();
  });
}

function virtualSleep(before: Sleep): Sleep {
  return (ms, value, options) => {
    const time = timeOfCaller();
    return time === undefined ? before(ms, value, options) : sleep(time, ms, value, options);
  };
}

function sleep(time: WorldTime, ms: unknown, value: unknown, { signal, ref }: SleepOptions = {}) {
  return new Promise<unknown>((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortError(signal));
    const abort = () => {
      timer.close();
      reject(abortError(signal as AbortSignal));
    };
    const timer = time.timers.start(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      },
      ms,
      [],
      false,
    );
    if (ref === false) timer.unref();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The error of Node for what a signal has ended. */
function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

async function* ticks(time: WorldTime, ms: unknown, value: unknown, { signal, ref }: SleepOptions = {}) {
  let due = 0;
  let wake = () => {};
  const timer = time.timers.start(
    () => {
      due++;
      wake();
    },
    ms,
    [],
    true,
  );
  if (ref === false) timer.unref();
  const abort = () => wake();
  signal?.addEventListener("abort", abort, { once: true });
  const isAborted = () => signal?.aborted === true;
  try {
    for (;;) {
      if (isAborted()) throw abortError(signal as AbortSignal);
      if (due === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      for (; due > 0 && !isAborted(); due--) yield value;
    }
  } finally {
    timer.close();
    signal?.removeEventListener("abort", abort);
  }
}

function replacePromises(promises: TimerPromises | undefined): void {
  if (promises === undefined) return;
  const place = promises as unknown as Properties;
  replace(place, "setTimeout", (before) => virtualSleep(before as unknown as Sleep) as AnyFunction);
  replace(place, "setInterval", (before) => (...[ms, value, options]: [number?, unknown?, SleepOptions?]) => {
    const time = timeOfCaller();
    if (time !== undefined) return ticks(time, ms, value, options);
    return before(ms as never, value as never, options as never);
  });
  if (promises.scheduler === undefined) return;
  replace(promises.scheduler as unknown as Properties, "wait", (before) => {
    const { scheduler } = promises;
    return (...[ms, options]: [number, SleepOptions?]) => {
      const time = timeOfCaller();
      if (time !== undefined) return sleep(time, ms, undefined, options);
      return before.call(scheduler, ms as never, options as never);
    };
  });
}

function virtualDate(before: AnyFunction): AnyFunction {
  const Before = before as unknown as DateConstructor;
  function WorldDate(this: unknown, ...parts: []) {
    const time = timeOfCaller();
    if (new.target === undefined) return time === undefined ? Before() : new RealDate(time.now()).toString();
    const given = parts.length === 0 && time !== undefined ? [time.now()] : parts;
    return Reflect.construct(Before, given, new.target === WorldDate ? Before : new.target);
  }
  const now = () => timeOfCaller()?.now() ?? Before.now();
  return like(before, WorldDate as unknown as AnyFunction, { now });
}

function virtualNow(before: AnyFunction): AnyFunction {
  return like(before, () => {
    const time = timeOfCaller();
    return time === undefined ? before.call(globalThis.performance) : time.now() + offsetMs;
  });
}

function virtualAbort(before: AnyFunction): AnyFunction {
  return like(before, (ms: number) => {
    const time = timeOfCaller();
    if (time === undefined || !Number.isSafeInteger(ms) || ms < 0)
      return before.call(globalThis.AbortSignal, ms as never);
    const controller = new AbortController();
    const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
    time.timers.start(() => controller.abort(reason()), ms, [], false);
    return controller.signal;
  });
}
