import { dataFieldsOf, isShownWhole, stateTreeOf, type ValueTree } from "../../core/narration/app-state.ts";
import { showing } from "../sandbox/supervision.ts";
import { type Behaviour, exchangesIn } from "./behaviour.ts";
import type { World } from "./world.ts";
import type { WorldRun } from "./world-run.ts";

/** How many levels of the app's state are read to compare it with another. */
const ALL_LEVELS = Number.POSITIVE_INFINITY;

/** Reads the app's state in a world: as the option `show` or else the app's `sim.show` returns it. */
export class AppStateReader<T> {
  /** What is compared of the state once the app was built, if its behaviour is wanted. */
  private first: Pick<Behaviour, "state" | "fields"> = { state: undefined, fields: undefined };

  /** @param app returns the app */
  constructor(
    private readonly world: World<T>,
    private readonly app: () => T,
  ) {}

  /** The app is built. */
  begin(): void {
    if (this.world.wanted.behaviour === true) this.first = this.compared();
  }

  /** @returns the state now; undefined if nothing can show it */
  now(deepest?: number): ValueTree | undefined {
    if (this.world.setup.leavesOutStates) return undefined;
    return showing(() => stateTreeOf(this.app(), this.show, deepest));
  }

  /** The whole state, or if nothing can show it, the app's fields that are data. */
  compared(): Pick<Behaviour, "state" | "fields"> {
    const state = this.now(ALL_LEVELS);
    if (state !== undefined || this.world.setup.leavesOutStates || this.show !== undefined)
      return { state, fields: undefined };
    return { state, fields: showing(() => dataFieldsOf(this.app(), ALL_LEVELS)) };
  }

  /** The same, whichever of the two it is. */
  toCompare(): ValueTree | undefined {
    const { state, fields } = this.compared();
    return state ?? fields;
  }

  /** The state now with all of its levels. */
  wholeNow(): ValueTree | undefined {
    return this.now(ALL_LEVELS);
  }

  /** The whole state, and whether it shows everything. */
  whole(): Pick<WorldRun, "wholeState" | "isStateWhole"> {
    const wholeState = this.wholeNow();
    const isWhole = () => showing(() => isShownWhole(this.app(), this.show));
    return { wholeState, isStateWhole: wholeState !== undefined && isWhole() };
  }

  /** What the app did. @param last what is compared of its state in the end */
  behaviour({ state, fields }: Partial<Pick<Behaviour, "state" | "fields">>): Behaviour {
    const { state: firstState, fields: firstFields } = this.first;
    return { ...exchangesIn(this.world.simulator), firstState, firstFields, state, fields };
  }

  private get show() {
    const { setup, simulator } = this.world;
    return setup.show ?? (simulator.appStates?.show as ((app: T) => unknown) | undefined);
  }
}
