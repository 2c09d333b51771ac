import { STATEMENT } from "../../core/engine/postgres-refusals.ts";
import { splitAssumptions } from "../../findings/assumptions.ts";
import { ofNobody, setGate } from "../sandbox/asking.ts";
import { followContinuations } from "../sandbox/continuations.ts";
import { eventLoopTurn, forgetOpenTimers } from "../sandbox/open-timers.ts";
import { AppInstance } from "./app-instance.ts";
import { AppStateReader } from "./app-state-reader.ts";
import { AppWaits } from "./app-waits.ts";
import { attachments } from "./attachments.ts";
import { isRestartable } from "./explored-app.ts";
import { Judge } from "./judge.ts";
import { lateWork } from "./late-work.ts";
import { AppLives, hasRestarts } from "./lives.ts";
import { ReceivedCount } from "./received-count.ts";
import { RestInterceptor } from "./rest-interceptor.ts";
import { RestartPlaces } from "./restart-places.ts";
import { ScenarioProgress } from "./scenario-progress.ts";
import { AppTrace } from "./trace.ts";
import type { Attachment, World, WorldSetup } from "./world.ts";
import { WorldClock } from "./world-clock.ts";
import { WorldLimits } from "./world-limits.ts";
import type { ExecutionRequest } from "./world-run.ts";
import { WorldSteps } from "./world-steps.ts";

/** The parts of one world, and what each asks of the others. */
export class WorldParts<T> {
  readonly world: World<T>;
  readonly app: AppInstance<T>;
  readonly states: AppStateReader<T>;
  readonly judge: Judge<T>;
  readonly trace: AppTrace;
  readonly restInterceptor: RestInterceptor;
  readonly limits: WorldLimits;
  readonly scenario: ScenarioProgress;
  readonly received: ReceivedCount;
  readonly steps: WorldSteps<T>;
  readonly attached: readonly Attachment[];
  /** The app's timers, while which it may restart. */
  readonly waits: AppWaits;
  /** Set if the app has a virtual clock. */
  readonly clock: WorldClock | undefined;
  /** Set if the app may restart in this world. */
  readonly lives: AppLives | undefined;
  /** `judging`: nothing is left to do but to judge. `over`: nothing of the app is waited for any more. */
  phase: "going" | "judging" | "over" = "going";

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
    this.judge = new Judge({
      ...{ explored: setup, simulator, app: () => this.app.app, isJudged: wanted.unjudged !== true },
      noticesReads: deviations.length > 0,
      asksTold: wanted.acts === true,
      isSettled: () => this.isSettled,
      whileTimeStands,
      onBroken: (property, isOver) => this.trace.noteJudged(property, isOver),
    });
    const { engine } = this;
    const mayRestart = () => this.isAtWork && isRestartable(setup);
    const outside = new RestartPlaces(engine, mayRestart, () => this.lives?.restartAtQuestion());
    setGate({
      ask: (of, as) => {
        const { lives } = this;
        if (lives?.isCallerHeld(of === STATEMENT) === true) return undefined;
        // a callback of a life that is over cannot end the next one
        return lives?.isCallerOver === true ? ofNobody : outside.ask(of, as);
      },
      refused: () => this.lives?.noteRefusedStatement(),
    });
    this.waits = new AppWaits(engine, outside, mayRestart, () => this.lives?.restartNow());
    const onNews = () => {
      this.waits.answeredAnew();
      this.clock?.ownNews();
    };
    this.trace = new AppTrace(simulator, wanted, outside, onNews);
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
    this.received = new ReceivedCount(shared, this.trace, this.restInterceptor);
    this.steps = new WorldSteps(this);
    const late = lateWork(shared, () => this.states.toCompare());
    this.attached = this.attach(shared, late);
    if (hasRestarts(shared)) this.lives = this.newLives();
    // once all probes are attached: it calls them
    setup.recordedRun.plan(simulator, planned);
    if (setup.clock === "virtual")
      this.clock = new WorldClock(simulator, this.scenario, this.horizonMs, late, this.waits);
  }

  get engine() {
    return this.world.simulator.services.engine;
  }

  /** Whether the app's `idle()` is being waited for. */
  get isIdleAwaited(): boolean {
    return this.steps.isIdleAwaited;
  }

  /** Whether the app is built, and neither judged, shown nor over. */
  get isAtWork(): boolean {
    const { app, judge, phase, states } = this;
    return app.isBuilt && phase === "going" && judge.checking === undefined && !states.isReading;
  }

  /** Whether nothing more is due at this instant, and none of the app's handlers is busy. */
  private get isSettled(): boolean {
    const { now, loop } = this.engine;
    return loop.nextDueMs > now && this.scenario.nextStepMs > now && !loop.isAnsweredAhead;
  }

  /** A scenario that says when it ends is watched until then. */
  private get horizonMs(): number {
    const { recordedRun, horizonMs } = this.world.setup;
    return recordedRun.hasUntil ? Number.POSITIVE_INFINITY : horizonMs;
  }

  private attach(world: World, late: Attachment | undefined): readonly Attachment[] {
    const view = { state: () => this.states.wholeNow(), received: () => this.received.fromOutside };
    const parts = [...attachments.map((attach) => attach(world, view)), late];
    return [...parts.filter((each) => each !== undefined), this.steps.listen(), ...usesOfDatabases(world)];
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
      replace: (build, isCut) => app.replace(build, isCut),
    });
  }
}

/** Where an app may restart is also counted where it does not: of a database in its process, only its waits tell. */
function usesOfDatabases(world: World): readonly Attachment[] {
  const isCounted = world.wanted.points === true && world.setup.durable !== undefined && !hasRestarts(world);
  const end = isCounted ? followContinuations(() => undefined) : undefined;
  return end === undefined ? [] : [{ end }];
}
