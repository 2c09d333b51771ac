import type { Deviation } from "../../core/engine/deviations.ts";
import {
  appDefects,
  type PropertyFailure,
  plainMessage,
  readError,
} from "../../findings/property-failure.ts";
import { everyMs } from "./open-timers.ts";
import { catchErrorsOfEndedWorlds, openResources } from "./unhandled-errors.ts";
import { stopFollowing } from "./world-context.ts";

/** What an app threw where nothing catches it, when its world was over. Plain data. */
export interface EndedWorldError {
  readonly failure: PropertyFailure;
  /** The deviations of its world; undefined for a world of another scenario. */
  readonly deviations: readonly Deviation[] | undefined;
}

/** An error that nothing catches, as a failure. */
export function unhandledFailure(error: unknown, isRejected: boolean): PropertyFailure {
  const property = isRejected ? appDefects.rejects : appDefects.throwsLate;
  return { property, message: plainMessage(error), error: readError(error) };
}

/** How often to look whether something is still open, ms. */
const LOOK_MS = 50;

let openBefore: ReadonlyMap<string, number> = new Map();
let stopLooking: (() => void) | undefined;

/** Called before the first exploration begins. */
export function noteOpenResources(): void {
  stopLooking?.();
  openBefore = openResources();
}

/**
 * Follows the code of worlds when all are over, as long as something is open that was not before: it may still throw.
 * @param over resolves when the explorations have closed what is their own
 */
export function followEndedWorlds(over: Promise<void> | undefined): Promise<void> | undefined {
  const stopCatching = catchErrorsOfEndedWorlds();
  let endLooking: (() => void) | undefined;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    stopLooking = undefined;
    endLooking?.();
    stopCatching();
  };
  stopLooking = stop;
  const stopIfAllIsClosed = () => {
    if (isStopped || isMoreOpen()) return;
    stop();
    stopFollowing();
  };
  const look = () => {
    stopIfAllIsClosed();
    if (!isStopped) endLooking = everyMs(LOOK_MS, stopIfAllIsClosed);
  };
  if (over !== undefined) return over.then(look);
  look();
  return undefined;
}

function isMoreOpen(): boolean {
  return [...openResources()].some(([kind, count]) => count > (openBefore.get(kind) ?? 0));
}
