import type { AnyStateMachine } from "xstate";
import { CommandError, throwAll } from "../foundation/errors.ts";
import { type IdStyle, Ids } from "../foundation/ids.ts";
import { LAST_DATE_MS } from "../foundation/instants.ts";
import { Randomness } from "../foundation/random.ts";
import { Agenda, type AgendaItem } from "./agenda.ts";
import { AppWork } from "./app-work.ts";
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

/** The options of a new engine. */
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
  onPublish(event: Appended): void;
  /** Called at the end of each step, before listeners get its events, for what the platform does once per step. */
  endStep(): void;
  /** Runs one of the platform's agenda items. */
  runTask(item: AgendaItem): void;
  readonly endpoints: EndpointPort;
}

/** The state of a run besides its machines. A fork copies all of it. */
interface Parts {
  readonly run: RunState;
  readonly agenda: Agenda;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  readonly deviations: Deviations;
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
    deviations: new Deviations(),
    registrationLines: new RegistrationLines(),
    late: new LateAnswers(),
  };
}

/**
 * The only queue, clock, randomness and log. A step (one command or one agenda item) runs to completion; then listeners
 * get its events in log order. A command issued by a listener is a step of its own, run at once.
 * `Purpose`: the purposes that agenda items may have.
 */
export class Engine<C extends MachineTypeMap<C> = AnyMachineTypes, Purpose extends string = string> {
  readonly host: MachineHost<C>;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Where the run may deviate, and the planned deviations. */
  readonly deviations: Deviations;
  /** The lines at which handlers were registered. */
  readonly registrationLines: RegistrationLines;
  /** Lets time pass. */
  readonly loop: TimeLoop;
  tracer: Tracer<C> | undefined;
  /** Probes listen to the run, or intercept what goes between it and the app. */
  readonly probes = new Probes();
  /** What the app has under way. */
  readonly work = new AppWork(this.probes);

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
    this.deviations = parts.deviations;
    this.registrationLines = registrationLines;
    const timeWaits = new TimeWaits(parts.late, this.probes);
    const { work } = this;
    this.listeners = new Listeners({ run, log, registrationLines, timeWaits, work });
    this.loop = new TimeLoop({
      timeWaits,
      work,
      listeners: this.listeners,
      probes: this.probes,
      startMs: options.startMs,
      endpoints: () => (this.hooks as EngineHooks<C>).endpoints,
      step: (item) => this.step(item),
      timerDeviates: (...names) => this.tracer?.timerDeviates?.(...names),
      // last: a leading spread gives each object a hidden class of its own in V8
      ...parts,
    });
    this.host = new MachineHost(
      options.machines,
      {
        schedule: (delayMs, task, recordId, purpose, data) =>
          this.schedule(delayMs, task, recordId, purpose as Purpose, data),
        cancel: (serial) => this.agenda.cancel(serial),
        onStep: (machine, id, about, event, before, after) =>
          this.tracer?.machine?.({ machine, id, about, event, previous: before, next: after }),
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

  /** The run's position. With the journal, a replay can return here. */
  get position(): JournalEnd {
    return this.run.position;
  }

  connect(hooks: EngineHooks<C>): void {
    this.hooks = hooks;
  }

  /**
   * Schedules a platform task or a machine's delayed event. Returns a serial for `cancel`.
   * @param isBackground whether it repeats for ever: then it runs as time passes, but a run may be idle with it
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
   * @param data frozen, with frozen records; or a function that makes it on its first read
   */
  publish(type: string, data: object | (() => object)): void {
    const id = this.ids.next("event");
    const event = this.log.append(id, type, this.now, this.options.organisationId, data, this.run.depth);
    this.tracer?.event(eventOf(event));
    this.hooks?.onPublish(event);
  }

  /**
   * Runs one command as a step, records it in the journal, and delivers its events to listeners.
   * @param perform throws before it changes anything, or not at all
   */
  command<T>(name: string, args: unknown, perform: () => T): T {
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
        result = perform();
      } catch (error) {
        this.tracer?.commandRefused?.();
        throw error;
      }
      this.hooks?.endStep();
      this.record(name, args);
    } finally {
      run.isStepping = false;
      run.depth = outerDepth;
    }
    const thrown: unknown[] = [];
    this.listeners.deliverEvents(thrown);
    throwAll(thrown);
    const { current } = this.probes;
    if (current !== undefined) {
      current.commandRun?.(name, args, result);
      current.afterStep?.();
    }
    return result;
  }

  /** Whether anyone reads journal entries. If not, callers of `record` need not make them. */
  get isRecorded(): boolean {
    return this.journal.keeps || this.probes.current?.entryWritten !== undefined;
  }

  /** Records an input of this instant in the journal: a command, or the answer of an endpoint. */
  record(name: string, args: unknown): void {
    if (!this.isRecorded) return;
    const entry = this.journal.add(this.position, name, args);
    this.probes.current?.entryWritten?.(entry);
  }

  /** Has an entry at this instant in a journal that is taken before it ends. @returns ends it */
  recordOpen(name: string, args: unknown): () => void {
    return this.journal.addOpen(this.position, name, args);
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
      this.hooks?.endStep();
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
    const forked = new Engine<C>(this.options, {
      run: new RunState(run.nowMs, run.stepsRun),
      agenda: parts.agenda.fork(),
      log: parts.log.fork(),
      ids: parts.ids.fork(randomness),
      randomness,
      journal: parts.journal.fork(),
      deviations: parts.deviations.fork(),
      registrationLines: new RegistrationLines(parts.registrationLines),
      late: parts.late.fork(),
    });
    this.host.forkInto(forked.host);
    return forked;
  }

  /** Whether a step or a listener is running, so that the state is incomplete. */
  get isAtWork(): boolean {
    return this.run.isStepping || this.run.calling !== undefined;
  }

  /** The state of the run, for `load`: what a fork copies, without the journal and pending endpoint calls. */
  save() {
    const { run, agenda, log, ids, randomness, deviations } = this.parts;
    return {
      ...run.position,
      agenda: agenda.save(),
      log: log.save(),
      ids: ids.save(),
      randomness: randomness.save(),
      choices: deviations.save(),
      machines: this.host.save(),
    };
  }

  /** Restores a saved engine, with an empty journal. */
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
      deviations: fresh.deviations.load(saved.choices),
    });
    engine.host.load(saved.machines);
    return engine;
  }

  dispose(): void {
    this.stop();
    this.agenda.clear();
    this.host.clear();
  }

  /**
   * Ends the run for those who play it, but refuses no command of code that outlives it, which would throw where nothing
   * catches it. Time stands still: neither handlers nor listeners are called any more.
   */
  abandon(): void {
    this.run.isAbandoned = true;
    this.stop();
  }

  private stop(): void {
    this.run.isDisposed = true;
    this.loop.clear();
    this.work.end();
    this.log.clearListeners();
  }

  get isDisposed(): boolean {
    return this.run.isDisposed;
  }

  assertOpen(): void {
    this.run.assertOpen();
  }
}
