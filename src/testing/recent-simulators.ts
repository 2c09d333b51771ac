import type { Simulator } from "../core/simulator/simulator.ts";

/** How many simulators of a test a failure reports. */
const MOST = 5;

/**
 * The hook through which `createSimulator` and `replay` report what they made. A symbol, since several copies of the
 * package may be loaded.
 */
const MADE = Symbol.for("ringback.made");
/** The hook through which `explore` reports what it found. The simulators of its worlds no longer exist by then. */
const FOUND = Symbol.for("ringback.found");

interface Made {
  readonly sim: WeakRef<Simulator>;
  /** The test that runs; undefined outside of tests, as in `beforeAll`. */
  readonly test: string | undefined;
}

/** The simulators that a failed test may have used, and the errors of its explorations. */
export class RecentSimulators {
  private made: Made[] = [];
  private found: Error[] = [];
  private test: string | undefined;

  constructor() {
    const onMade = (sim: Simulator) => {
      this.made.push({ sim: new WeakRef(sim), test: this.test });
      // the oldest of this test are dropped first, since those made outside of tests serve all tests
      if (this.made.length > 4 * MOST)
        this.made.splice(
          this.made.findIndex(({ test }) => test !== undefined),
          1,
        );
    };
    const onFound = (error: Error) => this.found.push(error);
    Object.assign(globalThis, { [MADE]: onMade, [FOUND]: onFound });
  }

  /** Starts a test and forgets what belongs to the one before. */
  begin(test: string): void {
    this.made = this.made.filter((each) => each.test === undefined);
    this.found = [];
    this.test = test;
  }

  end(): void {
    this.test = undefined;
  }

  /** Whether a message is that of an exploration. It names its files itself. */
  isFound(message: string): boolean {
    return this.found.some((each) => message.includes(each.message));
  }

  /** The simulators that are alive, newest last. */
  list(): Simulator[] {
    return this.made.flatMap(({ sim }) => sim.deref() ?? []).slice(-MOST);
  }
}
