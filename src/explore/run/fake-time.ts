import { clockNow, type FakeClock, singleTimersOf, timersOf } from "../../core/engine/fake-clock.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/**
 * While fake timers are on, a world's virtual time is that of the fake clock: both clocks agree, and each of the
 * app's timers runs at its instant, after everything else that is due then. Timers from before the world are left
 * alone; those that it leaves behind are cleared.
 */
export class FakeTime {
  private readonly foreignTimers: ReadonlySet<unknown>;
  /** The time of the fake clock before the world, to which it returns. */
  private readonly beforeMs: number;
  private readonly detach: () => void;
  private cancelCallback: (() => void) | undefined;
  private dueMs: number | undefined;
  /** When something other than an app's timer last happened, ms since the epoch. */
  private busyMs: number;

  private constructor(
    private readonly clock: FakeClock,
    private readonly simulator: Simulator,
  ) {
    this.foreignTimers = new Set(timersOf(clock).map(({ id }) => id));
    this.busyMs = simulator.timestamp;
    this.beforeMs = clock.now;
    this.detach = simulator.services.engine.probes.attach({
      appTimers: () => singleTimersOf(clock).filter(({ id }) => !this.foreignTimers.has(id)),
    });
    // the clock sets its time when a timer runs; here it stays that of the simulator
    const now = { get: () => simulator.timestamp, set: () => {} };
    Object.defineProperty(clock, "now", { ...now, configurable: true, enumerable: true });
  }

  /** Starts if fake timers are on; otherwise returns undefined. */
  static begin(simulator: Simulator): FakeTime | undefined {
    const clock = clockNow();
    return clock && new FakeTime(clock, simulator);
  }

  /** Called when something happened. The app may have other timers now. */
  update(isTimer: boolean): void {
    if (!isTimer) this.busyMs = this.simulator.timestamp;
    const next = this.next();
    if (next === this.dueMs) return;
    const { engine } = this.simulator.services;
    this.cancelCallback?.();
    this.dueMs = next;
    this.cancelCallback =
      next === undefined
        ? undefined
        : engine.loop.callBack(
            Math.max(0, next - this.simulator.timestamp),
            () => {
              this.dueMs = undefined;
              this.cancelCallback = undefined;
              return this.clock.tickAsync(0);
            },
            true,
          );
  }

  /** Clears the app's timers. */
  forget(): void {
    const { clock, foreignTimers } = this;
    for (const { id } of timersOf(clock)) if (!foreignTimers.has(id)) clock.clearTimeout(id);
  }

  end(): void {
    this.cancelCallback?.();
    const { clock } = this;
    this.detach();
    this.forget();
    const now = { value: this.beforeMs, writable: true };
    Object.defineProperty(clock, "now", { ...now, configurable: true, enumerable: true });
  }

  /** When the app's next timer is due. A repeating timer runs as long as anything else happens, and once more. */
  private next(): number | undefined {
    const due = timersOf(this.clock)
      .filter(({ id }) => !this.foreignTimers.has(id))
      .filter(({ callAt, interval }) => interval === undefined || this.isWanted(callAt - interval))
      .map(({ callAt }) => callAt);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  private isWanted(beforeMs: number): boolean {
    const { engine } = this.simulator.services;
    return beforeMs <= this.busyMs || !engine.loop.hasNothingDue;
  }
}
