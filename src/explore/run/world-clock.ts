import type { AppWork } from "../../core/engine/app-work.ts";
import { untilStill as untilQuiet } from "../../core/engine/quiet.ts";
import { Randomness } from "../../core/foundation/random.ts";
import { isPromise } from "../../core/foundation/values.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realTimeMs, sleepRealTime } from "../../findings/real-time.ts";
import { OpenConnections } from "../sandbox/open-connections.ts";
import { beginModuleTimers } from "../sandbox/supervision.ts";
import { setWorldTime } from "../sandbox/virtual-clock.ts";
import { type VirtualTimer, VirtualTimers } from "../sandbox/virtual-timers.ts";
import type { AppWaits } from "./app-waits.ts";
import type { LateWork } from "./late-work.ts";
import type { ScenarioProgress } from "./scenario-progress.ts";

/** So many requests of the app itself are news: one that writes at each tick would go on for ever. */
const MOST_OWN_NEWS = 30;

/** How often it is looked whether a connection has brought something, in real ms. */
const LOOK_MS = 5;

/**
 * Gives the app of a world the virtual time: its clock agrees with the simulator's, and each of its timers runs at its
 * instant, after everything else that is due then.
 */
export class WorldClock {
  private readonly timers: VirtualTimers;
  /** What the app draws with `Math.random`. The simulator has its own. */
  private readonly randomness: Randomness;
  private isOver = false;
  private ran: "repeated timer" | "timer" | "other" = "other";
  private ownNewsLeft = MOST_OWN_NEWS;
  /** Those that were not open before the app was built, or what was awaited last. */
  private readonly connections = new OpenConnections();
  /** The timer that waits for a connection, and when it has waited its delay in real time. */
  private awaitedTimer: { readonly timer: VirtualTimer; readonly dueMs: number } | undefined;
  /** Called when another timer may be next. */
  private onLook: () => void = () => {};
  /** When the next timer is due, and what calls that off. */
  private next: { readonly dueMs: number; readonly callOff: () => void } | undefined;

  constructor(
    private readonly simulator: Simulator,
    scenario: Pick<ScenarioProgress, "isCut">,
    horizonMs: number,
    private readonly lateWork: LateWork | undefined,
    private readonly waits: AppWaits,
  ) {
    const { engine } = simulator.services;
    const { loop } = engine;
    this.randomness = new Randomness(simulator.seed);
    this.timers = new VirtualTimers({
      now: () => engine.now,
      isCut: () => scenario.isCut(),
      horizonMs,
      changed: () => this.look(),
      began: (wait) => loop.timeWaits.begin(wait),
      ended: (wait) => loop.timeWaits.end(wait),
      isOfRequest: () => lateWork?.isTimerOfRequest === true,
      hasAsked: () => waits.hasAsked,
    });
    this.goOn();
  }

  /** Gives the app the real clock, since what disposes of it may take real time. */
  pause(): void {
    setWorldTime(undefined);
  }

  /** Gives it the virtual clock. */
  goOn(): void {
    setWorldTime({
      now: () => this.simulator.timestamp,
      timers: this.timers,
      random: () => this.randomness.uniform("subject"),
    });
  }

  /** Sets the timers that the app's module set when it was loaded, as a process does that begins. */
  beginModuleTimers(): void {
    beginModuleTimers(this.timers);
  }

  /** The delays of timers that run no more, since they come after the horizon, in ms. */
  get timersBeyondHorizon(): readonly number[] {
    return this.timers.beyondHorizon;
  }

  /** What ran last: a timer of the app that only repeats, any other timer, or something else. Forgets it. */
  takeRan(): "repeated timer" | "timer" | "other" {
    const { ran } = this;
    this.ran = "other";
    return ran;
  }

  /** The app asked the REST API something new, or was answered otherwise than before. */
  ownNews(): void {
    if (this.ownNewsLeft > 0) this.timers.newsHappened();
    this.ownNewsLeft--;
  }

  /**
   * Calls something for which the world's time stands still, such as what builds the app: the timers that it sets run at
   * once, in their order, as soon as it has nothing else under way.
   * @returns what it returns
   */
  whileTimeStands<R>(call: () => R | PromiseLike<R>): R | PromiseLike<R> {
    this.timers.standStill();
    let isWaiting = false;
    try {
      const made = call();
      isWaiting = isPromise(made);
      return isWaiting ? this.runAhead(made as PromiseLike<R>) : made;
    } finally {
      if (!isWaiting) this.timers.goOn();
    }
  }

  private async runAhead<R>(awaited: PromiseLike<R>): Promise<R> {
    const { work } = this.simulator.services.engine;
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    const done = awaited.then(end, end);
    const isOver = () => isDone || this.isOver;
    while (!isOver()) {
      await Promise.race([done, this.untilTimerIsSet()]);
      await Promise.race([done, this.untilStillOrOverdue(work, isOver)]);
      if (isOver()) break;
      if (await this.mayStillBring(work)) continue;
      work.stir();
      this.timers.runAhead();
    }
    this.connections.forget();
    this.timers.goOn();
    return awaited;
  }

  /** Resolves when the app can do nothing more without time, or when others do not answer within the delay of its timer. */
  private async untilStillOrOverdue(work: AppWork, isOver: () => boolean): Promise<void> {
    let isStill = false;
    const isNotAwaited = () => isStill || isOver();
    const still = untilStill(work, isNotAwaited).then(() => {
      isStill = true;
    });
    const untilOverdue = async () => {
      while (!isNotAwaited() && (work.waitingFor.length === 0 || this.realMsLeft > 0))
        await sleepRealTime(LOOK_MS);
    };
    await Promise.race([still, work.turn().then(untilOverdue)]);
    isStill = true;
  }

  /** How far the app's timers have run while the world's time stands still, in ms. */
  get aheadMs(): number {
    return this.timers.aheadMs;
  }

  /** Names the timer that is set while the world's time stands still, as the end of a sentence; nothing if there is none. */
  get standingTimer(): string {
    const ms = this.timers.firstAhead?.ms;
    return ms === undefined ? "" : `, beside a timer of ${ms.toLocaleString("en")} ms: no time passes then`;
  }

  /**
   * Whether something may come over a connection before the next timer: nobody knows what the other end does. A timer waits its
   * time for one that leads out of the thread, such as to a process that is about to listen.
   */
  private async mayStillBring(work: AppWork): Promise<boolean> {
    const { lead } = this.connections;
    if (lead === "nowhere") return false;
    const { progress } = work;
    if (lead === "within") {
      await untilQuiet();
      return work.progress !== progress;
    }
    const leftMs = this.realMsLeft;
    if (leftMs > 0) await sleepRealTime(Math.min(leftMs, LOOK_MS));
    return leftMs > 0;
  }

  /** How much of the delay of the next timer has not passed in real time, ms. */
  private get realMsLeft(): number {
    const timer = this.timers.nextAhead;
    if (timer === undefined) return 0;
    if (this.awaitedTimer?.timer !== timer)
      this.awaitedTimer = { timer, dueMs: realTimeMs() + this.timers.aheadIn(timer) };
    return this.awaitedTimer.dueMs - realTimeMs();
  }

  private async untilTimerIsSet(): Promise<void> {
    while (this.timers.nextAhead === undefined && !this.isOver)
      await new Promise<void>((resolve) => {
        this.onLook = resolve;
      });
  }

  /** Drops all timers. */
  forget(): void {
    this.timers.clearAll();
  }

  /** Ends it: timers that are set from now on are real. */
  end(): void {
    this.isOver = true;
    this.pause();
    this.timers.end();
    this.next?.callOff();
  }

  /** Called when another timer may be next. @param isOther whether something else than a timer has happened */
  look(isOther = false): void {
    if (isOther) {
      this.ownNewsLeft = MOST_OWN_NEWS;
      this.timers.otherHappened();
    }
    this.onLook();
    const dueMs = this.timers.next?.dueMs;
    if (dueMs === this.next?.dueMs) return;
    this.next?.callOff();
    this.next = undefined;
    const { engine } = this.simulator.services;
    if (dueMs === undefined || engine.isDisposed) return;
    const run = () => {
      this.next = undefined;
      const timer = this.timers.next;
      this.lateWork?.timerRuns(timer?.origin.isOfRequest === true);
      this.ran = timer?.origin.isRepeated === true ? "repeated timer" : "timer";
      if (timer === undefined || !this.waits.endsBefore(timer)) this.timers.runNext();
      this.look();
    };
    this.next = { dueMs, callOff: engine.loop.callBack(Math.max(0, dueMs - engine.now), run, true) };
  }
}

/** Resolves when the app can do nothing more without time. @param isOver whether nobody waits for that any more */
async function untilStill(work: AppWork, isOver: () => boolean): Promise<void> {
  await work.untilStill(isOver);
  while (work.openRequests > 0 && !isOver()) {
    await work.turn();
    await work.untilStill(isOver);
  }
}
