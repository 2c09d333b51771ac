import { behindDoor } from "../core/foundation/real-functions.ts";
import { createdKey } from "../core/simulator/announce.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/** How many simulators of a test a failure reports. */
const MOST_REPORTED = 5;

/** The hook through which `explore` reports what it found. The simulators of its worlds no longer exist by then. */
const FAILED_EXPLORATION_HOOK = Symbol.for("ringback.found");

/** What a simulator belongs to, as far as it is known. */
export type Ownership =
  /** It was made in the test. */
  | "own"
  /** It was made while several tests ran, of which this is one. */
  | "perhaps"
  /** It was made outside of tests, as in `beforeAll`. */
  | "outside";

interface CreatedSimulator {
  /** Held, and not weakly: a weak reference that is made keeps its object until a timer or an I/O runs, which some tests wait for none of. */
  readonly sim: Simulator;
  /** The tests that ran; none outside of tests. */
  readonly tests: readonly string[];
  /** When it was made, real time, ms. */
  readonly madeMs: number;
  /** Outside of tests: the id of the suite that it was made for. Undefined before the next test begins. */
  suite?: string;
}

/** A suite around a test: a file, or a `describe`. */
export interface SuiteAround {
  readonly id: string;
  /** When it began, real time, ms. */
  readonly startedMs: number;
}

/** Read before fake timers can replace it. */
const realTimeMs = behindDoor(Date.now);

/** A simulator that a failed test may have used. */
export interface RecentSimulator {
  readonly sim: Simulator;
  readonly ownership: Ownership;
}

/** The simulators that a failed test may have used, and the errors of its explorations. */
export class RecentSimulators {
  private created: CreatedSimulator[] = [];
  private explorationErrors: Error[] = [];
  /** The tests that run, and of each the test that it is a part of. */
  private readonly running = new Map<string, string | undefined>();
  /** The suites around the last test that began, the innermost last. */
  private suites: readonly SuiteAround[] = [];

  /** @param onUnknown is told of a simulator that was made while no test was known to run */
  constructor(onUnknown: (sim: Simulator) => void = () => undefined) {
    const onCreated = (sim: Simulator) => {
      this.created.push({ sim, tests: this.innermost(), madeMs: realTimeMs() });
      // the oldest of tests are dropped first, since those made outside of tests serve all tests
      if (this.created.length > 4 * MOST_REPORTED)
        this.created.splice(
          Math.max(
            this.created.findIndex(({ tests }) => tests.length > 0),
            0,
          ),
          1,
        );
      if (this.running.size === 0) onUnknown(sim);
    };
    const onFailedExploration = (error: Error) => this.explorationErrors.push(error);
    Object.assign(globalThis, { [createdKey]: onCreated, [FAILED_EXPLORATION_HOOK]: onFailedExploration });
  }

  /**
   * Starts a test and forgets what belongs to those before.
   * @param suites the suites around it, the innermost last
   * @param parent the test that it is a part of
   */
  startTest(test: string, suites: readonly SuiteAround[], parent?: string): void {
    if (this.running.size === 0) {
      const isIn = (list: readonly SuiteAround[], id: string | undefined) =>
        list.some((each) => each.id === id);
      const begun = suites.filter(({ id }) => !isIn(this.suites, id));
      for (const each of this.created.filter(({ tests }) => tests.length === 0)) {
        // the innermost that had begun by then; what was made while tests were collected is of the file
        const of = begun.findLast(({ startedMs }) => startedMs < each.madeMs) ?? begun[0] ?? suites[0];
        if (of !== undefined) each.suite ??= of.id;
      }
      this.created = this.created.filter(({ tests, suite }) => tests.length === 0 && isIn(suites, suite));
      this.explorationErrors = [];
    }
    this.suites = suites;
    this.running.set(test, parent);
  }

  endTest(test: string): void {
    this.running.delete(test);
  }

  isRunning(test: string): boolean {
    return this.running.has(test);
  }

  /** The tests that run, without those of which another one is a part. */
  innermost(): string[] {
    const parents = new Set(this.running.values());
    return [...this.running.keys()].filter((each) => !parents.has(each));
  }

  /** Whether a message is an exploration's. Such a message names its files itself. */
  isExplorationError(message: string): boolean {
    return this.explorationErrors.some((each) => message.includes(each.message));
  }

  /** The simulators that a test may have used: its own first, each kind newest last. */
  listFor(test: string): RecentSimulator[] {
    const line: string[] = [];
    for (let each: string | undefined = test; each !== undefined; each = this.running.get(each))
      line.push(each);
    const found = this.created.flatMap(({ sim, tests }) => {
      const ownership: Ownership = tests.length === 0 ? "outside" : tests.length === 1 ? "own" : "perhaps";
      return tests.length > 0 && !tests.some((each) => line.includes(each)) ? [] : [{ sim, ownership }];
    });
    return (["own", "perhaps", "outside"] as const)
      .flatMap((kind) => found.filter(({ ownership }) => ownership === kind).slice(-MOST_REPORTED))
      .slice(0, MOST_REPORTED);
  }
}
