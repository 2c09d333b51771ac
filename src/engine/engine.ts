import type { AnyStateMachine } from "xstate";
import { Agenda, type AgendaItem } from "./agenda.ts";
import { callerOf } from "./caller.ts";
import { CommandError, RunawayError } from "./errors.ts";
import { EventLog, type LoggedEvent } from "./event-log.ts";
import { type About, type Fact, Host, MACHINE_TIMER } from "./host.ts";
import { type IdStyle, Ids } from "./ids.ts";
import { iso } from "./instants.ts";
import { Journal, type JournalEnd } from "./journal.ts";
import { Randomness } from "./random.ts";

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
export interface EngineHooks {
  react(machine: string, about: About, fact: Fact, key: string): void;
  /** Handlers of what the platform schedules, by task name. */
  readonly tasks: Readonly<Record<string, (item: AgendaItem) => void>>;
}

/** Watches a run as it goes; how the timeline learns of what the event stream does not show. */
export interface Tracer {
  command(name: string, args: unknown): void;
  item(item: AgendaItem): void;
  fact(machine: string, about: About, fact: Fact): void;
  event(event: LoggedEvent): void;
}

/** Causes at one instant that lead to each other: more than this is taken for a loop without end. */
const CAUSAL_LIMIT = 10_000;

interface Parts {
  agenda: Agenda;
  log: EventLog;
  ids: Ids;
  randomness: Randomness;
  journal: Journal;
}

/**
 * The only queue, clock, randomness and log. A step (one command, or one item of the agenda) runs to completion; then
 * the listeners are told in log order. A command issued by a listener is a step of its own, run at once.
 */
export class Engine {
  readonly host: Host;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  tracer: Tracer | undefined;

  private readonly agenda: Agenda;
  private hooks: EngineHooks | undefined;
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
  private thrownByListeners: unknown[] = [];
  /** What listeners returned during an asynchronous run, to be awaited before the next item. */
  private promises: unknown[] | undefined;

  constructor(
    readonly options: EngineOptions,
    parts?: Parts & { nowMs: number; stepsRun: number },
  ) {
    this.randomness = parts?.randomness ?? new Randomness(options.seed);
    this.ids = parts?.ids ?? new Ids(options.idStyle, this.randomness);
    this.agenda = parts?.agenda ?? new Agenda();
    this.log = parts?.log ?? new EventLog(options.keepEvents);
    this.journal = parts?.journal ?? Journal.create(options.keepJournal);
    this.nowMs = parts?.nowMs ?? options.startMs;
    this.stepsRun = parts?.stepsRun ?? 0;
    this.host = new Host(options.machines, {
      schedule: (delayMs, task, recordId, purpose, data) =>
        this.schedule(delayMs, task, recordId, purpose, data),
      cancel: (serial) => this.agenda.cancel(serial),
      react: (machine, about, fact, key) => {
        this.tracer?.fact(machine, about, fact);
        this.hooks?.react(machine, about, fact, key);
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

  connect(hooks: EngineHooks): void {
    this.hooks = hooks;
  }

  /** Schedules a platform task or a machine's delayed event. Returns a serial for `cancel`. */
  schedule(delayMs: number, task: string, recordId: string, purpose: string, data: unknown): number {
    const depth = delayMs === 0 ? this.depth + 1 : 0;
    return this.agenda.add({ dueMs: this.nowMs + delayMs, task, recordId, purpose, data, depth });
  }

  cancel(serial: number): void {
    this.agenda.cancel(serial);
  }

  /** What is scheduled, in the order in which it will run. */
  pending(): AgendaItem[] {
    return this.agenda.list();
  }

  /** Appends an event at this instant. `data` is frozen and must hold frozen records. */
  publish(type: string, data: object): void {
    const id = this.ids.next("event");
    const event = this.log.append(id, type, this.nowMs, this.options.organisationId, data, this.depth);
    this.tracer?.event(event);
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
    this.guard(() => `the command ${name}(${JSON.stringify(args)}), issued by a listener`);
    let result: T;
    this.stepping = true;
    try {
      this.tracer?.command(name, args);
      result = act();
      this.journal.record({ ...this.position, command: name, args });
    } finally {
      this.stepping = false;
      this.depth = outerDepth;
    }
    this.tellListeners();
    return result;
  }

  /** Runs all that is due up to an instant, each item at its own, then stands there. */
  runTo(targetMs: number): void {
    this.move(() => {
      for (
        let next = this.agenda.peek();
        next !== undefined && next.dueMs <= targetMs;
        next = this.agenda.peek()
      )
        this.runNext();
      this.nowMs = targetMs;
    });
  }

  /** The same as `runTo`, awaiting what listeners return at each step before going on. */
  async runToAsync(targetMs: number): Promise<void> {
    await this.moveAsync(async () => {
      for (
        let next = this.agenda.peek();
        next !== undefined && next.dueMs <= targetMs;
        next = this.agenda.peek()
      ) {
        this.runNext();
        await this.settle();
      }
      this.nowMs = targetMs;
    });
  }

  /** Runs the next item alone; returns it, or undefined when nothing is scheduled. */
  step(): AgendaItem | undefined {
    return this.move(() => this.runNext());
  }

  async stepAsync(): Promise<AgendaItem | undefined> {
    return this.moveAsync(async () => {
      const item = this.runNext();
      await this.settle();
      return item;
    });
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
        this.runNext();
        await this.settle();
      }
    });
  }

  /** Runs exactly as many items as it takes to reach a recorded position, then stands at its instant. */
  replayTo(position: JournalEnd): void {
    while (this.stepsRun < position.step && this.agenda.size > 0) this.runNext();
    this.nowMs = position.atMs;
  }

  fork(): Engine {
    if (this.stepping || this.telling)
      throw new CommandError(
        "not_allowed",
        "fork() cannot be called from a listener: the step that told it is not over",
      );
    this.assertOpen();
    const randomness = this.randomness.fork();
    const copy = new Engine(this.options, {
      agenda: this.agenda.fork(),
      log: this.log.fork(),
      ids: this.ids.fork(randomness),
      randomness,
      journal: this.journal.fork(),
      nowMs: this.nowMs,
      stepsRun: this.stepsRun,
    });
    this.host.forkInto(copy.host);
    return copy;
  }

  dispose(): void {
    this.disposed = true;
    this.agenda.clear();
    this.host.clear();
    this.log.clearListeners();
  }

  assertOpen(): void {
    if (this.disposed) throw new CommandError("disposed", "this simulator was disposed: create another");
  }

  private whetherToStop(limitMs: number, goOn: () => boolean): "stopped" | "limit" | "idle" | undefined {
    if (!goOn()) return "stopped";
    const next = this.agenda.peek();
    if (next === undefined) return "idle";
    return next.dueMs > limitMs ? "limit" : undefined;
  }

  private runNext(): AgendaItem | undefined {
    const item = this.agenda.take();
    if (item === undefined) return undefined;
    this.nowMs = item.dueMs;
    this.depth = item.depth;
    this.guard(() => `${item.purpose} of ${item.recordId}`);
    this.stepsRun++;
    this.stepping = true;
    try {
      this.tracer?.item(item);
      if (item.task === MACHINE_TIMER) this.host.fire(item);
      else this.task(item.task)(item);
    } finally {
      this.stepping = false;
      this.depth = 0;
    }
    this.tellListeners();
    return item;
  }

  private task(name: string): (item: AgendaItem) => void {
    const handler = this.hooks?.tasks[name];
    if (handler === undefined) throw new Error(`nothing runs the task "${name}"`);
    return handler;
  }

  /** Tells the listeners all that is untold. What they throw is thrown here, once all have heard. */
  private tellListeners(): void {
    if (this.telling || !this.log.hasUntold) return;
    this.telling = true;
    try {
      for (let next = this.log.takeUntold(); next !== undefined; next = this.log.takeUntold()) {
        this.depth = next.depth;
        const { returned, thrown } = this.log.tell(next.event);
        this.promises?.push(...returned);
        this.thrownByListeners.push(...thrown);
      }
    } finally {
      this.telling = false;
      this.depth = 0;
    }
    const thrown = this.thrownByListeners;
    this.thrownByListeners = [];
    if (thrown.length === 1) throw thrown[0];
    if (thrown.length > 1) throw new AggregateError(thrown, `${thrown.length} listeners threw`);
  }

  /** Awaits what listeners returned, and what the commands they then issued made others return, until all is quiet. */
  private async settle(): Promise<void> {
    for (let round = 0; this.promises !== undefined && this.promises.length > 0; round++) {
      if (round > CAUSAL_LIMIT) throw this.runaway("the asynchronous listeners of events");
      await Promise.all(this.promises.splice(0));
    }
  }

  private move<T>(run: () => T): T {
    this.startMoving();
    try {
      return run();
    } finally {
      this.moving = false;
    }
  }

  private async moveAsync<T>(run: () => Promise<T>): Promise<T> {
    this.startMoving();
    this.promises = [];
    try {
      return await run();
    } finally {
      this.moving = false;
      this.promises = undefined;
    }
  }

  private startMoving(): void {
    this.assertOpen();
    if (this.moving || this.telling) {
      throw new CommandError(
        "not_allowed",
        "time is already moving: a listener may issue commands but not advance, and an asynchronous advance must be awaited before the next",
      );
    }
    this.moving = true;
  }

  private guard(what: () => string): void {
    if (this.depth > CAUSAL_LIMIT) throw this.runaway(what());
  }

  private runaway(what: string): RunawayError {
    const error = new RunawayError("");
    const caller = callerOf(error.stack);
    error.message = `stopped a loop: ${CAUSAL_LIMIT} steps led to each other at ${iso(this.nowMs)} without time passing, the last being ${what}${caller ? `, called from ${caller}` : ""}`;
    return error;
  }
}
