import { PrunedList } from "../../core/foundation/pruned-list.ts";
import { filesIn, isOwnOrOfNode, thrownAt } from "../../findings/code-place.ts";
import { errorHere, FRAMES, isOfFetch } from "./call-sites.ts";

/**
 * Timers that code outside of all worlds sets, such as a module that a test imports: they run in real time, and no world waits
 * for them. They are noted from the moment at which `ringback/explore` is loaded, but not in Jest. Each keeps an error, whose
 * stack is written out only when somebody asks for it: a process sets many timers.
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
}

/** A shorter one hardly keeps a world waiting, ms. */
const SHORTEST_MS = 100;
/** The files of Node through which code sets a timer. */
const ofTimers = /^node:(timers(\/promises)?$|internal\/(timers|async_hooks|abort_controller)$)/;

const kept = new PrunedList<RealTimer>(({ handle }) => handle.deref()?._destroyed !== false);
/** The files that had set timers when an exploration began; undefined while none runs. */
let files: ReadonlySet<string> | undefined;

/** The files that explore, such as tests: their timers are no app's. */
const exploring = new Set<string>();

/** @param stack that of a call of `explore` */
export function noteExploringFile(stack: string): void {
  for (const file of filesIn(stack)) if (isOfUser(file)) exploring.add(file);
}

/** From now on other tests may run beside worlds: only the files that have set timers count, as a loop sets its own again. */
export function beginExploring(): void {
  files = new Set(kept.current.flatMap(({ error }) => userFileIn(error) ?? []));
}

export function endExploring(): void {
  files = undefined;
}

/** Notes a timer that code outside of all worlds sets. */
export function noteRealTimer(handle: Handle, ms: number): void {
  if (ms < SHORTEST_MS || files?.size === 0) return;
  const error = errorHere(FRAMES);
  if (files !== undefined && !files.has(userFileIn(error) ?? "")) return;
  kept.add({ handle: new WeakRef(handle), ms, error });
}

/** The files of the code that sets a timer, the nearest first; none if that is Node, for a connection, or the exploration. */
export function settersIn(calling: readonly string[]): readonly string[] {
  const first = calling.findIndex((file) => ofTimers.test(file));
  const others = first < 0 ? [] : calling.slice(first).filter((file) => file !== "" && !ofTimers.test(file));
  return others[0] === undefined || isOwnOrOfNode(others[0]) ? [] : others;
}

/** The nearest file of the user that set a timer; undefined if there is none, or `fetch` set it. */
function userFileIn({ stack }: Error): string | undefined {
  const by = settersIn(filesIn(stack));
  return isOfFetch(by[0] ?? "") ? undefined : by.find(isOfUser);
}

function isOfUser(file: string): boolean {
  return /[/\\]/.test(file) && !isOwnOrOfNode(file) && !/[/\\]node_modules[/\\]/.test(file);
}

/** The timers that are set outside of all worlds, each place once. */
export function listRealTimers(): readonly { readonly ms: number; readonly place: string }[] {
  const isOfApp = ({ error }: RealTimer) => {
    const file = userFileIn(error);
    return file !== undefined && !exploring.has(file);
  };
  const timers = kept.current
    .filter(isOfApp)
    .map(({ ms, error }) => ({ ms, place: thrownAt(error.stack) ?? "an unknown place" }));
  return timers.filter(({ place }, index) => timers.findIndex((other) => other.place === place) === index);
}
