import { unwrapAll } from "../../core/engine/call-before.ts";
import type { Deviation } from "../../core/engine/deviations.ts";
import { InputError, isTimeMisuse } from "../../core/foundation/errors.ts";
import { realClearTimeout } from "../../core/foundation/real-functions.ts";
import { type AnyFunction, syncModules, syncModulesToReal } from "../../core/foundation/timer-functions.ts";
import {
  appDefects,
  type Death,
  identityOf,
  type PropertyFailure,
  timeUsageError,
  WorldError,
} from "../../findings/property-failure.ts";
import { DISPOSING_MS, Patience, realTimeMs } from "../../findings/real-time.ts";
import { isOfEndedCode } from "./continuations.ts";
import { dropReplacedTimers, followEarlyFunctions, stopFollowingEarlyFunctions } from "./early-functions.ts";
import { EndedThreads } from "./ended-threads.ts";
import { EndedWorldErrors, isOfEndedWorld } from "./ended-world-errors.ts";
import {
  type EndedWorldError,
  followEndedWorlds,
  noteOpenResources,
  unhandledFailure,
} from "./ended-worlds.ts";
import { followFetches, stopFollowingFetches } from "./fetches.ts";
import { orderFiles, stopOrderingFiles } from "./file-turns.ts";
import { followModule, ModuleTimers } from "./module-timers.ts";
import {
  enterWorld,
  eventLoopTurn,
  everyMs,
  hasOpenTimers,
  leaveWorld,
  stopOpenTimers,
  trackTimers,
  untrackTimers,
} from "./open-timers.ts";
import { installRandomValues, uninstallRandomValues } from "./random-values.ts";
import { noteTimers, stopNotingTimers } from "./real-timers.ts";
import { orderAnswers, stopOrderingAnswers } from "./thread-answers.ts";
import {
  catchUnhandledErrors,
  releaseUnhandledErrors,
  setUnhandledErrorListener,
  type UnhandledErrorListener,
} from "./unhandled-errors.ts";
import { installClock, uninstallClock } from "./virtual-clock.ts";
import type { VirtualTimers } from "./virtual-timers.ts";
import {
  type AppStop,
  CHECK_MS,
  canBeWatched,
  MEMORY_MB,
  progressSlots,
  sayUnwatched,
  startWatchdog,
} from "./watchdog.ts";
import { endedWorld, runAsWorld, worldOfCaller } from "./world-context.ts";

/** After a hang, the limit is no shorter than this, ms. */
const MIN_PATIENCE_MS = 100;
/** … and no shorter than this many times the slowest world that passed. */
const TIMES_THE_SLOWEST = 10;
/** … and an app may take so long to dispose of itself, ms. */
const DISPOSING_AFTER_HANG_MS = 300;
/** The least that the limit of steps becomes. */
const MIN_STEPS = 1_000;

/** How long an app may take, as the options say. */
export interface GivenLimits {
  /** How long nothing may happen, ms. */
  readonly patienceMs: number;
  /** How many steps a world may take. */
  readonly steps: number;
  /** When all must be over, as `realTimeMs` counts; undefined for no limit. */
  readonly untilMs?: number | undefined;
}

/** An app that hangs may take this part of the time that is left, so that what it did can still be reported. */
export const HANGING_SHARE = 1 / 4;

/** How long an app may take. Both limits adapt, since each further world of an app that hangs would cost as much. */
export class AppLimits {
  readonly patience: Patience;
  /** How many steps a world may take. */
  steps: number;
  private slowestMs = 0;
  private longest = 0;
  private adaptedMs: number;
  private adaptedDisposingMs = DISPOSING_MS;
  private adaptedSteps: number;

  /** @param given the limits as long as no app reaches them */
  constructor(private readonly given: GivenLimits) {
    this.patience = new Patience(given.patienceMs);
    this.steps = given.steps;
    this.adaptedMs = given.patienceMs;
    this.adaptedSteps = given.steps;
  }

  /** Begins a world. @param isFinal whether it is shown to the user, and so has the limit that was given */
  begin(isFinal: boolean): void {
    this.patience.ms = this.withinTime(isFinal ? this.given.patienceMs : this.adaptedMs);
    this.patience.disposingMs = isFinal ? DISPOSING_MS : this.adaptedDisposingMs;
    this.steps = isFinal ? this.given.steps : this.adaptedSteps;
  }

  /** The part of some time that an app that hangs may take of what is left, ms. */
  withinTime(ms: number, part = HANGING_SHARE): number {
    const { untilMs = Number.POSITIVE_INFINITY } = this.given;
    return Math.min(ms, Math.max(MIN_PATIENCE_MS, Math.ceil((untilMs - realTimeMs()) * part)));
  }

  /** Notes a world. */
  note(failures: readonly PropertyFailure[], ms: number, steps: number): void {
    const has = (...defects: string[]) => failures.some(({ property }) => defects.includes(property));
    if (has(appDefects.hangs, appDefects.loops)) {
      const least = Math.max(MIN_PATIENCE_MS, Math.ceil(this.slowestMs * TIMES_THE_SLOWEST));
      this.adaptedMs = Math.min(this.adaptedMs, least);
      this.adaptedDisposingMs = DISPOSING_AFTER_HANG_MS;
    } else if (has(appDefects.restless)) {
      this.adaptedSteps = Math.min(this.adaptedSteps, Math.max(MIN_STEPS, this.longest * TIMES_THE_SLOWEST));
    } else if (failures.length === 0) {
      this.slowestMs = Math.max(this.slowestMs, ms);
      this.longest = Math.max(this.longest, steps);
    }
  }
}

/** Loading code may take so many times longer than a step, and be so many times as patient if it waits. */
const TIMES_LONGER_TO_LOAD = 4;

function openTimerFailure(timer: string): PropertyFailure {
  return {
    property: appDefects.leavesTimer,
    message: `${timer}: it runs in real time, which no world waits for. With the virtual clock it runs at its instant`,
  };
}

/** The first of each failure. */
function withoutRepeats(failures: readonly PropertyFailure[]): PropertyFailure[] {
  const known = new Set<string>();
  return failures.filter((each) => !known.has(identityOf(each)) && known.add(identityOf(each)));
}

/** Shared with the watchdog's thread. */
let shared = new SharedArrayBuffer(progressSlots.length * Int32Array.BYTES_PER_ELEMENT);
let memory: Int32Array = new Int32Array(shared);
/** The explorations that run now. There is one, unless a program runs several at the same time. */
const active = new Set<Supervision>();
/** Why modules that did not return cannot be loaded again: Node would wait for them for ever. */
const stoppedModules = new Map<string, PropertyFailure>();
/** The timers of each module: a process loads it once. */
const timersOfModules = new Map<string, ModuleTimers>();

/** The exploration whose world goes on now, or which loads its module; several only of one exploration. */
let holder: object | undefined;
let holders = 0;
const waiting: { readonly group: object; begin(): void }[] = [];

/** Waits until no other exploration runs the code of its app: what happens is to be known as its own. */
function acquireTurn(group: object): Promise<void> | undefined {
  if (holder !== undefined && holder !== group)
    return new Promise((begin) => void waiting.push({ group, begin }));
  holder = group;
  holders++;
  return undefined;
}

/** Lets the next exploration run. */
function releaseTurn(): void {
  if (--holders > 0) return;
  const next = waiting.shift();
  holder = next?.group;
  holders = next === undefined ? 0 : 1;
  next?.begin();
}
/** The supervision whose world runs now. */
let current: Supervision | undefined;
let stopWatchdog: (() => Promise<void> | undefined) | undefined;
/** How often the watchdog has reported that it stopped the app. */
let stopsReported = 0;

/** Waits for a turn of the event loop, and for the report if the watchdog stopped the app in it. */
async function turnIncludingStops(): Promise<void> {
  do await eventLoopTurn();
  while (Atomics.load(memory, progressSlots.stops) !== stopsReported);
}

function startWatching(): void {
  const stopTurns = everyMs(CHECK_MS, () => {
    memory[progressSlots.turns] = (memory[progressSlots.turns] ?? 0) + 1;
  });
  // the pool watches its threads itself
  stopsReported = Atomics.load(memory, progressSlots.stops);
  const onStop = (stopped: AppStop) => {
    stopsReported++;
    current?.stopped(stopped);
  };
  if (!isReplaced) sayUnwatched();
  const stop = canBeWatched ? startWatchdog(shared, onStop) : undefined;
  stopWatchdog = () => {
    stopTurns();
    return stop?.();
  };
}

/** Whether this is a thread of the pool, which is replaced if it dies. */
let isReplaced = false;

/** Reports the thread's progress in this memory from now on. */
export function useSharedMemory(given: SharedArrayBuffer): void {
  shared = given;
  memory = new Int32Array(given);
  isReplaced = true;
}

/** A number for a text, from 0 to 2^31 − 1. */
function hashText(text: string): number {
  let number = 0;
  for (let index = 0; index < text.length; index++)
    number = (Math.imul(number, 31) + text.charCodeAt(index)) | 0;
  return number & 0x7fffffff;
}

/** Reports that something happens in a world, so the app has returned. @throws what an earlier thread died of here */
export function noteProgress(): void {
  memory[progressSlots.count] = (memory[progressSlots.count] ?? 0) + 1;
  memory[progressSlots.inWorld] = (memory[progressSlots.inWorld] ?? 0) + 1;
  current?.throwIfDiedHere(memory[progressSlots.inWorld] ?? 0);
  if (!canBeWatched && !isReplaced) current?.throwIfLate();
}

/** Whether the world was ended where an earlier thread died, since its next step may have killed that thread. */
export function isEndedByDeath(): boolean {
  return current?.isEndedByDeath === true;
}

/** Calls what shows the app's state, which is none of what the app does in its world: if it ends the process, it only throws. */
export function showing<R>(show: () => R): R {
  const supervision = current;
  if (supervision === undefined) return show();
  supervision.isShowing = true;
  const shown = show();
  // never reached if it does not return
  supervision.isShowing = false;
  return shown;
}

/** @throws {InputError} if code of a world begins an exploration, which waits until that world is over, as the world does for it */
export function mustBeOutsideWorlds(): void {
  if (worldOfCaller() === undefined || endedWorld() !== undefined) return;
  const error = new InputError(
    [],
    "`explore` was called within a world of another exploration, by its app, its scenario, a property or `show`. Neither could end: run one after the other",
  );
  if (current !== undefined) current.misuse = error;
  throw error;
}

/** Sets the timers of the app's module in a world. */
export function beginModuleTimers(timers: VirtualTimers): void {
  current?.moduleTimers?.begin(timers);
}

/** The timer of a loop that began when the app's module was loaded, in words. */
export function moduleLoop(): string | undefined {
  return current?.moduleTimers?.loop;
}

/** What shows the app's state asynchronously does not return: the world is run again without it. */
export function stopShowing(): void {
  if (current !== undefined) current.isStoppedShowing = true;
}

/** Stands between the app and the process: its errors, its timers, its clock and its chance. @param isFirst whether nobody does yet */
function takeDoors(isFirst: boolean): void {
  // behind the virtual ones: what these pass on is of no world
  if (isFirst) noteTimers();
  catchUnhandledErrors();
  trackTimers();
  installClock();
  // before chance: what threads draw is noted in the order of the questions
  orderAnswers();
  orderFiles();
  followFetches();
  installRandomValues();
  if (!isFirst) return;
  syncModules();
  followEarlyFunctions();
}

/** The opposite of `takeDoors`. @param isLast whether nobody stands there any more */
function giveDoorsBack(isLast: boolean): void {
  uninstallRandomValues();
  stopFollowingFetches();
  stopOrderingFiles();
  stopOrderingAnswers();
  uninstallClock();
  untrackTimers();
  releaseUnhandledErrors();
  if (!isLast) return;
  stopNotingTimers();
  syncModulesToReal();
  stopFollowingEarlyFunctions();
  unwrapAll();
}

/** Why the watchdog stopped the app, as the error that ends its world. */
function stopError({ why, place, ms, megabytes }: AppStop): WorldError {
  return why === "loop"
    ? new WorldError(appDefects.loops, `${place} ran for ${ms} ms`)
    : new WorldError(
        appDefects.memory,
        `${place} took ${megabytes} MB, more than the limit of ${MEMORY_MB} MB`,
      );
}

/** When something happened in a world, and how often the event loop had turned. */
interface Returned {
  readonly ms: number;
  readonly turns: number;
}

/**
 * Keeps an exploration running whatever its app does: loop, take all memory, end the process, throw where nothing
 * catches it. Each becomes a failure of its world.
 */
export class Supervision implements UnhandledErrorListener {
  private unhandledFailures: PropertyFailure[] = [];
  private readonly lateErrors = new EndedWorldErrors();
  /** The world that runs, or the module that is loaded. */
  private world: { isOver: boolean } | undefined;
  /** The loading of the app's module, which is over with the exploration: what it began is of all worlds. */
  private readonly loading = this.lateErrors.newWorld(undefined);
  /** A mistake in how `explore` is used, such as that nobody awaited that time passes. It ends the exploration with the world that runs. */
  misuse: InputError | undefined;

  readonly limits: AppLimits;
  /** Whether the app's code could be loaded without harm. */
  isLoaded = true;
  /** Those of the app's module. */
  moduleTimers: ModuleTimers | undefined;
  private readonly deaths = new EndedThreads();
  /** How many worlds of this task were drawn. They run in the same order each time. */
  sampledWorlds = 0;
  /** Whether the world was ended where an earlier thread died. */
  isEndedByDeath = false;
  /** Whether the app's state is being shown. */
  isShowing = false;
  /** Whether what shows it had to be stopped in this world. */
  isStoppedShowing = false;
  /** When something last happened in this world, and how often the event loop had turned. */
  private returned: Returned | undefined;

  /** @param group those of one exploration have the same: they run worlds at the same time */
  constructor(
    given: GivenLimits,
    readonly group: object = {},
  ) {
    this.limits = new AppLimits(given);
  }

  private get patience(): Patience {
    return this.limits.patience;
  }

  start(): void {
    const isFirst = active.size === 0;
    if (isFirst) {
      noteOpenResources();
      startWatching();
    }
    active.add(this);
    takeDoors(isFirst);
  }

  /** Returns a promise if the watchdog stops, which resolves when it has. */
  end(): Promise<void> | undefined {
    if (!active.delete(this)) return undefined;
    this.lateErrors.end();
    this.loading.isOver = true;
    giveDoorsBack(active.size === 0);
    if (active.size > 0) return undefined;
    const stop = stopWatchdog;
    stopWatchdog = undefined;
    return followEndedWorlds(stop?.());
  }

  /** What worlds threw that were over, since this was last asked. */
  takeLateErrors(): readonly EndedWorldError[] {
    return this.lateErrors.take();
  }

  /**
   * Runs a world.
   * @param name tells the world and how it is run from others
   * @param isFinal whether it is shown to the user, and so has the limits that were given
   * @param deviations those of the scenario that is explored; undefined for a world of another one
   * @returns its failures, and what the app did besides
   */
  async run<R extends { readonly failures: readonly PropertyFailure[]; readonly steps: number }>(
    name: () => string,
    world: (limits: AppLimits) => Promise<R>,
    isFinal: boolean,
    deviations?: readonly Deviation[],
  ): Promise<R> {
    const wait = acquireTurn(this.group);
    if (wait !== undefined) await wait;
    this.limits.begin(isFinal);
    if (isReplaced) this.recordWorld(hashText(name()));
    this.enter(this.patience.ms);
    const own = this.lateErrors.newWorld(deviations);
    this.world = own;
    const startedMs = realTimeMs();
    try {
      const run = await runAsWorld(own, () => world(this.limits));
      const ms = realTimeMs() - startedMs;
      await turnIncludingStops();
      // few worlds start any, and each await of nothing takes time
      if (hasOpenTimers()) {
        const [timer] = await stopOpenTimers();
        await turnIncludingStops();
        if (timer !== undefined) this.unhandledFailures.push(openTimerFailure(timer));
      }
      if (this.misuse !== undefined) throw this.misuse;
      const all =
        this.unhandledFailures.length === 0
          ? run
          : { ...run, failures: withoutRepeats([...run.failures, ...this.unhandledFailures]) };
      this.limits.note(all.failures, ms, run.steps);
      return all;
    } catch (error) {
      // what the world left behind must not reach the next one
      await turnIncludingStops();
      throw error;
    } finally {
      this.leave();
    }
  }

  /**
   * Loads the app's code. Without it, every world fails as loading does.
   * @param module the name of its file
   * @throws what loading throws, unless the code ends the process or does not return
   */
  async load<R>(module: string, loading: () => Promise<R>, broken: (why: PropertyFailure) => R): Promise<R> {
    const before = stoppedModules.get(module);
    if (before !== undefined) return this.cannotLoad(broken, before);
    const wait = acquireTurn(this.group);
    if (wait !== undefined) await wait;
    this.moduleTimers = timersOfModules.get(module) ?? new ModuleTimers();
    timersOfModules.set(module, this.moduleTimers);
    followModule(this.loading, this.moduleTimers);
    this.enter(this.limits.withinTime(this.patience.ms * TIMES_LONGER_TO_LOAD, 2 * HANGING_SHARE));
    try {
      const beganMs = realTimeMs();
      const loaded = await this.patience.waitFor(
        // from an empty stack: all that is on it ends when a loop is terminated
        Promise.resolve().then(() => runAsWorld(this.loading, loading)),
        () => Math.min(Math.floor((realTimeMs() - beganMs) / this.patience.ms), TIMES_LONGER_TO_LOAD),
      );
      await turnIncludingStops();
      const [failure] = this.unhandledFailures;
      if (failure !== undefined) return this.cannotLoad(broken, failure);
      if (loaded === "nothing happened")
        return this.cannotLoad(broken, {
          property: appDefects.hangs,
          message: "its module awaits a promise that stays open",
        });
      if ("value" in loaded) return loaded.value;
      if (!(loaded.thrown instanceof WorldError)) throw loaded.thrown;
      if (loaded.thrown.property !== appDefects.exits) stoppedModules.set(module, loaded.thrown);
      return this.cannotLoad(broken, loaded.thrown);
    } finally {
      this.moduleTimers.loaded(realClearTimeout as AnyFunction);
      this.leave();
    }
  }

  private cannotLoad<R>(broken: (why: PropertyFailure) => R, why: PropertyFailure): R {
    this.isLoaded = false;
    return broken(why);
  }

  private enter(limitMs: number): void {
    current = this;
    this.unhandledFailures = [];
    this.isEndedByDeath = false;
    this.isShowing = false;
    this.isStoppedShowing = false;
    this.returned = undefined;
    enterWorld();
    setUnhandledErrorListener(this);
    memory[progressSlots.limitMs] = limitMs;
    memory[progressSlots.inWorld] = 0;
    Atomics.store(memory, progressSlots.isRunning, 1);
  }

  /** Records which world runs, and where earlier threads first died in it. */
  private recordWorld(world: number): void {
    Atomics.store(memory, progressSlots.world, world);
    this.deaths.startWorld(world);
  }

  /** Begins a task. @param deaths what earlier threads died of in it */
  startTask(deaths: readonly Death[]): void {
    this.deaths.startTask(deaths);
    this.sampledWorlds = 0;
  }

  /** @throws what an earlier thread died of, if it died here */
  throwIfDiedHere(happened: number): void {
    const error = this.deaths.at(happened);
    if (error === undefined) return;
    this.isEndedByDeath = true;
    this.abortWorld(error);
    throw error;
  }

  /** @throws if the app kept the thread to itself for too long, where no watchdog could stop it */
  throwIfLate(): void {
    const { returned } = this;
    this.returned = { ms: realTimeMs(), turns: memory[progressSlots.turns] ?? 0 };
    if (returned === undefined || returned.turns !== this.returned.turns) return;
    if (this.returned.ms - returned.ms <= this.patience.ms) return;
    const error = new WorldError(appDefects.loops, `it ran for more than ${this.patience.ms} ms`);
    this.abortWorld(error);
    throw error;
  }

  /** Ends the world. If it is over already, it fails nevertheless. */
  private abortWorld(error: WorldError): void {
    const { property, message } = error;
    if (!this.patience.abort(error)) this.unhandledFailures.push({ property, message });
  }

  private leave(): void {
    Atomics.store(memory, progressSlots.isRunning, 0);
    if (this.world !== undefined) this.world.isOver = true;
    leaveWorld();
    dropReplacedTimers();
    setUnhandledErrorListener(undefined);
    releaseTurn();
  }

  onThrown(error: unknown): void {
    if (error instanceof WorldError) return; // it has broken off the world
    if (isOfEndedCode() || isOfEndedWorld(error)) return;
    this.unhandledFailures.push(unhandledFailure(error, false));
  }

  onRejected(reason: unknown): void {
    if (isTimeMisuse(reason)) {
      this.misuse = timeUsageError(reason);
      return;
    }
    if (reason instanceof WorldError) return; // it has broken off the world
    if (isOfEndedCode() || isOfEndedWorld(reason)) return;
    this.unhandledFailures.push(unhandledFailure(reason, true));
  }

  onExit(words: string): Error {
    const error = new WorldError(appDefects.exits, words);
    if (!this.isShowing) this.abortWorld(error);
    return error;
  }

  /** Called when the watchdog stopped the app. */
  stopped(stop: AppStop): void {
    this.isStoppedShowing = this.isShowing;
    this.abortWorld(stopError(stop));
  }
}
