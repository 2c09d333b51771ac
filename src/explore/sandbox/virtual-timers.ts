import { type AnyFunction, timerDelayMs } from "../../core/foundation/timer-functions.ts";
import { reportUnhandledError } from "./unhandled-errors.ts";
import { bindToContext } from "./world-context.ts";

/** What a world's timers ask of its run. */
export interface TimerHost {
  /** The virtual time, ms since the epoch. */
  now(): number;
  /** Whether the scenario has said when the world ends, and that is now. */
  isCut(): boolean;
  /** How long timers that repeat go on after the last thing that was new, ms. */
  readonly horizonMs: number;
  /** Called when another timer may be next. */
  changed(): void;
  /** Code may wait for something from now on. */
  began(wait: object): void;
  /** It has come, or was called off. */
  ended(wait: object): void;
  /** Whether a timer that is set now follows from a request that the app got. */
  isOfRequest(): boolean;
  /** Whether the app has asked somebody since it got its last request. */
  hasAsked(): boolean;
}

/** How far timers run ahead of a world's time that stands still, ms: an app that starts asks again by then, and its jobs do not run yet. */
const MOST_AHEAD_MS = 300_000;

/** A timer that is set by a timer, that by another and so on, is nothing new after so many, even if each waits longer. */
const MOST_NEW_LINKS = 30;

/** Timers that repeat are late by at most the time in which nothing was new, divided by this. */
const RARER = 16;

/** The numbers of timers begin here: real ones have small numbers. */
let lastNumber = 1e9;

/** A timer of the runtime in whose place a virtual one runs. */
interface ReplacedTimer {
  isCleared(): boolean;
  hasRef(): boolean;
}

/** What a timer follows from. */
interface TimerOrigin {
  /** How many timers led to it, each set by the one before, since something else happened. */
  readonly links: number;
  /** Whether it only does again what the timer did that set it. */
  readonly isRepeated: boolean;
  /** Whether it follows from a request that the app got. */
  readonly isOfRequest: boolean;
  /** Whether it was set by another timer, or after the app had asked somebody: what it waits for began before. */
  readonly isOfLaterWork: boolean;
}

/** A timer that runs in virtual time. It has the methods of a timer of Node, and may be used as a number. */
export class VirtualTimer {
  /** When it is due, ms since the epoch. */
  dueMs = 0;
  origin: TimerOrigin = { links: 0, isRepeated: false, isOfRequest: false, isOfLaterWork: false };
  /** Whether it follows from loading the app's module. */
  isOfModule = false;
  /** Whether nobody would notice that it runs. */
  isUnheard: (() => boolean) | undefined;
  /** What code may wait for while it is set. */
  wait: object | undefined;
  /** Whether it was set while the world's time stood still. */
  isAhead = false;
  readonly ms: number;
  private isRef = true;
  private number: number | undefined;
  /** Calls what it was set for. */
  readonly run: () => void;

  constructor(
    private readonly timers: VirtualTimers,
    callback: AnyFunction,
    ms: unknown,
    given: readonly unknown[],
    readonly repeats: boolean,
    private readonly replaced?: ReplacedTimer,
  ) {
    this.ms = timerDelayMs(ms);
    // reported in its own context, which says whose it is
    const call = bindToContext(function (this: unknown, ...all: unknown[]) {
      try {
        Reflect.apply(callback, this, all);
      } catch (thrown) {
        reportUnhandledError(thrown);
      }
    });
    this.run = () => void call(this, given);
  }

  close(): this {
    this.timers.clear(this);
    return this;
  }

  refresh(): this {
    this.timers.clear(this);
    this.timers.set(this);
    return this;
  }

  ref(): this {
    this.isRef = true;
    this.timers.look();
    return this;
  }

  unref(): this {
    this.isRef = false;
    this.timers.look();
    return this;
  }

  /** Called when `isUnheard` may have changed. */
  look(): void {
    this.timers.look();
  }

  hasRef(): boolean {
    return this.replaced?.hasRef() ?? this.isRef;
  }

  /** Whether it was cleared as a timer of the runtime. */
  get isCleared(): boolean {
    return this.replaced?.isCleared() === true;
  }

  [Symbol.toPrimitive](): number {
    this.number ??= ++lastNumber;
    this.timers.remember(this.number, this);
    return this.number;
  }
}

/** The timers of one world, by due time, then in the order in which they were set. */
export class VirtualTimers {
  private queue: VirtualTimer[] = [];
  private readonly byNumber = new Map<number, VirtualTimer>();
  private isOver = false;
  /** When something last was new, ms since the epoch. */
  private newsMs = Number.NEGATIVE_INFINITY;
  /** The timer that ran last, if nothing else has happened since: timers that are set now follow from it. */
  private cause: VirtualTimer | undefined;
  /** While the world's time stands still: how far timers are ahead of it, ms, and what ran before. */
  private standing: { aheadMs: number; readonly cause: VirtualTimer | undefined } | undefined;

  constructor(private readonly host: TimerHost) {}

  /** Sets a new timer. */
  start(
    callback: AnyFunction,
    ms: unknown,
    repeats: boolean,
    given: readonly unknown[] = [],
    replaced?: ReplacedTimer,
  ): VirtualTimer {
    const timer = new VirtualTimer(this, callback, ms, given, repeats, replaced);
    this.set(timer);
    return timer;
  }

  /** Whether what runs now follows from a timer of the app's module. */
  get isModuleRunning(): boolean {
    return this.cause?.isOfModule === true;
  }

  /** The timer that runs next; undefined if none does. */
  get next(): VirtualTimer | undefined {
    if (this.queue.length === 0) return undefined;
    this.dropCleared();
    if (this.host.isCut()) return undefined;
    return this.queue.find((each) => this.isWithinHorizon(each) && each.isUnheard?.() !== true);
  }

  /** The delays of those that run no more, since they come after the horizon, in ms. */
  get beyondHorizon(): readonly number[] {
    if (this.host.isCut()) return [];
    const left = this.queue.filter((each) => !each.isCleared && !this.isWithinHorizon(each));
    return [...new Set(left.map(({ ms }) => ms))];
  }

  /** In production a server keeps the process going, so timers that are unref'd run too; but nothing waits for them. */
  private isWithinHorizon(timer: VirtualTimer): boolean {
    if (!timer.origin.isRepeated && timer.hasRef()) return true;
    return timer.dueMs <= this.newsMs + Math.max(this.host.horizonMs, timer.ms);
  }

  /** Runs the next timer. */
  runNext(): void {
    const timer = this.next;
    if (timer === undefined) return;
    // a time limit that is over, and that nobody has called off: what it limited has ended
    for (const each of this.queue)
      if (each.dueMs < timer.dueMs && each.isUnheard?.() === true) this.run(each);
    this.run(timer);
  }

  private run(timer: VirtualTimer): void {
    this.clear(timer);
    if (!timer.origin.isRepeated) this.newsMs = this.host.now();
    if (timer.repeats) this.set(timer, timer);
    this.cause = timer;
    timer.run();
  }

  /** The world's time stands still until `goOn`: timers that are set from now on may run ahead of it. */
  standStill(): void {
    this.standing = { aheadMs: 0, cause: this.cause };
  }

  /** How far timers have run ahead of the world's time while that stands still, in ms. */
  get aheadMs(): number {
    return this.standing?.aheadMs ?? 0;
  }

  /** The first timer that was set while the world's time stands still. */
  get firstAhead(): VirtualTimer | undefined {
    this.dropCleared();
    return this.queue.find(({ isAhead }) => isAhead);
  }

  /** The timer that may run next while the world's time stands still. */
  get nextAhead(): VirtualTimer | undefined {
    const timer = this.firstAhead;
    return timer !== undefined && timer.dueMs - this.host.now() <= MOST_AHEAD_MS ? timer : undefined;
  }

  /** In how many ms it is due, as far as timers are ahead of the world's time. */
  aheadIn({ dueMs }: VirtualTimer): number {
    return dueMs - this.host.now() - this.aheadMs;
  }

  /** Runs the next timer ahead of the world's time. */
  runAhead(): void {
    const timer = this.nextAhead;
    if (timer === undefined || this.standing === undefined) return;
    this.standing.aheadMs = timer.dueMs - this.host.now();
    this.run(timer);
  }

  /** The world's time goes on, and what is left of timers that were set while it stood still begins now. */
  goOn(): void {
    const { standing } = this;
    if (standing === undefined) return;
    this.standing = undefined;
    this.cause = standing.cause;
    const ahead = this.queue.filter(({ isAhead }) => isAhead);
    if (ahead.length === 0) return;
    for (const timer of ahead) {
      timer.dueMs -= standing.aheadMs;
      timer.isAhead = false;
    }
    this.queue.sort((one, other) => one.dueMs - other.dueMs);
    this.look();
  }

  private dropCleared(): void {
    for (const timer of this.queue) if (timer.isCleared) this.remove(timer);
  }

  /** Called when something else than a timer has happened. */
  otherHappened(): void {
    this.cause = undefined;
    this.newsHappened();
  }

  /** Called when something is new: timers that repeat go on at their own pace. */
  newsHappened(): void {
    const nowMs = this.host.now();
    if (this.newsMs === nowMs) return;
    this.newsMs = nowMs;
    let isAnyMoved = false;
    for (const timer of this.queue) {
      if (!timer.origin.isRepeated || (timer.dueMs >= nowMs && timer.dueMs <= nowMs + timer.ms)) continue;
      // as if it had run at each of its times
      timer.dueMs = nowMs + ((((timer.dueMs - nowMs) % timer.ms) + timer.ms) % timer.ms);
      isAnyMoved = true;
    }
    if (!isAnyMoved) return;
    this.queue.sort((one, other) => one.dueMs - other.dueMs);
    this.look();
  }

  /** Sets a timer that is not set. */
  set(timer: VirtualTimer, cause = this.cause): void {
    if (this.isOver) return;
    timer.isAhead = this.standing !== undefined;
    const links = cause === undefined ? 0 : cause.origin.links + 1;
    const isAlike = cause !== undefined && (cause.ms === timer.ms || links > MOST_NEW_LINKS);
    // those that ran ahead of the world's time are nothing that it repeats, but a check may set again what has just run
    const isRunAhead = this.standing !== undefined && this.standing.cause !== cause;
    timer.origin = {
      links,
      isRepeated: isAlike && !isRunAhead,
      isOfRequest: this.host.isOfRequest(),
      isOfLaterWork: cause !== undefined || this.host.hasAsked(),
    };
    timer.dueMs = this.host.now() + this.aheadMs + this.delayOf(timer);
    timer.wait = {};
    let index = this.queue.length;
    while (index > 0 && (this.queue[index - 1] as VirtualTimer).dueMs > timer.dueMs) index--;
    this.queue.splice(index, 0, timer);
    this.host.began(timer.wait);
    this.look();
  }

  /** How long it takes until a timer runs: one that repeats becomes rarer as long as nothing is new, but not for who waits while time stands still. */
  private delayOf({ ms, origin, isAhead }: VirtualTimer): number {
    if (!origin.isRepeated || isAhead) return ms;
    const quietMs = this.host.now() - this.newsMs;
    return ms * Math.max(1, Math.floor(quietMs / ms / RARER));
  }

  clear(timer: VirtualTimer): void {
    if (timer.wait === undefined) return;
    this.remove(timer);
    this.look();
  }

  private remove(timer: VirtualTimer): void {
    if (timer.wait !== undefined) this.host.ended(timer.wait);
    timer.wait = undefined;
    this.queue = this.queue.filter((each) => each !== timer);
  }

  /** Another timer may be next. */
  look(): void {
    if (!this.isOver) this.host.changed();
  }

  /** Notes which timer a number stands for. */
  remember(number: number, timer: VirtualTimer): void {
    this.byNumber.set(number, timer);
  }

  /** The timer that a number stands for. */
  find(given: unknown): VirtualTimer | undefined {
    return typeof given === "number" || typeof given === "string"
      ? this.byNumber.get(Number(given))
      : undefined;
  }

  clearAll(): void {
    for (const timer of [...this.queue]) this.clear(timer);
    this.cause = undefined;
  }

  /** Ends the world's time: no timer runs any more. */
  end(): void {
    this.clearAll();
    this.isOver = true;
  }
}
