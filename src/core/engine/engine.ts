import type { AnyStateMachine } from "xstate";
import { CommandError, throwAll } from "../foundation/errors.ts";
import { type IdStyle, Ids } from "../foundation/ids.ts";
import { LAST_DATE_MS } from "../foundation/instants.ts";
import { Randomness } from "../foundation/random.ts";
import { Agenda, type AgendaItem } from "./agenda.ts";
import { Deviations } from "./deviations.ts";
import type { EndpointPort } from "./endpoint-port.ts";
import { type Appended, EventLog, eventOf } from "./event-log.ts";
import { Journal, type JournalEnd } from "./journal.ts";
import { LateAnswers } from "./late-answers.ts";
import { Listeners } from "./listeners.ts";
import { type AnyMachineTypes, MACHINE_TIMER, MachineHost, type MachineTypeMap } from "./machine-host.ts";
import { Probes } from "./probe.ts";
import { RegistrationLines } from "./registration-lines.ts";
import { RunState } from "./run-state.ts";
import { TimeLoop } from "./time-loop.ts";
import { TimeWaits } from "./time-waits.ts";
import type { Tracer } from "./tracer.ts";

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
export interface EngineHooks<C extends MachineTypeMap<C> = AnyMachineTypes> {
  react<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  /** Called when an event is appended to the log. */
  published(event: Appended): void;
  /** Called at the end of each step, before the listeners are told, to do what is left of the step. */
  settle(): void;
  /** Runs one of the platform's agenda items. */
  runTask(item: AgendaItem): void;
  readonly outside: EndpointPort;
}

/** What a run consists of besides its machines. A fork copies all of it. */
interface Parts {
  readonly run: RunState;
  readonly agenda: Agenda;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  readonly choices: Deviations;
  readonly registrationLines: RegistrationLines;
  readonly late: LateAnswers;
}

function newParts({ startMs, seed, idStyle, keepEvents, keepJournal }: EngineOptions): Parts {
  const randomness = new Randomness(seed);
  return {
    run: new RunState(startMs, 0),
    agenda: new Agenda(),
    log: new EventLog(keepEvents),
    ids: new Ids(idStyle, randomness),
    randomness,
    journal: Journal.create(keepJournal),
    choices: new Deviations(),
    registrationLines: new RegistrationLines(),
    late: new LateAnswers(),
  };
}

/**
 * The only queue, clock, randomness and log. A step (one command or one agenda item) runs to completion; then the
 * listeners are told in log order. A command issued by a listener is a step of its own, run at once.
 * `Purpose`: what items of the agenda may be for.
 */
export class Engine<C extends MachineTypeMap<C> = AnyMachineTypes, Purpose extends string = string> {
  readonly host: MachineHost<C>;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Where the run may deviate, and the planned deviations. */
  readonly choices: Deviations;
  /** The lines at which handlers were registered. */
  readonly registrationLines: RegistrationLines;
  /** Lets time pass. */
  readonly loop: TimeLoop;
  tracer: Tracer<C> | undefined;
  /** Who listens to the run, or stands between it and the app. */
  readonly probes = new Probes();

  private readonly run: RunState;
  private readonly agenda: Agenda;
  private readonly listeners: Listeners;
  private hooks: EngineHooks<C> | undefined;

  constructor(
    readonly options: EngineOptions,
    private readonly parts = newParts(options),
  ) {
    const { run, log, registrationLines } = parts;
    this.run = run;
    this.agenda = parts.agenda;
    this.log = log;
    this.ids = parts.ids;
    this.randomness = parts.randomness;
    this.journal = parts.journal;
    this.choices = parts.choices;
    this.registrationLines = registrationLines;
    const timeWaits = new TimeWaits(parts.late, this.probes);
    this.listeners = new Listeners({ run, log, registrationLines, timeWaits });
    this.loop = new TimeLoop({
      timeWaits,
      listeners: this.listeners,
      probes: this.probes,
      startMs: options.startMs,
      outside: () => (this.hooks as EngineHooks<C>).outside,
      step: (item) => this.step(item),
      timerDeviates: (...deviates) => this.tracer?.timerDeviates?.(...deviates),
      // last: a leading spread gives each object a hidden class of its own in V8
      ...parts,
    });
    this.host = new MachineHost(
      options.machines,
      {
        schedule: (delayMs, task, recordId, purpose, data) =>
          this.schedule(delayMs, task, recordId, purpose as Purpose, data),
        cancel: (serial) => this.agenda.cancel(serial),
        stepped: (machine, id, about, event, before, after) =>
          this.tracer?.machine?.({ machine, id, about, event, before, after }),
        react: (machine, about, fact) => {
          this.tracer?.fact(machine, about, fact);
          this.hooks?.react(machine, about, fact);
        },
      },
      this.probes,
    );
  }

  /** Virtual time, ms since the epoch. */
  get now(): number {
    return this.run.nowMs;
  }

  /** Where the run stands. With the journal, a replay can return here. */
  get position(): JournalEnd {
    return this.run.position;
  }

  connect(hooks: EngineHooks<C>): void {
    this.hooks = hooks;
  }

  /**
   * Schedules a platform task or a machine's delayed event. Returns a serial for `cancel`.
   * @param isBackground it repeats for ever: it runs as time passes but does not keep a run from being idle
   */
  schedule(
    delayMs: number,
    task: string,
    recordId: string,
    purpose: Purpose,
    data: unknown,
    isBackground = false,
  ): number {
    const depth = delayMs === 0 ? this.run.depth + 1 : 0;
    return this.agenda.add({
      // an item beyond the last date never runs, and can still be listed
      dueMs: Math.min(this.now + delayMs, LAST_DATE_MS),
      task,
      recordId,
      purpose,
      data,
      isBackground,
      depth,
    });
  }

  cancel(serial: number): void {
    this.agenda.cancel(serial);
  }

  /** Schedules a task at this instant, ahead of everything else that is due. */
  scheduleNext(task: string, recordId: string, purpose: Purpose, data: unknown): void {
    this.agenda.moveAhead(this.schedule(0, task, recordId, purpose, data));
  }

  /** Items due at an instant that were scheduled after the given serial. */
  dueSince(dueMs: number, serial: number): AgendaItem[] {
    return this.agenda.dueSince(dueMs, serial);
  }

  /**
   * Appends an event at this instant.
   * @param data frozen, with frozen records; or a function that makes it when it is first read
   */
  publish(type: string, data: object | (() => object)): void {
    const id = this.ids.next("event");
    const event = this.log.append(id, type, this.now, this.options.organisationId, data, this.run.depth);
    this.tracer?.event(eventOf(event));
    this.hooks?.published(event);
  }

  /**
   * Runs one command as a step, records it in the journal, and tells the listeners.
   * @param act throws before it changes anything, or not at all
   */
  command<T>(name: string, args: unknown, act: () => T): T {
    const { run } = this;
    run.assertOpen();
    if (run.isStepping)
      throw new Error(`${name} was called from inside a step; only listeners may issue commands`);
    const outerDepth = run.depth;
    run.depth = run.calling === undefined ? 0 : outerDepth + 1;
    let result: T;
    run.isStepping = true;
    try {
      run.mustEnd(run.depth, () => `the command ${name}(${JSON.stringify(args)}), issued by a listener`);
      this.tracer?.command(name, args);
      try {
        result = act();
      } catch (error) {
        this.tracer?.commandRefused?.();
        throw error;
      }
      this.hooks?.settle();
      this.record(name, args);
    } finally {
      run.isStepping = false;
      run.depth = outerDepth;
    }
    const thrown: unknown[] = [];
    this.listeners.tell(thrown);
    throwAll(thrown);
    const { current } = this.probes;
    if (current !== undefined) {
      current.commandRun?.(name, args, result);
      current.afterStep?.();
    }
    return result;
  }

  /** Whether anyone wants entries of the journal. If not, callers of `record` need not make them. */
  get isRecorded(): boolean {
    return this.journal.keeps || this.probes.current?.entryWritten !== undefined;
  }

  /** Writes into the journal what came from outside at this instant: a command, or the answer of an endpoint. */
  record(name: string, args: unknown): void {
    if (!this.isRecorded) return;
    const entry = this.journal.add(this.position, name, args);
    this.probes.current?.entryWritten?.(entry);
  }

  /** Runs an item of the agenda as a step. */
  private step(item: AgendaItem): void {
    const { run } = this;
    run.depth = item.depth;
    run.stepsRun++;
    run.isStepping = true;
    try {
      this.tracer?.item(item);
      if (item.task === MACHINE_TIMER) this.host.fire(item);
      else (this.hooks as EngineHooks<C>).runTask(item);
      this.hooks?.settle();
    } finally {
      run.isStepping = false;
      run.depth = 0;
    }
  }

  fork(): Engine<C> {
    const { run, parts } = this;
    if (this.isAtWork)
      throw new CommandError(
        "not_allowed",
        "fork() cannot be called from a listener: its step is not over. Call it when the command or the time method has returned",
      );
    run.assertOpen();
    const randomness = parts.randomness.fork();
    const copy = new Engine<C>(this.options, {
      run: new RunState(run.nowMs, run.stepsRun),
      agenda: parts.agenda.fork(),
      log: parts.log.fork(),
      ids: parts.ids.fork(randomness),
      randomness,
      journal: parts.journal.fork(),
      choices: parts.choices.fork(),
      registrationLines: new RegistrationLines(parts.registrationLines),
      late: parts.late.fork(),
    });
    this.host.forkInto(copy.host);
    return copy;
  }

  /** Whether a step or a listener is at work, so that the state is not whole. */
  get isAtWork(): boolean {
    return this.run.isStepping || this.run.calling !== undefined;
  }

  /** Where the run stands, for `load`: all that a fork has but the journal, and what is asked outside. */
  save() {
    const { run, agenda, log, ids, randomness, choices } = this.parts;
    return {
      ...run.position,
      agenda: agenda.save(),
      log: log.save(),
      ids: ids.save(),
      randomness: randomness.save(),
      choices: choices.save(),
      machines: this.host.save(),
    };
  }

  /** An engine that stands where another one was saved, with an empty journal. */
  static load<C extends MachineTypeMap<C> = AnyMachineTypes, Purpose extends string = string>(
    options: EngineOptions,
    saved: ReturnType<Engine<C>["save"]>,
  ): Engine<C, Purpose> {
    const fresh = newParts(options);
    const randomness = fresh.randomness.load(saved.randomness);
    const engine = new Engine<C, Purpose>(options, {
      ...fresh,
      run: new RunState(saved.atMs, saved.step),
      agenda: fresh.agenda.load(saved.agenda),
      log: fresh.log.load(saved.log),
      ids: fresh.ids.load(saved.ids, randomness),
      randomness,
      choices: fresh.choices.load(saved.choices),
    });
    engine.host.load(saved.machines);
    return engine;
  }

  dispose(): void {
    this.run.isDisposed = true;
    this.agenda.clear();
    this.loop.clear();
    this.host.clear();
    this.log.clearListeners();
  }

  get isDisposed(): boolean {
    return this.run.isDisposed;
  }

  assertOpen(): void {
    this.run.assertOpen();
  }
}
