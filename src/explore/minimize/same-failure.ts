import { type Deviation, isOfWholeRun } from "../../core/engine/deviations.ts";
import {
  generaliseMessage,
  identityOf,
  type PropertyFailure,
  type RunsAs,
} from "../../findings/property-failure.ts";
import { realTimeMs } from "../../findings/real-time.ts";
import type { CausedFailure } from "../run/outcome.ts";
import type { Prepared } from "../run/prepare.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import type { EditableScenario } from "../run/write-scenario.ts";
import { makeCauseKey } from "./minimal-cause.ts";
import type { CachedWorld, WorldCache } from "./world-cache.ts";

/** A world that breaks a property. */
export interface FailingWorld {
  readonly prepared: Prepared;
  readonly failure: CausedFailure;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether the sentence tells what people do. */
  readonly isStory?: boolean;
  readonly runsAs: RunsAs;
  /** The worlds that were run to shrink other failures. */
  readonly cache: WorldCache;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: ExecutionRequest): Promise<WorldRun>;
  /** The title of the smallest scenario. Default: made of the property and the deviations. */
  readonly title?: string;
}

/** A world that may be the smallest. */
export interface SmallerWorld {
  readonly scenario: EditableScenario | undefined;
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
}

/** Thrown when the time for shrinking is over. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** Tells whether a world fails for the reason of the one that was found. */
export class SameFailure {
  readonly identity: string;
  private readonly endMs: number;
  private shape = "";
  /** What the original world was like. */
  private original: CachedWorld | undefined;
  /** Whether the steps of the scenario can be played without its deviations. */
  isPlayable = false;
  /** Whether its deviations are those that an exploration of its scenario offers. A scenario's own may be others. */
  isOffered = false;
  /** The worlds that this failure needed, by their deviations. */
  private readonly asked = new Map<Prepared, Set<string>>();

  constructor(private readonly world: FailingWorld) {
    this.identity = identityOf(world.failure);
    this.endMs = realTimeMs() + world.forMs;
  }

  /** Plays the original world. @returns whether it fails again */
  async recurs(found: SmallerWorld): Promise<boolean> {
    const original = await this.playWorld(found, found.deviations, true);
    const broken = this.brokenIn(original);
    if (broken === undefined) return false;
    this.shape = generaliseMessage(broken.message);
    this.original = original;
    return true;
  }

  /** How many worlds it took. */
  get runs(): number {
    return [...this.asked.values()].reduce((runs, { size }) => runs + size, 0);
  }

  /** Finds the deviations' places in another scenario, where their events may have other times and ids. */
  async moved(
    from: SmallerWorld,
    to: SmallerWorld,
    deviations: readonly Deviation[],
    placed: readonly Deviation[] = [],
  ): Promise<Deviation[] | undefined> {
    const moved: Deviation[] = [];
    for (const [index, deviation] of deviations.entries()) {
      const first = from.deviations.indexOf(deviation);
      const before = await this.possibleIn(from, from.deviations.slice(0, first < 0 ? index : first));
      const after = await this.possibleIn(to, [...placed, ...moved]);
      if (before === undefined || after === undefined) return undefined;
      const isLike = (other: Deviation) => isSameKind(other, deviation);
      const place = before.filter(isLike).findIndex((other) => isSamePlace(other, deviation));
      const there = after.filter(isLike)[place];
      if (there === undefined) return undefined;
      const { webhook } = deviation;
      moved.push({ ...there, webhook: webhook === undefined ? undefined : there.webhook });
    }
    return moved;
  }

  /** All deviations that a world could also have; undefined if it cannot be played. */
  async possibleIn(
    candidate: SmallerWorld,
    deviations: readonly Deviation[],
  ): Promise<Deviation[] | undefined> {
    const { points } = await this.playWorld(candidate, deviations);
    return points?.flatMap(({ point: { to: _, ...place }, options }) =>
      options.map((option) => ({ ...place, ...option })),
    );
  }

  /**
   * Whether a candidate fails for the reason of the original: with its deviations, and no longer without any one of
   * them. Without deviations, the message must keep its shape.
   */
  async counts(candidate: SmallerWorld): Promise<boolean> {
    const { deviations } = candidate;
    const world = await this.playWorld(candidate, deviations);
    const broken = this.brokenIn(world);
    if (broken === undefined || !this.isLikeOriginal(world)) return false;
    if (deviations.length === 0)
      return (
        generaliseMessage(broken.message) === this.shape && isSameWithoutDeviations(world, this.original)
      );
    if (this.isOffered && !(await this.areOffered(candidate))) return false;
    for (const each of deviations) {
      const others = await this.playWorld(
        candidate,
        deviations.filter((other) => other !== each),
      );
      if (this.brokenIn(others) !== undefined || (this.isPlayable && others.points === undefined))
        return false;
    }
    return true;
  }

  /** Whether the app is reached and told enough as in the original, and the platform does for good what it did there. */
  private isLikeOriginal({ isTouched, acts, untold }: CachedWorld): boolean {
    const { original } = this;
    if (original === undefined || (original.isTouched && !isTouched)) return false;
    if (original.acts.reachesApp && !acts.reachesApp) return false;
    const { property } = this.world.failure;
    if (untold.includes(property) && !original.untold.includes(property)) return false;
    return original.acts.lasting.every((each) => acts.lasting.includes(each));
  }

  /** Whether an exploration of the candidate's scenario has this world: each deviation is possible after those before it. */
  async areOffered(candidate: SmallerWorld): Promise<boolean> {
    const { deviations } = candidate;
    for (const [index, deviation] of deviations.entries()) {
      if (isOfWholeRun(deviation)) continue;
      const offered = (await this.possibleIn(candidate, deviations.slice(0, index))) ?? [];
      if (!offered.some((other) => isSamePlace(other, deviation) && isSameKind(other, deviation)))
        return false;
    }
    return true;
  }

  /** The failure that is shrunk, if a world has it. */
  brokenIn({ isPlayed, failures }: CachedWorld): PropertyFailure | undefined {
    return isPlayed ? failures.find((each) => identityOf(each) === this.identity) : undefined;
  }

  /** Runs a world, unless it was run before. @param isFirst whether it is run even if no time is left */
  async playWorld(
    { prepared }: Pick<SmallerWorld, "prepared">,
    deviations: readonly Deviation[],
    isFirst = false,
  ): Promise<CachedWorld> {
    const { cache } = this.world;
    const key = makeCauseKey(deviations);
    const known = cache.known(prepared, key);
    if (known === undefined && !isFirst && realTimeMs() >= this.endMs) throw new OutOfTime();
    const asked = this.asked.get(prepared) ?? new Set();
    this.asked.set(prepared, asked.add(key));
    const play = () => cache.play(prepared, deviations, key);
    return cache.cutShort.whole(this.identity, known ?? (await play()), play);
  }
}

/** Whether a world without deviations has no type of event that the original had not, and whatever went wrong there. */
function isSameWithoutDeviations({ acts }: CachedWorld, original: CachedWorld | undefined): boolean {
  if (original === undefined) return false;
  const { types, troubles } = original.acts;
  return (
    acts.types.every((type) => types.includes(type)) && troubles.every((each) => acts.troubles.includes(each))
  );
}

/** Whether both are at the same point of a run. */
function isSamePlace(a: Deviation, b: Deviation): boolean {
  return a.at === b.at && (a.nth ?? 1) === (b.nth ?? 1) && a.of === b.of;
}

/** Whether both do the same to the same kind of thing. Ids may differ. */
function isSameKind(a: Deviation, b: Deviation): boolean {
  const withoutIds = (of: string) => of.replaceAll(/\d+/g, "#");
  return (
    a.what === b.what &&
    a.is === b.is &&
    (a.after ?? 0) === (b.after ?? 0) &&
    (a.by ?? 1) === (b.by ?? 1) &&
    (a.number ?? 1) === (b.number ?? 1) &&
    withoutIds(a.of) === withoutIds(b.of)
  );
}
