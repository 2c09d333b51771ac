import { setAsOurs } from "../../core/engine/own-work.ts";
import { untilQuiet } from "../../core/engine/quiet.ts";
import { tellCodeBy } from "../../core/engine/whose-code.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { behindDoor } from "../../core/foundation/real-functions.ts";
import { codePlace } from "../../findings/code-place.ts";
import { errorHere, FRAMES, isFromClient } from "./call-sites.ts";
import { reportUnhandledError } from "./unhandled-errors.ts";
import { endedWorld, isFollowed, isOfDependency, isOfProperty } from "./world-context.ts";

/** A timer of Node. */
interface Handle {
  hasRef?(): boolean;
  unref?(): unknown;
  readonly _destroyed?: boolean;
}

type Start = (callback: (...given: never[]) => void, ms?: number, ...more: unknown[]) => Handle;

interface Timers {
  setTimeout: Start;
  setInterval: Start;
  setImmediate: Start;
  clearTimeout(handle: unknown): void;
  clearInterval(handle: unknown): void;
  clearImmediate(handle: unknown): void;
}

/** A real timer that an app started. */
interface OpenTimer {
  readonly is: "setTimeout" | "setInterval" | "setImmediate" | "a timer";
  readonly ms: number;
  readonly handle: Handle;
  /** Its stack says where it was started. */
  readonly error: Error;
}

const names = ["setTimeout", "setInterval", "setImmediate"] as const;
const timers = nodeModule<Timers>("node:timers");
/** Taken before a test's fake timers can replace them. */
const realTimers: Readonly<Timers> | undefined = timers && {
  ...timers,
  setTimeout: behindDoor(timers.setTimeout),
  setInterval: behindDoor(timers.setInterval),
};

/** A timer that is due within this time is waited for, ms. */
const NEARLY_DUE_MS = 20;
/** How often to look whether those have ended, 1 ms apart. They end by themselves, so only a busy machine takes so long. */
const MAX_CHECKS = 2_000;
/** … after a world in which one began another without end. */
const MAX_CHECKS_AFTER_CHAIN = 200;

/** The timers that were started since the last world, while timers are followed. */
let startedTimers: OpenTimer[] = [];
/** Those of `timers/promises` and `AbortSignal.timeout` in a world with the real clock: none is a failure when it is left. */
let untrackedTimers: OpenTimer[] = [];
/** Whether a world runs, or the app is loaded. */
let isInWorld = false;
let maxChecks = MAX_CHECKS;
let followers = 0;
let undo: (() => void)[] = [];

/** Notes each real timer that is started from now on. Fake timers are the test's. */
export function trackTimers(): void {
  if (timers === undefined || realTimers === undefined || followers++ > 0) return;
  maxChecks = MAX_CHECKS;
  const global = globalThis as unknown as Timers; // typed otherwise for browsers and for Node
  for (const is of names)
    for (const place of [timers, global]) {
      const before = place[is];
      if (behindDoor(before) !== realTimers[is]) continue;
      const following = trackedTimer(is, before);
      place[is] = following;
      // fake timers that began meanwhile stay: their end deletes what is not theirs
      undo.push(() => {
        if (place[is] === following) place[is] = before;
      });
    }
}

/** Undoes `trackTimers`. */
export function untrackTimers(): void {
  if (timers === undefined || --followers > 0) return;
  for (const each of undo) each();
  undo = [];
  startedTimers = [];
}

function trackedTimer(is: (typeof names)[number], start: Start): Start {
  const following: Start = (callback, ms, ...more) => {
    if (followers === 0) return start(callback, ms, ...more); // somebody kept this function
    // a client that outlives the app looks so at connections of its own
    if (is === "setImmediate" && isFromClient()) return start(callback, ms, ...more);
    const isTracked = isInWorld && isFollowed();
    // in a microtask: Node aborts the process if a loop is terminated in a timer's callback
    const asMicrotask = (...given: never[]) =>
      void Promise.resolve(given)
        .then((all) => callback(...all))
        .catch(reportUnhandledError);
    const handle = start(asMicrotask, ms, ...more);
    if (!isTracked) return handle;
    // the delay of an immediate is its first argument
    const delay = is === "setImmediate" || typeof ms !== "number" ? 0 : ms;
    startedTimers.push({ is, ms: delay, handle, error: new Error("started here") });
    return handle;
  };
  // such as util.promisify.custom
  return Object.defineProperties(following, Object.getOwnPropertyDescriptors(start));
}

/** Starts and clears immediates of a world even while fake timers are on; undefined elsewhere than in Node. */
export const realImmediates =
  realTimers === undefined || "clock" in realTimers.setImmediate
    ? undefined
    : {
        start: trackedTimer("setImmediate", realTimers.setImmediate),
        clear: realTimers.clearImmediate,
      };

/** Calls back in real time, without keeping the process alive. Returns a function that ends this. */
export function everyMs(ms: number, callback: () => void): () => void {
  // typed otherwise for browsers and for Node
  const { setInterval, clearInterval } = realTimers ?? (globalThis as unknown as Timers);
  const handle = setInterval(callback, ms);
  handle.unref?.();
  return () => clearInterval(handle);
}

/**
 * One turn of the event loop: all that is ready has run, and what was thrown or rejected before is known then. In Node
 * this takes a fraction of what a channel of messages takes.
 */
export function eventLoopTurn(): Promise<void> {
  if (realTimers === undefined) return untilQuiet();
  const { setImmediate } = realTimers;
  return new Promise((resolve) => setAsOurs(() => void setImmediate(resolve)));
}

// beside a world, other tests may have files, servers and databases of their own
tellCodeBy(() => {
  if (endedWorld() !== undefined) return "ended world";
  if (!isInWorld || !isFollowed()) return "others";
  return isOfProperty() ? "property" : "app";
}, isOfDependency);

/** Begins a world: timers from before are not its own. */
export function enterWorld(): void {
  isInWorld = true;
  if (startedTimers.length > 0) startedTimers = [];
  if (untrackedTimers.length > 0) untrackedTimers = [];
}

/** Notes a real time limit that a world sets by a function that is not tracked. */
export function noteUntrackedTimer(handle: Handle, ms: number): void {
  untrackedTimers.push({ is: "a timer", ms, handle, error: errorHere(FRAMES) });
}

/** Ends a world: timers that are started from now on are not the app's. */
export function leaveWorld(): void {
  isInWorld = false;
}

/** Whether the world started a timer. */
export function hasOpenTimers(): boolean {
  return startedTimers.length > 0;
}

/**
 * Waits for the world's timers that are nearly due, and stops the others.
 * @returns those that keep a process alive, in words
 */
export async function stopOpenTimers(): Promise<readonly string[]> {
  let open = stillOpen();
  for (let looks = 0; open.length > 0 && open.every(isSoon); looks++) {
    if (looks === maxChecks) {
      maxChecks = MAX_CHECKS_AFTER_CHAIN;
      break;
    }
    await new Promise<void>((resolve) => void realTimers?.setTimeout(resolve, 1));
    open = stillOpen();
  }
  forgetOpenTimers();
  return open.map(timerText);
}

/** The real time limits that the world has set and that are not over, in words. */
export function openTimeouts(): readonly string[] {
  return [...startedTimers.filter(({ is }) => is === "setTimeout"), ...untrackedTimers]
    .filter(({ handle }) => handle._destroyed !== true)
    .map(timerText);
}

function timerText({ is, ms, error }: OpenTimer): string {
  return `${is} of ${ms} ms, started at ${codePlace(error.stack ?? "") ?? "an unknown place"}`;
}

/** Stops the world's timers. */
export function forgetOpenTimers(which: "all" | "but immediates" = "all"): void {
  for (const { is, handle } of startedTimers)
    if (is !== "setImmediate") realTimers?.clearTimeout(handle);
    else if (which === "all") realTimers?.clearImmediate(handle);
  startedTimers =
    which === "all" || startedTimers.length === 0
      ? []
      : startedTimers.filter(({ is }) => is === "setImmediate");
}

function stillOpen(): OpenTimer[] {
  return startedTimers.filter(({ handle }) => handle._destroyed !== true && handle.hasRef?.() !== false);
}

function isSoon({ is, ms }: OpenTimer): boolean {
  return is !== "setInterval" && ms <= NEARLY_DUE_MS;
}
