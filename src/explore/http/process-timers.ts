import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import {
  type AnyFunction,
  promisified,
  replaceTimerFunctions,
  replaceTimers,
  type SleepOptions,
  sleep,
  syncModules,
  type TimerSource,
  timerDelayMs,
} from "../../core/foundation/timer-functions.ts";
import { isFromNode } from "../sandbox/call-sites.ts";
import { bindToContext } from "../sandbox/world-context.ts";
import type { TimerChange } from "./process-messages.ts";

/** Node's own, taken before they are replaced. */
interface Real {
  readonly setTimeout: AnyFunction;
  readonly setInterval: AnyFunction;
  readonly clearTimeout: AnyFunction;
}

/**
 * The timers of an explored process. Until it listens they are real, since it may wait for them; from then on the world says when one
 * is due, and what is left of those begins anew.
 */
export class ProcessTimers {
  readonly byNumber = new Map<number, ProcessTimer>();
  changes: TimerChange[] = [];
  /** Undefined once the world has the timers. */
  real: Real | undefined;
  private last = 0;

  constructor() {
    this.real = { ...(nodeModule<Real>("node:timers") as Real) };
  }

  start(callback: AnyFunction, ms: unknown, repeats: boolean, given: readonly unknown[] = []): ProcessTimer {
    const timer = new ProcessTimer(this, ++this.last, { callback, ms, repeats, given });
    timer.set();
    return timer;
  }

  /** Gives them to the world. */
  handOver(): void {
    const { real } = this;
    if (real === undefined) return;
    this.real = undefined;
    for (const timer of this.byNumber.values()) timer.handOver(real);
  }

  /** A timer is due. */
  fire(number: number): void {
    this.byNumber.get(number)?.run();
  }

  /** What was done since this was last asked. */
  takeChanges(): readonly TimerChange[] {
    const { changes } = this;
    this.changes = [];
    return changes;
  }

  /** Puts them in the place of Node's. */
  install(): void {
    const source: TimerSource = { start: (callback, ms, repeats) => this.start(callback, ms, repeats) };
    replaceTimers(
      (before, repeats) => this.starting(before, repeats, source),
      (before) => this.clearing(before),
    );
    const promises = nodeModule<{ readonly scheduler?: object }>("node:timers/promises");
    replaceTimerFunctions({ promises, abortSignal: globalThis.AbortSignal }, () => source);
    syncModules();
  }

  private starting(before: AnyFunction, repeats: boolean, source: TimerSource): AnyFunction {
    const start = (callback: unknown, ms?: unknown, ...given: unknown[]) =>
      typeof callback !== "function" || isFromNode()
        ? before(callback, ms, ...given)
        : this.start(callback as AnyFunction, ms, repeats, given);
    const sleeps = (ms?: unknown, value?: unknown, options?: SleepOptions) =>
      sleep(source, ms, value, options);
    return like(before, start, repeats ? {} : { [promisified]: sleeps });
  }

  private clearing(before: AnyFunction): AnyFunction {
    return like(before, (given: unknown) => {
      const isNumber = typeof given === "number" || typeof given === "string";
      const timer = isNumber ? this.byNumber.get(Number(given)) : given;
      if (timer instanceof ProcessTimer) timer.close();
      else before(given);
    });
  }
}

/** How a timer was set. */
interface Start {
  readonly callback: AnyFunction;
  readonly ms: unknown;
  readonly repeats: boolean;
  readonly given: readonly unknown[];
}

/** A timer of the process. It has the methods of one of Node, and may be used as a number. */
class ProcessTimer {
  private readonly ms: number;
  private readonly call: () => void;
  private isRef = true;
  private handle: { ref(): void; unref(): void } | undefined;

  constructor(
    private readonly timers: ProcessTimers,
    private readonly number: number,
    private readonly start: Start,
  ) {
    this.ms = timerDelayMs(start.ms);
    const call = bindToContext(start.callback);
    this.call = () => void call(this, start.given);
  }

  /** Sets it, as a real one or in the world. */
  set(): void {
    const { timers, number, ms, isRef } = this;
    const { real } = timers;
    const { repeats } = this.start;
    timers.byNumber.set(number, this);
    if (real === undefined) {
      timers.changes.push({ set: number, ms, repeats, isRef });
      return;
    }
    this.handle = (repeats ? real.setInterval : real.setTimeout)(() => this.run(), ms) as typeof this.handle;
    if (!isRef) this.handle?.unref();
  }

  handOver(real: Real): void {
    real.clearTimeout(this.handle);
    this.handle = undefined;
    this.set();
  }

  run(): void {
    if (!this.start.repeats) this.timers.byNumber.delete(this.number);
    this.call();
  }

  close(): this {
    const { timers, number } = this;
    if (!timers.byNumber.delete(number)) return this;
    if (timers.real === undefined) timers.changes.push({ clear: number });
    else timers.real.clearTimeout(this.handle);
    return this;
  }

  refresh(): this {
    this.close();
    this.set();
    return this;
  }

  ref(): this {
    return this.setRef(true);
  }

  unref(): this {
    return this.setRef(false);
  }

  hasRef(): boolean {
    return this.isRef;
  }

  private setRef(isRef: boolean): this {
    this.isRef = isRef;
    if (isRef) this.handle?.ref();
    else this.handle?.unref();
    const { timers, number } = this;
    if (timers.real === undefined && timers.byNumber.has(number)) timers.changes.push({ ref: number, isRef });
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.number;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
