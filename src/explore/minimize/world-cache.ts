import type { Deviation, ReachedPoint } from "../../core/engine/deviations.ts";
import { ScenarioError } from "../../core/scenario/scenario.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import type { ScenarioText } from "../run/files.ts";
import type { PlatformActs } from "../run/platform-acts.ts";
import { type Prepared, preparedText } from "../run/prepare.ts";
import type { Given } from "../run/recorded-run.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import type { EditableScenario } from "../run/write-scenario.ts";
import { CutShort } from "./cut-short.ts";
import { makeCauseKey } from "./minimal-cause.ts";

/** The parts of a world's run that shrinking uses. */
export interface CachedWorld {
  /** Whether all its steps can be played, and it reaches all its deviations. */
  readonly isPlayed: boolean;
  readonly failures: readonly PropertyFailure[];
  /** The ready-made properties that are broken, and that no app could hold. */
  readonly untold: readonly string[];
  /** Whether the app received anything. */
  readonly isTouched: boolean;
  /** What the platform did. */
  readonly acts: PlatformActs;
  /** Where it could have more deviations; undefined if a step cannot be played. */
  readonly points: readonly ReachedPoint[] | undefined;
  /** Whether steps were left out that the state did not allow. */
  readonly skips: boolean;
}

/** A scenario that was made smaller. */
export interface Smaller {
  readonly scenario: EditableScenario;
  readonly prepared: Prepared;
}

/** How many changed scenarios are remembered. Each has a simulator at its beginning. */
const MAX_CHANGES = 200;

const noActs: PlatformActs = { types: [], lasting: [], troubles: [], reachesApp: false };
const cannotBePlayed: CachedWorld = {
  ...{ isPlayed: false, failures: [], untold: [], isTouched: false },
  ...{ acts: noActs, points: undefined, skips: false },
};

/**
 * Caches smaller scenarios and their worlds. Shrinking the failures of one exploration needs many of the same.
 */
export class WorldCache {
  /** Plays runs again that an error ended. */
  readonly cutShort = new CutShort();
  /** By the change and the text of the scenario that it changed; undefined if that scenario is wrong. */
  private readonly changed = new Map<string, Smaller | undefined>();
  /** By text. */
  private readonly prepared = new Map<string, Prepared | ScenarioError>();
  /** The options with which the texts were read. */
  private context: Pick<ScenarioText, "organisations" | "allowLocal"> | undefined;
  /** By deviations. */
  private readonly worlds = new WeakMap<Prepared, Map<string, CachedWorld>>();

  /** @param run runs a world */
  constructor(
    private readonly run: (
      prepared: Prepared,
      deviations: readonly Deviation[],
      wanted: ExecutionRequest,
    ) => Promise<WorldRun>,
  ) {}

  /**
   * Changes a scenario. Parts of the organisation that refer to what was removed go too.
   * @param change identifies the change among others of this scenario
   * @returns undefined if the changed scenario is wrong
   */
  smaller(
    { scenario, prepared: { source, given } }: Smaller,
    change: string,
    make: (scenario: EditableScenario) => EditableScenario,
  ): Smaller | undefined {
    if (source === undefined) return undefined;
    if (!this.isReadWith(source) || this.changed.size === MAX_CHANGES) this.forget(source);
    const key = `${change}\n${scenario.text}`;
    if (this.changed.has(key)) return this.changed.get(key);
    const smaller = this.read(make(scenario), source, given);
    this.changed.set(key, smaller);
    return smaller;
  }

  /** Reads a text with the options of another. @returns undefined if it is wrong */
  preparedText(text: string, { source, given }: Prepared): Prepared | undefined {
    const prepared = source && this.prepareOnce({ ...source, text }, given);
    return prepared instanceof ScenarioError ? undefined : prepared;
  }

  private read(scenario: EditableScenario, source: ScenarioText, given: Given): Smaller | undefined {
    for (let each: EditableScenario | undefined = scenario; each !== undefined; ) {
      const prepared = this.prepareOnce({ ...source, text: each.text }, given);
      if (!(prepared instanceof ScenarioError)) return { scenario: each, prepared };
      each = each.mended(prepared.problems.map(({ path }) => path));
    }
    return undefined;
  }

  private prepareOnce(source: ScenarioText, given: Given): Prepared | ScenarioError {
    const known = this.prepared.get(source.text);
    if (known !== undefined) return known;
    const prepared = prepareOrError(source, given);
    this.prepared.set(source.text, prepared);
    return prepared;
  }

  private isReadWith({ organisations, allowLocal }: ScenarioText): boolean {
    return this.context?.organisations === organisations && this.context.allowLocal === allowLocal;
  }

  private forget(source: ScenarioText): void {
    this.changed.clear();
    this.prepared.clear();
    this.context = source;
  }

  /** A world, if it was run before. */
  known(prepared: Prepared, key: string): CachedWorld | undefined {
    return this.worlds.get(prepared)?.get(key);
  }

  /** Runs a world. @param key identifies its deviations */
  async play(prepared: Prepared, deviations: readonly Deviation[], key: string): Promise<CachedWorld> {
    const worlds = this.worlds.get(prepared) ?? new Map<string, CachedWorld>();
    this.worlds.set(prepared, worlds);
    const run = await this.runOnce(prepared, deviations);
    if (run === undefined) {
      worlds.set(key, cannotBePlayed);
      return cannotBePlayed;
    }
    const { failures, untold, isTouched, acts = noActs, points, unmet, skipped } = run;
    const skips = skipped.length > 0;
    const world = { isPlayed: unmet.length === 0, failures, untold, isTouched, acts, points, skips };
    worlds.set(key, world);
    // a deviation that a world does not reach changes nothing in it, unless steps may be left out because of it
    const unmetKeys = unmet.map((each) => makeCauseKey([each]));
    const met = deviations.filter((each) => !unmetKeys.includes(makeCauseKey([each])));
    if (skipped.length === 0 && unmet.length > 0 && met.length === deviations.length - unmet.length)
      worlds.set(makeCauseKey(met), { ...world, isPlayed: true });
    return world;
  }

  private async runOnce(prepared: Prepared, deviations: readonly Deviation[]): Promise<WorldRun | undefined> {
    try {
      return await this.run(prepared, deviations, { points: true, acts: true });
    } catch (error) {
      if (error instanceof ScenarioError) return undefined; // a step cannot be played without one that was removed
      throw error;
    }
  }
}

function prepareOrError(source: ScenarioText, given: Given): Prepared | ScenarioError {
  try {
    return preparedText(source, given);
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
}
