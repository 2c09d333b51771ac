import { PrunedList } from "../../core/foundation/pruned-list.ts";
import { areGlobalTimersFake } from "../../core/foundation/real-functions.ts";
import { filesIn, isOwnOrOfNode, thrownAt } from "../../findings/code-place.ts";
import { errorHere, FRAMES, isOfFetch } from "./call-sites.ts";

/**
 * What code outside of all worlds does in time, such as a module that a test imports: its timers run in real time, no world waits
 * for them, and its clock is the real one. Timers are noted from the moment at which `ringback/explore` is loaded, but not in Jest.
 * Each keeps an error, whose stack is written out only when somebody asks for it: a process sets many timers.
 */

/** A timer as Node has it. */
interface Handle {
  readonly _destroyed: boolean;
}

interface RealTimer {
  readonly handle: WeakRef<Handle>;
  readonly ms: number;
  /** Its stack says where it was set. */
  readonly error: Error;
  /** Whether our own replaced function passed it on to Node: it stands between the two in the stack. */
  readonly isPassedOn: boolean;
}

/** A shorter one hardly keeps a world waiting, ms. */
const SHORTEST_MS = 100;
/** The files of Node through which code sets a timer. */
const ofTimers = /^node:(timers(\/promises)?$|internal\/(timers|async_hooks|abort_controller)$)/;

const kept = new PrunedList<RealTimer>(({ handle }) => handle.deref()?._destroyed !== false);
/** The files that had set timers when an exploration began; undefined while none runs. */
let files: ReadonlySet<string> | undefined;

/** So many uses are noted in a world: an idle loop may read the clock all the time. */
const MOST_USES = 200;

/** What is noted while a world runs by which a failure is told. A server that listens at the top of a module does it all there. */
interface Noted {
  readonly timers: RealTimer[];
  /** Where the clock was read. */
  readonly reads: Error[];
}
let noted: Noted | undefined;

/** The files that explore, such as tests: their timers are no app's. */
const exploring = new Set<string>();

/** @param stack that of a call of `explore` */
export function noteExploringFile(stack: string): void {
  for (const file of filesIn(stack)) if (isOfUser(file)) exploring.add(file);
}

/** From now on other tests may run beside worlds: only the files that have set timers count, as a loop sets its own again. */
export function beginExploring(): void {
  files = new Set(kept.current.flatMap((timer) => setterOf(timer) ?? []));
}

export function endExploring(): void {
  files = undefined;
}

/** From now on all that code outside of worlds does in time is noted, until `endNoting`: it may be what the world waits for. */
export function beginNoting(): void {
  noted = { timers: [], reads: [] };
}

export function endNoting(): void {
  noted = undefined;
}

/** Notes that code outside of all worlds reads the clock while a world runs. */
export function noteRealRead(): void {
  if (noted === undefined || noted.reads.length === MOST_USES || areGlobalTimersFake()) return;
  noted.reads.push(errorHere(FRAMES));
}

let isPassingOn = false;

/** Calls a function of Node for code that has the real ones. */
export function passOn<T>(call: () => T): T {
  isPassingOn = true;
  try {
    return call();
  } finally {
    isPassingOn = false;
  }
}

/** As `passOn`, for the function that the caller calls next. */
export function passOnNext(): void {
  isPassingOn = true;
  void Promise.resolve().then(() => {
    isPassingOn = false;
  });
}

/** Notes a timer that code outside of all worlds sets. */
export function noteRealTimer(handle: Handle, ms: number): void {
  if (ms < SHORTEST_MS || (files?.size === 0 && noted === undefined)) return;
  const timer = { handle: new WeakRef(handle), ms, error: errorHere(FRAMES), isPassedOn: isPassingOn };
  if (noted !== undefined && noted.timers.length < MOST_USES) noted.timers.push(timer);
  if (files === undefined || files.has(setterOf(timer) ?? "")) kept.add(timer);
}

/**
 * The files of the code that sets a timer, the nearest first; none if that is Node, for a connection, or the exploration.
 * @param isPassedOn whether our own function passed it on
 */
export function settersIn(calling: readonly string[], isPassedOn = false): readonly string[] {
  const first = calling.findIndex((file) => ofTimers.test(file));
  const others = first < 0 ? [] : calling.slice(first).filter((file) => file !== "" && !ofTimers.test(file));
  const setters = isPassedOn ? others.slice(others.findIndex((file) => !isOwn(file))) : others;
  return setters[0] === undefined || isOwnOrOfNode(setters[0]) ? [] : setters;
}

/** The nearest file of the user that set a timer; undefined if there is none, or `fetch` set it. */
function setterOf({ error, isPassedOn }: RealTimer): string | undefined {
  const by = settersIn(filesIn(error.stack), isPassedOn);
  return isOfFetch(by[0] ?? "") ? undefined : by.find(isOfUser);
}

function isOwn(file: string): boolean {
  return isOwnOrOfNode(file) && !file.startsWith("node:");
}

function isOfUser(file: string): boolean {
  return /[/\\]/.test(file) && !isOwnOrOfNode(file) && !/[/\\]node_modules[/\\]/.test(file);
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
  const isOfApp = (timer: RealTimer) => !exploring.has(setterOf(timer) ?? "");
  const timers = [...(noted?.timers ?? []), ...kept.current.filter(isOfApp)]
    .filter((timer) => setterOf(timer) !== undefined)
    .map(({ ms, error }) => ({ ms, place: placeOf(error) }));
  return timers.filter(({ place }, index) => timers.findIndex((other) => other.place === place) === index);
}

/** Where code outside of all worlds first read the clock while this one ran; undefined if none of the user's did. */
export function findRealRead(): string | undefined {
  const isOfUsers = ({ stack }: Error) => {
    const by = filesIn(stack).filter((file) => !isOwnOrOfNode(file));
    return !isOfFetch(by[0] ?? "") && by.some(isOfUser);
  };
  const read = noted?.reads.find(isOfUsers);
  return read && placeOf(read);
}

function placeOf({ stack }: Error): string {
  return thrownAt(stack) ?? "an unknown place";
}
