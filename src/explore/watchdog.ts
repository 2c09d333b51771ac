import { nodeModule } from "../engine/node-module.ts";
import { ownFolder } from "./place.ts";
import { realTimeMs } from "./real-time.ts";

/** Where the exploring thread says how it gets on. Each is an index into shared memory. */
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
  /** How often the watchdog has stopped the thread. It tells why a moment later. */
  stops: 6,
  length: 7,
} as const;

/** Why a subject was stopped. */
export interface Stopped {
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
export const LOOK_MS = 25;

/** What the thread is given. */
interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  readonly ownFolder: string;
  readonly memoryMb: number;
  readonly lookMs: number;
  readonly restsMs: number;
  readonly progressSlots: typeof progressSlots;
}

interface Worker {
  on(event: "message", listener: (stopped: Stopped) => void): void;
  off(event: "message", listener: (stopped: Stopped) => void): void;
  /** Says whether to watch. */
  postMessage(watches: boolean): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** A watchdog's thread that has nothing to watch. */
interface Resting {
  readonly worker: Worker;
  readonly sinceMs: number;
}

/** A thread that rests ends after this time, ms. Until half of it is over, it may be used again: starting one takes 50 ms. */
const RESTS_MS = 10_000;

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

let resting: Resting | undefined;

/**
 * Has another thread watch this one. When this one runs in a loop, or takes too much memory, what it executes is
 * terminated, and the listener hears of it.
 * @returns a function that ends this
 */
export function startWatchdog(shared: SharedArrayBuffer, listener: (stopped: Stopped) => void): () => void {
  const worker = restingWorker() ?? newWorker(shared);
  if (worker === undefined) return () => {};
  worker.on("message", listener);
  worker.unref();
  worker.postMessage(true);
  return () => {
    worker.off("message", listener);
    worker.postMessage(false);
    resting = { worker, sinceMs: realTimeMs() };
  };
}

/** The thread that watched before, unless it may be about to end. */
function restingWorker(): Worker | undefined {
  if (resting === undefined) return undefined;
  const { worker, sinceMs } = resting;
  resting = undefined;
  if (realTimeMs() - sinceMs < RESTS_MS / 2) return worker;
  void worker.terminate();
  return undefined;
}

function newWorker(shared: SharedArrayBuffer): Worker | undefined {
  if (threads === undefined) return undefined;
  // a text, since a file would be found at another place in each build; a build for tests may name functions by `__name`
  const code = ["const __name = (named) => named", frameReader, stopper, watcher, `(${serve})(require)`].join(
    ";\n",
  );
  const workerData = {
    ...{ shared, ownFolder, progressSlots },
    ...{ memoryMb: MEMORY_MB, lookMs: LOOK_MS, restsMs: RESTS_MS },
  };
  return new threads.Worker(code, { eval: true, workerData, execArgv: [], env: {} });
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
  tell: (stopped: Stopped) => void,
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
  const stopAndTell = (stopped: Omit<Stopped, "place">) =>
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

/** Watches while it is told to. */
function serve(load: (name: string) => unknown): void {
  const { workerData, parentPort } = load("node:worker_threads") as {
    workerData: WatchdogData;
    parentPort: {
      on(event: "message", listener: (watches: boolean) => void): void;
      postMessage(stopped: Stopped): void;
      close(): void;
    };
  };
  const { Session } = load("node:inspector") as { Session: new () => Session };
  let rest: (() => void) | undefined;
  let ending: ReturnType<typeof setTimeout> | undefined;
  parentPort.on("message", (watches) => {
    clearTimeout(ending);
    rest?.();
    rest = watches
      ? watcher(new Session(), workerData, (stopped) => parentPort.postMessage(stopped))
      : undefined;
    if (!watches) ending = setTimeout(() => parentPort.close(), workerData.restsMs);
  });
}
