import {
  type Deviation,
  type DeviationPicker,
  type Equivalence,
  isOfWholeRun,
  type ReachedPoint,
} from "../../core/engine/deviations.ts";
import { untilStill } from "../../core/engine/quiet.ts";
import { InputError, isTimeMisuse } from "../../core/foundation/errors.ts";
import { show } from "../../core/foundation/instants.ts";
import { isPromise } from "../../core/foundation/values.ts";
import { stateOf } from "../../core/narration/app-state.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { splitAssumptions } from "../../findings/assumptions.ts";
import type { Received } from "../../findings/explain.ts";
import {
  differenceOf,
  isDefect,
  type PropertyFailure,
  plainMessage,
  subjectDefects,
  usageErrorOf,
  WorldError,
} from "../../findings/property-failure.ts";
import type { Patience } from "../../findings/real-time.ts";
import { eventLoopTurn } from "../sandbox/open-timers.ts";
import { isEndedByDeath, noteProgress } from "../sandbox/supervision.ts";
import { CoverageRecorder } from "./coverage.ts";
import { defectOf } from "./defect.ts";
import { disposeSubject } from "./disposing.ts";
import { FakeTime } from "./fake-time.ts";
import type { Check, Integration } from "./integration.ts";
import { type Mutation, mutate, typeOf } from "./mutants.ts";
import { PlatformReads } from "./platform-reads.ts";
import type { PlayOptions, RecordedRun } from "./recorded-run.ts";
import { RestInterceptor } from "./rest-interceptor.ts";

/** The parts of an execution that all worlds share. */
export interface ExecutionSetup<T> extends Integration<T> {
  readonly recordedRun: RecordedRun;
  /** Waits for promises of the subject. */
  readonly patience: Patience;
  /** How many steps a world may take. */
  readonly steps: number;
}

/** The result of a world. */
export interface WorldRun {
  /** The first failure of each property, in the order of the run. A defect of the subject ends the world, so it is last. */
  readonly failures: readonly PropertyFailure[];
  /** The deviation points, in the order of the run. */
  readonly points: readonly ReachedPoint[];
  /** For each deviation, whether other forms of it would have shown the subject the same. */
  readonly equivalences: readonly Equivalence[];
  /**
   * Whether a property read what may differ between worlds in which the subject sees the same, so that these must be
   * run too.
   */
  readonly readsPlatform: boolean;
  /** The deviations that the picker chose. */
  readonly chosen: readonly Deviation[];
  /** The steps of the scenario that the run did not allow. */
  readonly skipped: readonly number[];
  /** Deviations whose deviation point the run did not reach. */
  readonly unmet: readonly Deviation[];
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** What the subject received, and the app's states; empty unless requested. */
  readonly trace: readonly Received[];
  /** The app's state once it was built; undefined without a trace, or if it cannot be shown. */
  readonly firstState: string | undefined;
  /** The app's state at the end; undefined without a trace, or if it cannot be shown. */
  readonly state: string | undefined;
  /** The subject's own requests to the REST API, such as `GET /calls`; empty without a trace. */
  readonly asked: readonly string[];
  /** The world's journal; undefined unless requested. */
  readonly journal: JournalDocument | undefined;
  /** How many steps the simulator took, including those of the scenario. */
  readonly steps: number;
  /** How many requests the subject received, plus how many of its own were answered. */
  readonly requests: number;
  /** Whether the subject received anything: a request, an answer, an event or a callback. */
  readonly isTouched: boolean;
  /** The URLs of requests without a route. */
  readonly unrouted: readonly string[];
  /** The event types that webhooks delivered to the subject; empty unless requested. */
  readonly deliveredTypes: readonly string[];
  /**
   * The states and transitions of machines that the world reached, as `CoverageCount` counts them; empty for an
   * unjudged run.
   */
  readonly reached: readonly number[];
}

/** What a run should return, and how it differs from a plain run. */
export interface ExecutionRequest {
  /** The deviation points. */
  readonly points?: boolean;
  /** Whether to skip properties and coverage. */
  readonly unjudged?: boolean;
  /** The event types that webhooks deliver to the subject. */
  readonly deliveredTypes?: boolean;
  /** What the subject receives, and the app's states. */
  readonly trace?: boolean;
  readonly journal?: boolean;
  /** The change of the platform. */
  readonly mutation?: Mutation;
  /** Decides at deviation points without a planned deviation. */
  readonly chooser?: DeviationPicker;
}

/** The message of a property that returned false. */
const RETURNED_FALSE = "returned false; throw, or use `expect`, to say why";

/** A subject that waits this many turns of the event loop waits for something outside the process. */
const MANY_TURNS = 100;

/** One run of the scenario, with a subject of its own. */
export class WorldExecution<T> {
  private readonly simulator: Simulator;
  private readonly restInterceptor: RestInterceptor;
  private readonly coverage: CoverageRecorder | undefined;
  /** Set for a world with deviations, since others may be left out because of it. */
  private readonly reads: PlatformReads | undefined;
  /** Set if fake timers are on. */
  private readonly fakeTime: FakeTime | undefined;
  /** The deviations that do not hold for the whole world. */
  private readonly planned: readonly Deviation[];
  private readonly points: ReachedPoint[] = [];
  private readonly trace: Received[] = [];
  /** What the subject has received since the app's state was last recorded. */
  private untraced: Omit<Received, "state">[] = [];
  /** The steps of the scenario that the run did not allow. */
  private readonly skipped: number[] = [];
  private readonly held = new Set<string>();
  private readonly failures = new Map<string, PropertyFailure>();
  private readonly deliveredTypes = new Set<string>();
  /** Detach what listens to the run or changes the platform. Called at the end of the world. */
  private readonly endings: (() => void)[] = [];
  private subject: T | undefined;
  private isBuilt = false;
  private firstState: string | undefined;
  /** Whether nothing is left to do. */
  private isOver = false;
  /** How many requests and callbacks the subject has received. */
  private count = 0;
  private checkedCount = 0;
  /** The count when the properties of `settled` were last checked. */
  private settledCount = 0;
  private readonly hasSettled: boolean;
  /** When the scenario's next step is played. */
  private nextStepMs = Number.NEGATIVE_INFINITY;
  private requests = 0;
  private steps = 0;
  /** How many turns of the event loop have passed since the last step. */
  private turns = 0;
  /** The property that is being checked. */
  private checkedProperty: string | undefined;

  constructor(
    private readonly setup: ExecutionSetup<T>,
    private readonly deviations: readonly Deviation[],
    private readonly wanted: ExecutionRequest,
  ) {
    const { assume, others } = splitAssumptions(deviations);
    this.planned = others;
    this.simulator = setup.recordedRun.begin(assume);
    this.hasSettled = Object.keys(setup.settled).length > 0;
    this.coverage = wanted.unjudged === true ? undefined : new CoverageRecorder(this.simulator);
    if (deviations.length > 0 && wanted.unjudged !== true) this.reads = new PlatformReads(this.simulator);
    const { engine } = this.simulator.services;
    if (wanted.points === true)
      engine.deviations.watch((point, options) => this.points.push({ point, options }));
    if (wanted.chooser !== undefined) engine.deviations.decideBy(wanted.chooser);
    // the report names what happened, so the simulator need not warn
    engine.loop.waitQuietly();
    setup.recordedRun.plan(this.simulator, others);
    this.restInterceptor = new RestInterceptor(this.simulator, engine.deviations);
    if (wanted.mutation !== undefined) this.endings.push(mutate(this.simulator, wanted.mutation));
    this.endings.push(
      engine.probes.attach({ endpointAsked: this.requestReceived, afterItem: this.afterAgendaItem }),
    );
    // not detached: the subject may still wait while it is disposed of
    engine.probes.attach({ untilStill: this.untilStill, untilQuiet: eventLoopTurn });
    this.fakeTime = FakeTime.begin(this.simulator);
  }

  /** Waits one turn of the event loop, or after many turns for real time: a real server must not be polled without pause. */
  private readonly untilStill = () => (this.turns++ < MANY_TURNS ? eventLoopTurn() : untilStill());

  /** Called when the subject receives a request. */
  private readonly requestReceived = (request: RequestRecord): void => {
    const { wanted } = this;
    const { engine } = this.simulator.services;
    this.count++;
    this.requests++;
    const type = wanted.deliveredTypes === true ? typeOf(request) : undefined;
    if (type !== undefined) this.deliveredTypes.add(type);
    if (wanted.trace === true) this.untraced.push(receivedOf(request, engine.now - engine.options.startMs));
    // last: it throws at the point at which the subject killed an earlier thread, which had received this request
    noteProgress();
  };

  private readonly afterAgendaItem = (isCallback: boolean) => {
    if (isCallback) this.count++;
    this.turns = 0;
    this.fakeTime?.update(isCallback);
    return this.afterItem();
  };

  async run(): Promise<WorldRun> {
    await this.play();
    const { deviations, isDisposed } = this.simulator.services.engine;
    if (isDisposed) this.failByDisposing();
    const run = {
      points: this.points,
      equivalences: this.deviations.map((each) =>
        isOfWholeRun(each) ? "no" : deviations.equivalenceOf(this.planned.indexOf(each)),
      ),
      readsPlatform: this.reads?.isRead === true,
      chosen: deviations.chosen,
      skipped: this.skipped,
      unmet: deviations.unmet,
      held: [...this.held],
      trace: this.trace,
      firstState: this.firstState,
      state: this.wanted.trace === true ? await this.stateInTheEnd() : undefined,
      asked: this.wanted.trace === true ? askedIn(this.simulator) : [],
      journal: this.wanted.journal === true ? this.simulator.journal() : undefined,
      steps: this.steps,
      requests: this.requests + this.restInterceptor.passedAnswers,
      isTouched: this.countReceived > 0,
      unrouted: unroutedIn(this.simulator.services.network.requests()),
      deliveredTypes: [...this.deliveredTypes],
      reached: this.coverage?.places ?? [],
    };
    await this.dispose();
    return { ...run, failures: [...this.failures.values()] };
  }

  /** The app's state at the end. The function that shows it may not return. */
  private async stateInTheEnd(): Promise<string | undefined> {
    if (isEndedByDeath()) return undefined;
    const { patience } = this.setup;
    const outcome = await patience.waitFor(
      Promise.resolve().then(() => this.stateNow()),
      () => 0,
    );
    if (outcome === "nothing happened") return undefined; // what shows it does not return
    if ("value" in outcome) return outcome.value;
    this.fail(defectOf(outcome.thrown));
    return undefined;
  }

  /** Reports that the subject disposed of the simulator. */
  private failByDisposing(): void {
    this.fail({
      property: subjectDefects.disposes,
      message: "it calls dispose() of the simulator, which the exploration still needs",
    });
  }

  private async play(): Promise<void> {
    try {
      // on an empty stack: if the watchdog terminates a loop, every frame on the stack ends with it
      await this.withPatience(Promise.resolve().then(() => this.playThrough()));
    } catch (thrown) {
      // errors after the simulator is disposed of follow from that
      if (!this.simulator.services.engine.isDisposed) this.fail(defectOf(thrown));
    }
  }

  /** Records a failure. Each property keeps its first. */
  private fail(failure: PropertyFailure): void {
    if (!this.failures.has(failure.property)) this.failures.set(failure.property, failure);
  }

  private async playThrough(): Promise<void> {
    const { setup, simulator, deviations, wanted } = this;
    noteProgress();
    this.subject = await setup.subject(simulator);
    this.isBuilt = true;
    // only a trace needs the states
    simulator.stopShowing();
    if (wanted.trace === true) this.firstState = this.stateNow();
    this.fakeTime?.update(false);
    const playing: PlayOptions = {
      isDeviating: deviations.length + setup.recordedRun.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        this.fakeTime?.update(false);
        return this.afterItem();
      },
      skipped: (index) => this.skipped.push(index),
      nextStep: (atMs) => {
        this.nextStepMs = atMs;
      },
    };
    await setup.recordedRun.play(simulator, playing);
    this.nextStepMs = Number.POSITIVE_INFINITY;
    await simulator.runUntilIdleAsync();
    this.mustHaveNoOpenRequest();
    if (wanted.unjudged === true) return;
    if (this.hasSettled) await this.checkSettled();
    this.isOver = true;
    // nothing reached the subject, so these are not checked yet
    if (this.checkedCount === 0) await this.check({ ...setup.always, ...setup.settled });
    await this.check(setup.eventually);
    this.checkSometimes();
    // if the subject dies while it is disposed of, everything before was judged
    noteProgress();
  }

  /** Waits as long as something happens. If nothing does for the patience, the world fails. */
  private async withPatience(going: Promise<void>): Promise<void> {
    const { patience } = this.setup;
    const outcome = await patience.waitFor(going, () => this.steps + this.restInterceptor.passedAnswers);
    if (outcome === "nothing happened")
      throw new WorldError(subjectDefects.hangs, `nothing happened for ${patience.ms} ms${this.waitText()}`);
    if ("thrown" in outcome) throw outcome.thrown;
  }

  private waitText(): string {
    if (!this.isBuilt) return " while the subject was being built";
    if (this.checkedProperty !== undefined) return ` while "${this.checkedProperty}" was checked`;
    const [request] = this.simulator.network.requests.filter(({ endedAt }) => endedAt === null);
    return request === undefined ? "" : ` while the subject was handling ${request.method} ${request.to}`;
  }

  /** Called after each item of the agenda and each step of the scenario. */
  private afterItem(): void | Promise<void> {
    noteProgress();
    if (++this.steps > this.setup.steps)
      throw new WorldError(
        subjectDefects.restless,
        `the world took more than ${this.setup.steps.toLocaleString("en")} steps, the limit of \`steps\``,
      );
    const given = this.restInterceptor.untilPassed();
    return given === undefined ? this.checkAfterReceiving() : given.then(() => this.checkAfterReceiving());
  }

  /** How much the subject has received: requests, answers, callbacks, and events if it listens to any. */
  private get countReceived(): number {
    const { log } = this.simulator.services.engine;
    return this.count + this.restInterceptor.passedAnswers + (log.hasListeners ? log.total : 0);
  }

  /** Checks properties if the subject received something since the last check. */
  private checkAfterReceiving(): void | Promise<void> {
    if (!this.isBuilt) return;
    const count = this.countReceived;
    if (this.untraced.length > 0) this.noteState();
    if (count === this.checkedCount) return this.hasSettled ? this.checkSettled() : undefined;
    this.checkedCount = count;
    // while another handler is busy, its requests may be open
    if (!this.simulator.services.engine.loop.isAnsweredAhead) this.mustHaveNoOpenRequest();
    if (this.wanted.unjudged === true) return;
    this.checkSometimes();
    const waits = this.check(this.setup.always);
    if (!this.hasSettled) return waits;
    return waits === undefined ? this.checkSettled() : waits.then(() => this.checkSettled());
  }

  /**
   * Checks the properties of `settled` if the subject received something since the last time, nothing more is due at this
   * instant, and none of its handlers is busy.
   */
  private checkSettled(): void | Promise<void> {
    const { now, loop } = this.simulator.services.engine;
    if (this.settledCount === this.checkedCount || this.wanted.unjudged === true) return;
    if (loop.nextDueMs <= now || this.nextStepMs <= now || loop.isAnsweredAhead) return;
    this.settledCount = this.checkedCount;
    return this.check(this.setup.settled);
  }

  /** Records what the subject received, with the app's state after it. */
  private noteState(): void {
    const state = this.stateNow();
    for (const each of this.untraced) this.trace.push({ state, ...each });
    this.untraced = [];
  }

  /** The app's state, as the option `show` or else the subject's `sim.show` returns it. */
  private stateNow(): string | undefined {
    return stateOf(this.subject as T, this.setup.show ?? this.simulator.appStates?.show);
  }

  private mustHaveNoOpenRequest(): void {
    const [label] = this.restInterceptor.waiting;
    if (label !== undefined)
      throw new WorldError(
        subjectDefects.leavesPromise,
        `the subject finished without awaiting the answer to its ${label}`,
      );
  }

  /** Checks properties in order, except those that failed before. Returns a promise only if a property does. */
  private check(properties: Readonly<Record<string, Check<T>>>): void | Promise<void> {
    let waits: Promise<void> | undefined;
    for (const name in properties) {
      if (this.failures.has(name)) continue;
      const judge = () => this.judge(name, properties[name] as Check<T>);
      if (waits !== undefined) waits = waits.then(judge);
      else waits = judge();
    }
    if (waits === undefined) this.checkedProperty = undefined;
    return waits?.then(() => {
      this.checkedProperty = undefined;
    });
  }

  /** Checks one property. It fails by throwing or by returning false. */
  private judge(name: string, check: Check<T>): Promise<void> | undefined {
    this.checkedProperty = name;
    const { reads } = this;
    if (reads !== undefined) reads.checking = this.isOver ? "at the end" : "during";
    const settles = (result: unknown) => {
      if (reads !== undefined) reads.checking = "nothing";
      if (result === false) this.fail({ property: name, message: RETURNED_FALSE });
    };
    const throws = (thrown: unknown) => {
      if (reads !== undefined) reads.checking = "nothing";
      this.failProperty(name, thrown);
    };
    try {
      const result = check(this.simulator, this.subject as T);
      if (isPromise(result)) return Promise.resolve(result).then(settles, throws);
      settles(result);
    } catch (thrown) {
      throws(thrown);
    }
    return undefined;
  }

  /** Records that a property threw. @throws errors that are no failure of the property */
  private failProperty(name: string, thrown: unknown): void {
    if (isTimeMisuse(thrown)) throw usageErrorOf(thrown);
    // a defect of the subject, such as ending the process
    if (thrown instanceof WorldError) throw thrown;
    this.fail({ property: name, message: plainMessage(thrown), difference: differenceOf(thrown) });
  }

  private checkSometimes(): void {
    const { held, failures } = this;
    if (this.reads !== undefined) this.reads.checking = this.isOver ? "at the end" : "during";
    for (const name in this.setup.sometimes)
      if (!held.has(name) && !failures.has(name)) this.checkSometimesProperty(name);
    if (this.reads !== undefined) this.reads.checking = "nothing";
  }

  /** Records whether a property of `sometimes` holds now. @throws {InputError} if it does not return a boolean */
  private checkSometimesProperty(name: string): void {
    let holds: unknown;
    this.checkedProperty = name;
    try {
      holds = this.setup.sometimes[name]?.(this.simulator, this.subject as T);
    } catch (thrown) {
      this.failProperty(name, thrown);
    }
    this.checkedProperty = undefined;
    if (holds === true) this.held.add(name);
    else if (holds) {
      const got = isPromise(holds) ? "a promise" : show(holds);
      throw new InputError(["sometimes", name], `expected a function that returns a boolean, got ${got}`);
    }
  }

  /** Disposes the subject. If that fails, so does the world, unless a defect ended it before. */
  private async endSubject(): Promise<void> {
    if (isEndedByDeath()) return;
    const { patience } = this.setup;
    const outcome = await disposeSubject(this.subject, patience);
    if (outcome === undefined || [...this.failures.keys()].some(isDefect)) return;
    if (outcome !== "nothing happened") return this.fail(defectOf(outcome.thrown));
    const message = `nothing happened for ${patience.ms} ms while the subject was disposed of`;
    this.fail({ property: subjectDefects.hangs, message });
  }

  private async dispose(): Promise<void> {
    for (const end of this.endings) end();
    this.restInterceptor.close();
    await this.endSubject();
    this.fakeTime?.end();
    this.simulator.dispose();
  }
}

/** The trace's entry for a request: `call.started` and its attempt, or the name of a data action. */
function receivedOf(request: RequestRecord, at: number): Omit<Received, "state"> {
  const [of = "", attempt] = request.subject.split(", attempt ");
  return { at, of, attempt: attempt === undefined ? undefined : Number(attempt) };
}

/** The requests that were made to the REST API, without ids and parameters. */
function askedIn({ rest }: Simulator): string[] {
  return rest.requests.map(
    ({ method, path }) => `${method} ${path.replace(/\?.*/, "").replaceAll(/\/[^/]*\d[^/]*/g, "/…")}`,
  );
}

/** The URLs of requests without a route, each once. */
function unroutedIn(requests: Iterable<RequestRecord>): string[] {
  const addresses: string[] = [];
  for (const { to, isUnrouted } of requests) if (isUnrouted) addresses.push(to.replace(/\?.*/, ""));
  return addresses.length === 0 ? addresses : [...new Set(addresses)];
}
