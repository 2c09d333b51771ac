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

interface SleepOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}
/** Any function: the parameters of a method may be narrower. */
type AnyFunction = { call(...given: unknown[]): unknown }["call"];

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
  const timers = nodeModule<object>("node:timers");
  for (const place of timers === undefined ? [globalThis] : [globalThis, timers]) {
    replace(place, "setTimeout", (before) => virtualStart(before, false));
    replace(place, "setInterval", (before) => virtualStart(before, true));
    for (const name of ["clearTimeout", "clearInterval"]) replace(place, name, virtualClear);
  }
  const promises = nodeModule<{ readonly scheduler?: object }>("node:timers/promises");
  if (promises !== undefined) {
    replace(promises, "setTimeout", virtualSleep);
    replace(promises, "setInterval", virtualTicks);
    if (promises.scheduler !== undefined) replace(promises.scheduler, "wait", virtualWait);
  }
  replace(globalThis, "Date", virtualDate);
  replace(globalThis.performance, "now", virtualNow);
  replace(globalThis.AbortSignal, "timeout", virtualAbort);
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

/**
 * Replaces a function. It is put back as it was, unless somebody else has replaced it since.
 * @param make makes the new one from the old one
 */
function replace(place: object, name: string, make: (before: AnyFunction) => AnyFunction): void {
  const before: unknown = Reflect.get(place, name);
  if (typeof before !== "function") return;
  const own = Object.getOwnPropertyDescriptor(place, name);
  const value = make(before as AnyFunction);
  const enumerable = own?.enumerable ?? true;
  Object.defineProperty(place, name, { value, enumerable, writable: true, configurable: true });
  undo.push(() => {
    if (Reflect.get(place, name) !== value) return;
    if (own === undefined) Reflect.deleteProperty(place, name);
    else Object.defineProperty(place, name, own);
  });
}

/** Gives a function the own properties of another, such as the clock of fake timers. @param own those that it has itself */
function like(before: AnyFunction, made: AnyFunction, own: Readonly<Record<PropertyKey, unknown>> = {}) {
  const properties: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(before);
  for (const name of Reflect.ownKeys(own))
    properties[name] = { value: own[name], enumerable: false, writable: true, configurable: true };
  return Object.defineProperties(made, properties);
}

function virtualStart(before: AnyFunction, repeats: boolean): AnyFunction {
  const start = (callback: unknown, ms?: unknown, ...given: unknown[]) => {
    const time = typeof callback === "function" ? timeOfCaller() : undefined;
    if (time === undefined || isCalledByFetch()) return before(callback, ms, ...given);
    return time.timers.start(callback as AnyFunction, ms, given, repeats);
  };
  const sleeps: unknown = Reflect.get(before, promisify);
  const own = typeof sleeps === "function" ? { [promisify]: virtualSleep(sleeps as AnyFunction) } : {};
  return like(before, start, own);
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
  const sites: unknown = new Error("where").stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  if (!Array.isArray(sites)) return false;
  const caller: CallSite | undefined = sites[CALLER];
  return caller?.getFileName()?.startsWith("node:internal/deps/") === true;
}

function virtualClear(before: AnyFunction): AnyFunction {
  return like(before, (given: unknown) => {
    const timer = given instanceof VirtualTimer ? given : world?.timers.find(given);
    if (timer === undefined) before(given);
    else timer.close();
  });
}

function virtualSleep(before: AnyFunction): AnyFunction {
  return (ms?: unknown, value?: unknown, options?: SleepOptions) => {
    const time = timeOfCaller();
    return time === undefined ? before(ms, value, options) : sleep(time, ms, value, options);
  };
}

function virtualTicks(before: AnyFunction): AnyFunction {
  return (ms?: unknown, value?: unknown, options?: SleepOptions) => {
    const time = timeOfCaller();
    return time === undefined ? before(ms, value, options) : ticks(time, ms, value, options);
  };
}

/** `scheduler.wait` of `node:timers/promises`. */
function virtualWait(before: AnyFunction): AnyFunction {
  return function (this: unknown, ms?: unknown, options?: SleepOptions) {
    const time = timeOfCaller();
    return time === undefined
      ? Reflect.apply(before, this, [ms, options])
      : sleep(time, ms, undefined, options);
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

function virtualDate(before: AnyFunction): AnyFunction {
  function WorldDate(...parts: unknown[]): unknown {
    const time = timeOfCaller();
    if (new.target === undefined) return time === undefined ? before() : new RealDate(time.now()).toString();
    const given = parts.length === 0 && time !== undefined ? [time.now()] : parts;
    return Reflect.construct(before, given, new.target === WorldDate ? before : new.target);
  }
  const realNow = Reflect.get(before, "now") as () => number;
  const now = () => timeOfCaller()?.now() ?? realNow.call(before);
  return like(before, WorldDate, { now });
}

function virtualNow(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown) {
    const time = timeOfCaller();
    return time === undefined ? Reflect.apply(before, this, []) : time.now() + offsetMs;
  });
}

function virtualAbort(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ms: unknown) {
    const time = timeOfCaller();
    if (time === undefined || !Number.isSafeInteger(ms) || Number(ms) < 0)
      return Reflect.apply(before, this, [ms]);
    const controller = new AbortController();
    const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
    time.timers.start(() => controller.abort(reason()), ms, [], false);
    return controller.signal;
  });
}
