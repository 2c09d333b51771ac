import { asyncModule } from "../../core/foundation/async-hooks.ts";
import { like, placeDoor } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { PrunedList } from "../../core/foundation/pruned-list.ts";
import { areGlobalTimersFake, wallClockMs } from "../../core/foundation/real-functions.ts";
import { type AnyFunction, syncModulesToStay } from "../../core/foundation/timer-functions.ts";
import { filesIn, isOfPackage, isOwnOrOfNode, thrownAt } from "../../findings/code-place.ts";
import { errorHere, FRAMES, isOfClient } from "./call-sites.ts";
import { isFollowed } from "./world-context.ts";

/**
 * What code outside of all worlds does in time, such as a module that a test imports: its timers run in real time, no world waits
 * for them, and its clock is the real one. Functions that set timers note them from the moment at which `ringback/explore` is loaded;
 * in Jest, where they would keep all of a test file in memory, only while worlds run. Each timer keeps an error, whose stack is
 * written out only when somebody asks for it.
 */

/** A timer as Node has it. */
interface Handle {
  readonly _destroyed: boolean;
  readonly _idleTimeout: number;
}

interface RealTimer {
  readonly handle: WeakRef<Handle>;
  readonly ms: number;
  /** Its stack says where it was set. */
  readonly error: Error;
}

/** A shorter one hardly keeps a world waiting, ms. */
const SHORTEST_MS = 100;
/** An error takes microseconds. So many timers are noted in a second, which takes it half a percent of its time. */
const MOST_IN_A_SECOND = 1_000;

/** So many uses are noted in a world: an idle loop may read the clock all the time. */
const MOST_USES = 200;

/** What is noted while a world runs by which a failure is told. A server that listens at the top of a module does it all there. */
interface Uses {
  readonly timers: RealTimer[];
  /** Where the clock was read. */
  readonly reads: Error[];
  /** How many worlds need them: several may run at once. */
  worlds: number;
  /** Whether a server outside of all worlds answers what the platform sends: then the app may be in a file that explores. */
  answersPlatform: boolean;
}

interface Noted {
  readonly kept: PrunedList<RealTimer>;
  /** The files that had set timers when an exploration began; undefined while none runs. */
  files?: ReadonlySet<string> | undefined;
  /** The files that explore, such as tests: their timers are no app's. */
  readonly exploring: Set<string>;
  uses?: Uses | undefined;
  /** Whether a function that notes timers sets one now. */
  isSetting: boolean;
  /** How many more are noted in this second, and when it began. */
  left: number;
  secondMs: number;
}

const TIMERS = Symbol.for("ringback.timers");
/** Several copies of the package may be loaded: they share what is noted. */
const place = globalThis as { [TIMERS]?: Noted };
place[TIMERS] ??= {
  kept: new PrunedList(({ handle }) => handle.deref()?._destroyed !== false),
  exploring: new Set(),
  isSetting: false,
  left: MOST_IN_A_SECOND,
  secondMs: wallClockMs(),
};
const noted = place[TIMERS];

/** @param stack that of a call of `explore` */
export function noteExploringFile(stack: string): void {
  for (const file of filesIn(stack)) if (isOfUser(file)) noted.exploring.add(file);
}

/** From now on other tests may run beside worlds: only the files that have set timers count, as a loop sets its own again. */
export function beginExploring(): void {
  noted.files = new Set(noted.kept.current.flatMap(({ error }) => userFileIn(error) ?? []));
}

export function endExploring(): void {
  noted.files = undefined;
}

/** From now on all that code outside of worlds does in time is noted: it may be what the world waits for. @returns what ends it */
export function beginNoting(): () => void {
  noted.uses ??= { timers: [], reads: [], worlds: 0, answersPlatform: false };
  const { uses } = noted;
  uses.worlds++;
  return () => {
    uses.worlds--;
    if (uses.worlds === 0) noted.uses = undefined;
  };
}

/** Called when a server has answered what the platform sent, in the context of that server. */
export function noteAnswering(): void {
  if (noted.uses !== undefined && !isFollowed()) noted.uses.answersPlatform = true;
}

/** Notes that code outside of all worlds reads the clock while a world runs. */
export function noteRealRead(): void {
  const { uses } = noted;
  if (uses === undefined || uses.reads.length === MOST_USES || areGlobalTimersFake()) return;
  uses.reads.push(errorHere(FRAMES));
}

let undo: (() => void)[] = [];

/** Lets the functions of the process that set timers note them, unless they do. */
export function noteTimers(): void {
  const timers = nodeModule<object>("node:timers");
  if (timers === undefined || areGlobalTimersFake()) return;
  const doors = new Map<AnyFunction, AnyFunction>();
  const replace = (at: object | undefined, name: string, make: (before: AnyFunction) => AnyFunction) => {
    const doorOf = (before: AnyFunction) => {
      const door = doors.get(before) ?? like(before, make(before));
      doors.set(before, door);
      return door;
    };
    if (at !== undefined) placeDoor(at, name, doorOf, undo);
  };
  for (const at of [globalThis, timers])
    for (const name of ["setTimeout", "setInterval"]) replace(at, name, notesTimer);
  const promises = nodeModule<{ readonly scheduler?: object }>("node:timers/promises");
  replace(promises, "setTimeout", notesSleep);
  replace(promises, "setInterval", notesTicks);
  replace(promises?.scheduler, "wait", notesSleep);
}

/** Whether the doors stay. Jest gives each test file globals of its own. */
const areDoorsKept = globalThis.performance instanceof Object;
if (areDoorsKept && !areGlobalTimersFake()) {
  noteTimers();
  syncModulesToStay();
}

/** Undoes `noteTimers` where doors would keep all of a test file in memory. */
export function stopNotingTimers(): void {
  if (areDoorsKept) return;
  for (const each of undo.reverse()) each();
  undo = [];
}

/** Whether one of these functions sets a timer now: its frame of the stack is the first above Node's. */
export function setsThroughNoting(): boolean {
  return noted.isSetting;
}

function notesTimer(before: AnyFunction): AnyFunction {
  return function (this: unknown, ...given: unknown[]) {
    noted.isSetting = true;
    let timer: unknown;
    try {
      timer = Reflect.apply(before, this, given);
    } finally {
      noted.isSetting = false;
    }
    if (isTimer(timer) && mayNote(timer._idleTimeout)) note(timer);
    return timer;
  };
}

/** As a function of `timers/promises` that returns a promise, whose timer only a hook tells of. */
function notesSleep(before: AnyFunction): AnyFunction {
  return function (this: unknown, ...given: unknown[]) {
    if (mayNote(given[0])) return notingIts(() => Reflect.apply(before, this, given) as unknown);
    noted.isSetting = true;
    try {
      return Reflect.apply(before, this, given) as unknown;
    } finally {
      noted.isSetting = false;
    }
  };
}

/** As the function of `timers/promises` that returns a generator, which sets its timer when it is first asked. */
function notesTicks(before: AnyFunction): AnyFunction {
  return function (this: unknown, ...given: unknown[]) {
    const ticks = Reflect.apply(before, this, given) as { next?: AnyFunction };
    const { next } = ticks;
    if (next === undefined || !mayNote(given[0])) return ticks;
    ticks.next = (...value: unknown[]) => {
      delete ticks.next;
      return notingIts(() => Reflect.apply(next, ticks, value) as unknown);
    };
    return ticks;
  };
}

let caught: object | undefined;
const hook = asyncModule?.createHook?.({
  init(_id, type, _trigger, resource) {
    if (type === "Timeout") caught = resource;
  },
  trackPromises: false,
});

/** Notes the timer that is set meanwhile. */
function notingIts<R>(set: () => R): R {
  caught = undefined;
  hook?.enable();
  try {
    return set();
  } finally {
    hook?.disable();
    if (isTimer(caught)) note(caught);
    caught = undefined;
  }
}

function isTimer(timer: unknown): timer is Handle {
  return (
    typeof timer === "object" &&
    timer !== null &&
    "_idleTimeout" in timer &&
    Reflect.get(timer, "_destroyed") === false
  );
}

/** Whether a timer that is set now is noted, if it is long enough and there are not too many. */
function mayNote(ms: unknown): boolean {
  if (typeof ms !== "number" || ms < SHORTEST_MS || isFollowed()) return false;
  if (noted.uses !== undefined && noted.uses.timers.length < MOST_USES) return true;
  if (noted.files?.size === 0) return false;
  if (noted.left === 0) {
    const nowMs = wallClockMs();
    if (nowMs - noted.secondMs < 1_000) return false;
    noted.secondMs = nowMs;
    noted.left = MOST_IN_A_SECOND;
  }
  noted.left--;
  return true;
}

function note(timer: Handle): void {
  const { files, kept, uses } = noted;
  const error = errorHere(FRAMES);
  const real = { handle: new WeakRef(timer), ms: timer._idleTimeout, error };
  if (uses !== undefined && uses.timers.length < MOST_USES) uses.timers.push(real);
  if (files === undefined || files.has(userFileIn(error) ?? "")) kept.add(real);
}

/** The nearest file of the user that set a timer; undefined if there is none, or Node or `fetch` set it. */
function userFileIn({ stack }: Error): string | undefined {
  const by = filesIn(stack).filter((file) => file.startsWith("node:") || !isOwnOrOfNode(file));
  return by[0] === undefined || by[0].startsWith("node:") || isOfClient(by[0])
    ? undefined
    : by.find(isOfUser);
}

function isOfUser(file: string): boolean {
  return /[/\\]/.test(file) && !isOwnOrOfNode(file) && !isOfPackage(file);
}

/** Whether a file of the user is no test. */
function isOfApp(file: string | undefined): boolean {
  return file !== undefined && !noted.exploring.has(file);
}

/** The same, of what is done while a world runs: the server of the app may also be in a test. */
function mayBeOfApp(file: string | undefined): boolean {
  return noted.uses?.answersPlatform === true ? file !== undefined : isOfApp(file);
}

/** A timer that runs in real time. */
export interface TimerPlace {
  /** Its delay, ms. */
  readonly ms: number;
  /** Where it was set, as `queue.mjs:5`. */
  readonly place: string;
}

/** The timers that code outside of all worlds has set: while this one ran, then those that are still set. Each place once. */
export function listRealTimers(): readonly TimerPlace[] {
  const used = (noted.uses?.timers ?? []).filter(({ error }) => mayBeOfApp(userFileIn(error)));
  const kept = noted.kept.current.filter(({ error }) => isOfApp(userFileIn(error)));
  const timers = [...used, ...kept].map(({ ms, error }) => ({ ms, place: placeOf(error) }));
  return timers.filter(({ place }, index) => timers.findIndex((other) => other.place === place) === index);
}

/** Where code outside of all worlds first read the clock while this one ran; undefined if none of the user's did. */
export function findRealRead(): string | undefined {
  const isOfUsers = ({ stack }: Error) => {
    const by = filesIn(stack).filter((file) => !isOwnOrOfNode(file));
    return !isOfClient(by[0] ?? "") && mayBeOfApp(by.find(isOfUser));
  };
  const read = noted.uses?.reads.find(isOfUsers);
  return read && placeOf(read);
}

function placeOf({ stack }: Error): string {
  return thrownAt(stack) ?? "an unknown place";
}
