import { areTimersFake, realNextTick, realSetTimeout } from "../foundation/real-functions.ts";
import { setAsOurs } from "./own-work.ts";

/** A handler that waits for `process.nextTick` at most so many times in a row counts as not waiting. */
const TICKS = 100;

/** Resolves when all ready promises have run; timers have not. */
export function untilQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Resolves when no microtask is left, or as soon as `isOver` says so: in Node also when nothing waits for
 * `process.nextTick` any more. A server that handles one request cannot take the next one before that. Timers, I/O and
 * `setImmediate` have not run yet. Elsewhere than in Node, the next message of the event loop ends the waiting.
 */
export function untilNoMicrotask(isOver: () => boolean): Promise<void> {
  const nextTick = realNextTick;
  if (nextTick === undefined) return untilQuiet();
  return new Promise((resolve) => {
    let left = TICKS;
    const look = () => {
      if (left-- === 0 || isOver()) resolve();
      // microtasks run only when no tick is left, so a microtask requests the next tick
      else setAsOurs(() => nextTick(() => void Promise.resolve().then(look)));
    };
    look();
  });
}

/**
 * How many turns of the event loop, and how many real ms each, are given to code that does not wait for
 * virtual time.
 */
const TURNS = 25;
const TURN_MS = 2;

/**
 * Gives code that does not wait for virtual time some time to go on. Counted in turns, so that a busy machine gets more
 * real time.
 */
export async function untilStill(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await realTurn();
}

/** Resolves after some real ms, or where timers are fake after a turn. */
export function realTurn(): Promise<void> {
  return areTimersFake ? untilQuiet() : new Promise((resolve) => void realSetTimeout(resolve, TURN_MS));
}
