import { isOwnOrOfNode, thrownAt } from "../../findings/code-place.ts";
import { isOfFetch } from "./call-sites.ts";

/**
 * Timers that code outside of all worlds sets, such as a module that a test imports: they run in real time, and no world waits
 * for them. They are noted from the moment at which `ringback/explore` is loaded, but not in Jest.
 */

interface RealTimer {
  /** As Node has it. */
  readonly handle: { readonly _destroyed: boolean };
  readonly ms: number;
  /** Its stack says where it was set. */
  readonly error: Error;
}

/** How far up the stack the app's code is at most, above a library that sets its timer. */
const FRAMES = 20;
/** So many are kept before those that are over are dropped. */
const MOST_KEPT = 100;

let kept: RealTimer[] = [];
/** The files that set them. */
const files = new Set<string>();

/**
 * Notes a timer that code outside of all worlds sets, if the user's own code does. While worlds run, other tests may too: then
 * only files that did so before count, since a loop sets its timer again and again.
 * @param by the files that set it, the nearest first
 */
export function noteRealTimer(
  handle: RealTimer["handle"],
  ms: number,
  by: readonly string[],
  isExploring: boolean,
): void {
  const file = by.find(isOfUser);
  if (file === undefined || isOfFetch(by[0] ?? "") || (isExploring && !files.has(file))) return;
  files.add(file);
  if (kept.length === MOST_KEPT) kept = kept.filter(isSet);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  kept.push({ handle, ms, error: new Error("set here") });
  Error.stackTraceLimit = stackTraceLimit;
}

function isOfUser(file: string): boolean {
  return /[/\\]/.test(file) && !isOwnOrOfNode(file) && !/[/\\]node_modules[/\\]/.test(file);
}

function isSet({ handle }: RealTimer): boolean {
  return !handle._destroyed;
}

/** The timers that are set outside of all worlds, each place once. */
export function realTimersNow(): readonly { readonly ms: number; readonly place: string }[] {
  const timers = kept
    .filter(isSet)
    .map(({ ms, error }) => ({ ms, place: thrownAt(error.stack) ?? "an unknown place" }));
  return timers.filter(({ place }, index) => timers.findIndex((other) => other.place === place) === index);
}
