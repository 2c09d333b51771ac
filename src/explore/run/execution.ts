import { untilStill } from "../../core/engine/quiet.ts";
import { afterwards } from "../../core/foundation/values.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import { splitAssumptions } from "../../findings/assumptions.ts";
import { appDefects, type PropertyFailure } from "../../findings/property-failure.ts";
import { eventLoopTurn, forgetOpenTimers } from "../sandbox/open-timers.ts";
import { noteProgress } from "../sandbox/supervision.ts";
import { AppInstance } from "./app-instance.ts";
import { AppStateReader } from "./app-state-reader.ts";
import { AppWaits } from "./app-waits.ts";
import { attachments } from "./attachments.ts";
import { defectOf } from "./defect.ts";
import { answerInjected, canThrowInjected, dependencyCaller } from "./dependency-calls.ts";
import { awaitIdle } from "./idle.ts";
import { isRestartable } from "./integration.ts";
import { Judge } from "./judge.ts";
import { lateWork } from "./late-work.ts";
import { AppLives, hasRestarts } from "./lives.ts";
import type { PlayOptions } from "./recorded-run.ts";
import { refusalIn } from "./refuses.ts";
import { RestInterceptor } from "./rest-interceptor.ts";
import { ScenarioProgress } from "./scenario-progress.ts";
import { AppTrace } from "./trace.ts";
import { withPatience } from "./waiting.ts";
import { type Attachment, isPlain, type World, type WorldSetup } from "./world.ts";
import { WorldClock } from "./world-clock.ts";
import { WorldLimits } from "./world-limits.ts";
import { worldResult } from "./world-result.ts";
import type { ExecutionRequest, WorldRun } from "./world-run.ts";

/** An app that waits this many turns of the event loop waits for something outside the process. */
const MANY_TURNS = 100;

/** The app disposed of the simulator. */
const DISPOSED = {
  property: appDefects.disposes,
  message: "it calls dispose() of the simulator, which the exploration still needs",
};

/** One run of the scenario, with an app of its own: it lets time pass, and waits for the app. */
export class WorldExecution<T> {
  private readonly world: World<T>;
  private readonly app: AppInstance<T>;
  private readonly states: AppStateReader<T>;
  private readonly judge: Judge<T>;
  private readonly trace: AppTrace;
  private readonly restInterceptor: RestInterceptor;
  private readonly limits: WorldLimits;
  private readonly scenario: ScenarioProgress;
  private readonly attached: readonly Attachment[];
  /** Its timers, while which it may restart. */
  private readonly waits: AppWaits;
  /** Set if the app has a virtual clock. */
  private readonly clock: WorldClock | undefined;
  /** Set if the app may restart in this world. */
  private readonly lives: AppLives | undefined;
  /** How many requests and callbacks the app has received. */
  private count = 0;
  /** The ids of those requests; undefined in worlds that are not judged by how the app answers. */
  private readonly received: Set<string> | undefined;
  /** How many of those callbacks are timers of the app. */
  private timerRuns = 0;
  /** When a defect ended the world before nothing was left to do, ms after its start. */
  private brokenOffMs: number | undefined;
  /** Whether the app's `idle()` is being waited for. */
  private isIdleAwaited = (): boolean => false;
  /** `judging`: nothing is left to do but to judge. `over`: nothing of the app is waited for any more. */
  private phase: "going" | "judging" | "over" = "going";
  /** How many turns of the event loop have passed since the last step. */
  private turns = 0;

  constructor(setup: WorldSetup<T>, deviations: World["deviations"], wanted: ExecutionRequest) {
    const { assume, calendar, others: planned } = splitAssumptions(deviations);
    const simulator = setup.recordedRun.begin({ assume, turn: calendar?.is });
    const world: World<T> = { setup, deviations, planned, wanted, simulator };
    this.world = world;
    this.app = new AppInstance(world, () => this.clock);
    const whileTimeStands = <R>(call: () => R | PromiseLike<R>) => this.app.whileTimeStands(call);
    this.states = new AppStateReader(world, () => this.app.app, whileTimeStands);
    this.limits = new WorldLimits(world);
    this.scenario = new ScenarioProgress(setup.recordedRun.hasUntil);
    const isJudged = wanted.unjudged !== true;
    this.received = isJudged && isPlain(world as World) ? new Set() : undefined;
    this.judge = new Judge({
      ...{ integration: setup, simulator, app: () => this.app.app, isJudged },
      noticesReads: deviations.length > 0,
      isSettled: () => this.isSettled,
      whileTimeStands,
      onBroken: (property, isOver) => this.trace.noteJudged(property, isOver),
    });
    const { engine } = simulator.services;
    this.waits = new AppWaits(
      engine,
      () => this.isAtWork && isRestartable(setup),
      () => this.lives?.restartNow(),
    );
    this.trace = new AppTrace(simulator, wanted, () => {
      this.waits.answeredAnew();
      this.clock?.ownNews();
    });
    if (wanted.chooser !== undefined) engine.deviations.decideBy(wanted.chooser);
    // the report names what happened, so the simulator need not warn
    engine.loop.waitQuietly();
    this.restInterceptor = new RestInterceptor(
      simulator,
      engine.deviations,
      () => this.lives?.isAtWork !== false,
      (atOnce) => this.limits.mayBeAnswered(atOnce, () => this.trace.forgetRequestsOfNow()),
    );
    // they ask nothing of the app's type
    const shared = world as World;
    const late = lateWork(shared, () => this.states.toCompare());
    const view = { state: () => this.states.wholeNow(), received: () => this.countFromOutside };
    const parts = [...attachments.map((attach) => attach(shared, view)), late];
    this.attached = [...parts.filter((each) => each !== undefined), this.listen()];
    if (hasRestarts(shared)) this.lives = this.newLives();
    // once all probes are attached: it calls them
    setup.recordedRun.plan(simulator, planned);
    if (setup.clock === "virtual")
      this.clock = new WorldClock(simulator, this.scenario, this.horizonMs, late, this.waits);
  }

  /** Listens to the run. @returns what ends that */
  private listen(): Attachment {
    const { probes, work } = this.engine;
    const end = probes.attach({ endpointAsked: this.requestReceived, afterItem: this.afterAgendaItem });
    // not detached: the app may still wait while it is disposed of
    probes.attach({ untilStill: this.untilStill, dependencyCalled: this.dependencyCalled });
    work.giveUp = this.giveUpWork;
    const isDeviating = canThrowInjected(this.world as World);
    const endAnswering = isDeviating ? probes.attach({ askEndpoint: answerInjected }) : undefined;
    return {
      end() {
        end();
        endAnswering?.();
      },
    };
  }

  private readonly dependencyCalled = () => {
    const { isAtWork, lives, world } = this;
    this.waits.asks();
    return dependencyCaller({ world: world as World, lives, isAtWork });
  };

  /** Whether the app is built, and neither judged nor over. */
  private get isAtWork(): boolean {
    const { app, judge, phase } = this;
    return app.isBuilt && phase === "going" && judge.checking === undefined;
  }

  /** A scenario that says when it ends is watched until then. */
  private get horizonMs(): number {
    const { recordedRun, horizonMs } = this.world.setup;
    return recordedRun.hasUntil ? Number.POSITIVE_INFINITY : horizonMs;
  }

  private newLives(): AppLives {
    const { app, restInterceptor, world } = this;
    return new AppLives(world.simulator, {
      isOutside: world.setup.hasRestartCommand === true,
      willRestart: () => app.willRestart(),
      holdAnswers: () => restInterceptor.hold(),
      abandonRequests: () => restInterceptor.abandon(),
      forgetTimers: () => {
        this.clock?.forget();
        forgetOpenTimers();
      },
      untilStill: () => this.engine.work.untilStill().then(eventLoopTurn),
      restartFailed: (error) => world.setup.patience.abort(error),
      replace: (build) => app.replace(build),
    });
  }

  private get parts() {
    const { world, app, attached, clock, judge, limits, restInterceptor, scenario, states, trace } = this;
    const isIdleAwaited = () => this.isIdleAwaited();
    return {
      ...{
        world,
        app,
        attached,
        clock,
        isIdleAwaited,
        judge,
        limits,
        restInterceptor,
        scenario,
        states,
        trace,
      },
    };
  }

  private get engine() {
    return this.world.simulator.services.engine;
  }

  /** Waits one turn of the event loop, or after many turns for real time: a real server must not be polled without pause. */
  private readonly untilStill = () =>
    this.turns++ < MANY_TURNS ? this.engine.work.untilStill().then(eventLoopTurn) : untilStill();

  /** Called while something of the app is under way. @throws {WorldError} if it goes on without end */
  private readonly giveUpWork = (activity: number): boolean => {
    this.limits.throwIfRestless(activity);
    return this.phase === "over";
  };

  /** Called when the app receives a request. */
  private readonly requestReceived = (request: RequestRecord): void => {
    this.count++;
    this.waits.received();
    this.received?.add(request.id);
    this.trace.receive(request);
    this.clock?.look(true);
    // last: it throws at the point at which the app killed an earlier thread, which had received this request
    noteProgress();
  };

  private readonly afterAgendaItem = (isCallback: boolean) => {
    const ran = isCallback ? (this.clock?.takeRan() ?? "other") : "other";
    if (isCallback) this.count++;
    if (ran !== "other") this.timerRuns++;
    this.turns = 0;
    this.clock?.look(ran === "other");
    return this.afterItem(ran === "repeated timer");
  };

  async run(): Promise<WorldRun> {
    try {
      await this.play();
    } catch (error) {
      // a scenario that cannot be played; the next world needs the same server
      await this.dispose();
      throw error;
    }
    if (this.engine.isDisposed) this.judge.fail(DISPOSED);
    const run = await worldResult(this.parts, {
      steps: this.limits.steps,
      brokenOffMs: this.brokenOffMs,
      requests: this.trace.requests + this.restInterceptor.sent,
      wentOn: this.lives?.wentOn === true,
      isTouched: this.countReceived > this.timerRuns,
      timersBeyondHorizon: this.clock?.timersBeyondHorizon ?? [],
    });
    const { refusal } = this;
    await this.dispose();
    return { ...run, failures: [...refusal, ...this.judge.failures] };
  }

  /** That the app refuses true events. First: what it refuses, it cannot know. */
  private get refusal(): PropertyFailure[] {
    const { judge, received, world } = this;
    if (received === undefined || judge.hasDefect) return [];
    const refusal = refusalIn(world.simulator, received, world.setup.recordedRun.hasUntil);
    return refusal === undefined ? [] : [refusal];
  }

  private async play(): Promise<void> {
    try {
      // on an empty stack: if the watchdog terminates a loop, every frame on the stack ends with it
      await withPatience(
        this.parts,
        Promise.resolve().then(() => this.playThrough()),
      );
    } catch (thrown) {
      if (this.app.restartError !== undefined) throw this.app.restartError;
      const { now, options, isDisposed } = this.engine;
      if (this.phase === "going") this.brokenOffMs = now - options.startMs;
      // errors after the simulator is disposed of follow from that
      if (!isDisposed) this.judge.fail(defectOf(thrown));
    }
  }

  private async playThrough(): Promise<void> {
    const { world, lives, trace, states, scenario, clock } = this;
    const { setup, simulator } = world;
    const { work } = this.engine;
    noteProgress();
    work.beginRun();
    work.stir();
    await this.app.build((build) => (lives === undefined ? build() : lives.run(build)));
    this.isIdleAwaited = awaitIdle(this.app, this.engine, this.giveUpWork);
    await work.untilDone();
    // only a trace needs the states
    simulator.stopShowing();
    await trace.begin(() => states.now());
    await states.begin();
    clock?.look(true);
    await setup.recordedRun.play(simulator, this.playOptions);
    scenario.end();
    clock?.look();
    await simulator.runUntilIdleAsync();
    this.phase = "judging";
    await this.judge.judgeTheEnd();
    // if the app dies while it is disposed of, everything before was judged
    noteProgress();
  }

  private get playOptions(): PlayOptions {
    const { scenario } = this;
    const { setup, deviations, wanted } = this.world;
    return {
      isDeviating: deviations.length + setup.recordedRun.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        this.clock?.look(true);
        return this.afterItem();
      },
      skipped: (index) => scenario.skipped.push(index),
      nextStep: (atMs) => {
        scenario.nextStepMs = atMs;
      },
    };
  }

  /** Called after each item of the agenda and each step of the scenario. */
  private afterItem(isRepetition = false): void | Promise<void> {
    noteProgress();
    if (isRepetition) this.limits.countRepetition();
    else this.limits.countStep();
    const { work } = this.engine;
    // a step of the scenario may have called listeners
    const isBusy = work.isStirred || this.lives?.isRestartedAnew === true;
    const waits = isBusy ? this.untilDone() : undefined;
    return waits === undefined ? this.afterWork() : waits.then(() => this.afterWork());
  }

  /** Resolves when the app can do nothing more without time, and is there again if it restarts. */
  private untilDone(): Promise<void> {
    const { work } = this.engine;
    const done = work.untilDone();
    return this.lives === undefined ? done : done.then(() => this.untilBack());
  }

  private async untilBack(): Promise<void> {
    const { engine, lives } = this;
    const { work } = engine;
    while (lives?.isRestartedAnew === true) {
      await lives.untilBack();
      // what the new life has begun, nobody has waited for
      work.stir();
      await work.untilDone();
      await eventLoopTurn();
    }
  }

  /** Keeps the state of an app that has done its work, and judges it. */
  private afterWork(): void | Promise<void> {
    if (!this.app.isBuilt) return undefined;
    return afterwards(this.trace.noteState(), () => this.judge.judgeAfter(this.countReceived));
  }

  /** How much the app has received: requests, answers, callbacks, and events if it listens to any. */
  private get countReceived(): number {
    return this.count - this.trace.requests + this.countFromOutside;
  }

  /** … and how much of that without callbacks. */
  private get countFromOutside(): number {
    const { log } = this.engine;
    const { restInterceptor, trace } = this;
    return trace.requests + restInterceptor.passedAnswers + (log.hasListeners ? log.total : 0);
  }

  /** Whether nothing more is due at this instant, and none of the app's handlers is busy. */
  private get isSettled(): boolean {
    const { now, loop } = this.engine;
    return loop.nextDueMs > now && this.scenario.nextStepMs > now && !loop.isAnsweredAhead;
  }

  private async dispose(): Promise<void> {
    const { app, attached, clock, engine, judge, lives, restInterceptor } = this;
    for (const each of attached) each.end?.();
    restInterceptor.close();
    this.phase = "over";
    // what disposes of the app may take real time
    clock?.end();
    // if that fails, so does the world, unless a defect ended it before
    await app.end((failure) => {
      if (!judge.hasDefect) judge.fail(failure);
    });
    // those of a world that was broken off may never end
    if (clock !== undefined) forgetOpenTimers(judge.hasDefect ? "all" : "but immediates");
    lives?.end();
    engine.work.endRun();
    // what the app has left behind may still use it
    engine.abandon();
  }
}
