import type { Simulator } from "../simulator.ts";

/** How virtual time passes: only when told to, as real time does, or so many times as fast. */
export type Pace = "virtual" | "realtime" | number;

/** How often time catches up with the wall clock, ms. */
const TICK_MS = 10;

/**
 * Lets a simulator's time pass, one run after another: runs are asynchronous, since endpoints are real, and must not
 * overlap. The only place where real time is read.
 */
export class Clock {
  /** Virtual time per real time; 0 when time passes only by being told to. */
  readonly factor: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private isStopped = false;

  constructor(
    readonly pace: Pace,
    private readonly simulator: () => Simulator,
    /** Hears of what goes wrong in runs that nobody waits for. */
    private readonly onError: (error: unknown) => void,
  ) {
    if (pace !== "virtual" && pace !== "realtime" && !(Number.isFinite(pace) && pace > 0))
      throw new RangeError(`pace: expected "virtual", "realtime" or a factor above 0, got ${pace}`);
    this.factor = pace === "virtual" ? 0 : pace === "realtime" ? 1 : pace;
  }

  /** Has time pass from now on, if this is its pace. */
  start(): void {
    if (this.factor === 0) return;
    let thenMs = performance.now();
    /** What was too little for a whole ms of virtual time. */
    let rest = 0;
    const tick = async () => {
      const nowMs = performance.now();
      rest += (nowMs - thenMs) * this.factor;
      thenMs = nowMs;
      const passed = Math.floor(rest);
      rest -= passed;
      if (passed > 0) await this.inBackground(passed);
      if (!this.isStopped) this.timer = setTimeout(tick, TICK_MS);
    };
    this.timer = setTimeout(tick, TICK_MS);
  }

  /** Runs when all before it is over. */
  run<T>(work: (simulator: Simulator) => T | Promise<T>): Promise<T> {
    this.waiting++;
    const result = this.last.then(() => work(this.simulator()));
    this.last = result
      .catch(() => {}) // whoever asked for it hears of it
      .then(() => {
        this.waiting--;
      });
    return result;
  }

  /**
   * What a request led to at this instant goes out. Time that moves already does that by itself, and may be moving
   * because an endpoint is asked whose code made this very request: so it is not waited for.
   */
  async settle(): Promise<void> {
    if (this.factor > 0) return;
    const isMoving = this.waiting > 0;
    const settled = this.inBackground(0);
    if (!isMoving) await settled;
  }

  /** Time stands still; resolves when the last run is over. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.last;
  }

  private async inBackground(durationMs: number): Promise<void> {
    try {
      await this.run((simulator) => simulator.advanceAsync(durationMs));
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Real time, for how long something takes, ms. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}
