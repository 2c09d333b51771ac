import type { JournalDocument } from "../options.ts";
import type { Simulator } from "../simulator.ts";

/** How many simulators of a test are looked at. */
const MOST = 5;

/** Where `createSimulator` and `replay` say what they made. By a symbol, since there may be several copies of the package. */
const MADE = Symbol.for("ringback.made");
/** Where `explore` says what it found: the simulators of its worlds are gone by then. */
const FOUND = Symbol.for("ringback.found");

interface Made {
  readonly sim: WeakRef<Simulator>;
  /** The test that runs; undefined outside of one, as in `beforeAll`. */
  readonly test: string | undefined;
}

/** What is used of a `CounterexampleError`; there may be several copies of its class. */
interface Counterexample {
  readonly message: string;
  readonly report: { readonly failures: readonly FailedWorld[] };
}

/** A failure of an exploration, by its smallest world. */
export interface FailedWorld {
  readonly property: string;
  readonly message: string;
  readonly smallest: { readonly journal: JournalDocument };
}

/** The simulators that a test may have failed with, and the worlds that explorations of it found. */
export class AliveSimulators {
  private made: Made[] = [];
  private found: Counterexample[] = [];
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
    const toldOfFound = (error: Counterexample) => this.found.push(error);
    Object.assign(globalThis, { [MADE]: told, [FOUND]: toldOfFound });
  }

  /** A test begins. What belongs to the one before is forgotten. */
  begin(test: string): void {
    this.made = this.made.filter((each) => each.test === undefined);
    this.found = [];
    this.test = test;
  }

  end(): void {
    this.test = undefined;
  }

  /** The worlds that an exploration found which failed with these words. */
  foundBy(message: string): readonly FailedWorld[] {
    return this.found.find((each) => message.includes(each.message))?.report.failures ?? [];
  }

  /** Those that are alive, the newest last. */
  list(): Simulator[] {
    return this.made.flatMap(({ sim }) => sim.deref() ?? []).slice(-MOST);
  }
}
