import type { Simulator } from "../core/simulator/simulator.ts";

/** How many simulators of a test a failure reports. */
const MOST_REPORTED = 5;

/**
 * The hook through which `createSimulator` and `replay` report what they made. A symbol, since several copies of the
 * package may be loaded.
 */
const CREATED_HOOK = Symbol.for("ringback.made");
/** The hook through which `explore` reports what it found. The simulators of its worlds no longer exist by then. */
const FAILED_EXPLORATION_HOOK = Symbol.for("ringback.found");

interface CreatedSimulator {
  readonly sim: WeakRef<Simulator>;
  /** The test that runs; undefined outside of tests, as in `beforeAll`. */
  readonly test: string | undefined;
}

/** The simulators that a failed test may have used, and the errors of its explorations. */
export class RecentSimulators {
  private created: CreatedSimulator[] = [];
  private explorationErrors: Error[] = [];
  private test: string | undefined;

  constructor() {
    const onCreated = (sim: Simulator) => {
      this.created.push({ sim: new WeakRef(sim), test: this.test });
      // the oldest of this test are dropped first, since those made outside of tests serve all tests
      if (this.created.length > 4 * MOST_REPORTED)
        this.created.splice(
          this.created.findIndex(({ test }) => test !== undefined),
          1,
        );
    };
    const onFailedExploration = (error: Error) => this.explorationErrors.push(error);
    Object.assign(globalThis, { [CREATED_HOOK]: onCreated, [FAILED_EXPLORATION_HOOK]: onFailedExploration });
  }

  /** Starts a test and forgets what belongs to the one before. */
  startTest(test: string): void {
    this.created = this.created.filter((each) => each.test === undefined);
    this.explorationErrors = [];
    this.test = test;
  }

  endTest(): void {
    this.test = undefined;
  }

  /** Whether a message is an exploration's. Such a message names its files itself. */
  isExplorationError(message: string): boolean {
    return this.explorationErrors.some((each) => message.includes(each.message));
  }

  /** The simulators that are alive, newest last. */
  list(): Simulator[] {
    return this.created.flatMap(({ sim }) => sim.deref() ?? []).slice(-MOST_REPORTED);
  }
}
