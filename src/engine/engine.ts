import type { AnyEventObject, AnyStateMachine } from "xstate";
import { Agenda, type AgendaItem } from "./agenda.ts";
import { type Callback, Callbacks } from "./callbacks.ts";
import { callerOf } from "./caller.ts";
import { type ChoicePoint, Choices, type Deviation } from "./choices.ts";
import { CommandError, RunawayError } from "./errors.ts";
import { type Appended, EventLog, eventOf, type LoggedEvent, type Returned } from "./event-log.ts";
import { type About, type AnyRoles, Host, MACHINE_TIMER, type MachineState, type Roles } from "./host.ts";
import { type IdStyle, Ids } from "./ids.ts";
import { iso, LAST_DATE_MS } from "./instants.ts";
import { Journal, type JournalEnd } from "./journal.ts";
import { LateAnswers } from "./late-answers.ts";
import { Places } from "./places.ts";
import { Promised, type Reply, type TimeMark } from "./promised.ts";
import { isPromise } from "./promises.ts";
import { Randomness } from "./random.ts";
import { TimeWaits } from "./time-waits.ts";
import { Waits } from "./waits.ts";

/** What an engine is made of at its start. */
export interface EngineOptions {
  readonly startMs: number;
  readonly seed: string | number;
  readonly idStyle: IdStyle;
  readonly organisationId: string;
  readonly keepEvents: number;
  readonly keepJournal: boolean;
  readonly machines: Readonly<Record<string, AnyStateMachine>>;
}

/** What the platform plugs in. */
export interface EngineHooks<C extends Roles<C> = AnyRoles> {
  react<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  /** An event was appended to the log. */
  published(event: Appended): void;
  /** What is left to do at the end of each step, before the listeners are told. */
  settle(): void;
  /** Handlers of what the platform schedules, by task name. */
  readonly tasks: Readonly<Record<string, (item: AgendaItem) => void>>;
  readonly outside: Outside;
}

/**
 * The endpoints outside that some items of the agenda call on. Asked before such an item runs, so that an endpoint that
 * cannot be waited for leaves the item due.
 */
export interface Outside {
  /** The name of the tasks that call out. */
  readonly task: string;
  /** Where, among the choice points, a request may arrive while the one before it is still being handled. */
  overlapOf(item: AgendaItem): ChoicePoint | undefined;
  /** Whether an item is about the way of a request. */
  isOwn(item: AgendaItem): boolean;
  /**
   * How to ask the endpoint of an item; undefined when there is none to ask. May return a promise, or throw.
   * @param canWait whether a promise can be waited for
   */
  endpointOf(item: AgendaItem, canWait: boolean): (() => unknown) | undefined;
  /** Whether the endpoint of an item may be asked while others are: it answers in real time, and never throws at once. */
  isConcurrent?(item: AgendaItem): boolean;
  /** Who is asked, in words. */
  describe(item: AgendaItem): string;
  /** Takes what the endpoint answered, or `thrown`, or that it will answer later, before the item runs. */
  answered(item: AgendaItem, reply: Reply | "later"): void;
  /** Tells the request of an item from others. */
  keyOf(item: AgendaItem): string;
  /** Takes the answer to such a request, which comes at this instant. */
  answeredLate(key: string, reply: Reply): void;
  /** The request that nobody waits for any longer once this item has run; undefined: it is not about that. */
  limitOf(item: AgendaItem): string | undefined;
}

/** What came of asking an endpoint, and when it was asked. */
type Asked = Reply & { readonly mark: TimeMark };

/** Watches a run as it goes; how the timeline learns of what the event stream does not show. */
export interface Tracer<C extends Roles<C> = AnyRoles> {
  /** A command is about to be tried. */
  command(name: string, args: unknown): void;
  /** The command that was told of last was refused: nothing came of it. */
  refused?(): void;
  item(item: AgendaItem): void;
  fact<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  event(event: LoggedEvent): void;
  /** A request to an endpoint outside is over. */
  requestOver(request: unknown): void;
  /** A request to an endpoint outside is dealt with in another way than usual. */
  requestDeviates(request: unknown, deviation: Pick<Deviation, "is" | "by">): void;
  /** Of two timers that are due at an instant, the later one goes first. */
  timerDeviates?(first: string, before: string, atMs: number): void;
  /** A machine started (`before` is undefined) or took an event. */
  machine?(step: MachineStep): void;
}

/** What a machine did with an event. */
export interface MachineStep {
  readonly machine: string;
  /** Which instance of the machine it is. */
  readonly id: string;
  readonly about: About;
  /** What it was told; undefined where it started. */
  readonly event: AnyEventObject | undefined;
  readonly before: MachineState | undefined;
  readonly after: MachineState;
}

/** So many endpoints are asked at the same time at most. */
const MAX_TOGETHER = 100;

/** Causes at one instant that lead to each other: more than this is taken for a loop without end. */
const CAUSAL_LIMIT = 10_000;

interface Parts {
  agenda: Agenda;
  log: EventLog;
  ids: Ids;
  randomness: Randomness;
  journal: Journal;
  choices: Choices;
  places: Places;
}

/**
 * The only queue, clock, randomness and log. A step (one command, or one item of the agenda) runs to completion; then
 * the listeners are told in log order. A command issued by a listener is a step of its own, run at once.
 */
export class Engine<C extends Roles<C> = AnyRoles> {
  readonly host: Host<C>;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Where the run may deviate, and where it is to. */
  readonly choices: Choices;
  /** Where handlers were handed in. */
  readonly places: Places;
  tracer: Tracer<C> | undefined;
  /** Called before each step of an asynchronous run, which awaits it; what it throws ends the run before that step. */
  betweenSteps: (() => Promise<void> | undefined) | undefined;

  private readonly agenda: Agenda;
  private readonly callbacks = new Callbacks();
  /** How many callbacks in a row were scheduled at the instant at which they were called. */
  private callbacksAtOnce = 0;
  private hooks: EngineHooks<C> | undefined;
  private nowMs: number;
  private stepsRun = 0;
  /** True while a step changes state: nothing else may. */
  private stepping = false;
  private telling = false;
  /** True from the call of a time method to its end, also while an asynchronous one waits. */
  private moving = false;
  private disposed = false;
  /** How many steps of this instant led to the current one. */
  private depth = 0;
  /** What listeners returned during an asynchronous run, to be awaited before the next item. */
  private promises: Promised[] | undefined;
  /** What handlers may wait for that only virtual time brings. */
  readonly timeWaits: TimeWaits = new TimeWaits(() =>
    this.late.open.filter((each) => !this.timeWaits.hasWoken(each)),
  );
  private readonly waits = new Waits(this.timeWaits);
  /** Who is being told or asked, in words. */
  private tellingWho: (() => string) | undefined;
  /**
   * Called after each item, when its endpoint and the listeners are done. A promise is awaited in an asynchronous run.
   * What it throws comes out of the time method.
   * @param isCallback it was a callback of `sim.schedule`
   */
  afterItem: ((isCallback?: boolean) => unknown) | undefined;
  /** What endpoints promised in a synchronous run, which could not wait for it, by the serial of the item. */
  private readonly promised = new Map<
    number,
    { readonly promise: Promise<unknown>; readonly mark: TimeMark }
  >();
  /** What endpoints and handlers are still busy with while time goes on. */
  private readonly late: LateAnswers;
  /** When those were last looked at. */
  private lateMark: TimeMark | undefined;
  /** Time passes as the wall clock does: it goes on while real endpoints are asked. */
  private isRealTime = false;

  constructor(
    readonly options: EngineOptions,
    parts?: Parts & { nowMs: number; stepsRun: number; late: LateAnswers },
  ) {
    this.late = parts?.late ?? new LateAnswers();
    this.randomness = parts?.randomness ?? new Randomness(options.seed);
    this.ids = parts?.ids ?? new Ids(options.idStyle, this.randomness);
    this.agenda = parts?.agenda ?? new Agenda();
    this.log = parts?.log ?? new EventLog(options.keepEvents);
    this.journal = parts?.journal ?? Journal.create(options.keepJournal);
    this.choices = parts?.choices ?? new Choices();
    this.places = parts?.places ?? new Places();
    this.nowMs = parts?.nowMs ?? options.startMs;
    this.stepsRun = parts?.stepsRun ?? 0;
    this.host = new Host(options.machines, {
      schedule: (delayMs, task, recordId, purpose, data) =>
        this.schedule(delayMs, task, recordId, purpose, data),
      cancel: (serial) => this.agenda.cancel(serial),
      stepped: (machine, id, about, event, before, after) =>
        this.tracer?.machine?.({ machine, id, about, event, before, after }),
      react: (machine, about, fact) => {
        this.tracer?.fact(machine, about, fact);
        this.hooks?.react(machine, about, fact);
      },
    });
  }

  /** Virtual time, ms since the epoch. */
  get now(): number {
    return this.nowMs;
  }

  /** Where the run stands: enough, with the journal, to come here again. */
  get position(): JournalEnd {
    return { atMs: this.nowMs, step: this.stepsRun };
  }

  /** An endpoint has been asked to answer, and the item of its request has not run, or time does not wait for it. */
  get isAnsweredAhead(): boolean {
    return this.promised.size > 0 || this.late.size > 0;
  }

  /** Time is moving: a time method was called and is not over. */
  get isMoving(): boolean {
    return this.moving;
  }

  connect(hooks: EngineHooks<C>): void {
    this.hooks = hooks;
  }

  /** Schedules a platform task or a machine's delayed event. Returns a serial for `cancel`. */
  schedule(delayMs: number, task: string, recordId: string, purpose: string, data: unknown): number {
    return this.add(delayMs, task, recordId, purpose, data, false);
  }

  /** The same for what goes on for ever: it runs as time passes, but does not keep a run from being idle. */
  scheduleBackground(
    delayMs: number,
    task: string,
    recordId: string,
    purpose: string,
    data: unknown,
  ): number {
    return this.add(delayMs, task, recordId, purpose, data, true);
  }

  cancel(serial: number): void {
    this.agenda.cancel(serial);
  }

  /** Schedules a task for this instant, before all else that it still holds. */
  scheduleNext(task: string, recordId: string, purpose: string, data: unknown): void {
    this.agenda.moveAhead(this.schedule(0, task, recordId, purpose, data));
  }

  /**
   * Calls back at an instant, once all else that is due then has run. The commands that the callback issues are in the
   * journal; the callback is not, nor is it in a fork.
   * @param isReal what it returns settles in real time, and no handler waits for it
   * @returns what calls it off
   */
  callBack(delayMs: number, run: () => unknown, isReal = false): () => void {
    this.assertOpen();
    const callback = { dueMs: this.nowMs + delayMs, run, isAtOnce: delayMs === 0, isReal };
    this.callbacks.add(callback);
    if (!isReal) this.timeWaits.begin(callback);
    return () => {
      this.callbacks.remove(callback);
      this.timeWaits.end(callback);
    };
  }

  /** What is due at an instant and was scheduled after a serial was given. */
  dueSince(dueMs: number, serial: number): AgendaItem[] {
    return this.agenda.dueSince(dueMs, serial);
  }

  /** Nothing is scheduled but what goes on for ever. */
  get isIdle(): boolean {
    return this.callbacks.next === undefined && this.agenda.isIdle;
  }

  /** The same, whatever callbacks are to come. */
  get hasNothingDue(): boolean {
    return this.agenda.isIdle;
  }

  /** What an asynchronous run waits for now, in words. */
  get waitingFor(): readonly string[] {
    return this.waits.list();
  }

  /** Has a run that waits for long say nothing on the console. */
  waitQuietly(): void {
    this.waits.isQuiet = true;
  }

  /** Resolves when every real endpoint that was asked has answered. Its answer is taken as time goes on. */
  async lateSettled(): Promise<void> {
    const real = this.late.open.filter(({ isReal }) => isReal);
    await Promise.all(real.map(({ settling }) => settling));
  }

  /** What is scheduled, in the order in which it will run. */
  pending(): AgendaItem[] {
    const items = this.agenda.list();
    const callbacks = this.callbacks.all();
    return callbacks.length === 0
      ? items
      : [...items, ...callbacks.map(itemOf)].sort((a, b) => a.dueMs - b.dueMs);
  }

  /**
   * Appends an event at this instant.
   * @param data is frozen and must hold frozen records; or what makes it when it is first read, now or at any later time
   */
  publish(type: string, data: object | (() => object)): void {
    const id = this.ids.next("event");
    const event = this.log.append(id, type, this.nowMs, this.options.organisationId, data, this.depth);
    this.tracer?.event(eventOf(event));
    this.hooks?.published(event);
  }

  /**
   * Runs one command as a step, records it in the journal, and tells the listeners.
   * `act` must throw before it changes anything, or not at all.
   */
  command<T>(name: string, args: unknown, act: () => T): T {
    this.assertOpen();
    if (this.stepping)
      throw new Error(`${name} was called from inside a step; only listeners may issue commands`);
    const outerDepth = this.depth;
    this.depth = this.telling ? outerDepth + 1 : 0;
    let result: T;
    this.stepping = true;
    try {
      this.guard(() => `the command ${name}(${JSON.stringify(args)}), issued by a listener`);
      this.tracer?.command(name, args);
      result = this.tried(act);
      this.hooks?.settle();
      this.journal.record(this.position, name, args);
    } finally {
      this.stepping = false;
      this.depth = outerDepth;
    }
    throwAll(this.tellListeners());
    return result;
  }

  private tried<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.tracer?.refused?.();
      throw error;
    }
  }

  /** Runs all that is due up to an instant, each item at its own, then stands there. */
  runTo(targetMs: number): void {
    this.move(() => {
      while (this.nextDueMs <= targetMs) this.runNext();
      this.stand(targetMs);
    });
  }

  /**
   * The same as `runTo`, awaiting what listeners return at each step before going on.
   * @param isRealTime time goes on while real endpoints are asked
   */
  async runToAsync(targetMs: number, isRealTime = false): Promise<void> {
    await this.moveAsync(async () => {
      for (;;) {
        while (this.nextDueMs <= targetMs) {
          const pause = this.betweenSteps?.();
          // without one it goes on at once: a promise awaited costs as much as a step
          if (pause !== undefined) await pause;
          await this.runNextAsync();
        }
        this.stand(targetMs);
        if (this.late.size > 0) throwAll(await this.settleLate());
        if (this.nextDueMs > targetMs) return;
      }
    }, isRealTime);
  }

  /** Runs the next item alone; returns it, or undefined when nothing is scheduled. */
  step(): AgendaItem | undefined {
    return this.move(() => this.runNext());
  }

  async stepAsync(): Promise<AgendaItem | undefined> {
    return this.moveAsync(() => this.runNextAsync());
  }

  /** Runs item after item until `done` answers, nothing is due by the limit, or nothing is scheduled. */
  runWhile(limitMs: number, goOn: () => boolean): "stopped" | "limit" | "idle" {
    return this.move(() => {
      for (;;) {
        const outcome = this.whetherToStop(limitMs, goOn);
        if (outcome !== undefined) return outcome;
        this.runNext();
      }
    });
  }

  async runWhileAsync(limitMs: number, goOn: () => boolean): Promise<"stopped" | "limit" | "idle"> {
    return this.moveAsync(async () => {
      for (;;) {
        const outcome = this.whetherToStop(limitMs, goOn);
        if (outcome !== undefined) return outcome;
        const pause = this.betweenSteps?.();
        if (pause !== undefined) await pause;
        await this.runNextAsync();
      }
    });
  }

  /**
   * Runs exactly as many items as it takes to reach a recorded position, then stands at its instant.
   * @returns false if this run does not lead there
   */
  replayTo({ atMs, step }: JournalEnd): boolean {
    while (this.replayStep(step));
    return this.standAt({ atMs, step });
  }

  /** Runs the next item if fewer than `step` have run; returns whether it did. */
  replayStep(step: number): boolean {
    if (this.stepsRun >= step || this.agenda.size === 0) return false;
    this.runNext();
    return true;
  }

  /** Stands at a recorded position whose items have all run. @returns false if this run does not lead there */
  standAt({ atMs, step }: JournalEnd): boolean {
    const next = this.agenda.peek();
    const leadsThere =
      this.stepsRun === step && atMs >= this.nowMs && (next === undefined || next.dueMs >= atMs);
    this.nowMs = atMs;
    return leadsThere;
  }

  fork(): Engine<C> {
    if (this.stepping || this.telling)
      throw new CommandError(
        "not_allowed",
        "fork() cannot be called from a listener: the step that told it is not over",
      );
    this.assertOpen();
    const randomness = this.randomness.fork();
    const copy = new Engine<C>(this.options, {
      agenda: this.agenda.fork(),
      log: this.log.fork(),
      ids: this.ids.fork(randomness),
      randomness,
      journal: this.journal.fork(),
      choices: this.choices.fork(),
      places: new Places(this.places),
      nowMs: this.nowMs,
      stepsRun: this.stepsRun,
      late: this.late.fork(),
    });
    this.host.forkInto(copy.host);
    return copy;
  }

  dispose(): void {
    this.disposed = true;
    this.agenda.clear();
    this.callbacks.clear();
    this.host.clear();
    this.log.clearListeners();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  assertOpen(): void {
    if (this.disposed) throw new CommandError("disposed", "this simulator was disposed: create another");
  }

  private add(
    delayMs: number,
    task: string,
    recordId: string,
    purpose: string,
    data: unknown,
    isBackground: boolean,
  ): number {
    const depth = delayMs === 0 ? this.depth + 1 : 0;
    return this.agenda.add({
      // what no date can hold never comes, and can still be listed
      dueMs: Math.min(this.nowMs + delayMs, LAST_DATE_MS),
      task,
      recordId,
      purpose,
      data,
      isBackground,
      depth,
    });
  }

  /** A simulator that a listener disposed of stays where it was. */
  private stand(atMs: number): void {
    if (!this.disposed) this.nowMs = atMs;
  }

  private whetherToStop(limitMs: number, goOn: () => boolean): "stopped" | "limit" | "idle" | undefined {
    if (!goOn()) return "stopped";
    const { nextDueMs } = this;
    if (nextDueMs === Number.POSITIVE_INFINITY) return "idle";
    return nextDueMs > limitMs ? "limit" : undefined;
  }

  /** When something is due next; infinity when nothing is scheduled. */
  get nextDueMs(): number {
    const itemMs = this.agenda.peek()?.dueMs ?? Number.POSITIVE_INFINITY;
    const callbackMs = this.callbacks.next?.dueMs;
    return callbackMs !== undefined && callbackMs < itemMs ? callbackMs : itemMs;
  }

  private runNext(): AgendaItem | undefined {
    if (this.isCallbackNext) {
      const { item, thrown } = this.runCallback();
      throwAll([...thrown, ...this.tellListeners()]);
      this.afterItem?.(true);
      if (this.late.size > 0) this.mustNotHaveWoken();
      return item;
    }
    const next = this.nextItem();
    const thrown = next?.task === this.hooks?.outside.task ? this.callOut(next as AgendaItem) : [];
    const item = this.runItem();
    throwAll([...thrown, ...this.tellListeners()]);
    this.afterItem?.();
    if (this.late.size > 0) this.mustNotHaveWoken();
    return item;
  }

  /** The same, awaiting what endpoints and listeners return. */
  private async runNextAsync(): Promise<AgendaItem | undefined> {
    if (this.late.size > 0) await this.untilNextMayRun();
    if (this.isCallbackNext) {
      const { item, thrown } = this.runCallback();
      thrown.push(...this.tellListeners());
      throwAll([...thrown, ...(await this.settle())]);
      const waits = this.afterItem?.(true);
      if (isPromise(waits)) await waits;
      if (this.late.size > 0) throwAll(await this.settleLate());
      return item;
    }
    const next = this.nextItem();
    const thrown = next?.task === this.hooks?.outside.task ? await this.callOutAsync(next as AgendaItem) : [];
    const item = this.runItem();
    thrown.push(...this.tellListeners());
    throwAll([...thrown, ...(await this.settle())]);
    const waits = this.afterItem?.();
    if (isPromise(waits)) await waits;
    if (this.late.size > 0) throwAll(await this.settleLate());
    return item;
  }

  /** What endpoints have answered meanwhile comes now. Returns what was thrown instead. */
  private takeLate(): unknown[] {
    const thrown: unknown[] = [];
    for (const { key, reply } of this.late.takeSettled()) {
      if (key !== undefined) this.hooks?.outside.answeredLate(key, reply);
      if ("thrown" in reply) thrown.push(reply.thrown);
    }
    return thrown;
  }

  /** Those who waited for virtual time go on now: until they are done, or wait again. Returns what they threw. */
  private async settleLate(): Promise<unknown[]> {
    const woken = this.late.open.filter((each) => this.timeWaits.hasWoken(each));
    await Promise.all(
      woken.map((each) => {
        each.mark = this.lateMark ?? each.mark;
        return this.waits.settledOrBound(each);
      }),
    );
    this.lateMark = this.timeWaits.mark();
    return this.takeLate();
  }

  /** Time goes on while someone is still busy. @param key the request that this is the answer to */
  private goOnWithout(promised: Promised, key?: string): void {
    this.late.add(promised, key);
    this.lateMark = this.timeWaits.mark();
  }

  /** Waits for endpoints where the next item would be too early. */
  private async untilNextMayRun(): Promise<void> {
    for (;;) {
      const next = this.isCallbackNext ? undefined : this.agenda.peek();
      const waits = next && this.lateBefore(next);
      if (waits === undefined) return;
      await waits;
      this.takeLate();
    }
  }

  /** What an item waits for: the endpoint of a request that has come to its limit, or one of too many that are asked. */
  private lateBefore(item: AgendaItem): Promise<unknown> | undefined {
    const { outside } = this.hooks as EngineHooks<C>;
    const late = this.late.get(outside.limitOf(item));
    if (late?.isReal === true) {
      this.nowMs = item.dueMs;
      return this.waits.settled(late);
    }
    if (item.task !== outside.task || this.late.size < MAX_TOGETHER) return undefined;
    const real = this.late.open.filter(({ isReal }) => isReal);
    return real.length < MAX_TOGETHER ? undefined : Promise.race(real.map(({ settling }) => settling));
  }

  /** Where time is told to pass, instead of going on by itself, all endpoints that were asked before answer first. */
  private async takeAllLate(): Promise<void> {
    const real = this.late.open.filter(({ isReal }) => isReal);
    await Promise.all(real.map((each) => this.waits.settled(each)));
    // the app's timers may have run at a later instant than this one
    throwAll(this.timeWaits.app === undefined ? await this.settleLate() : []);
  }

  /** A callback comes after all else that is due at its instant. */
  private get isCallbackNext(): boolean {
    const callback = this.callbacks.next;
    return callback !== undefined && (this.agenda.peek()?.dueMs ?? Number.POSITIVE_INFINITY) > callback.dueMs;
  }

  /** What the callback returns is awaited with what listeners return. */
  private runCallback(): { readonly item: AgendaItem; readonly thrown: unknown[] } {
    const callback = this.callbacks.next as Callback;
    this.callbacks.remove();
    this.callbacksAtOnce = callback.isAtOnce ? this.callbacksAtOnce + 1 : 0;
    this.nowMs = callback.dueMs;
    const item = itemOf(callback);
    if (this.callbacksAtOnce > CAUSAL_LIMIT) {
      this.callbacksAtOnce = 0;
      throw this.runaway(`${item.purpose} of ${item.recordId}`);
    }
    this.timeWaits.end(callback);
    const mark = this.timeWaits.mark();
    try {
      const returned = callback.run();
      const inWords = () => `the callback of sim.schedule${this.places.lineOf(callback.run)}`;
      if (isPromise(returned)) this.promises?.push(new Promised(returned, inWords, mark, callback.isReal));
      return { item, thrown: [] };
    } catch (error) {
      return { item, thrown: [error] };
    }
  }

  private nextItem(): AgendaItem | undefined {
    if (this.choices.isActive && this.choices.timersDecidedAt !== this.stepsRun) this.chooseTimer();
    return this.agenda.peek();
  }

  /** Of several timers that are due at this instant, another than the first may run first. */
  private chooseTimer(): void {
    this.choices.timersDecidedAt = this.stepsRun;
    const next = this.agenda.peek();
    if (next === undefined || !this.isTimer(next)) return;
    const others = this.agenda.ties().filter((item) => item !== next && this.isTimer(item));
    if (others.length === 0) return;
    const labels = labelled([next, ...others]);
    const options = labels.slice(1).map((of) => ({ is: "first", of }));
    const at = next.dueMs - this.options.startMs;
    const deviation = this.choices.meet(
      this.choices.pointAt({ what: "timer", at, of: labels[0] ?? "" }),
      options,
    );
    const chosen = others[options.findIndex(({ of }) => of === deviation?.of)];
    if (chosen === undefined || deviation === undefined) return;
    this.agenda.moveAhead(chosen.serial);
    this.tracer?.timerDeviates?.(deviation.of, labels[0] ?? "", chosen.dueMs);
  }

  /** Whether an item was waited for, rather than caused at its own instant; requests have choices of their own. */
  private isTimer(item: AgendaItem): boolean {
    return item.depth === 0 && this.hooks?.outside.isOwn(item) !== true;
  }

  /**
   * Asks the endpoint that an item calls on. Returns what it threw, once the item has run.
   * @throws {CommandError} `not_allowed` for a promise: the item is still due
   */
  private callOut(item: AgendaItem): unknown[] {
    const answer = this.ask(item, false);
    if (answer === undefined || "thrown" in answer) return this.takeAnswer(item, answer);
    if (!isPromise(answer.answer)) return this.takeAnswer(item, answer);
    this.keepPromise(item, answer.answer, answer.mark);
    throw new CommandError(
      "not_allowed",
      `${item.purpose}: the endpoint answers with a promise, which a synchronous run cannot wait for; nothing is lost, the request is still due: go on with the Async twin (advanceAsync, runUntilAsync ...)`,
    );
  }

  private async callOutAsync(item: AgendaItem): Promise<unknown[]> {
    if (this.isRealTime && this.hooks?.outside.isConcurrent?.(item) === true)
      return this.callOutMeanwhile(item);
    const isFirst = !this.promised.has(item.serial);
    const answer = this.ask(item, true);
    if (isFirst) this.askTogether(item);
    if (answer === undefined || "thrown" in answer) return this.takeAnswer(item, answer);
    if (!isPromise(answer.answer)) return this.takeAnswer(item, answer);
    if (this.choices.isActive && !this.promised.has(item.serial)) this.askAhead(item);
    this.promised.delete(item.serial);
    const isReal = this.hooks?.outside.isConcurrent?.(item) === true;
    const inWords = () => this.hooks?.outside.describe(item) ?? "";
    const promised = new Promised(answer.answer, inWords, answer.mark, isReal);
    if (isReal) await this.waits.settled(promised);
    else await this.waits.settledOrBound(promised);
    if (promised.reply !== undefined) return this.takeAnswer(item, promised.reply);
    return this.leaveForLater(item, promised);
  }

  /** The endpoint answers while time goes on. */
  private leaveForLater(item: AgendaItem, promised: Promised): unknown[] {
    if (this.disposed) return [];
    const { outside } = this.hooks as EngineHooks<C>;
    this.goOnWithout(promised, outside.keyOf(item));
    outside.answered(item, "later");
    return [];
  }

  private keepPromise(item: AgendaItem, answer: PromiseLike<unknown>, mark: TimeMark): void {
    const promise = Promise.resolve(answer);
    promise.catch(() => {}); // whoever awaits it when its item runs hears of it
    this.promised.set(item.serial, { promise, mark });
  }

  /** Asks a real endpoint and does not wait: it answers while time goes on. */
  private callOutMeanwhile(item: AgendaItem): unknown[] {
    const answer = this.ask(item, true);
    if (answer === undefined || "thrown" in answer || !isPromise(answer.answer))
      return this.takeAnswer(item, answer);
    this.promised.delete(item.serial);
    const inWords = () => this.hooks?.outside.describe(item) ?? "";
    return this.leaveForLater(item, new Promised(answer.answer, inWords, answer.mark, true));
  }

  /**
   * Asks the endpoints of the other items that are due at this instant, where they may be asked at the same time. Their
   * answers are taken when their items run, so that the order of the run does not depend on who is fast.
   */
  private askTogether(item: AgendaItem): void {
    const { outside } = this.hooks ?? {};
    if (outside?.isConcurrent?.(item) !== true) return;
    for (const other of this.agenda.dueAt(item.dueMs).slice(0, MAX_TOGETHER)) {
      if (other.task !== outside.task || this.promised.has(other.serial)) continue;
      if (other.serial === item.serial || !outside.isConcurrent(other)) continue;
      const answer = this.ask(other, true);
      if (answer === undefined || "thrown" in answer) continue;
      this.keepPromise(other, Promise.resolve(answer.answer), answer.mark);
    }
  }

  /**
   * An endpoint is still busy with a request: the one that arrives next, at this instant, may be handled meanwhile. It is
   * asked at once, before what the first waits for can happen, and its answer is taken when its own item runs.
   */
  private askAhead(busyWith: AgendaItem): void {
    const items = this.agenda.ties();
    for (let index = items.indexOf(busyWith) + 1; index < items.length; index++) {
      const next = items[index] as AgendaItem;
      const point = next.task === this.hooks?.outside.task ? this.hooks.outside.overlapOf(next) : undefined;
      if (point === undefined || this.choices.meet(point, overlapping) === undefined) return;
      const answer = this.ask(next, true);
      if (answer === undefined) return;
      const promise = "thrown" in answer ? Promise.reject(answer.thrown) : Promise.resolve(answer.answer);
      this.keepPromise(next, promise, answer.mark);
    }
  }

  private ask(item: AgendaItem, canWait: boolean): Asked | undefined {
    this.nowMs = item.dueMs;
    const promised = this.promised.get(item.serial);
    if (promised !== undefined) return { answer: promised.promise, mark: promised.mark };
    const ask = this.hooks?.outside.endpointOf(item, canWait);
    if (ask === undefined) return undefined;
    this.telling = true;
    this.tellingWho = () => this.hooks?.outside.describe(item) ?? "";
    this.depth = item.depth;
    const mark = this.timeWaits.mark();
    try {
      return { answer: ask(), mark };
    } catch (thrown) {
      return { thrown, mark };
    } finally {
      this.telling = false;
      this.depth = 0;
    }
  }

  private takeAnswer(item: AgendaItem, reply: Reply | undefined): unknown[] {
    if (reply === undefined || this.disposed) return [];
    this.hooks?.outside.answered(item, reply);
    return "thrown" in reply ? [reply.thrown] : [];
  }

  private runItem(): AgendaItem | undefined {
    const item = this.agenda.peek();
    if (item === undefined) return undefined;
    this.nowMs = item.dueMs;
    if (item.depth > CAUSAL_LIMIT) {
      this.agenda.forgive(item);
      throw this.runaway(`${item.purpose} of ${item.recordId}`);
    }
    this.agenda.take();
    this.depth = item.depth;
    this.stepsRun++;
    this.stepping = true;
    try {
      this.tracer?.item(item);
      if (item.task === MACHINE_TIMER) this.host.fire(item);
      else this.task(item.task)(item);
      this.hooks?.settle();
    } finally {
      this.stepping = false;
      this.depth = 0;
    }
    return item;
  }

  private task(name: string): (item: AgendaItem) => void {
    const handler = this.hooks?.tasks[name];
    if (handler === undefined) throw new Error(`nothing runs the task "${name}"`);
    return handler;
  }

  /** Tells the listeners all that is untold. Returns what they threw, once all have heard. */
  private tellListeners(): unknown[] {
    const allThrown: unknown[] = [];
    if (this.telling || !this.log.hasUntold) return allThrown;
    this.telling = true;
    try {
      let type = "";
      this.tellingWho = () => handlerInWords(type, this.log.teller, this.places);
      for (let next = this.log.takeUntold(); next !== undefined; next = this.log.takeUntold()) {
        this.depth = next.depth;
        type = next.event.type;
        this.tell(next.event, allThrown);
      }
    } finally {
      this.telling = false;
      this.depth = 0;
    }
    return allThrown;
  }

  /** What listeners return counts only in an asynchronous run: see `settle`. */
  private tell(event: Appended, thrown: unknown[]): void {
    if (this.promises === undefined) {
      this.log.tell(event, undefined, thrown);
      return;
    }
    const { type } = event;
    const mark = this.timeWaits.mark();
    const returned: Returned[] = [];
    this.log.tell(event, returned, thrown);
    for (const { value, handler } of returned)
      this.promises.push(new Promised(value, () => handlerInWords(type, handler, this.places), mark, false));
  }

  /**
   * Awaits what listeners returned, and what the commands they then issued made others return, until all is quiet.
   * Returns what they were rejected with.
   */
  private async settle(): Promise<unknown[]> {
    const rejected: unknown[] = [];
    for (let round = 0; this.promises !== undefined && this.promises.length > 0; round++) {
      if (round > CAUSAL_LIMIT) throw this.runaway("the asynchronous listeners of events");
      const all = this.promises.splice(0);
      await Promise.all(
        all.map((each) => (each.isReal ? this.waits.settled(each) : this.waits.settledOrBound(each))),
      );
      for (const each of all) {
        if (each.reply === undefined) this.goOnWithout(each);
        else if ("thrown" in each.reply) rejected.push(each.reply.thrown);
      }
    }
    return rejected;
  }

  private move<T>(run: () => T): T {
    this.startMoving();
    try {
      if (this.late.size > 0) this.mustHaveSettled();
      return run();
    } finally {
      this.moving = false;
    }
  }

  private async moveAsync<T>(run: () => Promise<T>, isRealTime = false): Promise<T> {
    this.startMoving();
    this.isRealTime = isRealTime;
    this.promises = [];
    try {
      if (this.late.size > 0) {
        if (!isRealTime) await this.takeAllLate();
      }
      return await run();
    } finally {
      this.moving = false;
      this.promises = undefined;
    }
  }

  /** @throws {CommandError} `not_allowed` where a real endpoint is still being asked */
  private mustHaveSettled(): void {
    throwAll(this.takeLate());
    this.mustNotHaveWoken();
    const late = this.late.open.find(({ isReal }) => isReal);
    if (late === undefined) return;
    throw new CommandError(
      "not_allowed",
      `${late.inWords()} has not answered yet, which a synchronous run cannot wait for; nothing is lost: go on with the Async twin (advanceAsync, runUntilAsync ...)`,
    );
  }

  /** @throws {CommandError} `not_allowed` where what a handler waited for is there, and it goes on */
  private mustNotHaveWoken(): void {
    const woken = this.late.open.find((each) => this.timeWaits.hasWoken(each));
    if (woken === undefined) return;
    throw new CommandError(
      "not_allowed",
      `${woken.inWords()} goes on now, which a synchronous run cannot wait for; nothing is lost: go on with the Async twin (advanceAsync, runUntilAsync ...)`,
    );
  }

  private startMoving(): void {
    this.assertOpen();
    if (this.telling)
      throw new CommandError(
        "not_allowed",
        `time cannot pass inside ${this.tellingWho?.() ?? "a handler"}: it stands still until the handler has returned. Issue commands there, and let time pass outside: in the test, or in what the handler leaves for later`,
      );
    if (this.moving) {
      const waitedFor = this.waitingFor.join(" and ");
      throw new CommandError(
        "not_allowed",
        `time is already moving${waitedFor === "" ? "" : `, and waits for ${waitedFor}`}: a handler may issue commands but not let time pass, and an asynchronous advance must be awaited before the next`,
      );
    }
    this.moving = true;
  }

  private guard(what: () => string): void {
    if (this.depth > CAUSAL_LIMIT) throw this.runaway(what());
  }

  private runaway(what: string): RunawayError {
    const caller = callerOf(new Error().stack);
    return new RunawayError(
      `stopped a loop: ${CAUSAL_LIMIT} steps led to each other at ${iso(this.nowMs)} without time passing, the last being ${what}${caller ? `, called from ${caller}` : ""}`,
    );
  }
}

/** A callback as the agenda would hold it, for those who list what is to come. */
function itemOf({ dueMs }: Callback): AgendaItem {
  return {
    ...{ dueMs, serial: -1, task: "callback", recordId: "sim.schedule", purpose: "callback" },
    ...{ data: undefined, isBackground: false, depth: 0 },
  };
}

const overlapping = Object.freeze([{ is: "overlapping" }]);

/** What timers are for, in words; those that are alike are numbered. */
function labelled(items: readonly AgendaItem[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ purpose, recordId }) => {
    const label = `${purpose} of ${recordId}`;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

/** What is told to whoever wrote it: which handler it is, and where it was handed in. */
function handlerInWords(type: string, handler: object | undefined, places: Places): string {
  return `the handler of ${type}${places.lineOf(handler)}`;
}

function throwAll(thrown: readonly unknown[]): void {
  if (thrown.length === 1) throw thrown[0];
  if (thrown.length > 1) {
    const words = thrown.map((each) => (each instanceof Error ? each.message : String(each)));
    throw new AggregateError(thrown, `${thrown.length} listeners or endpoints threw: ${words.join("; ")}`);
  }
}
