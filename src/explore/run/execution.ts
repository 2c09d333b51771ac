import type { AppWork } from "../../core/engine/app-work.ts";
import { type Deviation, isOfWholeRun } from "../../core/engine/deviations.ts";
import { untilStill } from "../../core/engine/quiet.ts";
import { dataFieldsOf, isShownWhole, stateTreeOf, type ValueTree } from "../../core/narration/app-state.ts";
import { isRestart } from "../../core/network/request-deviations.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { splitAssumptions } from "../../findings/assumptions.ts";
import { subjectDefects, WorldError } from "../../findings/property-failure.ts";
import type { Patience } from "../../findings/real-time.ts";
import { eventLoopTurn, forgetOpenTimers, openTimeouts } from "../sandbox/open-timers.ts";
import { isEndedByDeath, noteProgress, showing } from "../sandbox/supervision.ts";
import { areTimersReplaced } from "../sandbox/virtual-clock.ts";
import { type Behaviour, exchangesIn } from "./behaviour.ts";
import { CoverageRecorder } from "./coverage.ts";
import { defectOf } from "./defect.ts";
import { disposeSubject } from "./disposing.ts";
import { forge } from "./forged.ts";
import { hasIdle, untilIdle } from "./idle.ts";
import { type Integration, isRestartable } from "./integration.ts";
import { Judge } from "./judge.ts";
import { LateWork } from "./late-work.ts";
import { SubjectLives } from "./lives.ts";
import { mutate } from "./mutants.ts";
import { platformActs } from "./platform-acts.ts";
import type { PlayOptions, RecordedRun } from "./recorded-run.ts";
import { RestInterceptor } from "./rest-interceptor.ts";
import { SignatureReads } from "./signature-reads.ts";
import { SubjectTrace } from "./trace.ts";
import { type ScenarioLeft, WorldClock } from "./world-clock.ts";
import type { ExecutionRequest, WorldRun } from "./world-run.ts";

/** The parts of an execution that all worlds share. */
export interface ExecutionSetup<T> extends Integration<T> {
  readonly recordedRun: RecordedRun;
  /** Waits for promises of the subject. */
  readonly patience: Patience;
  /** How many steps a world may take. */
  readonly steps: number;
  /** Whether the subject's clock and timers follow the virtual time. */
  readonly clock: "virtual" | "real";
  /** Whether the app's states are left out, since what shows them does not return. */
  readonly leavesOutStates: boolean;
}

/** How many levels of the app's state are read to compare it with another. */
const ALL_LEVELS = Number.POSITIVE_INFINITY;

/** A subject that waits this many turns of the event loop waits for something outside the process. */
const MANY_TURNS = 100;

/**
 * How long the bodies of webhooks may be for each step that a world may take, in characters: several times as long as those of calls.
 * Where each is longer than the one before, as in a conversation, the steps alone would be a limit of minutes.
 */
const BODY_LENGTH_PER_STEP = 6_400;
/** … for so many steps, if it may take fewer. */
const FEW_STEPS = 1_000;

/** A server that is restarted from outside. */
interface RestartableServer {
  /** Whether it was seen to ask the REST API after it had answered a request. */
  readonly worksLater?: boolean;
  willRestart?(): void;
  restart?(goesOn: () => void): Promise<void>;
}

/** One run of the scenario, with a subject of its own: it lets time pass, and waits for the subject. */
export class WorldExecution<T> {
  private readonly simulator: Simulator;
  private readonly judge: Judge<T>;
  private readonly trace: SubjectTrace;
  private readonly restInterceptor: RestInterceptor;
  private readonly coverage: CoverageRecorder | undefined;
  /** The real timers that the subject had set while an answer waited for virtual time. */
  private readonly realTimers = new Set<string>();
  /** Set if the subject has a virtual clock. */
  private readonly clock: WorldClock | undefined;
  /** The deviations that do not hold for the whole world. */
  private readonly planned: readonly Deviation[];
  /** The steps of the scenario that the run did not allow. */
  private readonly skipped: number[] = [];
  /** Set if it matters whether the subject looks at signatures. */
  private readonly signatureReads: SignatureReads | undefined;
  /** Set in a few worlds, if none restarts the subject. */
  private readonly lateWork: LateWork | undefined;
  /** How many forged requests were sent, and how many of them were answered 2xx. */
  private readonly forged = { sent: 0, taken: 0 };
  /** Detach what listens to the run or changes the platform. Called at the end of the world. */
  private readonly endings: (() => void)[] = [];
  private subject: T | undefined;
  /** What is compared of the subject's state once it was built, if its behaviour is wanted. */
  private firstCompared: Pick<Behaviour, "state" | "fields"> = { state: undefined, fields: undefined };
  /** What outlives a restart of the subject. */
  private durable: unknown;
  /** Set if the subject may restart in this world. */
  private readonly lives: SubjectLives | undefined;
  private isBuilt = false;
  /** Why a server could not be restarted. */
  private restartError: unknown;
  /** How often it was looked whether a server is there again after a restart. */
  private restartChecks = 0;
  /** How many requests and callbacks the subject has received. */
  private count = 0;
  /** When the scenario's next step is played. */
  private nextStepMs = Number.NEGATIVE_INFINITY;
  /** Whether the scenario is over. */
  private isPlayed = false;
  private steps = 0;
  /** Whether nothing is left to do but to judge. */
  private isIdle = false;
  /** When a defect ended the world before that, ms after its start. */
  private brokenOffMs: number | undefined;
  /** Whether nothing of the subject is waited for any more. */
  private isOver = false;
  /** How many turns of the event loop have passed since the last step. */
  private turns = 0;

  constructor(
    private readonly setup: ExecutionSetup<T>,
    private readonly deviations: readonly Deviation[],
    private readonly wanted: ExecutionRequest,
  ) {
    const { assume, others } = splitAssumptions(deviations);
    this.planned = others;
    this.simulator = setup.recordedRun.begin(assume);
    const isJudged = wanted.unjudged !== true;
    this.coverage = isJudged ? new CoverageRecorder(this.simulator) : undefined;
    this.judge = new Judge({
      ...{ integration: setup, simulator: this.simulator, subject: () => this.subject as T, isJudged },
      noticesReads: deviations.length > 0,
      isSettled: () => this.isSettled,
      whileTimeStands: this.whileTimeStands,
      onBroken: (property, isOver) => this.trace.noteJudged(property, isOver),
    });
    this.trace = new SubjectTrace(this.simulator, wanted);
    const { engine } = this.simulator.services;
    if (wanted.chooser !== undefined) engine.deviations.decideBy(wanted.chooser);
    // the report names what happened, so the simulator need not warn
    engine.loop.waitQuietly();
    const isOfSubject = () => this.lives?.isAtWork !== false;
    this.restInterceptor = new RestInterceptor(
      this.simulator,
      engine.deviations,
      isOfSubject,
      this.mayBeAnswered,
    );
    if (wanted.mutation !== undefined) this.endings.push(mutate(this.simulator, wanted.mutation));
    if (wanted.webhookReads !== undefined) {
      const reads = new SignatureReads(this.simulator, wanted.webhookReads === "in any case");
      this.signatureReads = reads;
      this.endings.push(() => reads.end());
    }
    if (wanted.forgery !== undefined)
      this.endings.push(forge(this.simulator, wanted.forgery, this.forgedAnswered));
    this.endings.push(
      engine.probes.attach({ endpointAsked: this.requestReceived, afterItem: this.afterAgendaItem }),
    );
    // not detached: the subject may still wait while it is disposed of
    engine.probes.attach({ untilStill: this.untilStill });
    engine.work.giveUp = this.giveUpWork;
    this.lateWork = this.newLateWork();
    if (this.mayRestart) this.lives = this.newLives();
    // once all probes are attached: it calls them
    setup.recordedRun.plan(this.simulator, others);
    if (setup.clock === "virtual")
      this.clock = new WorldClock(this.simulator, this.scenarioLeft, this.lateWork);
  }

  private get scenarioLeft(): ScenarioLeft {
    const { hasUntil } = this.setup.recordedRun;
    return {
      isLeft: () => !this.isPlayed && (hasUntil || this.nextStepMs < Number.POSITIVE_INFINITY),
      isCut: () => this.isPlayed && hasUntil,
    };
  }

  private get mayRestart(): boolean {
    const { setup, planned, wanted } = this;
    if (!isRestartable(setup)) return false;
    return (
      wanted.chooser !== undefined || [...setup.recordedRun.own, ...planned].some(({ is }) => isRestart(is))
    );
  }

  /** Noticed in the world without deviations, and where an app that then asks again later is answered 503: others need not pay. */
  private newLateWork(): LateWork | undefined {
    const { planned, setup, wanted } = this;
    const [only, ...more] = planned;
    const is503 = only?.is === "503" && more.length === 0;
    if (isRestartable(setup) || !(wanted.webhookReads === true || is503)) return undefined;
    const stateNow = () => {
      const { state, fields } = this.comparedNow();
      return state ?? fields;
    };
    return new LateWork(this.simulator, is503 ? undefined : stateNow);
  }

  private newLives(): SubjectLives {
    const { restInterceptor, setup } = this;
    return new SubjectLives(this.simulator, {
      isOutside: setup.hasRestartCommand === true,
      willRestart: () => (this.subject as RestartableServer).willRestart?.(),
      holdAnswers: () => restInterceptor.hold(),
      abandonRequests: () => restInterceptor.abandon(),
      forgetTimers: () => this.forgetTimers(),
      untilStill: () => this.work.untilStill().then(eventLoopTurn),
      replace: (build) => this.replaceSubject(build),
    });
  }

  /** Drops the timers of a subject that restarts. */
  private forgetTimers(): void {
    this.clock?.forget();
    forgetOpenTimers();
  }

  private async replaceSubject(build: <R>(call: () => R) => R): Promise<void> {
    const { setup, subject, durable } = this;
    this.isBuilt = false;
    if (setup.hasRestartCommand === true) await this.restartServer(subject as RestartableServer);
    else {
      if (subject !== durable) await this.disposeOf(subject);
      this.subject = await this.whileTimeStands(() => build(() => setup.subject(this.simulator, durable)));
    }
    this.simulator.stopShowing();
    this.isBuilt = true;
  }

  private async restartServer(server: RestartableServer): Promise<void> {
    try {
      await server.restart?.(() => this.restartChecks++);
    } catch (error) {
      this.restartError = error;
      throw error;
    }
  }

  /** Disposes of a subject that restarts. @throws what that throws */
  private async disposeOf(subject: unknown): Promise<void> {
    this.clock?.pause();
    const outcome = await disposeSubject(subject, this.setup.patience);
    this.clock?.goOn();
    if (outcome === "nothing happened") throw new WorldError(subjectDefects.hangs, this.disposingHangs);
    if (outcome !== undefined) throw outcome.thrown;
  }

  private get disposingHangs(): string {
    return `nothing happened for ${this.setup.patience.ms} ms while the subject was disposed of`;
  }

  /** Waits one turn of the event loop, or after many turns for real time: a real server must not be polled without pause. */
  private readonly untilStill = () =>
    this.turns++ < MANY_TURNS ? this.work.untilStill().then(eventLoopTurn) : untilStill();

  /** Called while something of the subject is under way. @throws {WorldError} if it goes on without end */
  private readonly giveUpWork = (activity: number): boolean => {
    if (activity > this.setup.steps)
      throw new WorldError(
        subjectDefects.restless,
        `after its handler has returned, the subject begins more than ${this.most} immediates, files and the like without letting time pass: more than the limit of \`steps\``,
      );
    return this.isOver;
  };

  /** Whether the subject may have another answer of the REST API at one instant. Ends the world if not. */
  private readonly mayBeAnswered = (atOnce: number): boolean => {
    const { patience, steps } = this.setup;
    if (atOnce <= steps) return true;
    this.trace.forgetRequestsOfNow();
    const error = new WorldError(
      subjectDefects.restless,
      `the subject asks the REST API more than ${this.most} times without letting time pass: more than the limit of \`steps\``,
    );
    patience.abort(error);
    return false;
  };

  private get most(): string {
    return this.setup.steps.toLocaleString("en");
  }

  private get work(): AppWork {
    return this.simulator.services.engine.work;
  }

  /** Called when the subject receives a request. */
  private readonly requestReceived = (request: RequestRecord): void => {
    this.count++;
    this.trace.receive(request);
    this.lateWork?.requestReceived();
    // last: it throws at the point at which the subject killed an earlier thread, which had received this request
    noteProgress();
  };

  private readonly afterAgendaItem = (isCallback: boolean) => {
    if (isCallback) this.count++;
    this.lateWork?.itemDone();
    this.turns = 0;
    this.clock?.look(!isCallback);
    return this.afterItem();
  };

  private readonly forgedAnswered = (isTaken: boolean) => {
    this.forged.sent++;
    if (isTaken) this.forged.taken++;
  };

  async run(): Promise<WorldRun> {
    try {
      await this.play();
    } catch (error) {
      // a scenario that cannot be played; the next world needs the same server
      await this.dispose();
      throw error;
    }
    const { judge, trace, wanted } = this;
    const { deviations, isDisposed } = this.simulator.services.engine;
    if (isDisposed) this.failByDisposing();
    const state = wanted.trace === true ? await this.readInTheEnd(() => this.stateNow()) : undefined;
    const run = {
      points: trace.points,
      equivalences: this.deviations.map((each) =>
        isOfWholeRun(each) ? "no" : deviations.equivalenceOf(this.planned.indexOf(each)),
      ),
      readsPlatform: judge.readsPlatform,
      chosen: deviations.chosen,
      skipped: this.skipped,
      unmet: deviations.unmet,
      held: judge.held,
      trace: trace.received,
      judged: trace.judged,
      troubles: trace.troubles(this.countReceived > 0, this.deviations, this.clock?.unrunTimers ?? []),
      firstState: trace.firstState,
      state,
      ...(await this.wholeState()),
      webhookReads: this.signatureReads?.all ?? [],
      forged: this.forged,
      asked: trace.asked,
      journal: wanted.journal === true ? this.simulator.journal() : undefined,
      steps: this.steps,
      brokenOffMs: this.brokenOffMs,
      requests: trace.requests + this.restInterceptor.sent,
      isTouched: this.countReceived > 0,
      behaviour: wanted.behaviour === true ? await this.behaviour() : undefined,
      acts: wanted.acts === true ? platformActs(this.simulator, this.deviations) : undefined,
      unrouted: trace.unrouted,
      realTimers: [...this.realTimers],
      worksLater: this.worksLater,
      deliveredTypes: trace.deliveredTypes,
      reached: this.coverage?.places ?? [],
    };
    await this.dispose();
    return { ...run, failures: judge.failures };
  }

  private async behaviour(): Promise<Behaviour> {
    const { state, fields } = (await this.readInTheEnd(() => this.comparedNow())) ?? {};
    const { state: firstState, fields: firstFields } = this.firstCompared;
    return { ...exchangesIn(this.simulator), firstState, firstFields, state, fields };
  }

  /** Reads the app's state at the end. The function that shows it may not return. */
  private async readInTheEnd<R>(read: () => R): Promise<R | undefined> {
    if (isEndedByDeath()) return undefined;
    const { patience } = this.setup;
    const outcome = await patience.waitFor(Promise.resolve().then(read), () => 0);
    if (outcome === "nothing happened") return undefined; // what shows it does not return
    if ("value" in outcome) return outcome.value;
    this.judge.fail(defectOf(outcome.thrown));
    return undefined;
  }

  /** Reports that the subject disposed of the simulator. */
  private failByDisposing(): void {
    this.judge.fail({
      property: subjectDefects.disposes,
      message: "it calls dispose() of the simulator, which the exploration still needs",
    });
  }

  private async play(): Promise<void> {
    try {
      // on an empty stack: if the watchdog terminates a loop, every frame on the stack ends with it
      await this.withPatience(Promise.resolve().then(() => this.playThrough()));
    } catch (thrown) {
      if (this.restartError !== undefined) throw this.restartError;
      const { now, options } = this.simulator.services.engine;
      if (!this.isIdle) this.brokenOffMs = now - options.startMs;
      // errors after the simulator is disposed of follow from that
      if (!this.simulator.services.engine.isDisposed) this.judge.fail(defectOf(thrown));
    }
  }

  private async playThrough(): Promise<void> {
    const { setup, simulator } = this;
    noteProgress();
    this.work.beginRun();
    this.work.stir();
    this.durable = await this.whileTimeStands(() => setup.durable?.());
    const build = () => setup.subject(simulator, this.durable);
    this.subject = await this.whileTimeStands(() =>
      this.lives === undefined ? build() : this.lives.run(build),
    );
    this.isBuilt = true;
    this.awaitIdle();
    await this.work.untilDone();
    // only a trace needs the states
    simulator.stopShowing();
    this.trace.begin(() => this.stateNow());
    if (this.wanted.behaviour === true) this.firstCompared = this.comparedNow();
    this.clock?.look(true);
    await setup.recordedRun.play(simulator, this.playOptions);
    this.nextStepMs = Number.POSITIVE_INFINITY;
    this.isPlayed = true;
    this.clock?.look();
    await simulator.runUntilIdleAsync();
    this.isIdle = true;
    await this.judge.judgeTheEnd();
    // if the subject dies while it is disposed of, everything before was judged
    noteProgress();
  }

  /** No time passes meanwhile. */
  private readonly whileTimeStands = <R>(call: () => R | PromiseLike<R>) =>
    this.clock === undefined ? call() : this.clock.whileTimeStands(call, this.work);

  private get playOptions(): PlayOptions {
    const { setup, deviations, wanted } = this;
    return {
      isDeviating: deviations.length + setup.recordedRun.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        this.clock?.look(true);
        return this.afterItem();
      },
      skipped: (index) => this.skipped.push(index),
      nextStep: (atMs) => {
        this.nextStepMs = atMs;
      },
    };
  }

  /** Waits as long as something happens. If nothing does for the patience, the world fails. */
  private async withPatience(going: Promise<void>): Promise<void> {
    const { patience } = this.setup;
    const outcome = await patience.waitFor(going, this.progress);
    if (outcome === "nothing happened")
      throw new WorldError(subjectDefects.hangs, `nothing happened for ${patience.ms} ms${this.waitText()}`);
    if ("thrown" in outcome) throw outcome.thrown;
  }

  /** A count that rises when something happens. */
  private readonly progress = () =>
    this.steps +
    this.restInterceptor.passedAnswers +
    this.restartChecks +
    this.work.activity +
    this.judge.checks;

  private waitText(): string {
    const { checking } = this.judge;
    const timer = this.clock?.standingTimer ?? "";
    if (!this.isBuilt) return ` while the subject was being built${timer}`;
    if (checking !== undefined) return ` while "${checking}" was checked${timer}`;
    const [request] = this.simulator.network.requests.filter(({ endedAt }) => endedAt === null);
    if (request !== undefined)
      return ` while the subject was handling ${request.method} ${request.to}${this.fakeTimersText}`;
    const [peer] = this.work.waitingFor;
    return peer === undefined ? "" : `: the subject waits for ${peer}: return \`idle()\``;
  }

  private get fakeTimersText(): string {
    if (!areTimersReplaced()) return "";
    return ". It began fake timers, which stand still: leave them out, as a world's timers are virtual anyway, or begin them before `explore`";
  }

  private noteRealTimers(): void {
    if (this.simulator.services.restTraffic.heldCount === 0) return;
    for (const timer of openTimeouts()) this.realTimers.add(timer);
  }

  /** Called after each item of the agenda and each step of the scenario. */
  private afterItem(): void | Promise<void> {
    noteProgress();
    if (this.clock === undefined) this.noteRealTimers();
    if (++this.steps > this.setup.steps)
      throw new WorldError(
        subjectDefects.restless,
        `the world took more than ${this.most} steps, the limit of \`steps\``,
      );
    this.throwIfBodiesGrow();
    // a step of the scenario may have called listeners
    const waits = this.work.isStirred ? this.work.untilDone() : undefined;
    return waits === undefined ? this.afterWork() : waits.then(() => this.afterWork());
  }

  /** @throws {WorldError} if the bodies of webhooks have become so long that the last steps would take minutes */
  private throwIfBodiesGrow(): void {
    const { deliveries } = this.simulator.services;
    const longest = Math.max(this.setup.steps, FEW_STEPS) * BODY_LENGTH_PER_STEP;
    if (deliveries.bodyLength <= longest) return;
    throw new WorldError(
      subjectDefects.restless,
      `in ${this.steps.toLocaleString("en")} steps the bodies of webhooks took more than ${longest / 1_000_000} MB, the limit for ${this.most} \`steps\`. Those of a conversation have all of its messages: does it answer its own?`,
    );
  }

  /** Keeps the state of a subject that has done its work, and judges it. */
  private afterWork(): void | Promise<void> {
    if (!this.isBuilt) return;
    this.trace.noteState();
    return this.judge.judgeAfter(this.countReceived);
  }

  /** How much the subject has received: requests, answers, callbacks, and events if it listens to any. */
  private get countReceived(): number {
    const { log } = this.simulator.services.engine;
    return this.count + this.restInterceptor.passedAnswers + (log.hasListeners ? log.total : 0);
  }

  /** Whether nothing more is due at this instant, and none of the subject's handlers is busy. */
  private get isSettled(): boolean {
    const { now, loop } = this.simulator.services.engine;
    return loop.nextDueMs > now && this.nextStepMs > now && !loop.isAnsweredAhead;
  }

  /** The app's state, as the option `show` or else the subject's `sim.show` returns it. */
  private stateNow(deepest?: number): ValueTree | undefined {
    const { leavesOutStates, show = this.simulator.appStates?.show } = this.setup;
    return leavesOutStates ? undefined : showing(() => stateTreeOf(this.subject as T, show, deepest));
  }

  /** The app's whole state, or if nothing can show it, the subject's fields that are data. */
  private comparedNow(): Pick<Behaviour, "state" | "fields"> {
    const state = this.stateNow(ALL_LEVELS);
    const { leavesOutStates, show = this.simulator.appStates?.show } = this.setup;
    if (state !== undefined || leavesOutStates || show !== undefined) return { state, fields: undefined };
    return { state, fields: showing(() => dataFieldsOf(this.subject, ALL_LEVELS)) };
  }

  private get worksLater(): boolean {
    const isServerSeen = () => (this.subject as RestartableServer | undefined)?.worksLater === true;
    return this.lateWork?.isSeen === true || (!isRestartable(this.setup) && isServerSeen());
  }

  /** The state in the end with all of its levels, if it is wanted. */
  private async wholeState(): Promise<Pick<WorldRun, "wholeState" | "isStateWhole">> {
    const isWanted =
      this.wanted.wholeState === true || this.signatureReads?.all.some(({ isAsked }) => isAsked) === true;
    const { show = this.simulator.appStates?.show } = this.setup;
    const read = () => {
      const wholeState = this.stateNow(ALL_LEVELS);
      const isWhole = () => showing(() => isShownWhole(this.subject as T, show));
      return { wholeState, isStateWhole: wholeState !== undefined && isWhole() };
    };
    const shown = isWanted ? await this.readInTheEnd(read) : undefined;
    return shown ?? { wholeState: undefined, isStateWhole: false };
  }

  /** Waits also for what only the subject knows, if it does. */
  private awaitIdle(): void {
    if (!hasIdle(this.subject)) return;
    const { engine } = this.simulator.services;
    const untilDone = async () => {
      if (hasIdle(this.subject)) await untilIdle(this.subject, engine, this.giveUpWork);
    };
    engine.probes.attach({ untilDone });
  }

  /** Disposes the subject, and what outlived it. If that fails, so does the world, unless a defect ended it before. */
  private async endSubject(): Promise<void> {
    const { subject, durable } = this;
    for (const each of new Set<unknown>([subject, durable])) {
      if (isEndedByDeath()) return;
      const outcome = await disposeSubject(each, this.setup.patience);
      if (outcome === undefined || this.judge.hasDefect) continue;
      if (outcome === "nothing happened")
        this.judge.fail({ property: subjectDefects.hangs, message: this.disposingHangs });
      else this.judge.fail(defectOf(outcome.thrown));
    }
  }

  private async dispose(): Promise<void> {
    for (const end of this.endings) end();
    this.restInterceptor.close();
    this.isOver = true;
    // what disposes of the subject may take real time
    this.clock?.end();
    await this.endSubject();
    // those of a world that was broken off may never end
    if (this.clock !== undefined) forgetOpenTimers(this.judge.hasDefect ? "all" : "but immediates");
    this.lives?.end();
    this.work.endRun();
    // what the subject has left behind may still use it
    this.simulator.services.engine.abandon();
  }
}
