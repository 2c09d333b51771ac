/**
 * The watchdog's thread. It stops the thread that explores when an app does not return or takes too much memory.
 * JavaScript, so that Node can load it from the sources too. watchdog.ts has the types of its data and messages.
 */
import { Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

const { shared, state, ownFolder, memoryMb, checkMs, idleMs, progressSlots, watchStates } = workerData;
const memory = new Int32Array(shared);
const read = (slot) => Atomics.load(memory, slot);

const PREPARE = 'process[Symbol.for("ringback.beforeTermination")]?.()';

/** After so many times the limit, code is stopped that is not the app's. */
const TIMES_FOR_OTHERS = 4;
/** … but not before this time, ms: a limit falls once something has hung. */
const LEAST_FOR_OTHERS = 1_000;
const OTHERS = "code that works for the app and is not its own";

/** Returns a function that finds the place in the app's code at which a thread is paused. */
function appPlace(session) {
  const urls = new Map();
  session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  return (frames) => {
    for (const { location } of frames) {
      const path = (urls.get(location.scriptId) ?? "").replace(/^file:\/\//, "");
      const isOwn =
        path === "" || path.startsWith("node:") || (ownFolder !== "" && path.startsWith(ownFolder));
      if (!isOwn) return `${path.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "")}:${location.lineNumber + 1}`;
    }
    return undefined;
  };
}

/** Pauses the thread, and if it is still stuck in the app's code, terminates everything that it executes. */
function stopper(session, isStuck) {
  const placeIn = appPlace(session);
  let onPaused;
  session.on("Debugger.paused", ({ params }) => onPaused?.(params.callFrames));
  return {
    isStopping: () => onPaused !== undefined,
    /** @param ms how long it has not returned */
    stop(ms, stopped) {
      onPaused = (frames) => {
        const isLong = ms >= Math.max(LEAST_FOR_OTHERS, TIMES_FOR_OTHERS * read(progressSlots.limitMs));
        const place = placeIn(frames) ?? (isLong ? OTHERS : undefined);
        if (place !== undefined && isStuck()) {
          Atomics.add(memory, progressSlots.stops, 1);
          // in the paused thread; unhandled-errors.ts says why
          session.post("Runtime.evaluate", { expression: PREPARE });
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

/** Checks at intervals whether the thread makes progress. Returns a function that ends this. */
function watch() {
  const session = new Session();
  let [count, turns, answers, usedAtFirst] = [-1, -1, 0, Number.POSITIVE_INFINITY];
  let isAsking = false;
  const isStuck = () =>
    read(progressSlots.isRunning) === 1 &&
    read(progressSlots.count) === count &&
    read(progressSlots.turns) === turns;
  const beginAnew = () => {
    [count, turns] = [read(progressSlots.count), read(progressSlots.turns)];
    [answers, usedAtFirst] = [0, Number.POSITIVE_INFINITY];
  };
  session.connectToMainThread();
  const { isStopping, stop } = stopper(session, isStuck);
  const stopAndReport = (stopped) =>
    stop(answers * checkMs, (place) => {
      // the next code has its own time: on a busy machine it may not have run yet at the next check
      beginAnew();
      parentPort.postMessage({ ...stopped, place });
    });
  const timer = setInterval(() => {
    if (isStopping() || isAsking) return;
    if (!isStuck()) return beginAnew();
    isAsking = true;
    // without a result if the session ends first
    session.post("Runtime.getHeapUsage", (_, used) => {
      isAsking = false;
      if (used === undefined || !isStuck() || isStopping()) return;
      // counted in answers, so that a thread for which a busy machine has no time gets more of it
      const ms = ++answers * checkMs;
      const limitMs = read(progressSlots.limitMs);
      if (ms >= limitMs) return stopAndReport({ why: "loop", ms: limitMs, megabytes: 0 });
      // without the memory that earlier worlds left
      usedAtFirst = Math.min(usedAtFirst, used.usedSize);
      const megabytes = Math.round((used.usedSize - usedAtFirst) / 1024 / 1024);
      if (megabytes > memoryMb) stopAndReport({ why: "memory", ms, megabytes });
    });
  }, checkMs);
  return () => {
    clearInterval(timer);
    session.disconnect();
  };
}

let letGo = () => {};
let ending;
parentPort.on("message", () => {
  clearTimeout(ending);
  const { rests, isToWatch, watches, isToLetGo } = watchStates;
  if (Atomics.compareExchange(state, 0, isToWatch, watches) === isToWatch) letGo = watch();
  if (Atomics.compareExchange(state, 0, isToLetGo, rests) === isToLetGo) {
    letGo();
    parentPort.postMessage("rests");
  }
  if (Atomics.load(state, 0) === rests) ending = setTimeout(() => parentPort.close(), idleMs);
});
