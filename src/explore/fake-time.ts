import type { Simulator } from "../simulator.ts";

/** A timer of a fake clock. */
interface FakeTimer {
  readonly id: string | number;
  /** When it is due, by that clock. */
  readonly callAt: number;
  /** How often it is due again, ms; undefined: never. */
  readonly interval?: number | undefined;
}

/** What is used of the fake timers that Vitest, Jest and Sinon share. */
interface FakeClock {
  now: number;
  readonly timers?: ReadonlyMap<unknown, FakeTimer> | Readonly<Record<string, FakeTimer>> | undefined;
  tickAsync(ms: number): Promise<unknown>;
  clearTimeout(id: unknown): void;
}

/** The fake clock that is on, if one is. */
function clockNow(): FakeClock | undefined {
  return (globalThis.setTimeout as { readonly clock?: FakeClock }).clock;
}

/**
 * While fake timers are on, a world's virtual time is that of the fake clock: the app's clock stands where the simulator
 * stands, and each of its timers is called at its instant, after all else that is due then. Timers that were there before are
 * left alone, and those that a world leaves behind are cleared.
 */
export class FakeTime {
  private readonly others: ReadonlySet<unknown>;
  /** Where the fake clock stood before the world, and will again. */
  private readonly beforeMs: number;
  private callOff: (() => void) | undefined;
  private dueMs: number | undefined;
  /** When something other than a timer of the app happened last, ms since the epoch. */
  private busyMs: number;

  private constructor(
    private readonly clock: FakeClock,
    private readonly simulator: Simulator,
  ) {
    this.others = new Set(timersOf(clock).map(({ id }) => id));
    this.busyMs = simulator.timestamp;
    this.beforeMs = clock.now;
    // what sets it, such as a timer that runs, sets it to where it is
    const now = { get: () => simulator.timestamp, set: () => {} };
    Object.defineProperty(clock, "now", { ...now, configurable: true, enumerable: true });
  }

  /** Begins where fake timers are on. */
  static begin(simulator: Simulator): FakeTime | undefined {
    const clock = clockNow();
    return clock && new FakeTime(clock, simulator);
  }

  /** Something happened, after which the app may have other timers. */
  look(isTimer: boolean): void {
    if (!isTimer) this.busyMs = this.simulator.timestamp;
    const next = this.next();
    if (next === this.dueMs) return;
    this.callOff?.();
    this.dueMs = next;
    this.callOff =
      next === undefined
        ? undefined
        : this.simulator.schedule(Math.max(0, next - this.simulator.timestamp), () => {
            this.dueMs = undefined;
            this.callOff = undefined;
            return this.clock.tickAsync(0);
          });
  }

  end(): void {
    this.callOff?.();
    const { clock, others } = this;
    for (const { id } of timersOf(clock)) if (!others.has(id)) clock.clearTimeout(id);
    const now = { value: this.beforeMs, writable: true };
    Object.defineProperty(clock, "now", { ...now, configurable: true, enumerable: true });
  }

  /** When the app's next timer is due. What repeats goes on as long as anything else does, and then once more. */
  private next(): number | undefined {
    const due = timersOf(this.clock)
      .filter(({ id }) => !this.others.has(id))
      .filter(({ callAt, interval }) => interval === undefined || this.isWanted(callAt - interval))
      .map(({ callAt }) => callAt);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  private isWanted(beforeMs: number): boolean {
    const { engine } = this.simulator.inside;
    return beforeMs <= this.busyMs || !engine.hasNothingDue;
  }
}

function timersOf({ timers = {} }: FakeClock): FakeTimer[] {
  return timers instanceof Map ? [...timers.values()] : Object.values(timers as Record<string, FakeTimer>);
}
