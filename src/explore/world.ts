import {
  type Alikeness,
  type Chooser,
  type Deviation,
  isOfWholeRun,
  type ReachedPoint,
} from "../engine/choices.ts";
import { InputError, isMisuseOfTime } from "../engine/errors.ts";
import { show } from "../engine/instants.ts";
import { untilStill } from "../engine/quiet.ts";
import { isPromise } from "../engine/values.ts";
import type { JournalDocument } from "../options.ts";
import type { RequestRecord } from "../records/request.ts";
import type { Simulator } from "../simulator.ts";
import { dataOf, stateOf } from "../story/app-state.ts";
import { assumptionsIn } from "./assumptions.ts";
import { CoverageWatch } from "./coverage.ts";
import { defectIn } from "./defect.ts";
import { disposed } from "./disposing.ts";
import type { Received } from "./explain.ts";
import {
  type Broken,
  differenceOf,
  isDefect,
  subjectDefects,
  usageErrorOf,
  WorldBroken,
  wordsOf,
} from "./failure.ts";
import { FakeTime } from "./fake-time.ts";
import type { Check, Integration } from "./integration.ts";
import { type Mutation, mutate, typeOf } from "./mutants.ts";
import { turn } from "./open-timers.ts";
import { PlatformReads } from "./platform-reads.ts";
import type { Patience } from "./real-time.ts";
import { RestGate } from "./rest-gate.ts";
import { type Playing, planAll, type Script, type ScriptPosition } from "./script.ts";
import { CopyDiffers, canFork, copyOf, Progress, Prospects, type Standing } from "./standing.ts";
import { isEndedByDeath, noteProgress } from "./supervision.ts";

/** What is the same for all worlds. */
export interface Setup<T> extends Integration<T> {
  readonly script: Script;
  /** Waits for promises of the subject. */
  readonly patience: Patience;
  /** How many steps a world may take. */
  readonly steps: number;
}

/** The result of a world. */
export interface WorldRun {
  /** The first failure of each property, in the order of the run. A defect of the subject ends the world, so it is last. */
  readonly failures: readonly Broken[];
  /** The choice points, in the order of the run. */
  readonly points: readonly ReachedPoint[];
  /** For each deviation, whether other forms of it would have shown the subject the same. */
  readonly alikeness: readonly Alikeness[];
  /**
   * Whether a property read what may differ in worlds in which the subject sees the same. They must then be judged
   * themselves.
   */
  readonly readsPlatform: boolean;
  /** The deviations that the chooser took. */
  readonly chosen: readonly Deviation[];
  /** The steps of the scenario that the run did not allow. */
  readonly skipped: readonly number[];
  /** Deviations whose choice point the run did not reach. */
  readonly unmet: readonly Deviation[];
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** The requests that the subject received: when and what. */
  readonly received: readonly string[];
  /** What the subject received, and the app's states, if they were asked for. */
  readonly trace: readonly Received[];
  /** The app's state once it was built, if the trace was asked for and it can be shown. */
  readonly firstState: string | undefined;
  /** The app's state in the end, if it or the trace was asked for and it can be shown. */
  readonly state: string | undefined;
  /** The subject's own requests to the REST API, such as `GET /calls`, if the trace was asked for. */
  readonly asked: readonly string[];
  /** The world's journal, if it was asked for. */
  readonly journal: JournalDocument | undefined;
  /** Where others can go on, if that was asked for. */
  readonly standings: readonly Standing<unknown>[];
  /** Whether others could. */
  readonly canFork: boolean;
  /** How many steps the simulator took, including those of the script. */
  readonly steps: number;
  /** How many requests the subject received, plus how many of its own were answered. */
  readonly requests: number;
  /** Whether the subject received anything: a request, an answer, an event or a callback. */
  readonly isTouched: boolean;
  /** The URLs of requests without a route. */
  readonly unrouted: readonly string[];
  /** The event types that webhooks delivered to the subject, if they were asked for. */
  readonly told: readonly string[];
  /**
   * The states and transitions of machines that the world reached, as `CoverageCount` counts them; empty for an
   * unjudged run.
   */
  readonly reached: readonly number[];
}

/** What a run is to return. */
export interface Wanted {
  /** The choice points. */
  readonly points?: boolean;
  /** Without checking properties or coverage. */
  readonly unjudged?: boolean;
  /** Where to keep the world for others: after these steps, or wherever a choice point may follow. */
  readonly standings?: ReadonlySet<number> | Prospects;
  /** The event types that webhooks deliver to the subject. */
  readonly told?: boolean;
  readonly received?: boolean;
  /** What the subject receives, and the app's states. */
  readonly trace?: boolean;
  /** The app's state in the end, if the integration can show it. */
  readonly state?: boolean;
  readonly journal?: boolean;
  /** The change of the platform. */
  readonly mutation?: Mutation;
  /** Decides at choice points for which nothing is planned. */
  readonly chooser?: Chooser;
}

/** The message of a property that returned false, as those of `sometimes` do. */
const RETURNED_FALSE = "returned false; throw, or use `expect`, to say why";

/** After how many turns of the event loop the subject is taken to wait for something outside itself. */
const MANY_TURNS = 100;

/** One run of the script, with a subject of its own. */
export class World<T> {
  private readonly simulator: Simulator;
  private readonly gate: RestGate;
  private readonly coverage: CoverageWatch | undefined;
  /** Set for a world with deviations, which may stand for others. */
  private readonly reads: PlatformReads | undefined;
  /** Set if fake timers are on. */
  private readonly fakeTime: FakeTime | undefined;
  /** The deviations that do not hold for the whole world. */
  private readonly planned: readonly Deviation[];
  private readonly progress: Progress;
  /** For each planned deviation, its index among all of the run. */
  private readonly indices: readonly number[];
  /** Where a copy can go on with the script; undefined if it cannot. */
  private position: ScriptPosition | undefined;
  private readonly standings: Standing<T>[] = [];
  private readonly received: string[] = [];
  private readonly trace: Received[] = [];
  /** What the subject has received since the app's state was last noted. */
  private untraced: Omit<Received, "state">[] = [];
  private readonly told = new Set<string>();
  private subject: T | undefined;
  private isBuilt = false;
  private firstState: string | undefined;
  /** Whether nothing is left to do. */
  private isOver = false;
  private readonly hasSettled: boolean;
  /** How many turns of the event loop a handler was waited for since the last step. */
  private turns = 0;
  /** The property that is being checked. */
  private lookedAt: string | undefined;

  constructor(
    private readonly setup: Setup<T>,
    private readonly deviations: readonly Deviation[],
    private readonly wanted: Wanted,
    /** Where another world stands that began alike; undefined to begin at the start. */
    private readonly from?: Standing<T>,
  ) {
    const { assume, others } = assumptionsIn(deviations);
    this.planned = others;
    this.simulator = from === undefined ? setup.script.begin(assume) : from.simulator.fork();
    this.progress = from === undefined ? new Progress() : from.progress.copy();
    this.position = from?.position;
    this.hasSettled = Object.keys(setup.settled).length > 0;
    this.coverage = wanted.unjudged === true ? undefined : new CoverageWatch(this.simulator, from?.reached);
    if ((deviations.length > 0 || wanted.standings !== undefined) && wanted.unjudged !== true) {
      this.reads = new PlatformReads(this.simulator);
      this.reads.isRead = from?.isRead === true;
    }
    const { engine, network } = this.simulator.inside;
    if (wanted.points === true)
      engine.choices.watch((point, options) =>
        this.progress.points.push({ point, options, step: this.progress.steps }),
      );
    if (wanted.chooser !== undefined) engine.choices.decideBy(wanted.chooser);
    // the report says it instead
    engine.loop.waitQuietly();
    const planned = from?.indices ?? others.map((_, index) => index);
    const further = others.slice(planned.length);
    this.indices = [...planned, ...further.map((_, index) => engine.choices.count + index)];
    if (from === undefined) setup.script.plan(this.simulator, others);
    else planAll(this.simulator, further);
    this.gate = new RestGate(this.simulator, engine.choices, from?.given);
    if (wanted.mutation !== undefined) mutate(this.simulator, wanted.mutation);
    network.asked = this.asked;
    this.fakeTime = FakeTime.begin(this.simulator);
    engine.loop.timeWaits.grace = this.grace;
    engine.loop.timeWaits.quiet = turn;
    engine.loop.afterItem = this.afterAgendaItem;
  }

  // Fields, since V8 puts a function that is written where it is assigned to an object's field among old objects: until
  // those are collected, it would keep this world, and with it all that the world made.

  /** What a subject does at an instant takes no real time; but a real server must not be polled without end. */
  private readonly grace = () => (this.turns++ < MANY_TURNS ? turn() : untilStill());

  /** Called when the subject receives a request. */
  private readonly asked = (request: RequestRecord): void => {
    const { progress, wanted } = this;
    const { engine } = this.simulator.inside;
    progress.count++;
    progress.requests++;
    const type = wanted.told === true ? typeOf(request) : undefined;
    if (type !== undefined) this.told.add(type);
    if (wanted.trace === true) this.untraced.push(receivedOf(request, engine.now - engine.options.startMs));
    if (wanted.received === true)
      this.received.push(
        `${engine.now} ${request.to} ${request.subject} ${request.recordId} ${request.duplicateOf === null}`,
      );
    // last, since it throws where the subject died in another thread: there, the subject had received this
    noteProgress();
  };

  private readonly afterAgendaItem = (isCallback: boolean) => {
    if (isCallback) this.progress.count++;
    this.turns = 0;
    this.fakeTime?.look(isCallback);
    return this.afterItem();
  };

  async run(): Promise<WorldRun> {
    await this.play();
    const { choices, isDisposed } = this.simulator.inside.engine;
    if (isDisposed) this.failByDisposing();
    const run = {
      points: this.progress.points,
      alikeness: this.deviations.map((each) =>
        isOfWholeRun(each) ? "no" : choices.alikeness(this.indices[this.planned.indexOf(each)] ?? -1),
      ),
      readsPlatform: this.reads?.isRead === true,
      chosen: choices.chosen,
      skipped: this.progress.skipped,
      unmet: choices.unmet,
      held: [...this.progress.held],
      received: this.received,
      trace: this.trace,
      firstState: this.firstState,
      state: this.showsState ? await this.stateInTheEnd() : undefined,
      asked: this.wanted.trace === true ? askedIn(this.simulator) : [],
      journal: this.wanted.journal === true ? this.simulator.journal() : undefined,
      steps: this.progress.steps,
      requests: this.progress.requests + this.gate.given,
      isTouched: this.countReceived > 0,
      unrouted: unroutedIn(this.simulator.inside.network.requests()),
      told: [...this.told],
      reached: this.coverage?.places ?? [],
      standings: this.standings,
      canFork: this.isBuilt && this.position !== undefined && canFork(this.subject as T, this.simulator),
    };
    await this.dispose();
    return { ...run, failures: [...this.progress.failures.values()] };
  }

  /** The app's state in the end. What shows it may not return. */
  private async stateInTheEnd(): Promise<string | undefined> {
    if (isEndedByDeath()) return undefined;
    const { patience } = this.setup;
    const outcome = await patience.waitFor(
      Promise.resolve().then(() => this.stateNow()),
      () => 0,
    );
    if (outcome === "nothing happened") return undefined; // it is not asynchronous
    if ("value" in outcome) return outcome.value;
    this.fail(defectIn(outcome.thrown));
    return undefined;
  }

  /** Says that the subject disposed of the simulator. */
  private failByDisposing(): void {
    this.fail({
      property: subjectDefects.disposes,
      message: "it calls dispose() of the simulator that the exploration gave it",
    });
  }

  /** Whether the app's state in the end is wanted. */
  private get showsState(): boolean {
    const { trace, state } = this.wanted;
    return trace === true || (state === true && this.setup.show !== undefined);
  }

  private async play(): Promise<void> {
    try {
      // from an empty stack: all that is on it ends when a loop is terminated
      await this.patiently(Promise.resolve().then(() => this.playThrough()));
    } catch (thrown) {
      // what follows from that says nothing
      if (!this.simulator.inside.engine.isDisposed) this.fail(defectIn(thrown));
    }
  }

  /** Notes a failure. Each property keeps its first. */
  private fail(broken: Broken): void {
    if (!this.progress.failures.has(broken.property)) this.progress.failures.set(broken.property, broken);
  }

  private async playThrough(): Promise<void> {
    const { setup, simulator, deviations, wanted } = this;
    noteProgress();
    this.subject = this.from === undefined ? await setup.subject(simulator) : this.copied(this.from.subject);
    this.isBuilt = true;
    // only a world that is explained needs its states
    simulator.inside.engine.loop.looked = undefined;
    if (wanted.trace === true) this.firstState = this.stateNow();
    this.fakeTime?.look(false);
    const playing: Playing = {
      isDeviating: deviations.length + setup.script.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        this.fakeTime?.look(false);
        return this.afterItem();
      },
      skipped: (index) => this.progress.skipped.push(index),
      nextStep: (atMs, position) => {
        this.progress.nextStepMs = atMs;
        this.position = position;
      },
    };
    // a deviation behind this one may come within the same step
    if (this.from !== undefined && this.isToStand) this.stand();
    await setup.script.play(simulator, playing, this.from?.position);
    this.progress.nextStepMs = Number.POSITIVE_INFINITY;
    await simulator.runUntilIdleAsync({ within: this.progress.untilIdle(simulator.timestamp) });
    this.mustHaveNothingOpen();
    if (wanted.unjudged === true) return;
    if (this.hasSettled) await this.checkSettled();
    this.isOver = true;
    // nothing reached the subject, so nobody has asked yet
    if (this.progress.checkedCount === 0) await this.check({ ...setup.always, ...setup.settled });
    await this.check(setup.eventually);
    this.checkSometimes();
    // a subject that dies while it is disposed of dies behind all that was judged
    noteProgress();
  }

  /** Waits as long as something happens. A step that never ends is a failure. */
  private async patiently(going: Promise<void>): Promise<void> {
    const { patience } = this.setup;
    const outcome = await patience.waitFor(going, () => this.progress.steps + this.gate.given);
    if (outcome === "nothing happened")
      throw new WorldBroken(
        subjectDefects.hangs,
        `nothing happened for ${patience.ms} ms${this.whatItWaitsFor()}`,
      );
    if ("thrown" in outcome) throw outcome.thrown;
  }

  private whatItWaitsFor(): string {
    if (!this.isBuilt) return " while the subject was being built";
    if (this.lookedAt !== undefined) return ` while "${this.lookedAt}" was looked at`;
    const [request] = this.simulator.network.requests.filter(({ endedAt }) => endedAt === null);
    return request === undefined ? "" : ` while the subject was handling ${request.method} ${request.to}`;
  }

  /** Called after each item of the agenda and each step of the script. */
  private afterItem(): void | Promise<void> {
    noteProgress();
    if (++this.progress.steps > this.setup.steps)
      throw new WorldBroken(
        subjectDefects.restless,
        `the world took more than ${this.setup.steps.toLocaleString("en")} steps, as many as \`steps\` allows`,
      );
    const given = this.gate.untilGiven();
    const waits = given === undefined ? this.look() : given.then(() => this.look());
    if (!this.isToStand) return waits;
    return waits === undefined ? this.stand() : waits.then(() => this.stand());
  }

  /** Whether others are to go on from here. */
  private get isToStand(): boolean {
    const { standings } = this.wanted;
    return standings instanceof Prospects
      ? standings.areGood(this.next)
      : standings?.has(this.progress.steps) === true;
  }

  /** What comes next, in words. */
  private get next(): string {
    const { loop } = this.simulator.inside.engine;
    return this.progress.nextStepMs < loop.nextDueMs ? "a step" : (loop.nextPurpose ?? "nothing");
  }

  /** Keeps the world for others to go on from here, unless anything is under way. */
  private stand(): void {
    const { simulator, subject, position, gate } = this;
    const { loop } = simulator.inside.engine;
    if (!this.isBuilt || position === undefined || this.fakeTime !== undefined) return;
    if (!loop.isWhole || !gate.isIdle || !canFork(subject as T, simulator)) return;
    const fork = simulator.fork();
    const copy = copyOf(subject as T & { fork(simulator: Simulator): T }, fork, this.deviations);
    if (copy === undefined) return;
    const data = dataOf(copy, [fork]);
    this.standings.push({
      simulator: fork,
      subject: copy,
      data,
      isAltered: data !== dataOf(subject, [simulator]),
      position: { next: position.next, names: new Map(position.names) },
      before: this.next,
      indices: this.indices,
      progress: this.progress.copy(),
      reached: this.coverage?.places ?? [],
      isRead: this.reads?.isRead === true,
      given: gate.given,
    });
  }

  /** A copy of a kept subject, to go on in this world. */
  private copied(subject: T): T {
    const { simulator, deviations } = this;
    const copy = canFork(subject, simulator) ? copyOf(subject, simulator, deviations) : undefined;
    if (copy !== undefined) return copy;
    const message = "a copy cannot be copied again, though nothing happened to it";
    throw new CopyDiffers({ message, deviations, isSteady: true });
  }

  /** How much the subject has received: requests, answers, callbacks, and events that its handlers may have heard. */
  private get countReceived(): number {
    const { log } = this.simulator.inside.engine;
    return this.progress.count + this.gate.given + (log.isHeard ? log.total : 0);
  }

  /** Checks properties, if the subject received something. */
  private look(): void | Promise<void> {
    if (!this.isBuilt) return;
    const count = this.countReceived;
    if (this.untraced.length > 0) this.noteState();
    if (count === this.progress.checkedCount) return this.hasSettled ? this.checkSettled() : undefined;
    this.progress.checkedCount = count;
    // another handler may still wait for its answers
    if (!this.simulator.inside.engine.loop.isAnsweredAhead) this.mustHaveNothingOpen();
    if (this.wanted.unjudged === true) return;
    this.checkSometimes();
    const waits = this.check(this.setup.always);
    if (!this.hasSettled) return waits;
    return waits === undefined ? this.checkSettled() : waits.then(() => this.checkSettled());
  }

  /**
   * Checks the properties of `settled`: the subject received something since the last time, nothing more is due at this
   * instant, and none of its handlers is busy.
   */
  private checkSettled(): void | Promise<void> {
    const { now, loop } = this.simulator.inside.engine;
    if (this.progress.settledCount === this.progress.checkedCount || this.wanted.unjudged === true) return;
    if (loop.nextDueMs <= now || this.progress.nextStepMs <= now || loop.isAnsweredAhead) return;
    this.progress.settledCount = this.progress.checkedCount;
    return this.check(this.setup.settled);
  }

  /** Notes the app's state behind what it received. */
  private noteState(): void {
    const state = this.stateNow();
    for (const each of this.untraced) this.trace.push({ state, ...each });
    this.untraced = [];
  }

  /** The app's state: as the options show it, or else as the subject does by `sim.show`. */
  private stateNow(): string | undefined {
    return stateOf(this.subject as T, this.setup.show ?? this.simulator.appStates?.show);
  }

  private mustHaveNothingOpen(): void {
    const [label] = this.gate.waiting;
    if (label !== undefined)
      throw new WorldBroken(
        subjectDefects.leavesPromise,
        `the subject was done, but nobody had waited for the answer to its ${label}`,
      );
  }

  /** Checks properties one after another, those that failed before left out. Returns a promise only if a property does. */
  private check(properties: Readonly<Record<string, Check<T>>>): void | Promise<void> {
    let waits: Promise<void> | undefined;
    for (const name in properties) {
      if (this.progress.failures.has(name)) continue;
      const judge = () => this.judge(name, properties[name] as Check<T>);
      if (waits !== undefined) waits = waits.then(judge);
      else waits = judge();
    }
    if (waits === undefined) this.lookedAt = undefined;
    return waits?.then(() => {
      this.lookedAt = undefined;
    });
  }

  /** Checks one property, and notes whether it holds. It fails by throwing or by returning false. */
  private judge(name: string, check: Check<T>): Promise<void> | undefined {
    this.lookedAt = name;
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

  /** Notes that a property threw. @throws what says something else */
  private failProperty(name: string, thrown: unknown): void {
    if (isMisuseOfTime(thrown)) throw usageErrorOf(thrown);
    // it ended the process, say: the subject's defect, which is no failure of the property too
    if (thrown instanceof WorldBroken) throw thrown;
    this.fail({ property: name, message: wordsOf(thrown), difference: differenceOf(thrown) });
  }

  private checkSometimes(): void {
    const { held, failures } = this.progress;
    if (this.reads !== undefined) this.reads.checking = this.isOver ? "at the end" : "during";
    for (const name in this.setup.sometimes)
      if (!held.has(name) && !failures.has(name)) this.lookWhetherHeld(name);
    if (this.reads !== undefined) this.reads.checking = "nothing";
  }

  /** Notes whether a property of `sometimes` holds now. @throws {InputError} if it does not say so by a boolean */
  private lookWhetherHeld(name: string): void {
    let holds: unknown;
    this.lookedAt = name;
    try {
      holds = this.setup.sometimes[name]?.(this.simulator, this.subject as T);
    } catch (thrown) {
      this.failProperty(name, thrown);
    }
    this.lookedAt = undefined;
    if (holds === true) this.progress.held.add(name);
    else if (holds) {
      const got = isPromise(holds) ? "a promise" : show(holds);
      throw new InputError(["sometimes", name], `expected a function that returns a boolean, got ${got}`);
    }
  }

  /** Ends the subject. If it cannot be ended, that is a failure, unless one of its defects ended the world before. */
  private async endSubject(): Promise<void> {
    if (isEndedByDeath()) return;
    const { patience } = this.setup;
    const outcome = await disposed(this.subject, patience);
    if (outcome === undefined || [...this.progress.failures.keys()].some(isDefect)) return;
    if (outcome !== "nothing happened") return this.fail(defectIn(outcome.thrown));
    const message = `nothing happened for ${patience.ms} ms while the subject was disposed of`;
    this.fail({ property: subjectDefects.hangs, message });
  }

  private async dispose(): Promise<void> {
    const { engine, network } = this.simulator.inside;
    engine.loop.afterItem = undefined;
    network.asked = undefined;
    network.between = undefined;
    this.gate.close();
    await this.endSubject();
    this.fakeTime?.end();
    this.simulator.dispose();
  }
}

/** What a request is about, for a trace: `call.started` and its attempt, or the name of a data action. */
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
