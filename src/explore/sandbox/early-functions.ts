import { noteHandle } from "../../core/engine/node-handles.ts";
import { isOfWorld } from "../../core/engine/whose-code.ts";
import { asyncModule } from "../../core/foundation/async-hooks.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { isOfVitest, isOwnOrOfNode } from "../../findings/code-place.ts";
import { callingFiles, FRAMES } from "./call-sites.ts";
import { noteUntrackedTimer } from "./open-timers.ts";
import { beginExploring, endExploring, setsThroughNoting } from "./real-timers.ts";
import { callsRealFunction, timeOfCaller, type WorldTime } from "./virtual-clock.ts";
import { isFollowed } from "./world-context.ts";

/**
 * Timers that code of a world sets with functions of Node which it took before they were replaced, as a module does with
 * `const sleep = promisify(setTimeout)`. Node's hooks tell of each; it then waits for ever, and a virtual one runs in its place.
 * With the real clock they are noted, and so are those of `timers/promises` and `AbortSignal.timeout`. The hook costs every timer
 * and, before Node 24, every promise, so it goes only while somebody explores.
 */

/** A timer of Node. Its fields are internal, and the same from Node 20 to 26. */
interface NodeTimer {
  /** Its delay, ms. Read when the timer joins the others, which is after Node's hooks are told of it. */
  _idleTimeout: number;
  /** How often it runs again, ms. */
  readonly _repeat: number | null;
  readonly _onTimeout: ((...given: unknown[]) => unknown) | null;
  readonly _timerArgs?: readonly unknown[];
  readonly _destroyed: boolean;
  hasRef(): boolean;
}

/** Longer than any world; the longest delay that Node takes, ms. */
const FOR_EVER_MS = 2 ** 31 - 1;

const { clearTimeout } = nodeModule<{ clearTimeout(timer: object): void }>("node:timers") ?? {};
const hook = asyncModule?.createHook?.({
  init: (_id, type, _trigger, resource) => {
    if (type === "Timeout") timerBegan(resource);
    else if (type !== "PROMISE") noteHandle(type, resource);
  },
  // from Node 24 on
  trackPromises: false,
});
/** Those of the world, as long as they are set. */
let replaced: object[] = [];

/** The files of Node through which code sets a timer. */
const ofTimers = /^node:(timers(\/promises)?$|internal\/(timers|async_hooks|abort_controller)$)/;

/** Follows timers from now on. */
export function followEarlyFunctions(): void {
  beginExploring();
  hook?.enable();
}

export function stopFollowingEarlyFunctions(): void {
  endExploring();
  hook?.disable();
}

/** Drops the timers of a world that is over. */
export function dropReplacedTimers(): void {
  for (const timer of replaced) clearTimeout?.(timer);
  if (replaced.length > 0) replaced = [];
}

function timerBegan(resource: object): void {
  if (!isTimer(resource) || !isFollowed()) return;
  const time = timeOfCaller();
  if (time === undefined && !isOfWorld()) return;
  if (!callsRealFunction() && !isSetByOthers(callingFiles(FRAMES))) return;
  if (time !== undefined) replaceTimer(resource, time);
  else if (resource._repeat === null) noteUntrackedTimer(resource, resource._idleTimeout);
}

/**
 * Whether the code that sets a timer is neither Node, for a connection, nor the exploration, nor a test runner, which waits for a module
 * that the app imports.
 * @param calling the nearest file first
 */
function isSetByOthers(calling: readonly string[]): boolean {
  const first = calling.findIndex((file) => ofTimers.test(file));
  const others = first < 0 ? [] : calling.slice(first).filter((file) => file !== "" && !ofTimers.test(file));
  const setter = others[setsThroughNoting() ? 1 : 0];
  return setter !== undefined && !isOwnOrOfNode(setter) && !isOfVitest(setter);
}

function isTimer(resource: object): resource is NodeTimer {
  const { _idleTimeout: ms, _onTimeout: run, _destroyed: isDestroyed } = resource as Partial<NodeTimer>;
  return typeof ms === "number" && typeof run === "function" && isDestroyed === false;
}

function replaceTimer(timer: NodeTimer, { timers }: WorldTime): void {
  const { _onTimeout: run, _timerArgs: given = [], _repeat: everyMs, _idleTimeout: ms } = timer;
  timer._idleTimeout = FOR_EVER_MS;
  replaced.push(timer);
  const virtual = timers.start(run as NonNullable<typeof run>, ms, everyMs !== null, given, {
    isCleared: () => timer._destroyed,
    hasRef: () => timer.hasRef(),
  });
  const refresh = () => {
    virtual.refresh();
    return timer;
  };
  Object.defineProperty(timer, "refresh", { value: refresh, writable: true, configurable: true });
}
