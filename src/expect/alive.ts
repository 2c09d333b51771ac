import type { Simulator } from "../simulator.ts";

/** How many simulators of a test are looked at: an exploration makes thousands. */
const MOST = 5;

/** Where `createSimulator` and `replay` say what they made. By a symbol, since there may be several copies of the package. */
const KEY = Symbol.for("ringback.made");

interface Made {
  readonly sim: WeakRef<Simulator>;
  /** The test that runs; undefined outside of one, as in `beforeAll`. */
  readonly test: string | undefined;
}

/** The simulators that a test may have failed with. */
export class AliveSimulators {
  private made: Made[] = [];
  private test: string | undefined;

  constructor() {
    const told = (sim: Simulator) => {
      this.made.push({ sim: new WeakRef(sim), test: this.test });
      // the oldest of this test go first: what was made outside of it is there for all tests
      if (this.made.length > 4 * MOST)
        this.made.splice(
          this.made.findIndex(({ test }) => test !== undefined),
          1,
        );
    };
    Object.assign(globalThis, { [KEY]: told });
  }

  /** A test begins. What belongs to the one before is forgotten. */
  begin(test: string): void {
    this.made = this.made.filter((each) => each.test === undefined);
    this.test = test;
  }

  end(): void {
    this.test = undefined;
  }

  /** Those that are alive, the newest last. */
  list(): Simulator[] {
    return this.made.flatMap(({ sim }) => sim.deref() ?? []).slice(-MOST);
  }
}
