import { Randomness } from "../../core/foundation/random.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { setWorldTime } from "../sandbox/virtual-clock.ts";
import { VirtualTimers } from "../sandbox/virtual-timers.ts";
import type { LateWork } from "./late-work.ts";

/** How often a timer runs that is set again and again when nothing else is left to do. */
const MOST_RUNS_AT_THE_END = 30;

/** What the scenario has left to do. */
export interface ScenarioLeft {
  /** Whether it is not over. */
  isLeft(): boolean;
  /** Whether it is over, and said when. */
  isCut(): boolean;
}

/**
 * Gives the subject of a world the virtual time: its clock agrees with the simulator's, and each of its timers runs at its
 * instant, after everything else that is due then.
 */
export class WorldClock {
  private readonly timers: VirtualTimers;
  /** What the subject draws with `Math.random`. The simulator has its own. */
  private readonly randomness: Randomness;
  /** When the next timer is due, and what calls that off. */
  private next: { readonly dueMs: number; readonly callOff: () => void } | undefined;

  constructor(
    private readonly simulator: Simulator,
    scenario: ScenarioLeft,
    private readonly lateWork: LateWork | undefined,
  ) {
    const { engine } = simulator.services;
    const { loop } = engine;
    this.randomness = new Randomness(simulator.seed);
    this.timers = new VirtualTimers({
      now: () => engine.now,
      isIdle: () => loop.hasNothingDue && !scenario.isLeft(),
      mostRunsAtTheEnd: () => (scenario.isCut() ? 0 : MOST_RUNS_AT_THE_END),
      changed: () => this.look(),
      began: (wait) => loop.timeWaits.begin(wait),
      ended: (wait) => loop.timeWaits.end(wait),
      isOfRequest: () => lateWork?.isTimerOfRequest === true,
    });
    this.goOn();
  }

  /** Gives the subject the real clock, since what disposes of it may take real time. */
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

  /** The delays of timers that will not run since they are unref'd, in ms. */
  get unrunTimers(): readonly number[] {
    return this.timers.unrun;
  }

  /** Drops all timers. */
  forget(): void {
    this.timers.clearAll();
  }

  /** Ends it: timers that are set from now on are real. */
  end(): void {
    this.pause();
    this.timers.end();
    this.next?.callOff();
  }

  /** Called when another timer may be next. @param isOther whether something else than a timer has happened */
  look(isOther = false): void {
    if (isOther) this.timers.otherHappened();
    const dueMs = this.timers.next?.dueMs;
    if (dueMs === this.next?.dueMs) return;
    this.next?.callOff();
    this.next = undefined;
    const { engine } = this.simulator.services;
    if (dueMs === undefined || engine.isDisposed) return;
    const run = () => {
      this.next = undefined;
      this.lateWork?.timerRuns(this.timers.next?.isOfRequest === true);
      this.timers.runNext();
      this.look();
    };
    this.next = { dueMs, callOff: engine.loop.callBack(Math.max(0, dueMs - engine.now), run, true) };
  }
}
