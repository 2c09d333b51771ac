import { nodeModule } from "./node-module.ts";
import { areGlobalTimersFake } from "./real-functions.ts";

/** Functions of a runtime that take time, made of any timers: virtual ones of a world, or a test's fake ones. */

/** A timer that is set. */
interface SetTimer {
  close(): unknown;
  unref?(): unknown;
  /** Whether nobody would notice that it runs. */
  isUnheard?: (() => boolean) | undefined;
  /** Called when that may be otherwise. */
  look?(): void;
}

/** Sets timers. */
export interface TimerSource {
  /** @param repeats whether it runs again and again */
  start(callback: () => void, ms: unknown, repeats: boolean): SetTimer;
}

/** The options of the functions of `node:timers/promises`. */
export interface SleepOptions {
  readonly signal?: AbortSignal;
  /** Whether a program goes on for it. */
  readonly ref?: boolean;
}

/** Any function: the parameters of a method may be narrower. */
export type AnyFunction = { call(...given: unknown[]): unknown }["call"];

/** Where `util.promisify` finds what it makes of a function. */
export const promisified = Symbol.for("nodejs.util.promisify.custom");

/** The longest delay that runtimes take, ms; longer ones count as 1. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The delay of a timer, ms, as runtimes read it. */
export function timerDelayMs(given: unknown): number {
  const ms = Number(given);
  return ms >= 1 && ms <= MAX_DELAY_MS ? Math.trunc(ms) : 1;
}

/** As `setTimeout` of `node:timers/promises`. */
export function sleep(
  timers: TimerSource,
  ms: unknown,
  value?: unknown,
  { signal, ref }: SleepOptions = {},
): Promise<unknown> {
  return new Promise<unknown>((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortError(signal));
    const abort = () => {
      timer.close();
      reject(abortError(signal as AbortSignal));
    };
    const wake = () => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    };
    const timer = timers.start(wake, ms, false);
    if (ref === false) timer.unref?.();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** As `setInterval` of `node:timers/promises`. */
async function* ticks(
  timers: TimerSource,
  ms: unknown,
  value?: unknown,
  { signal, ref }: SleepOptions = {},
): AsyncGenerator<unknown> {
  let due = 0;
  let wake = () => {};
  const tick = () => {
    due++;
    wake();
  };
  const timer = timers.start(tick, ms, true);
  if (ref === false) timer.unref?.();
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

/** As `AbortSignal.timeout`. */
function abortAfter(timers: TimerSource, ms: unknown): AbortSignal {
  const controller = new AbortController();
  const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
  const { signal } = controller;
  const timer = timers.start(() => controller.abort(reason()), ms, false);
  let isLeft = false;
  timer.isUnheard = () => isLeft && !isHeard(signal);
  // a client takes its listener away when it has its answer; who has not listened yet may do so later
  const { addEventListener, removeEventListener } = signal;
  const follow = (name: string, before: AnyFunction, leaves: boolean) =>
    Object.defineProperty(signal, name, {
      configurable: true,
      writable: true,
      value(...given: unknown[]) {
        Reflect.apply(before, signal, given);
        isLeft ||= leaves;
        timer.look?.();
      },
    });
  follow("addEventListener", addEventListener as AnyFunction, false);
  follow("removeEventListener", removeEventListener as AnyFunction, true);
  return signal;
}

const events = nodeModule<{ getEventListeners(of: object, name: string): readonly unknown[] }>("node:events");

/** Whether anybody listens to a signal, or to one that follows from it. */
function isHeard(signal: AbortSignal): boolean {
  if (events === undefined) return true;
  const follow = Object.getOwnPropertySymbols(signal).filter(
    ({ description }) => description === "kDependantSignals",
  );
  const hasFollowers = follow.some(
    (each) => (Reflect.get(signal, each) as Set<unknown> | undefined)?.size !== 0,
  );
  return hasFollowers || events.getEventListeners(signal, "abort").length > 0;
}

/** The error of Node for what a signal has ended. */
function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

/** Where `node:timers/promises` and `AbortSignal` keep the functions above. */
interface Places {
  readonly promises: { readonly scheduler?: object } | undefined;
  readonly abortSignal: object;
}

/**
 * Replaces the functions of `node:timers/promises`, and `AbortSignal.timeout`.
 * @param sourceNow the timers for the code that runs now; undefined for the functions that were there
 * @returns a function that undoes this
 */
export function replaceTimerFunctions(
  { promises, abortSignal }: Places,
  sourceNow: () => TimerSource | undefined,
): () => void {
  const undo: (() => void)[] = [];
  const replaceBy = (
    place: object,
    name: string,
    by: (timers: TimerSource, given: unknown[]) => unknown,
    takes = (_first: unknown) => true,
  ) =>
    undo.push(
      replaceFunction(
        place,
        name,
        (before) =>
          function (this: unknown, ...given: unknown[]) {
            const timers = takes(given[0]) ? sourceNow() : undefined;
            return timers === undefined ? Reflect.apply(before, this, given) : by(timers, given);
          },
      ),
    );
  if (promises !== undefined) {
    replaceBy(promises, "setTimeout", (timers, [ms, value, options]) =>
      sleep(timers, ms, value, options as SleepOptions),
    );
    replaceBy(promises, "setInterval", (timers, [ms, value, options]) =>
      ticks(timers, ms, value, options as SleepOptions),
    );
    if (promises.scheduler !== undefined)
      replaceBy(promises.scheduler, "wait", (timers, [ms, options]) =>
        sleep(timers, ms, undefined, options as SleepOptions),
      );
  }
  // others are an error
  const isDelay = (ms: unknown) => Number.isSafeInteger(ms) && Number(ms) >= 0;
  replaceBy(abortSignal, "timeout", (timers, [ms]) => abortAfter(timers, ms), isDelay);
  return () => {
    for (const each of undo) each();
  };
}

/**
 * Replaces the functions that set and clear timers, as globals and in `node:timers`.
 * @param start makes the new one that sets timers from the old one
 * @param clear makes the new one that clears them
 * @returns a function that undoes this
 */
export function replaceTimers(
  start: (before: AnyFunction, repeats: boolean) => AnyFunction,
  clear: (before: AnyFunction) => AnyFunction,
): () => void {
  const timers = nodeModule<object>("node:timers");
  const undo = (timers === undefined ? [globalThis] : [globalThis, timers]).flatMap((place) => [
    replaceFunction(place, "setTimeout", (before) => start(before, false)),
    replaceFunction(place, "setInterval", (before) => start(before, true)),
    replaceFunction(place, "clearTimeout", clear),
    replaceFunction(place, "clearInterval", clear),
  ]);
  return () => {
    for (const each of undo) each();
  };
}

/**
 * Replaces a function.
 * @param make makes the new one from the old one
 * @returns a function that puts it back as it was, unless somebody else has replaced it since
 */
export function replaceFunction(
  place: object,
  name: string,
  make: (before: AnyFunction) => AnyFunction,
): () => void {
  const before: unknown = Reflect.get(place, name);
  if (typeof before !== "function") return () => {};
  const own = Object.getOwnPropertyDescriptor(place, name);
  const value = make(before as AnyFunction);
  const enumerable = own?.enumerable ?? true;
  Object.defineProperty(place, name, { value, enumerable, writable: true, configurable: true });
  return () => {
    if (Reflect.get(place, name) !== value) return;
    if (own === undefined) Reflect.deleteProperty(place, name);
    else Object.defineProperty(place, name, own);
  };
}

type Functions = Record<string, unknown>;

const names = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
];
const modules = ["node:timers", "node:timers/promises"]
  .map((name) => nodeModule<Functions>(name))
  .filter((each) => each !== undefined);

/** The functions that Node's modules have now. */
const functionsNow = (): Functions[] =>
  modules.map((each) =>
    Object.fromEntries(names.filter((name) => name in each).map((name) => [name, each[name]])),
  );
/** Those that they had when this was loaded; undefined if these were fake already. */
let realFunctions = areGlobalTimersFake() ? undefined : functionsNow();

/** Lets code that imported names of Node's modules see what has changed. */
export function syncModules(): void {
  nodeModule<{ syncBuiltinESMExports?(): void }>("node:module")?.syncBuiltinESMExports?.();
}

/** Lets code that imported names of Node's modules see what has changed, to stay. */
export function syncModulesToStay(): void {
  realFunctions = functionsNow();
  syncModules();
}

/**
 * Lets code that imported names of Node's modules see what was there before. Fake timers that are on never reach such code, and
 * nobody would take them back from it.
 */
export function syncModulesToReal(): void {
  if (realFunctions === undefined || !areGlobalTimersFake()) {
    syncModules();
    return;
  }
  const fake = functionsNow();
  for (const [index, each] of modules.entries()) Object.assign(each, realFunctions[index]);
  syncModules();
  for (const [index, each] of modules.entries()) Object.assign(each, fake[index]);
}
