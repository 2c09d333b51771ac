import {
  realOrigin,
  realSetTimeout as startTimer,
  realClearTimeout as stopTimer,
  wallClockMs,
} from "../core/foundation/real-functions.ts";

/**
 * The parts of an exploration that use real time: how long an app may keep others waiting, and how long everything
 * may take. No world depends on them.
 */

/** Real time since the process started, ms. Only differences of it say anything. */
export const realTimeMs = (): number => wallClockMs();

/**
 * Processor time that this process has taken, ms. Unlike real time it hardly depends on what else runs on the machine. Where
 * nothing tells it, real time.
 */
export function processorMs(): number {
  const used = (globalThis as { process?: Partial<NodeJS.Process> }).process?.cpuUsage?.();
  return used === undefined ? realTimeMs() : (used.user + used.system) / 1_000;
}

/** The instant in real time, ms since 1970. */
export const realInstantMs = (): number => realOrigin + wallClockMs();

/** Resolves after some wall-clock time, ms. */
export const sleepRealTime = (ms: number): Promise<void> =>
  new Promise((resolve) => void startTimer(resolve, ms));

/** The result of waiting. */
export type WaitResult<T> = { readonly value: T } | { readonly thrown: unknown } | "nothing happened";

/** One wait that is not over. */
interface Wait {
  readonly progress: () => number;
  last: number;
  /** How often `last` was seen. */
  looks: number;
  /** Whether its time is over, but the look that found this was late. */
  isExpired: boolean;
  /** After how many looks at most it is given up. */
  readonly most: number;
  giveUp(): void;
  abort(thrown: Error): void;
}

/** A timer that may keep the process alive. In some runtimes it is a number. */
type Timer = ReturnType<typeof setTimeout> & Partial<Pick<NodeJS.Timeout, "ref" | "unref">>;

/**
 * How often a wait is looked at in its time. Its time is counted in looks: if the machine pauses this process, what is waited
 * for may not have run either, so a pause counts as only one look.
 */
export const LOOKS = 16;

/** How long an app may take to dispose of itself: it stands for a process that is killed. */
export const DISPOSING_MS = 1_500;

/** How long at most what goes on beside an app is waited for, ms. */
const MOST_BESIDE_MS = 5_000;

/** Waits for promises as long as something keeps happening. One timer serves all, since most promises settle at once. */
export class Patience {
  private readonly waits = new Set<Wait>();
  private timer: Timer | undefined;
  /** When the next look is due, in wall-clock ms. */
  private dueMs = 0;

  /** How long an app may take to dispose of itself, in wall-clock ms. */
  disposingMs = DISPOSING_MS;

  /** How long what goes on beside an app may do so by itself, in wall-clock ms. An engine shortens it once that was waited for in vain. */
  besideMs: number;

  /** @param limitMs how long nothing may happen, in wall-clock ms */
  constructor(private limitMs: number) {
    this.besideMs = Math.min(limitMs, MOST_BESIDE_MS);
  }

  get ms(): number {
    return this.limitMs;
  }

  /** Changes how long nothing may happen. */
  set ms(limitMs: number) {
    if (limitMs === this.limitMs) return;
    this.limitMs = limitMs;
    // the timer was started for the old limit
    stopTimer(this.timer);
    this.timer = undefined;
    if (this.waits.size > 0) this.lookLater();
  }

  /** Ends all waiting. @returns whether anyone waited */
  abort(thrown: Error): boolean {
    const isAwaited = this.waits.size > 0;
    for (const wait of [...this.waits]) wait.abort(thrown);
    return isAwaited;
  }

  /**
   * @param progress a count that rises when something happens
   * @param limitMs how long nothing may happen, if that is shorter
   */
  waitFor<T>(promise: PromiseLike<T>, progress: () => number, limitMs = this.ms): Promise<WaitResult<T>> {
    return new Promise((resolve) => {
      const end = (outcome: WaitResult<T>) => {
        this.waits.delete(wait);
        if (this.waits.size === 0) this.timer?.unref?.();
        resolve(outcome);
      };
      const giveUp = () => end("nothing happened");
      const abort = (thrown: Error) => end({ thrown });
      const wait: Wait = {
        progress,
        last: progress(),
        looks: 0,
        isExpired: false,
        most: Math.min(LOOKS, Math.ceil(limitMs / this.lookMs)),
        giveUp,
        abort,
      };
      this.waits.add(wait);
      if (this.timer === undefined) this.lookLater();
      else this.timer.ref?.();
      promise.then(
        (value) => end({ value }),
        (thrown: unknown) => end({ thrown }),
      );
    });
  }

  private get lookMs(): number {
    return Math.ceil(this.ms / LOOKS);
  }

  private lookLater(): void {
    this.dueMs = realTimeMs() + this.lookMs;
    this.timer = startTimer(() => this.look(), this.lookMs);
  }

  private look(): void {
    this.timer = undefined;
    const isLate = realTimeMs() - this.dueMs > this.lookMs;
    for (const wait of this.waits) {
      const count = wait.progress();
      if (count !== wait.last) Object.assign(wait, { last: count, looks: 0, isExpired: false });
      // the first comes at any time after the wait began
      else if (++wait.looks > wait.most) {
        // if a loop kept the thread busy, the watchdog has stopped it, and its message comes within this turn of the event loop
        if (wait.isExpired || !isLate) wait.giveUp();
        wait.isExpired = true;
      }
    }
    if (this.waits.size > 0) this.lookLater();
  }
}
