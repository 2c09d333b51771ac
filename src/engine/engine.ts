import type { AnyEventObject, AnyStateMachine } from "xstate";
import { Agenda, type AgendaItem } from "./agenda.ts";
import { Asking, type Outside, type TimedReply } from "./asking.ts";
import { AsyncRun } from "./async-run.ts";
import { type Callback, Callbacks } from "./callbacks.ts";
import { callerOf } from "./caller.ts";
import { Choices, type Deviation } from "./choices.ts";
import { CommandError, misuseOfTime, RunawayError, throwAll } from "./errors.ts";
import { type Appended, EventLog, eventOf, type LoggedEvent, type Returned } from "./event-log.ts";
import { type About, type AnyRoles, Host, MACHINE_TIMER, type MachineState, type Roles } from "./host.ts";
import { type IdStyle, Ids } from "./ids.ts";
import { iso, LAST_DATE_MS } from "./instants.ts";
import { Journal, type JournalEnd } from "./journal.ts";
import { LateAnswers } from "./late-answers.ts";
import { Promised } from "./promised.ts";
import { isPromise } from "./promises.ts";
import { Randomness } from "./random.ts";
import { RegistrationLines } from "./registration-lines.ts";
import { TimeWaits } from "./time-waits.ts";
import { chooseTimer } from "./timer-order.ts";
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

/** What the platform gives the engine. */
export interface EngineHooks<C extends Roles<C> = AnyRoles> {
  react<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  /** Called when an event is appended to the log. */
  published(event: Appended): void;
  /** Called at the end of each step, before the listeners are told, to do what is left of the step. */
  settle(): void;
  /** Handlers of the platform's agenda items, by task name. */
  readonly tasks: Readonly<Record<string, (item: AgendaItem) => void>>;
  readonly outside: Outside;
}

/** Watches a run. Timelines use it to learn what the event stream does not show. */
export interface Tracer<C extends Roles<C> = AnyRoles> {
  /** Called before a command is tried. */
  command(name: string, args: unknown): void;
  /** Called if the last command was refused; it changed nothing. */
  refused?(): void;
  item(item: AgendaItem): void;
  fact<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  event(event: LoggedEvent): void;
  /** Called when a request to an endpoint outside is over. */
  requestOver(request: unknown): void;
  /** Called when a request to an endpoint outside takes a deviation. */
  requestDeviates(request: unknown, deviation: Pick<Deviation, "is" | "by">): void;
  /** Called when the later of two timers of one instant runs first. */
  timerDeviates?(first: string, before: string, atMs: number): void;
  /** Called when a machine started (`before` is undefined) or took an event. */
  machine?(step: MachineStep): void;
  /** Called when something happens that no machine tells, before what follows from it. */
  happened?(what: string): void;
  /** Called with each line of what follows from a fact or a happening. It must call `play`, which plays the line. */
  line?(line: object, play: () => void): void;
}

/** What a machine did with an event. */
export interface MachineStep {
  readonly machine: string;
  /** The id of the machine's instance. */
  readonly id: string;
  readonly about: About;
  /** The event; undefined when the machine started. */
  readonly event: AnyEventObject | undefined;
  readonly before: MachineState | undefined;
  readonly after: MachineState;
}

/** How many causes may follow each other at one instant. More are taken for an endless loop. */
const CAUSAL_LIMIT = 10_000;

interface Parts {
  agenda: Agenda;
  log: EventLog;
  ids: Ids;
  randomness: Randomness;
  journal: Journal;
  choices: Choices;
  places: RegistrationLines;
}

/**
 * The only queue, clock, randomness and log. A step (one command or one agenda item) runs to completion; then the
 * listeners are told in log order. A command issued by a listener is a step of its own, run at once.
 * `Purpose`: what items of the agenda may be for.
 */
export class Engine<C extends Roles<C> = AnyRoles, Purpose extends string = string> {
  readonly host: Host<C>;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Where the run may deviate, and the planned deviations. */
  readonly choices: Choices;
  /** The lines at which handlers were registered. */
  readonly registrationLines: RegistrationLines;
  tracer: Tracer<C> | undefined;
  /** Called before each step of an asynchronous run, which awaits it. If it throws, the run ends before that step. */
  betweenSteps: (() => Promise<void> | undefined) | undefined;

  private readonly agenda: Agenda;
  private readonly callbacks = new Callbacks();
  /** How many callbacks in a row ran at the instant at which they were scheduled. */
  private callbacksAtOnce = 0;
  private hooks: EngineHooks<C> | undefined;
  private nowMs: number;
  private stepsRun = 0;
  /** True while a step changes state. No other step may begin. */
  private stepping = false;
  private telling = false;
  /** True from the call of a time method to its end, including while it waits. */
  private moving = false;
  private disposed = false;
  /** How many steps of this instant led to the current one. */
  private depth = 0;
  /** What listeners returned during an asynchronous run, awaited before the next item. */
  private promises: Promised[] | undefined;
  /** What handlers may wait for that only virtual time brings. */
  readonly timeWaits: TimeWaits = new TimeWaits(() =>
    this.late.open.filter((each) => !this.timeWaits.hasWoken(each)),
  );
  private readonly waits = new Waits(this.timeWaits);
  /** The listener or endpoint that is being called, in words. */
  private tellingWho: (() => string) | undefined;
  /**
   * Called after each item, its endpoint and its listeners. An asynchronous run awaits a returned promise. An error
   * is thrown by the time method.
   * @param isCallback whether the item was a callback of `sim.schedule`
   */
  afterItem: ((isCallback?: boolean) => unknown) | undefined;
  /** Endpoints and handlers that are still busy while time goes on. */
  private readonly late: LateAnswers;
  private readonly asyncRun: AsyncRun;
  private asking: Asking | undefined;

  constructor(
    readonly options: EngineOptions,
    parts?: Parts & { nowMs: number; stepsRun: number; late: LateAnswers },
  ) {
    this.late = parts?.late ?? new LateAnswers();
    this.asyncRun = new AsyncRun({
      late: this.late,
      timeWaits: this.timeWaits,
      waits: this.waits,
      outside: () => (this.hooks as EngineHooks<C>).outside,
      next: () => (this.isCallbackNext ? undefined : this.agenda.peek()),
      stand: (atMs) => this.stand(atMs),
    });
    this.randomness = parts?.randomness ?? new Randomness(options.seed);
    this.ids = parts?.ids ?? new Ids(options.idStyle, this.randomness);
    this.agenda = parts?.agenda ?? new Agenda();
    this.log = parts?.log ?? new EventLog(options.keepEvents);
    this.journal = parts?.journal ?? Journal.create(options.keepJournal);
    this.choices = parts?.choices ?? new Choices();
    this.registrationLines = parts?.places ?? new RegistrationLines();
    this.nowMs = parts?.nowMs ?? options.startMs;
    this.stepsRun = parts?.stepsRun ?? 0;
    this.host = new Host(options.machines, {
      schedule: (delayMs, task, recordId, purpose, data) =>
        this.add(delayMs, task, recordId, purpose, data, false),
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

  /** Where the run stands. With the journal, a replay can return here. */
  get position(): JournalEnd {
    return { atMs: this.nowMs, step: this.stepsRun };
  }

  /** Whether an endpoint was asked whose item has not run, or whose answer comes later. */
  get isAnsweredAhead(): boolean {
    return this.asking?.isAhead === true || this.asyncRun.isOpen;
  }

  /** Whether a time method is running. */
  get isMoving(): boolean {
    return this.moving;
  }

  connect(hooks: EngineHooks<C>): void {
    this.hooks = hooks;
    const asker = {
      agenda: this.agenda,
      choices: this.choices,
      waits: this.waits,
      stand: (atMs: number) => this.stand(atMs),
      call: (item: AgendaItem, endpoint: () => unknown) => this.call(item, endpoint),
      continueWithout: (promised: Promised, key: string) => this.asyncRun.continueWithout(promised, key),
      isDisposed: () => this.disposed,
    };
    this.asking = new Asking(asker, hooks.outside);
  }

  /** Schedules a platform task or a machine's delayed event. Returns a serial for `cancel`. */
  schedule(delayMs: number, task: string, recordId: string, purpose: Purpose, data: unknown): number {
    return this.add(delayMs, task, recordId, purpose, data, false);
  }

  /** Like `schedule`, for what repeats for ever: it runs as time passes but does not keep a run from being idle. */
  scheduleBackground(
    delayMs: number,
    task: string,
    recordId: string,
    purpose: Purpose,
    data: unknown,
  ): number {
    return this.add(delayMs, task, recordId, purpose, data, true);
  }

  cancel(serial: number): void {
    this.agenda.cancel(serial);
  }

  /** Schedules a task at this instant, ahead of everything else that is due. */
  scheduleNext(task: string, recordId: string, purpose: Purpose, data: unknown): void {
    this.agenda.moveAhead(this.schedule(0, task, recordId, purpose, data));
  }

  /**
   * Calls back at an instant, after everything else that is due then. The callback's commands are in the journal; the
   * callback itself is in neither journal nor forks.
   * @param isReal its promise settles in real time, and no handler waits for it
   * @returns a function that cancels it
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

  /** Items due at an instant that were scheduled after the given serial. */
  dueSince(dueMs: number, serial: number): AgendaItem[] {
    return this.agenda.dueSince(dueMs, serial);
  }

  /** Whether nothing is scheduled but background items. */
  get isIdle(): boolean {
    return this.callbacks.next === undefined && this.agenda.isIdle;
  }

  /** Like `isIdle`, without counting callbacks. */
  get hasNothingDue(): boolean {
    return this.agenda.isIdle;
  }

  /** What an asynchronous run is waiting for, in words. */
  get waitingFor(): readonly string[] {
    return this.waits.list();
  }

  /** Keeps a run that waits for long from saying so on the console. */
  waitQuietly(): void {
    this.waits.isQuiet = true;
  }

  /** Resolves when every real endpoint that was asked has answered. The answers are taken as time goes on. */
  async lateSettled(): Promise<void> {
    await Promise.all(this.late.openReal.map(({ settling }) => settling));
  }

  /** Everything that is scheduled, in the order in which it will run. */
  pending(): AgendaItem[] {
    const items = this.agenda.list();
    const callbacks = this.callbacks.all();
    return callbacks.length === 0
      ? items
      : [...items, ...callbacks.map(itemOf)].sort((a, b) => a.dueMs - b.dueMs);
  }

  /**
   * Appends an event at this instant.
   * @param data frozen, with frozen records; or a function that makes it when it is first read
   */
  publish(type: string, data: object | (() => object)): void {
    const id = this.ids.next("event");
    const event = this.log.append(id, type, this.nowMs, this.options.organisationId, data, this.depth);
    this.tracer?.event(eventOf(event));
    this.hooks?.published(event);
  }

  /**
   * Runs one command as a step, records it in the journal, and tells the listeners.
   * @param act throws before it changes anything, or not at all
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

  /** Runs everything that is due up to an instant, then sets the clock to that instant. */
  runTo(targetMs: number): void {
    this.move(() => {
      while (this.nextDueMs <= targetMs) this.runNext();
      this.stand(targetMs);
    });
  }

  /**
   * Like `runTo`, awaiting what listeners return at each step.
   * @param isRealTime whether time goes on while real endpoints are asked
   */
  async runToAsync(targetMs: number, isRealTime = false): Promise<void> {
    await this.moveAsync(async () => {
      for (;;) {
        while (this.nextDueMs <= targetMs) {
          const pause = this.betweenSteps?.();
          // awaited only if there is a promise: an await costs as much as a step
          if (pause !== undefined) await pause;
          await this.runNextAsync();
        }
        this.stand(targetMs);
        if (this.asyncRun.isOpen) throwAll(await this.asyncRun.settle());
        if (this.nextDueMs > targetMs) return;
      }
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
  runWhile(limitMs: number, shouldContinue: () => boolean): "stopped" | "limit" | "idle" {
    return this.move(() => {
      for (;;) {
        const outcome = this.whetherToStop(limitMs, shouldContinue);
        if (outcome !== undefined) return outcome;
        this.runNext();
      }
    });
  }

  async runWhileAsync(limitMs: number, shouldContinue: () => boolean): Promise<"stopped" | "limit" | "idle"> {
    return this.moveAsync(async () => {
      for (;;) {
        const outcome = this.whetherToStop(limitMs, shouldContinue);
        if (outcome !== undefined) return outcome;
        const pause = this.betweenSteps?.();
        if (pause !== undefined) await pause;
        await this.runNextAsync();
      }
    });
  }

  /**
   * Runs exactly as many items as it takes to reach a recorded position, then sets the clock to it.
   * @returns false if this run does not lead there
   */
  replayTo({ atMs, step }: JournalEnd): boolean {
    while (this.replayStep(step));
    return this.standAt({ atMs, step });
  }

  /** Runs the next item if fewer than `step` items have run. @returns whether it did */
  replayStep(step: number): boolean {
    if (this.stepsRun >= step || this.agenda.size === 0) return false;
    this.runNext();
    return true;
  }

  /**
   * Sets the clock to a recorded position whose items have all run. @returns false if this run does not lead there
   */
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
        "fork() cannot be called from a listener: its step is not over. Call it when the command or the time method has returned",
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
      places: new RegistrationLines(this.registrationLines),
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
      // an item beyond the last date never runs, and can still be listed
      dueMs: Math.min(this.nowMs + delayMs, LAST_DATE_MS),
      task,
      recordId,
      purpose,
      data,
      isBackground,
      depth,
    });
  }

  /** Sets the clock, unless a listener has disposed of the simulator. */
  private stand(atMs: number): void {
    if (!this.disposed) this.nowMs = atMs;
  }

  private whetherToStop(
    limitMs: number,
    shouldContinue: () => boolean,
  ): "stopped" | "limit" | "idle" | undefined {
    if (!shouldContinue()) return "stopped";
    const { nextDueMs } = this;
    if (nextDueMs === Number.POSITIVE_INFINITY) return "idle";
    return nextDueMs > limitMs ? "limit" : undefined;
  }

  /** When the next item is due; infinity when nothing is scheduled. */
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
      if (this.asyncRun.isOpen) this.asyncRun.mustNotHaveWoken();
      return item;
    }
    const next = this.nextItem();
    const thrown = this.asking?.callsEndpoint(next) ? this.asking.callOut(next) : [];
    const item = this.runItem();
    throwAll([...thrown, ...this.tellListeners()]);
    this.afterItem?.();
    if (this.asyncRun.isOpen) this.asyncRun.mustNotHaveWoken();
    return item;
  }

  /** Like `runNext`, awaiting endpoints and listeners. */
  private async runNextAsync(): Promise<AgendaItem | undefined> {
    if (this.asyncRun.isOpen) await this.asyncRun.untilNextMayRun();
    if (this.isCallbackNext) {
      const { item, thrown } = this.runCallback();
      thrown.push(...this.tellListeners());
      throwAll([...thrown, ...(await this.settle())]);
      const waits = this.afterItem?.(true);
      if (isPromise(waits)) await waits;
      if (this.asyncRun.isOpen) throwAll(await this.asyncRun.settle());
      return item;
    }
    const next = this.nextItem();
    const thrown = this.asking?.callsEndpoint(next) ? await this.asking.callOutAsync(next) : [];
    const item = this.runItem();
    thrown.push(...this.tellListeners());
    throwAll([...thrown, ...(await this.settle())]);
    const waits = this.afterItem?.();
    if (isPromise(waits)) await waits;
    if (this.asyncRun.isOpen) throwAll(await this.asyncRun.settle());
    return item;
  }

  /** Whether a callback is next. It comes after everything else that is due at its instant. */
  private get isCallbackNext(): boolean {
    const callback = this.callbacks.next;
    return callback !== undefined && (this.agenda.peek()?.dueMs ?? Number.POSITIVE_INFINITY) > callback.dueMs;
  }

  /** Runs the next callback. Its promise is awaited with those of listeners. */
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
      const inWords = () => `the callback of sim.schedule${this.registrationLines.lineOf(callback.run)}`;
      if (isPromise(returned)) this.promises?.push(new Promised(returned, inWords, mark, callback.isReal));
      return { item, thrown: [] };
    } catch (error) {
      return { item, thrown: [error] };
    }
  }

  private nextItem(): AgendaItem | undefined {
    const { agenda, choices, options, stepsRun } = this;
    if (choices.isActive && choices.timersDecidedAt !== stepsRun) {
      choices.timersDecidedAt = stepsRun;
      const isTimer = (item: AgendaItem) => this.isTimer(item);
      const chosen = chooseTimer({ agenda, choices, startMs: options.startMs, isTimer });
      if (chosen !== undefined) this.tracer?.timerDeviates?.(...chosen);
    }
    return agenda.peek();
  }

  /**
   * Whether an item was set as a timer, and not caused at its own instant. Requests have choice points of their own.
   */
  private isTimer(item: AgendaItem): boolean {
    return item.depth === 0 && this.hooks?.outside.isOwn(item) !== true;
  }

  private call(item: AgendaItem, endpoint: () => unknown): TimedReply {
    this.telling = true;
    this.tellingWho = () => this.hooks?.outside.describe(item) ?? "";
    this.depth = item.depth;
    const mark = this.timeWaits.mark();
    try {
      return { answer: endpoint(), mark };
    } catch (thrown) {
      return { thrown, mark };
    } finally {
      this.telling = false;
      this.depth = 0;
    }
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

  /** Tells the listeners all events that they have not heard. Returns what they threw. */
  private tellListeners(): unknown[] {
    const allThrown: unknown[] = [];
    if (this.telling || !this.log.hasUntold) return allThrown;
    this.telling = true;
    try {
      let type = "";
      this.tellingWho = () => handlerInWords(type, this.log.teller, this.registrationLines);
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

  /** Tells the listeners one event. Only an asynchronous run keeps what they return: see `settle`. */
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
      this.promises.push(
        new Promised(value, () => handlerInWords(type, handler, this.registrationLines), mark, false),
      );
  }

  /**
   * Awaits what listeners returned, and what listeners of their commands returned, until nothing is left.
   * @returns what they were rejected with
   */
  private async settle(): Promise<unknown[]> {
    const rejected: unknown[] = [];
    for (let round = 0; this.promises !== undefined && this.promises.length > 0; round++) {
      if (round > CAUSAL_LIMIT) throw this.runaway("the asynchronous listeners of events");
      const all = this.promises.splice(0);
      await Promise.all(all.map((each) => this.waits.settled(each)));
      for (const each of all) {
        if (each.reply === undefined) this.asyncRun.continueWithout(each);
        else if ("thrown" in each.reply) rejected.push(each.reply.thrown);
      }
    }
    return rejected;
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
    if (this.asking !== undefined) this.asking.isRealTime = isRealTime;
    this.promises = [];
    try {
      if (this.asyncRun.isOpen && !isRealTime) await this.asyncRun.takeAll();
      return await run();
    } finally {
      this.moving = false;
      this.promises = undefined;
    }
  }

  private startMoving(): void {
    this.assertOpen();
    if (this.telling)
      throw misuseOfTime(
        new CommandError(
          "not_allowed",
          `time cannot pass inside ${this.tellingWho?.() ?? "a handler"}: it stands still until the handler has returned. Issue commands there, and let time pass outside: in the test, or in what the handler leaves for later`,
        ),
      );
    if (this.moving) {
      const waitedFor = this.waitingFor.join(" and ");
      throw misuseOfTime(
        new CommandError(
          "not_allowed",
          `time is already moving${waitedFor === "" ? "" : `, and waits for ${waitedFor}`}: a handler may issue commands but not let time pass, and an asynchronous advance must be awaited before the next`,
        ),
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
      `stopped a loop: ${CAUSAL_LIMIT} steps led to each other at ${iso(this.nowMs)} without time passing, the last being ${what}${caller ? `, called from ${caller}` : ""}. Look for a handler that causes what it reacts to`,
    );
  }
}

/** Shows a callback as an agenda item, for lists of what is scheduled. */
function itemOf({ dueMs }: Callback): AgendaItem {
  return {
    ...{ dueMs, serial: -1, task: "callback", recordId: "sim.schedule", purpose: "callback" },
    ...{ data: undefined, isBackground: false, depth: 0 },
  };
}

/** Names a handler and the line where it was registered, for messages. */
function handlerInWords(type: string, handler: object | undefined, places: RegistrationLines): string {
  return `the handler of ${type}${places.lineOf(handler)}`;
}
