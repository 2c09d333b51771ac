import {
  realSetTimeout as startTimer,
  realClearTimeout as stopTimer,
} from "../core/foundation/real-functions.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { realTimeMs } from "../findings/real-time.ts";

/** How virtual time passes: only when told to, like real time, or this many times as fast. */
export type Pace = "virtual" | "realtime" | number;

/** How often virtual time catches up with the wall clock, ms. */
const TICK_MS = 10;
/** How long a run may block this process, ms. After that, requests and signals are handled. */
const BLOCKING_LIMIT_MS = 20;

/** A run that a request waits for. */
export interface AwaitedRun {
  readonly fromMs: number;
  /** The instant where it ends, ms since the epoch; null if it runs until something happens. */
  readonly toMs: number | null;
}

/** A run was stopped before its end. What it did before stays. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/**
 * Moves a simulator's time, one run after another: runs are asynchronous, since endpoints are real, and must not
 * overlap. Only this class reads real time.
 */
export class ServerClock {
  /** Virtual time per real time; 0 if time passes only when told to. */
  readonly factor: number;
  /** The run that a request waits for now. */
  running: AwaitedRun | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastRun: Promise<unknown> = Promise.resolve();
  private queuedRuns = 0;
  private isStopped = false;
  private isInterrupted = false;
  /** Aborted when a run is interrupted, which ends its waiting for endpoints. Then there is a new one. */
  private interruption = new AbortController();
  private yieldedAtMs = 0;

  constructor(
    readonly pace: Pace,
    private readonly simulator: () => Simulator,
    /** Gets the errors of runs that no request waits for. */
    private readonly onError: (error: unknown) => void,
    /** Called after each run. */
    private readonly onRun: () => void,
  ) {
    if (pace !== "virtual" && pace !== "realtime" && !(Number.isFinite(pace) && pace > 0))
      throw new RangeError(`pace: expected "virtual", "realtime" or a factor above 0, got ${pace}`);
    this.factor = pace === "virtual" ? 0 : pace === "realtime" ? 1 : pace;
  }

  /** Starts to move time, unless the pace is `virtual`. */
  start(): void {
    if (this.factor === 0) return;
    let thenMs = performance.now();
    /** Fractions of a virtual ms that are left over. */
    let leftover = 0;
    const tick = async () => {
      const nowMs = performance.now();
      leftover += (nowMs - thenMs) * this.factor;
      thenMs = nowMs;
      const passed = Math.floor(leftover);
      leftover -= passed;
      if (passed > 0) await this.advanceInBackground(passed);
      if (!this.isStopped) this.timer = setTimeout(tick, TICK_MS);
    };
    this.timer = setTimeout(tick, TICK_MS);
  }

  /** Runs work after everything before it is over. */
  run<T>(work: (simulator: Simulator) => T | Promise<T>): Promise<T> {
    this.queuedRuns++;
    const result = this.lastRun.then(() => {
      if (this.isStopped) throw new InterruptedError("the server is closing");
      return work(this.simulator());
    });
    this.lastRun = result
      .catch(() => {}) // handled by whoever asked for it
      .then(() => {
        this.queuedRuns--;
        this.onRun();
      });
    return result;
  }

  /**
   * Like `run`, for a run that may take long: it can be interrupted, and `running` shows its progress.
   * @param toMs where it ends, for `running`; called when it begins
   * @param clientGone aborted when its client disconnects, which interrupts it
   * @returns whether it was interrupted
   */
  async runLong(
    toMs: (simulator: Simulator) => number | null,
    clientGone: AbortSignal,
    work: (simulator: Simulator) => Promise<unknown>,
  ) {
    return this.run(async (simulator) => {
      if (clientGone.aborted) return true;
      this.isInterrupted = false;
      this.running = { fromMs: simulator.timestamp, toMs: toMs(simulator) };
      const interrupt = () => this.interrupt();
      clientGone.addEventListener("abort", interrupt);
      try {
        await work(simulator);
        return false;
      } catch (error) {
        if (error instanceof InterruptedError) return true;
        throw error;
      } finally {
        clientGone.removeEventListener("abort", interrupt);
        this.running = undefined;
      }
    });
  }

  /**
   * Interrupts the run that a request waits for, between two of its steps. Endpoints that it waits for get no more time.
   * @returns whether there was one
   */
  interrupt(): boolean {
    const isAwaited = this.running !== undefined || (this.factor === 0 && this.queuedRuns > 0);
    if (!isAwaited) return false;
    this.isInterrupted = this.running !== undefined;
    this.interruption.abort();
    this.interruption = new AbortController();
    return true;
  }

  /** Aborted at the next interruption. */
  get interrupted(): AbortSignal {
    return this.interruption.signal;
  }

  /** Called before each step of a run: lets the process handle requests, and ends a run that was interrupted. */
  readonly betweenSteps = (): Promise<void> | undefined => {
    if (this.isStopped || (this.isInterrupted && this.running !== undefined))
      throw new InterruptedError("the run was interrupted between two steps: advance again to go on");
    if (performance.now() - this.yieldedAtMs < BLOCKING_LIMIT_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.yieldedAtMs = performance.now();
        resolve();
      });
    });
  };

  /**
   * Delivers what a request caused at this instant. If time is already moving, it does not wait: that run delivers
   * it, and may be waiting for this request.
   */
  async settle(): Promise<void> {
    if (this.factor > 0 || this.simulator().serverPort.isMoving) return;
    const isWaiting = this.queuedRuns > 0;
    const settled = this.advanceInBackground(0);
    if (!isWaiting) await settled;
  }

  /** Stops time. Resolves when the last run is over. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.lastRun;
  }

  private async advanceInBackground(durationMs: number): Promise<void> {
    try {
      await this.run((simulator) =>
        this.factor === 0
          ? simulator.advanceAsync(durationMs)
          : simulator.serverPort.advanceInRealTime(durationMs),
      );
    } catch (error) {
      if (!(error instanceof InterruptedError)) this.onError(error);
    }
  }
}

/** How often a limit of real time is looked at before it is over. */
const LOOKS = 16;
/** The longest time of a timer, ms. With a longer one it does not wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back after some real time in which this process runs. While the machine is suspended, neither this process nor the one
 * it waits for can run: a pause counts as two looks at most.
 * @returns a function that cancels this
 */
export function startLimit(ms: number, callback: () => void): () => void {
  const lookMs = Math.min(ms / LOOKS, MAX_TIMER_MS);
  let leftMs = ms;
  let lastMs = realTimeMs();
  const look = () => {
    const nowMs = realTimeMs();
    leftMs -= Math.min(nowMs - lastMs, 2 * lookMs);
    lastMs = nowMs;
    if (leftMs > 0) wait();
    else callback();
  };
  let timer: ReturnType<typeof startTimer> | undefined;
  const wait = () => {
    timer = startTimer(look, Math.min(lookMs, leftMs));
    // what is waited for keeps the process alive; with jsdom, a timer is a number
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  wait();
  return () => stopTimer(timer);
}

/** Measures real time, ms. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

/** The wall clock's time, ms since the Unix epoch. */
export function epochMs(): number {
  return Date.now();
}
