import { InputError, isTimeMisuse } from "../../core/foundation/errors.ts";
import { show } from "../../core/foundation/show.ts";
import { afterwards, isPromise } from "../../core/foundation/values.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import {
  isDefect,
  type PropertyFailure,
  plainMessage,
  RETURNED_FALSE,
  readDifference,
  readThrown,
  timeUsageError,
  WorldError,
} from "../../findings/property-failure.ts";
import { runAsProperty } from "../sandbox/world-context.ts";
import { ComparisonCollector, comparisonOf } from "./compared.ts";
import type { Check, ExploredApp } from "./explored-app.ts";
import { PlatformReads } from "./platform-reads.ts";
import { isUntold } from "./told-check.ts";

/** What a judge must know of its world. */
interface Parts<T> {
  readonly explored: ExploredApp<T>;
  readonly simulator: Simulator;
  readonly app: () => T;
  /** Whether to check properties, rather than only to keep the app's defects. */
  readonly isJudged: boolean;
  /** Whether to notice what properties read. Other worlds may be left out because of a world with deviations. */
  readonly noticesReads: boolean;
  /** Whether to ask of broken properties whether any app could hold them. What that reads would be noticed too. */
  readonly asksTold: boolean;
  /** Whether nothing more is due at this instant, and none of the app's handlers is busy. */
  readonly isSettled: () => boolean;
  /** Lets the timers run at once for which a property waits. */
  readonly whileTimeStands: <R>(call: () => R | PromiseLike<R>) => R | PromiseLike<R>;
  /** Called when a property is found broken for the first time. @param isOver whether nothing is left to do */
  readonly onBroken: (property: string, isOver: boolean) => void | Promise<void>;
}

/** Checks the properties of a world, and keeps how it fails. */
export class Judge<T> {
  private readonly failed = new Map<string, PropertyFailure>();
  private readonly heldProperties = new Set<string>();
  /** The broken properties that no app could hold. */
  private readonly untoldProperties = new Set<string>();
  private readonly comparisons = new ComparisonCollector();
  private readonly reads: PlatformReads | undefined;
  private readonly hasSettled: boolean;
  /** How much the app had received when its properties were last checked. */
  private judgedCount = 0;
  /** … when the properties of `settled` were. */
  private settledCount = 0;
  /** Whether nothing is left to do. */
  private isOver = false;
  private checkedProperty: string | undefined;
  /** How often a property began to be checked. */
  private begun = 0;

  constructor(private readonly parts: Parts<T>) {
    const { explored, noticesReads, simulator, isJudged } = parts;
    this.hasSettled = Object.keys(explored.settled).length > 0;
    this.reads = noticesReads && isJudged ? new PlatformReads(simulator) : undefined;
  }

  /** The first failure of each property, in the order of the run. */
  get failures(): readonly PropertyFailure[] {
    return [...this.failed.values()];
  }

  /** The properties of `sometimes` that held. */
  get held(): readonly string[] {
    return [...this.heldProperties];
  }

  /** If that is asked: the ready-made properties that are broken, and that no app could hold, told too little. */
  get untold(): readonly string[] {
    return [...this.untoldProperties];
  }

  /** What ready-made properties compared. */
  get compared() {
    return this.comparisons.all;
  }

  /** Whether a property read what may differ between worlds in which the app sees the same. */
  get readsPlatform(): boolean {
    return this.reads?.isRead === true;
  }

  /** The property that is being checked. */
  get checking(): string | undefined {
    return this.checkedProperty;
  }

  /** A count that rises with each property that is checked. */
  get checks(): number {
    return this.begun;
  }

  /** Whether the app has a defect, which ends the world. */
  get hasDefect(): boolean {
    return [...this.failed.keys()].some(isDefect);
  }

  /** Records a failure. Each property keeps its first. */
  fail(failure: PropertyFailure): void {
    if (!this.failed.has(failure.property)) this.failed.set(failure.property, failure);
  }

  /** Whether the app received something since its properties were last checked. @param count how much in all */
  isNews(count: number): boolean {
    return count !== this.judgedCount;
  }

  /**
   * Checks properties if the app received something since the last check.
   * @param count how much it has received
   */
  judgeAfter(count: number): void | Promise<void> {
    if (!this.isNews(count)) return this.checkSettled();
    this.judgedCount = count;
    if (!this.parts.isJudged) return;
    const { always } = this.parts.explored;
    const waits = afterwards(this.checkSometimes(), () => this.check(always));
    return this.hasSettled ? afterwards(waits, () => this.checkSettled()) : waits;
  }

  /** Checks what must hold when nothing is left to do. */
  async judgeTheEnd(): Promise<void> {
    if (!this.parts.isJudged) return;
    const { always, settled, eventually } = this.parts.explored;
    await this.checkSettled();
    this.isOver = true;
    // nothing reached the app, so these are not checked yet
    if (this.judgedCount === 0) await this.check({ ...always, ...settled });
    await this.check(eventually);
    await this.checkSometimes();
  }

  /** Checks the properties of `settled` if the app received something since the last time, and all is settled. */
  private checkSettled(): void | Promise<void> {
    const { explored, isJudged, isSettled } = this.parts;
    if (!this.hasSettled || !isJudged || this.settledCount === this.judgedCount || !isSettled()) return;
    this.settledCount = this.judgedCount;
    return this.check(explored.settled);
  }

  /** Checks properties in order, except those that failed before. Returns a promise only if a property does. */
  private check(properties: Readonly<Record<string, Check<T>>>): void | Promise<void> {
    const waits = inOrder(Object.keys(properties), (name) =>
      this.failed.has(name) ? undefined : this.checkOne(name, properties[name] as Check<T>),
    );
    return afterwards(waits, () => {
      this.checkedProperty = undefined;
    });
  }

  /** Checks one property. It fails by throwing or by returning false. */
  private checkOne(name: string, check: Check<T>): void | Promise<void> {
    this.checkedProperty = name;
    this.begun++;
    const { reads } = this;
    if (reads !== undefined) reads.checking = this.isOver ? "at the end" : "during";
    const settles = (result: unknown) => {
      if (reads !== undefined) reads.checking = "nothing";
      if (result === false) return this.breaks({ property: name, message: RETURNED_FALSE });
      const comparison = comparisonOf(result);
      if (comparison !== undefined) this.comparisons.add(comparison);
      return undefined;
    };
    const throws = (thrown: unknown) => {
      if (reads !== undefined) reads.checking = "nothing";
      const { asksTold, simulator } = this.parts;
      if (asksTold && isUntold(check, simulator)) this.untoldProperties.add(name);
      return this.failProperty(name, thrown);
    };
    let result: unknown;
    try {
      const { simulator, app, whileTimeStands } = this.parts;
      result = whileTimeStands<unknown>(() => runAsProperty(() => check(simulator, app())));
    } catch (thrown) {
      return throws(thrown);
    }
    return isPromise(result) ? Promise.resolve(result).then(settles, throws) : settles(result);
  }

  /** Records that a property threw. @throws errors that are no failure of the property */
  private failProperty(name: string, thrown: unknown): void | Promise<void> {
    if (isTimeMisuse(thrown)) throw timeUsageError(thrown);
    // a defect of the app, such as ending the process
    if (thrown instanceof WorldError) throw thrown;
    return this.breaks({
      ...{ property: name, message: plainMessage(thrown) },
      ...{ difference: readDifference(thrown), thrown: readThrown(thrown) },
    });
  }

  /** Records that a property does not hold. */
  private breaks(failure: PropertyFailure): void | Promise<void> {
    if (this.failed.has(failure.property)) return undefined;
    this.fail(failure);
    return this.parts.onBroken(failure.property, this.isOver);
  }

  private checkSometimes(): void | Promise<void> {
    const { heldProperties: held, failed } = this;
    if (this.reads !== undefined) this.reads.checking = this.isOver ? "at the end" : "during";
    const waits = inOrder(Object.keys(this.parts.explored.sometimes ?? {}), (name) =>
      held.has(name) || failed.has(name) ? undefined : this.checkSometimesProperty(name),
    );
    return afterwards(waits, () => {
      if (this.reads !== undefined) this.reads.checking = "nothing";
    });
  }

  /** Records whether a property of `sometimes` holds now. @throws {InputError} if it does not return a boolean */
  private checkSometimesProperty(name: string): void | Promise<void> {
    const {
      explored: { sometimes },
      simulator,
      app,
    } = this.parts;
    let holds: unknown;
    this.checkedProperty = name;
    try {
      holds = runAsProperty(() => sometimes[name]?.(simulator, app()));
    } catch (thrown) {
      this.checkedProperty = undefined;
      return this.failProperty(name, thrown);
    }
    this.checkedProperty = undefined;
    if (holds === true) this.heldProperties.add(name);
    else if (holds) {
      const got = isPromise(holds) ? "a promise" : show(holds);
      throw new InputError(["sometimes", name], `expected a function that returns a boolean, got ${got}`);
    }
    return undefined;
  }
}

/** Calls a function with one after the other. Returns a promise only if it does. */
function inOrder<T>(all: readonly T[], call: (each: T) => void | Promise<void>): void | Promise<void> {
  return all.reduce<void | Promise<void>>((waits, each) => afterwards(waits, () => call(each)), undefined);
}
