import { afterwards, isPromise } from "../../core/foundation/values.ts";
import {
  readDataFields,
  type ShownState,
  shownState,
  type ValueTree,
} from "../../core/narration/app-state.ts";
import { showing } from "../sandbox/supervision.ts";
import { runAsProperty } from "../sandbox/world-context.ts";
import { type Behaviour, exchangesIn } from "./behaviour.ts";
import type { World } from "./world.ts";
import type { WorldRun } from "./world-run.ts";

/** How many levels of the app's state are read to compare it with another. */
const ALL_LEVELS = Number.POSITIVE_INFINITY;

/** Something, or a promise of it if the app's state is shown by an asynchronous function. */
type Shown<R> = R | Promise<R>;

/** What is compared of an app's state. */
type Compared = Pick<Behaviour, "state" | "fields">;

/** Reads the app's state in a world: as the option `show` or else the app's `sim.show` returns it. */
export class AppStateReader<T> {
  /** What is compared of the state once the app was built, if its behaviour is wanted. */
  private first: Compared = { state: undefined, fields: undefined };
  /** Whether what shows the state returns promises. */
  private isLate = false;
  /** How many states are being read. */
  private open = 0;

  /**
   * @param app returns the app
   * @param whileTimeStands lets the timers run at once for which what shows the state waits
   */
  constructor(
    private readonly world: World<T>,
    private readonly app: () => T,
    private readonly whileTimeStands: <R>(call: () => R | PromiseLike<R>) => R | PromiseLike<R>,
  ) {}

  /** Whether the state is being read. */
  get isReading(): boolean {
    return this.open > 0;
  }

  /** The app is built. */
  begin(): void | Promise<void> {
    if (this.world.wanted.behaviour !== true) return undefined;
    return afterwards(this.compared(), (compared) => {
      this.first = compared;
    });
  }

  /** @returns the state now; undefined if nothing can show it */
  now(deepest?: number): Shown<ValueTree | undefined> {
    return afterwards(this.read(deepest), ({ tree }) => tree);
  }

  /** The whole state, or if nothing can show it, the app's fields that are data. */
  compared(): Shown<Compared> {
    return afterwards(this.now(ALL_LEVELS), (state) => {
      const hasFields = state === undefined && !this.world.setup.leavesOutStates && this.show === undefined;
      return { state, fields: hasFields ? showing(() => readDataFields(this.app(), ALL_LEVELS)) : undefined };
    });
  }

  /** The same, whichever of the two it is. Undefined also if it is not known at once. */
  toCompare(): ValueTree | undefined {
    if (this.isLate) return undefined;
    const compared = this.compared();
    return isPromise(compared) ? undefined : ((compared as Compared).state ?? (compared as Compared).fields);
  }

  /** The state now with all of its levels. */
  wholeNow(): Shown<ValueTree | undefined> {
    return this.now(ALL_LEVELS);
  }

  /** The whole state, and whether it shows everything. */
  whole(): Shown<Pick<WorldRun, "wholeState" | "isStateWhole" | "showFailure">> {
    return afterwards(this.read(ALL_LEVELS), ({ tree, isWhole, failure }) => ({
      wholeState: tree,
      isStateWhole: isWhole,
      showFailure: this.show && failure,
    }));
  }

  /** What the app did. @param last what is compared of its state in the end */
  behaviour({ state, fields }: Partial<Compared>): Behaviour {
    const { state: firstState, fields: firstFields } = this.first;
    return { ...exchangesIn(this.world.simulator), firstState, firstFields, state, fields };
  }

  private read(deepest?: number): Shown<ShownState> {
    if (this.world.setup.leavesOutStates) return { tree: undefined, isWhole: false };
    const { show } = this;
    if (show === undefined) return showing(() => shownState(this.app(), show, deepest));
    this.open++;
    let isAwaited = false;
    try {
      // what it asks is none of what the app does
      const shown = this.whileTimeStands(() =>
        runAsProperty(() => showing(() => shownState(this.app(), show, deepest))),
      );
      isAwaited = isPromise(shown);
      return isAwaited ? this.untilRead(shown as PromiseLike<ShownState>) : (shown as ShownState);
    } finally {
      if (!isAwaited) this.open--;
    }
  }

  private async untilRead(shown: PromiseLike<ShownState>): Promise<ShownState> {
    this.isLate = true;
    try {
      return await shown;
    } finally {
      this.open--;
    }
  }

  private get show() {
    const { setup, simulator } = this.world;
    return setup.show ?? (simulator.appStates?.show as ((app: T) => unknown) | undefined);
  }
}
