import { nodeModule } from "../../core/foundation/node-module.ts";
import { ownGlobal } from "../../core/foundation/real-functions.ts";
import { ownFolder } from "../../findings/code-place.ts";
import { realTimeMs } from "../../findings/real-time.ts";
import { threadFile } from "./thread-file.ts";
import { preparesTermination } from "./unhandled-errors.ts";

/** Where the exploring thread reports its progress. Each is an index into shared memory. */
export const progressSlots = {
  /** Rises with each world, and each step of it. */
  count: 0,
  /** 1 while a world is run. */
  isRunning: 1,
  /** How long nothing may happen, ms. */
  limitMs: 2,
  /** Rises while the event loop of the thread turns. */
  turns: 3,
  /** The number of the world that is run, −1 for none since the task began. Only for threads of the pool. */
  world: 4,
  /** How many steps that run has taken. */
  inWorld: 5,
  /** How often the watchdog has stopped the thread. It reports why a moment later. */
  stops: 6,
  length: 7,
} as const;

/** The states of a watchdog's thread: the other thread commands it to watch and to let go, and it does so. */
const watchStates = { rests: 0, isToWatch: 1, watches: 2, isToLetGo: 3 } as const;

/** Why an app was stopped. */
export interface AppStop {
  readonly why: "loop" | "memory";
  /** The file and line at which it was stopped: `loop.mjs:1`. */
  readonly place: string;
  /** How long it had not returned, ms. */
  readonly ms: number;
  /** How much memory it took, MB. */
  readonly megabytes: number;
}

/** How much memory one world may take, MB. */
export const MEMORY_MB = 512;

/** How often the watchdog checks the thread, and how often the thread reports that its event loop turns, ms. */
export const CHECK_MS = 25;

/** The data with which the thread starts. */
interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  /** Holds the thread's state, one of `watchStates`. */
  readonly state: Int32Array;
  readonly ownFolder: string;
  readonly memoryMb: number;
  /** How often it checks, ms. */
  readonly checkMs: number;
  /** The thread ends after this time without work, ms. */
  readonly idleMs: number;
  readonly progressSlots: typeof progressSlots;
  readonly watchStates: typeof watchStates;
}

/** What the watchdog's thread reports: what it stopped, or that it no longer watches. */
type WatchdogMessage = AppStop | "rests";

interface Worker {
  on(event: "message", listener: (message: WatchdogMessage) => void): void;
  on(event: "exit", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  off(event: "message", listener: (message: WatchdogMessage) => void): void;
  off(event: "exit", listener: () => void): void;
  /** Wakes the thread so that it rereads its command. */
  postMessage(wake: "wake"): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** A watchdog's thread. */
interface Watchdog {
  readonly worker: Worker;
  readonly state: Int32Array;
  /** The memory that it reads. */
  readonly shared: SharedArrayBuffer;
}

/** A watchdog that has nothing to watch. */
interface IdleWatchdog {
  readonly watchdog: Watchdog;
  readonly sinceMs: number;
}

/**
 * An idle thread ends after this time, ms. In the first half of it, it may be used again: starting one takes 50 ms. In Jest it ends at
 * once: as long as it lives, the copy of everything that Jest loads for a test file stays in memory.
 */
const IDLE_MS = ownGlobal<object>("Object") === Object ? 10_000 : 0;

interface Threads {
  readonly isMainThread: boolean;
  readonly Worker: new (
    file: URL | string,
    options: { workerData: WatchdogData; execArgv: string[]; env: object },
  ) => Worker;
}

interface Permitted {
  readonly permission?: { has(scope: string): boolean };
}

const threads = nodeModule<Threads>("node:worker_threads");

/** What Node's permissions deny this process. */
const denied = ["worker", "inspector"].filter(
  (scope) => nodeModule<Permitted>("node:process")?.permission?.has(scope) === false,
);

/** Whether this process may start threads. */
export const mayStartThreads = threads !== undefined && !denied.includes("worker");

/** Why no watchdog can stop this thread, in words; undefined if one can. */
const whyUnwatched: string | undefined = (() => {
  if (threads === undefined || !preparesTermination) return "this runtime cannot stop code that runs";
  // another thread reaches only the main one
  if (!threads.isMainThread) return "this is not the main thread";
  return denied.length === 0 ? undefined : `Node's permissions deny it: ${denied.join(" and ")}`;
})();

/** Whether a watchdog can stop this thread. */
export const canBeWatched = whyUnwatched === undefined;

let hasSaidUnwatched = false;

/** Says once that nothing can stop this thread. */
export function sayUnwatched(): void {
  if (whyUnwatched === undefined || hasSaidUnwatched) return;
  hasSaidUnwatched = true;
  warn(
    `an app that does not return cannot be stopped: ${whyUnwatched}. One that returns too late still fails`,
  );
}

/** Tells the user of something that no report can say. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  if (typeof process?.emitWarning === "function") process.emitWarning(message, "RingbackWarning");
  // biome-ignore lint/suspicious/noConsole: other runtimes have no other place for warnings
  else console.warn(`ringback: ${message}`);
}

let idle: IdleWatchdog | undefined;

/**
 * Makes another thread watch this one. If this one runs in a loop or takes too much memory, that terminates what it executes,
 * and calls the listener.
 * @returns a function that ends this. Its promise resolves when the debugger is detached: a process that ends before prints
 *   that it waits for it
 */
export function startWatchdog(
  shared: SharedArrayBuffer,
  listener: (stopped: AppStop) => void,
): () => Promise<void> {
  const watchdog = reuseIdleWatchdog(shared) ?? newWatchdog(shared);
  if (watchdog === undefined) return async () => {};
  const { worker, state } = watchdog;
  let letGo = () => {};
  const hear = (message: WatchdogMessage) => (message === "rests" ? letGo() : listener(message));
  worker.on("message", hear);
  worker.unref();
  Atomics.store(state, 0, watchStates.isToWatch);
  worker.postMessage("wake");
  return async () => {
    const going = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    worker.on("exit", letGo);
    const { rests, isToWatch, watches, isToLetGo } = watchStates;
    // a thread that has not started yet need not be awaited
    const hasBegun = Atomics.compareExchange(state, 0, isToWatch, rests) === watches;
    if (hasBegun) {
      Atomics.store(state, 0, isToLetGo);
      worker.ref();
    }
    worker.postMessage("wake");
    if (hasBegun) await going;
    worker.unref();
    worker.off("exit", letGo);
    worker.off("message", hear);
    if (IDLE_MS === 0) await worker.terminate();
    else idle = { watchdog, sinceMs: realTimeMs() };
  };
}

/** The previous watchdog, unless it may end soon or reads other memory. */
function reuseIdleWatchdog(shared: SharedArrayBuffer): Watchdog | undefined {
  if (idle === undefined) return undefined;
  const { watchdog, sinceMs } = idle;
  idle = undefined;
  if (watchdog.shared === shared && realTimeMs() - sinceMs < IDLE_MS / 2) return watchdog;
  void watchdog.worker.terminate();
  return undefined;
}

function newWatchdog(shared: SharedArrayBuffer): Watchdog | undefined {
  if (threads === undefined) return undefined;
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const own = typeof __filename === "string" ? __filename : import.meta.url;
  const worker = new threads.Worker(threadFile(own, "watchdog-thread", "mjs"), {
    workerData: {
      ...{ shared, state, ownFolder, progressSlots, watchStates },
      ...{ memoryMb: MEMORY_MB, checkMs: CHECK_MS, idleMs: IDLE_MS },
    },
    execArgv: [],
    env: {},
  });
  // if an app bundles the simulator, the file is missing
  worker.on("error", ({ message }) =>
    warn(
      `an app that does not return cannot be stopped: ${message}. If you bundle ringback/explore, copy its dist/watchdog-thread.js there`,
    ),
  );
  return { worker, state, shared };
}
