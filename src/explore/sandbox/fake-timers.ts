import { nodeModule } from "../../core/foundation/node-module.ts";
import { ownGlobal, realNextTick } from "../../core/foundation/real-functions.ts";
import {
  type AnyFunction,
  promisified,
  replaceFunction,
  sleep,
} from "../../core/foundation/timer-functions.ts";
import { realImmediates } from "./open-timers.ts";

/**
 * A test's fake timers also hold back what takes no time: immediates, and in Jest ticks and microtasks. No world could wait
 * for these, so code of a world gets the real ones.
 */

/** Taken before a test's fake timers can replace it; Jest's never reach that of Node itself. */
const realQueueMicrotask = ownGlobal<AnyFunction>("queueMicrotask");
const isFake = (place: object | undefined, name: string) => {
  const given: unknown = place && Reflect.get(place, name);
  return typeof given === "function" && "clock" in given;
};

/**
 * Replaces what fake timers that are on have replaced, other than clock and timers.
 * @param isInWorld whether the code that runs now belongs to a world
 * @returns a function that undoes this
 */
export function replaceFakeFunctions(isInWorld: () => boolean): () => void {
  const undo: (() => void)[] = [];
  const replaceBy = (place: object | undefined, name: string, real: AnyFunction | undefined, own = {}) => {
    if (place === undefined || real === undefined) return;
    const make = (before: AnyFunction) =>
      Object.assign((...given: unknown[]) => (isInWorld() ? real(...given) : before(...given)), own);
    undo.push(replaceFunction(place, name, make));
  };
  if (isFake(globalThis, "setImmediate") && realImmediates !== undefined) {
    const { start, clear } = realImmediates;
    const once = {
      start(callback: () => void) {
        const handle = start(callback);
        return { close: () => clear(handle) };
      },
    };
    const turn = (value?: unknown, options?: object) => sleep(once, 0, value, options);
    for (const place of [globalThis, nodeModule<object>("node:timers")]) {
      replaceBy(place, "setImmediate", start as AnyFunction, { [promisified]: turn });
      replaceBy(place, "clearImmediate", clear);
    }
    replaceBy(nodeModule<object>("node:timers/promises"), "setImmediate", turn as AnyFunction);
  }
  if (isFake(globalThis, "queueMicrotask")) replaceBy(globalThis, "queueMicrotask", realQueueMicrotask);
  const { process } = globalThis;
  if (isFake(process, "nextTick")) replaceBy(process, "nextTick", realNextTick as AnyFunction);
  return () => {
    for (const each of undo.reverse()) each();
  };
}
