import { nodeModule } from "../../core/foundation/node-module.ts";
import { ownFolder } from "../../findings/code-place.ts";
import { realTimeMs } from "../../findings/real-time.ts";

/** Where the exploring thread reports its progress. Each is an index into shared memory. */
export const progressSlots = {
  /** Rises with each world, and each step of it. */
  count: 0,
  /** 1 while a world is run. */
  isRunning: 1,
  /** How long nothing may happen, ms. */
  limitMs: 2,
  /** Rises with time, as long as the thread's event loop turns. */
  turns: 3,
  /** The number of the world that is run, −1 for none since the task began; for threads of the pool. */
  world: 4,
  /** How much has happened in that run. */
  inWorld: 5,
  /** How often the watchdog has stopped the thread. It reports why a moment later. */
  stops: 6,
  length: 7,
} as const;

/** The states of a watchdog's thread: the other thread commands it to watch and to let go, and it does so. */
const watchStates = { rests: 0, isToWatch: 1, watches: 2, isToLetGo: 3 } as const;

/** Why a subject was stopped. */
export interface SubjectStop {
  readonly why: "loop" | "memory";
  /** The file and line at which it was: `loop.mjs:1`. */
  readonly place: string;
  /** How long it had not returned, ms. */
  readonly ms: number;
  /** How much memory it took, MB. */
  readonly megabytes: number;
}

/** How much memory one world may take, MB. */
export const MEMORY_MB = 512;

/** How often the watchdog looks, and how often the thread that it watches says that its event loop turns, ms. */
export const CHECK_MS = 25;

/** What the thread is given. */
interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  readonly ownFolder: string;
  readonly memoryMb: number;
  readonly lookMs: number;
  readonly restsMs: number;
  readonly progressSlots: typeof progressSlots;
  /** Holds the thread's state. */
  readonly state: Int32Array;
  readonly standing: typeof watchStates;
}

/** What the watchdog's thread reports: what it stopped, or that it no longer watches. */
type WatchdogMessage = SubjectStop | "rests";

interface Worker {
  on(event: "message", listener: (said: WatchdogMessage) => void): void;
  on(event: "exit", listener: () => void): void;
  off(event: "message", listener: (said: WatchdogMessage) => void): void;
  off(event: "exit", listener: () => void): void;
  /** Wakes the thread so that it rereads its command. */
  postMessage(look: "look"): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** A watchdog's thread. */
interface Watchdog {
  readonly worker: Worker;
  readonly state: Int32Array;
  /** The memory at which it looks. */
  readonly shared: SharedArrayBuffer;
}

/** One that has nothing to watch. */
interface IdleWatchdog {
  readonly watchdog: Watchdog;
  readonly sinceMs: number;
}

/** A thread that rests ends after this time, ms. Until half of it is over, it may be used again: starting one takes 50 ms. */
const IDLE_MS = 10_000;

interface Threads {
  readonly isMainThread: boolean;
  readonly Worker: new (
    code: string,
    options: { eval: true; workerData: WatchdogData; execArgv: string[]; env: object },
  ) => Worker;
}

const threads = nodeModule<Threads>("node:worker_threads");

/** Whether a watchdog can stop this thread. Only the main thread can be reached from another. */
export const canBeWatched = threads?.isMainThread === true;

let idle: IdleWatchdog | undefined;

/**
 * Makes another thread watch this one. When this one runs in a loop, or takes too much memory, its execution is
 * terminated, and the listener is told.
 * @returns a function that ends this. Its promise resolves when the other thread has let go: a process that ends before waits
 *   for it, and says so on the console.
 */
export function startWatchdog(
  shared: SharedArrayBuffer,
  listener: (stopped: SubjectStop) => void,
): () => Promise<void> {
  const watchdog = reuseIdleWatchdog(shared) ?? newWatchdog(shared);
  if (watchdog === undefined) return async () => {};
  const { worker, state } = watchdog;
  let letGo = () => {};
  const hear = (said: WatchdogMessage) => (said === "rests" ? letGo() : listener(said));
  worker.on("message", hear);
  worker.unref();
  Atomics.store(state, 0, watchStates.isToWatch);
  worker.postMessage("look");
  return async () => {
    const going = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    worker.on("exit", letGo);
    const { rests, isToWatch, watches, isToLetGo } = watchStates;
    // a thread that has not begun yet need not be waited for
    const hasBegun = Atomics.compareExchange(state, 0, isToWatch, rests) === watches;
    if (hasBegun) {
      Atomics.store(state, 0, isToLetGo);
      worker.ref();
    }
    worker.postMessage("look");
    if (hasBegun) await going;
    worker.unref();
    worker.off("exit", letGo);
    worker.off("message", hear);
    idle = { watchdog, sinceMs: realTimeMs() };
  };
}

/** The watchdog that watched before, unless it may be about to end or reads other memory. */
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
  // a text, since a file would be found at another place in each build; a build for tests may name functions by `__name`
  const code = ["const __name = (named) => named", frameReader, stopper, watcher, `(${serve})(require)`].join(
    ";\n",
  );
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData = {
    ...{ shared, ownFolder, progressSlots, state, standing: watchStates },
    ...{ memoryMb: MEMORY_MB, lookMs: CHECK_MS, restsMs: IDLE_MS },
  };
  const worker = new threads.Worker(code, { eval: true, workerData, execArgv: [], env: {} });
  return { worker, state, shared };
}

interface Params {
  /** Of a script that was parsed. */
  readonly scriptId: string;
  readonly url: string;
  /** Of a pause. */
  readonly callFrames: Frames;
}

type Frames = readonly { readonly location: { readonly scriptId: string; readonly lineNumber: number } }[];

interface Session {
  connectToMainThread(): void;
  disconnect(): void;
  on(event: string, listener: (message: { params: Params }) => void): void;
  /** What is not answered when the session ends gets an error and no result. */
  post(method: string, then?: (error: unknown, result?: { usedSize: number }) => void): void;
}

/**
 * Finds where a thread that is paused is in the subject's code. Like `stopper`, `watcher` and `serve`, it runs in the
 * watchdog's thread, and knows nothing of this file but these four.
 */
function frameReader(session: Session, own: string): (frames: Frames) => string | undefined {
  const urls = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  return (frames) => {
    for (const { location } of frames) {
      const path = (urls.get(location.scriptId) ?? "").replace(/^file:\/\//, "");
      const isOwn = path === "" || path.startsWith("node:") || (own !== "" && path.startsWith(own));
      if (!isOwn) return `${path.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "")}:${location.lineNumber + 1}`;
    }
    return undefined;
  };
}

/**
 * Pauses a thread and has it leave all that it executes, if that is still the subject.
 * @param stopping is called just before
 */
function stopper(session: Session, own: string, isStuck: () => boolean, stopping: () => void) {
  const placeIn = frameReader(session, own);
  let onPaused: ((frames: Frames) => void) | undefined;
  session.on("Debugger.paused", ({ params }) => onPaused?.(params.callFrames));
  return {
    isStopping: () => onPaused !== undefined,
    stop(stopped: (place: string) => void) {
      onPaused = (frames) => {
        const place = placeIn(frames);
        if (place !== undefined && isStuck()) {
          stopping();
          session.post("Runtime.terminateExecution");
          stopped(place);
        }
        session.post("Debugger.resume");
        session.post("Debugger.disable");
        onPaused = undefined;
      };
      session.post("Debugger.enable");
      session.post("Debugger.pause");
    },
  };
}

/** Looks every now and then whether the thread gets on. Returns a function that ends this. */
function watcher(
  session: Session,
  { shared, ownFolder: own, memoryMb, lookMs, progressSlots: at }: WatchdogData,
  tell: (stopped: SubjectStop) => void,
): () => void {
  const memory = new Int32Array(shared);
  let [count, turns, answers, usedAtFirst] = [-1, -1, 0, Number.POSITIVE_INFINITY];
  let isAsking = false;
  const isStuck = () =>
    Atomics.load(memory, at.isRunning) === 1 &&
    Atomics.load(memory, at.count) === count &&
    Atomics.load(memory, at.turns) === turns;
  const beginAnew = () => {
    answers = 0;
    usedAtFirst = Number.POSITIVE_INFINITY;
  };
  session.connectToMainThread();
  const stopping = () => void Atomics.add(memory, at.stops, 1);
  const { isStopping, stop } = stopper(session, own, isStuck, stopping);
  const stopAndTell = (stopped: Omit<SubjectStop, "place">) =>
    stop((place) => {
      // the next code has its own time: on a busy machine it may not have run yet at the next look
      beginAnew();
      tell({ ...stopped, place });
    });
  const timer = setInterval(() => {
    if (isStopping() || isAsking) return;
    if (!isStuck()) {
      count = Atomics.load(memory, at.count);
      turns = Atomics.load(memory, at.turns);
      return beginAnew();
    }
    isAsking = true;
    session.post("Runtime.getHeapUsage", (_, used) => {
      isAsking = false;
      if (used === undefined || !isStuck() || isStopping()) return;
      // counted in answers, so that a thread for which a busy machine has no time gets more of it
      const ms = ++answers * lookMs;
      const limitMs = Atomics.load(memory, at.limitMs);
      if (ms >= limitMs) return stopAndTell({ why: "loop", ms: limitMs, megabytes: 0 });
      // what earlier worlds left is not this one's
      usedAtFirst = Math.min(usedAtFirst, used.usedSize);
      const megabytes = Math.round((used.usedSize - usedAtFirst) / 1024 / 1024);
      if (megabytes > memoryMb) stopAndTell({ why: "memory", ms, megabytes });
    });
  }, lookMs);
  return () => {
    clearInterval(timer);
    session.disconnect();
  };
}

/** Watches while it is to. */
function serve(load: (name: string) => unknown): void {
  const { workerData, parentPort } = load("node:worker_threads") as {
    workerData: WatchdogData;
    parentPort: {
      on(event: "message", listener: () => void): void;
      postMessage(said: WatchdogMessage): void;
      close(): void;
    };
  };
  const { Session } = load("node:inspector") as { Session: new () => Session };
  const { state, standing: is, restsMs } = workerData;
  let letGo = () => {};
  let ending: ReturnType<typeof setTimeout> | undefined;
  parentPort.on("message", () => {
    clearTimeout(ending);
    if (Atomics.compareExchange(state, 0, is.isToWatch, is.watches) === is.isToWatch)
      letGo = watcher(new Session(), workerData, (stopped) => parentPort.postMessage(stopped));
    if (Atomics.compareExchange(state, 0, is.isToLetGo, is.rests) === is.isToLetGo) {
      letGo();
      parentPort.postMessage("rests");
    }
    if (Atomics.load(state, 0) === is.rests) ending = setTimeout(() => parentPort.close(), restsMs);
  });
}
