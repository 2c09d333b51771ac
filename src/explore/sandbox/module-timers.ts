import type { AnyFunction, TimerSource } from "../../core/foundation/timer-functions.ts";
import { codePlace } from "../../findings/code-place.ts";
import type { VirtualTimer, VirtualTimers } from "./virtual-timers.ts";
import { type WorldContext, worldOfCaller } from "./world-context.ts";

/** A timer as a runtime has it: an object in Node, else a number. */
interface Handle {
  hasRef?(): boolean;
  readonly _destroyed?: boolean;
}

/** What sets real timers. */
export interface RealStarts {
  readonly setTimeout: AnyFunction;
  readonly setInterval: AnyFunction;
}

type SetTimer = ReturnType<TimerSource["start"]>;

/** How a timer was set. */
interface Start {
  readonly callback: AnyFunction;
  readonly ms: unknown;
  readonly repeats: boolean;
  readonly given: readonly unknown[];
}

/** A timer that a module set while it was loaded, and that was not over then. */
class ModuleTimer {
  /** Whether the code that runs in the world has cleared it. */
  isCleared = false;
  isRef: boolean;
  private current: VirtualTimer | undefined;

  constructor(
    private readonly start: Start,
    handle: Handle,
  ) {
    this.isRef = handle.hasRef?.() !== false;
  }

  /** Sets it in a world, as a process does that begins. */
  begin(timers: VirtualTimers): void {
    const { callback, ms, repeats, given } = this.start;
    this.isCleared = false;
    this.current = timers.start(callback, ms, repeats, given, {
      isCleared: () => this.isCleared,
      hasRef: () => this.isRef,
    });
    this.current.isOfModule = true;
  }

  refresh(): void {
    this.current?.refresh();
  }
}

/** The timers of modules whose loading is over, by what the module got for them. */
const known = new WeakMap<object, ModuleTimer>();

/**
 * The timers that a module of an app sets while it is loaded. Meanwhile they are real, since the module may wait for them.
 * What is left of them then begins anew in each world, as it does in each process.
 */
export class ModuleTimers {
  private started: { readonly start: Start; readonly handle: Handle }[] = [];
  private readonly left: ModuleTimer[] = [];
  private isLoading = true;
  private loopText: string | undefined;

  /** Whether the module is being loaded. */
  get areReal(): boolean {
    return this.isLoading;
  }

  /** Sets a timer of the module that is loaded. @param before sets a real one */
  start(before: AnyFunction, start: Start): unknown {
    const handle = before(start.callback, start.ms, ...start.given) as Handle;
    if (typeof handle === "object") this.started.push({ start, handle });
    return handle;
  }

  /** What sets timers for other functions that take time. */
  sourceOf(real: RealStarts): TimerSource {
    return {
      start: (callback, ms, repeats) =>
        this.start(repeats ? real.setInterval : real.setTimeout, {
          callback,
          ms,
          repeats,
          given: [],
        }) as SetTimer,
    };
  }

  /** The module is loaded: its real timers end. @param clear ends a real one */
  loaded(clear: AnyFunction): void {
    this.isLoading = false;
    for (const { start, handle } of this.started) {
      if (handle._destroyed === true) continue;
      const timer = new ModuleTimer(start, handle);
      clear(handle);
      this.left.push(timer);
      known.set(handle, timer);
      replaceMethods(handle, timer);
    }
    this.started = [];
  }

  /** Sets what is left of them in a world. */
  begin(timers: VirtualTimers): void {
    for (const timer of this.left) timer.begin(timers);
  }

  /**
   * Notes that the module's own code goes on in a world and sets a timer there: a loop that awaits its timers. It began in the
   * first world, and ends with it.
   */
  noteLoop(ms: unknown): void {
    this.loopText ??= `a timer of ${String(ms)} ms, set at ${codePlace(new Error("set here").stack) ?? "an unknown place"}`;
  }

  /** The timer of such a loop, in words. */
  get loop(): string | undefined {
    return this.loopText;
  }
}

/** The timers of modules, by their loading. */
const ofLoadings = new WeakMap<WorldContext, ModuleTimers>();

/** The timers of a module. @param loading the loading, to which its code belongs */
export function followModule(loading: WorldContext, timers: ModuleTimers): void {
  ofLoadings.set(loading, timers);
}

/** The timers of the module whose code runs now: it is being loaded, or goes on since then. */
export function moduleTimersOfCaller(): ModuleTimers | undefined {
  const world = worldOfCaller();
  return world && ofLoadings.get(world);
}

/** Clears a timer of a loaded module in the world that runs. @returns whether it is one */
export function clearModuleTimer(handle: unknown): boolean {
  const timer = typeof handle === "object" && handle !== null ? known.get(handle) : undefined;
  if (timer !== undefined) timer.isCleared = true;
  return timer !== undefined;
}

/** What the module got for a timer stands for that of the world. */
function replaceMethods(handle: object, timer: ModuleTimer): void {
  const methods = {
    ref: () => {
      timer.isRef = true;
      return handle;
    },
    unref: () => {
      timer.isRef = false;
      return handle;
    },
    hasRef: () => timer.isRef,
    refresh: () => {
      timer.refresh();
      return handle;
    },
    close: () => {
      timer.isCleared = true;
      return handle;
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(handle, name, { value, writable: true, configurable: true });
}
