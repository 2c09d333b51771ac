import { untilStill } from "../../core/engine/quiet.ts";
import { afterwards } from "../../core/foundation/values.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import { eventLoopTurn } from "../sandbox/open-timers.ts";
import { noteProgress } from "../sandbox/supervision.ts";
import type { AppInstance } from "./app-instance.ts";
import type { AppWaits } from "./app-waits.ts";
import { answerInjected, canThrowInjected, dependencyCaller } from "./dependency-calls.ts";
import { awaitIdle } from "./idle.ts";
import type { Judge } from "./judge.ts";
import type { AppLives } from "./lives.ts";
import type { ReceivedCount } from "./received-count.ts";
import type { PlayOptions } from "./recorded-run.ts";
import type { ScenarioProgress } from "./scenario-progress.ts";
import type { AppTrace } from "./trace.ts";
import type { Attachment, World } from "./world.ts";
import type { WorldClock } from "./world-clock.ts";
import type { WorldLimits } from "./world-limits.ts";

/** The parts of a world that take part in each of its steps. */
interface SteppedParts<T> {
  readonly world: World<T>;
  readonly engine: World["simulator"]["services"]["engine"];
  readonly app: AppInstance<T>;
  readonly clock: WorldClock | undefined;
  readonly judge: Judge<T>;
  readonly limits: WorldLimits;
  readonly lives: AppLives | undefined;
  readonly received: ReceivedCount;
  readonly scenario: ScenarioProgress;
  readonly trace: AppTrace;
  readonly waits: AppWaits;
  /** Whether the app is built, and neither judged, shown nor over. */
  readonly isAtWork: boolean;
  /** `over`: nothing of the app is waited for any more. */
  readonly phase: "going" | "judging" | "over";
}

/** What the report says of what an app asks, if no world restarts it before each such question. @param of a function, or words that begin with an article */
function notInterruptedBefore(of: string): string {
  const what = of.startsWith("a ") ? of : `\`${of}\``;
  return `no world restarts the app before each use of ${what}: name what it does by \`sim.dependency\``;
}

const IN_CHAINS =
  "no world restarts the app before what it asks once it has waited for two services at once: name these by `sim.dependency`";

/** An app that waits this many turns of the event loop waits for something outside the process. */
const MANY_TURNS = 100;

/** Waits for the app after each step of a world, and judges it then. */
export class WorldSteps<T> {
  /** How many turns of the event loop have passed since the last step. */
  private turns = 0;
  private isIdleOpen = (): boolean => false;

  constructor(private readonly parts: SteppedParts<T>) {}

  /** Listens to the run. @returns what ends that */
  listen(): Attachment {
    const { engine, world } = this.parts;
    const { probes, work } = engine;
    const end = probes.attach({ endpointAsked: this.requestReceived, afterItem: this.afterAgendaItem });
    // not detached: the app may still wait while it is disposed of
    probes.attach({ untilStill: this.untilStill, dependencyCalled: this.dependencyCalled });
    work.giveUp = this.giveUpWork;
    work.besideLimit = world.setup.patience;
    const isDeviating = canThrowInjected(world as World);
    const endAnswering = isDeviating ? probes.attach({ askEndpoint: answerInjected }) : undefined;
    return {
      end() {
        end();
        endAnswering?.();
      },
      result: () => ({ notes: this.notes }),
    };
  }

  /** Where no world restarts the app, as far as it was seen. */
  private get notes(): readonly string[] {
    const { waits, world } = this.parts;
    if (world.setup.durable === undefined) return [];
    return [...waits.notInterrupted.map(notInterruptedBefore), ...(waits.isInChains ? [IN_CHAINS] : [])];
  }

  /** Waits also for what only the app knows, once it is built. */
  awaitIdle(): void {
    this.isIdleOpen = awaitIdle(this.parts.app, this.parts.engine, this.giveUpWork);
  }

  /** Whether the app's `idle()` is being waited for. */
  get isIdleAwaited(): boolean {
    return this.isIdleOpen();
  }

  /** How the scenario is played. */
  get playOptions(): PlayOptions {
    const { scenario, world, clock } = this.parts;
    const { setup, deviations, wanted } = world;
    return {
      isDeviating: deviations.length + setup.recordedRun.own.length > 0 || wanted.chooser !== undefined,
      afterStep: () => {
        clock?.look(true);
        return this.afterItem();
      },
      skipped: (index) => scenario.skipped.push(index),
      nextStep: (atMs) => {
        scenario.nextStepMs = atMs;
      },
    };
  }

  private readonly dependencyCalled = () => {
    const { isAtWork, lives, waits, world } = this.parts;
    waits.asks();
    return dependencyCaller({ world: world as World, lives, isAtWork });
  };

  /** Waits one turn of the event loop, or after many turns for real time: a real server must not be polled without pause. */
  private readonly untilStill = () =>
    this.turns++ < MANY_TURNS ? this.parts.engine.work.untilStill().then(eventLoopTurn) : untilStill();

  /** Called while something of the app is under way. @throws {WorldError} if it goes on without end */
  private readonly giveUpWork = (activity: number): boolean => {
    this.parts.limits.throwIfRestless(activity);
    return this.parts.phase === "over";
  };

  /** Called when the app receives a request. */
  private readonly requestReceived = (request: RequestRecord): void => {
    const { clock, received, trace, waits } = this.parts;
    waits.received();
    received.addRequest(request);
    trace.receive(request);
    clock?.look(true);
    // last: it throws at the point at which the app killed an earlier thread, which had received this request
    noteProgress();
  };

  private readonly afterAgendaItem = (isCallback: boolean) => {
    const { clock, received, waits } = this.parts;
    const ran = isCallback ? (clock?.takeRan() ?? "other") : "other";
    if (ran === "other") waits.otherHappened();
    if (isCallback) received.addCallback(ran !== "other");
    this.turns = 0;
    clock?.look(ran === "other");
    return this.afterItem(ran === "repeated timer");
  };

  /** Called after each item of the agenda and each step of the scenario. */
  private afterItem(isRepetition = false): void | Promise<void> {
    const { engine, limits, lives } = this.parts;
    noteProgress();
    if (isRepetition) limits.countRepetition();
    else limits.countStep();
    // a step of the scenario may have called listeners
    const isBusy = engine.work.isStirred || lives?.isRestartedAnew === true;
    const waits = isBusy ? this.untilDone() : undefined;
    return waits === undefined ? this.afterWork() : waits.then(() => this.afterWork());
  }

  /** Resolves when the app can do nothing more without time, and is there again if it restarts. */
  private untilDone(): Promise<void> {
    const { engine, lives } = this.parts;
    const done = engine.work.untilDone();
    return lives === undefined ? done : done.then(() => this.untilBack());
  }

  private async untilBack(): Promise<void> {
    const { engine, lives } = this.parts;
    const { work } = engine;
    while (lives?.isRestartedAnew === true) {
      await lives.untilBack();
      await work.untilDone();
      await eventLoopTurn();
    }
  }

  /** Keeps the state of an app that has done its work, and judges it. */
  private afterWork(): void | Promise<void> {
    const { app, judge, received, trace } = this.parts;
    if (!app.isBuilt) return undefined;
    return afterwards(trace.noteState(), () => judge.judgeAfter(received.total));
  }
}
