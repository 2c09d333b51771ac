import { CommandError, markTimeMisuse, throwAll } from "../foundation/errors.ts";
import { isPromise } from "../foundation/values.ts";
import type { Agenda, AgendaItem } from "./agenda.ts";
import type { AppWork } from "./app-work.ts";
import { AsyncRun } from "./async-run.ts";
import { type Callback, Callbacks } from "./callbacks.ts";
import type { Deviations } from "./deviations.ts";
import { EndpointCalls } from "./endpoint-calls.ts";
import type { EndpointPort } from "./endpoint-port.ts";
import type { JournalEnd } from "./journal.ts";
import type { LateAnswers } from "./late-answers.ts";
import type { Listeners } from "./listeners.ts";
import type { Probes } from "./probe.ts";
import type { RegistrationLines } from "./registration-lines.ts";
import type { RunState } from "./run-state.ts";
import type { TimeWaits } from "./time-waits.ts";
import { chooseTimer } from "./timer-order.ts";
import type { Tracer } from "./tracer.ts";
import { Waits, warnUnlessSoon } from "./waits.ts";

/** The parts of the engine that passing time needs. */
interface Parts {
  readonly run: RunState;
  readonly agenda: Agenda;
  readonly deviations: Deviations;
  readonly registrationLines: RegistrationLines;
  readonly listeners: Listeners;
  readonly late: LateAnswers;
  readonly timeWaits: TimeWaits;
  readonly work: AppWork;
  readonly endpoints: () => EndpointPort;
  readonly startMs: number;
  readonly probes: Probes;
  /** Runs an item of the agenda as a step. */
  readonly step: (item: AgendaItem) => void;
  readonly timerDeviates: NonNullable<Tracer["timerDeviates"]>;
}

/** Why a run stopped. */
export type Stop = "stopped" | "limit" | "idle";

const always = (): boolean => true;

/**
 * Lets time pass: runs what is due, one after another. After all agenda items of an instant come its callbacks of
 * `sim.schedule`.
 */
export class TimeLoop {
  /** What handlers wait for until virtual time passes. */
  readonly timeWaits: TimeWaits;
  /** True from the call of a time method to its end, including while it waits. */
  private moving = false;
  private readonly callbacks = new Callbacks();
  /** How many callbacks in a row ran at the instant at which they were scheduled. */
  private callbacksAtOnce = 0;
  private readonly waits: Waits;
  private readonly endpointCalls: EndpointCalls;
  private readonly asyncRun: AsyncRun;

  constructor(private readonly parts: Parts) {
    const { timeWaits } = parts;
    this.timeWaits = timeWaits;
    this.waits = new Waits(timeWaits);
    const next = () => (this.isCallbackNext ? undefined : parts.agenda.peek());
    this.asyncRun = new AsyncRun({ next, ...parts }, this.waits);
    this.endpointCalls = new EndpointCalls(parts, this.waits, this.asyncRun);
  }

  /** Whether a time method is running. */
  get isMoving(): boolean {
    return this.moving;
  }

  /** Whether an asynchronous time method is running, which awaits endpoints. */
  get isAwaiting(): boolean {
    return this.moving && this.parts.listeners.keepsPromises;
  }

  /** Whether an endpoint was called whose item has not run, or whose answer comes later. */
  get isAnsweredAhead(): boolean {
    return this.endpointCalls.isAhead || this.asyncRun.isOpen;
  }

  /** Whether nothing is scheduled but background items. */
  get isIdle(): boolean {
    return this.callbacks.next === undefined && this.parts.agenda.isIdle;
  }

  /** Like `isIdle`, without counting callbacks. */
  get hasNothingDue(): boolean {
    return this.parts.agenda.isIdle;
  }

  /** When the next item is due; infinity when nothing is scheduled. */
  get nextDueMs(): number {
    if (this.parts.run.isAbandoned) return Number.POSITIVE_INFINITY;
    const itemMs = this.itemDueMs;
    const callbackMs = this.callbacks.next?.dueMs;
    return callbackMs !== undefined && callbackMs < itemMs ? callbackMs : itemMs;
  }

  /** Describes what an asynchronous run waits for. */
  get waitingFor(): readonly string[] {
    return this.waits.list();
  }

  /**
   * Warns on the console if something is awaited for two seconds of real time, unless nobody is to be warned.
   * @returns a function that cancels this
   */
  warnUnlessSoon(describe: () => string): () => void {
    return this.waits.isQuiet ? () => {} : warnUnlessSoon(describe);
  }

  /** Disables the console warnings about a run that waits for long. */
  waitQuietly(): void {
    this.waits.isQuiet = true;
  }

  /** Resolves when every real endpoint that was called has answered. The answers are taken as time goes on. */
  async untilLateSettled(): Promise<void> {
    await Promise.all(this.parts.late.openReal.map(({ settling }) => settling));
  }

  /** Everything that is scheduled, in the order in which it will run. */
  pending(): AgendaItem[] {
    const items = this.parts.agenda.list();
    const callbacks = this.callbacks.all();
    return callbacks.length === 0
      ? items
      : [...items, ...callbacks.map(itemOf)].sort((a, b) => a.dueMs - b.dueMs);
  }

  /**
   * Calls back at an instant, after everything else that is due then. The callback's commands are in the journal; the
   * callback itself is in neither journal nor forks.
   * @param isReal whether its promise settles in real time, and no handler waits for it
   * @returns a function that cancels it
   */
  callBack(delayMs: number, run: () => unknown, isReal = false): () => void {
    this.parts.run.assertOpen();
    const callback = { dueMs: this.parts.run.nowMs + delayMs, run, isAtOnce: delayMs === 0, isReal };
    this.callbacks.add(callback);
    if (!isReal) this.timeWaits.begin(callback);
    return () => {
      this.callbacks.remove(callback);
      this.timeWaits.end(callback);
    };
  }

  /** Runs everything that is due up to an instant, then sets the clock to that instant. */
  runTo(targetMs: number): void {
    this.move(() => {
      this.runOn(targetMs, always);
      this.parts.run.setClock(targetMs);
    });
  }

  /**
   * Like `runTo`, awaiting what listeners return at each step.
   * @param isRealTime whether time goes on while real endpoints answer
   */
  runToAsync(targetMs: number, isRealTime = false): Promise<void> {
    return this.moveAsync(async () => {
      do {
        await this.runOnAsync(targetMs, always);
        this.parts.run.setClock(targetMs);
        if (this.asyncRun.isOpen) throwAll(await this.asyncRun.settle());
      } while (this.nextDueMs <= targetMs);
    }, isRealTime);
  }

  /** Runs the next item only. @returns the item, or undefined when nothing is scheduled */
  step(): AgendaItem | undefined {
    return this.move(() => this.runNext());
  }

  async stepAsync(): Promise<AgendaItem | undefined> {
    return this.moveAsync(() => this.runNextAsync());
  }

  /** Runs items until `shouldContinue` returns false, nothing is due by the limit, or nothing is scheduled. */
  runWhile(limitMs: number, shouldContinue: () => boolean): Stop {
    return this.move(() => this.runOn(limitMs, shouldContinue));
  }

  async runWhileAsync(limitMs: number, shouldContinue: () => boolean): Promise<Stop> {
    return this.moveAsync(() => this.runOnAsync(limitMs, shouldContinue));
  }

  /**
   * Runs exactly as many items as it takes to reach a recorded position, then sets the clock to it.
   * @returns false if the run does not reach it
   */
  replayTo({ atMs, step }: JournalEnd): boolean {
    const { run } = this.parts;
    while (this.replayStep(step));
    const isReached = run.stepsRun === step && atMs >= run.nowMs && this.itemDueMs >= atMs;
    run.nowMs = atMs;
    return isReached;
  }

  /** Runs the next item if fewer than `step` items have run. @returns whether it did */
  replayStep(step: number): boolean {
    const { run, agenda } = this.parts;
    if (run.stepsRun >= step || agenda.size === 0) return false;
    this.runNext();
    return true;
  }

  /** Drops all callbacks. */
  clear(): void {
    this.callbacks.clear();
  }

  private runOn(limitMs: number, shouldContinue: () => boolean): Stop {
    for (;;) {
      const stop = this.stopReason(limitMs, shouldContinue);
      if (stop !== undefined) return stop;
      this.runNext();
    }
  }

  private async runOnAsync(limitMs: number, shouldContinue: () => boolean): Promise<Stop> {
    for (;;) {
      const stop = this.stopReason(limitMs, shouldContinue);
      if (stop !== undefined) return stop;
      const pause = this.parts.probes.current?.beforeStep?.();
      // awaited only if there is a promise: an await costs as much as a step
      if (pause !== undefined) await pause;
      await this.runNextAsync();
    }
  }

  private stopReason(limitMs: number, shouldContinue: () => boolean): Stop | undefined {
    if (!shouldContinue()) return "stopped";
    const { nextDueMs } = this;
    if (nextDueMs === Number.POSITIVE_INFINITY) return "idle";
    return nextDueMs > limitMs ? "limit" : undefined;
  }

  private runNext(): AgendaItem | undefined {
    const isCallback = this.isCallbackNext;
    const next = isCallback ? undefined : this.nextItem();
    const thrown = this.endpointCalls.callsEndpoint(next) ? this.endpointCalls.callOut(next) : [];
    const item = this.runAndDeliver(isCallback, thrown);
    throwAll(thrown);
    const { current } = this.parts.probes;
    current?.afterStep?.();
    current?.afterItem?.(isCallback);
    if (this.asyncRun.isOpen) this.asyncRun.mustNotHaveWoken();
    return item;
  }

  /** Like `runNext`, awaiting endpoints and listeners. */
  private async runNextAsync(): Promise<AgendaItem | undefined> {
    if (this.asyncRun.isOpen) await this.asyncRun.untilNextMayRun();
    const isCallback = this.isCallbackNext;
    const next = isCallback ? undefined : this.nextItem();
    const asked = this.endpointCalls.callsEndpoint(next) ? this.endpointCalls.callOutAsync(next) : [];
    const thrown = isPromise(asked) ? await asked : asked;
    const item = this.runAndDeliver(isCallback, thrown);
    const { listeners } = this.parts;
    if (listeners.areAwaited)
      thrown.push(...(await listeners.settle(this.waits, (each) => this.asyncRun.continueWithout(each))));
    throwAll(thrown);
    if (this.parts.work.isStirred) {
      if (this.endpointCalls.callsEndpoint(next) && !this.endpointCalls.isRealTime)
        await this.endpointCalls.askDuringWork();
      await this.untilWorkIsDone();
    }
    const { current } = this.parts.probes;
    current?.afterStep?.();
    const waits = current?.afterItem?.(isCallback);
    if (isPromise(waits)) await waits;
    if (this.asyncRun.isOpen) {
      throwAll(await this.asyncRun.settle());
      await this.untilWorkIsDone();
    }
    return item;
  }

  /** Before time goes on, waits for what the app has begun and nobody awaits. A server's time follows the wall clock. */
  private untilWorkIsDone(): Promise<void> | undefined {
    const { work } = this.parts;
    return work.isStirred && !this.endpointCalls.isRealTime ? work.untilDone() : undefined;
  }

  /** @param thrown collects what is thrown */
  private runAndDeliver(isCallback: boolean, thrown: unknown[]): AgendaItem | undefined {
    const item = isCallback ? this.runCallback(thrown) : this.runItem();
    this.parts.listeners.deliverEvents(thrown);
    return item;
  }

  /** Whether a callback is next. */
  private get isCallbackNext(): boolean {
    const callback = this.callbacks.next;
    return callback !== undefined && this.itemDueMs > callback.dueMs;
  }

  /** When the next item of the agenda is due. */
  private get itemDueMs(): number {
    return this.parts.agenda.peek()?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Runs the next callback. Its promise is awaited with those of listeners. */
  private runCallback(thrown: unknown[]): AgendaItem {
    const { run, listeners, registrationLines } = this.parts;
    const callback = this.callbacks.next as Callback;
    const item = itemOf(callback);
    this.callbacks.remove();
    const count = callback.isAtOnce ? this.callbacksAtOnce + 1 : 0;
    this.callbacksAtOnce = 0;
    run.nowMs = callback.dueMs;
    run.mustEnd(count, () => describeItem(item));
    this.callbacksAtOnce = count;
    this.timeWaits.end(callback);
    const mark = this.timeWaits.mark();
    this.parts.work.stir();
    try {
      const returned = callback.run();
      const describeCallback = () => `the callback of sim.schedule${registrationLines.lineOf(callback.run)}`;
      if (isPromise(returned)) listeners.keep(returned, describeCallback, mark, callback.isReal);
    } catch (error) {
      thrown.push(error);
    }
    return item;
  }

  /** The next item of the agenda, in the order that deviations want. */
  private nextItem(): AgendaItem | undefined {
    const { agenda, deviations, run, startMs, timerDeviates } = this.parts;
    if (deviations.isActive && deviations.timersDecidedAt !== run.stepsRun) {
      deviations.timersDecidedAt = run.stepsRun;
      const isTimer = (item: AgendaItem) => this.isTimer(item);
      const chosen = chooseTimer({ agenda, deviations, startMs, isTimer });
      if (chosen !== undefined) timerDeviates(...chosen);
    }
    return agenda.peek();
  }

  /**
   * Whether an item was set as a timer, and not caused at its own instant. Requests have deviation points of their own.
   */
  private isTimer(item: AgendaItem): boolean {
    return item.depth === 0 && !this.parts.endpoints().isOwn(item);
  }

  private runItem(): AgendaItem | undefined {
    const { agenda, run, step } = this.parts;
    const item = agenda.peek();
    if (item === undefined) return undefined;
    run.nowMs = item.dueMs;
    try {
      run.mustEnd(item.depth, () => describeItem(item));
    } catch (error) {
      agenda.forgive(item);
      throw error;
    }
    agenda.take();
    step(item);
    return item;
  }

  private move<T>(run: () => T): T {
    this.startMoving();
    try {
      if (this.asyncRun.isOpen) this.asyncRun.mustHaveSettled();
      return run();
    } finally {
      this.moving = false;
    }
  }

  private async moveAsync<T>(run: () => Promise<T>, isRealTime = false): Promise<T> {
    this.startMoving();
    this.endpointCalls.isRealTime = isRealTime;
    this.parts.listeners.keepPromises(true);
    if (!isRealTime) this.parts.work.beginRun();
    try {
      if (this.asyncRun.isOpen && !isRealTime) await this.asyncRun.takeAll();
      if (this.parts.work.isStirred) await this.untilWorkIsDone();
      return await run();
    } finally {
      if (!isRealTime) this.parts.work.endRun();
      this.moving = false;
      this.parts.listeners.keepPromises(false);
    }
  }

  private startMoving(): void {
    const { run } = this.parts;
    run.assertOpen();
    if (run.calling !== undefined)
      throw markTimeMisuse(
        new CommandError(
          "not_allowed",
          `time cannot pass inside ${run.calling()}: it stands still until the handler has returned. Issue commands there, and let time pass outside: in the test, or in what the handler leaves for later`,
        ),
      );
    if (this.moving) {
      const waits = this.waitingFor.length === 0 ? "" : `, and waits for ${this.waitingFor.join(" and ")}`;
      throw markTimeMisuse(
        new CommandError(
          "not_allowed",
          `time is already moving${waits}: a handler may issue commands but not let time pass, and an asynchronous advance must be awaited before the next`,
        ),
      );
    }
    this.moving = true;
  }
}

function describeItem({ purpose, recordId }: AgendaItem): string {
  return `${purpose} of ${recordId}`;
}

/** Shows a callback as an agenda item, for lists of what is scheduled. */
function itemOf({ dueMs }: Callback): AgendaItem {
  return {
    ...{ dueMs, serial: -1, task: "callback", recordId: "sim.schedule", purpose: "callback" },
    ...{ data: undefined, isBackground: false, depth: 0 },
  };
}
