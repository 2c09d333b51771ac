import type { Deviation, ReachedPoint } from "../../core/engine/deviations.ts";
import type { Bound } from "../../findings/bound.ts";
import type { ExecutionRequest, WorldRun } from "../run/execution.ts";
import { type DeviationChoice, DeviationChoices } from "./deviation-choices.ts";
import { equivalentNames, keysOf, nameOf } from "./equivalence.ts";
import { combinations, divide, isRepresentative, ROOT, type Shard, type ShardContents } from "./sharding.ts";

/**
 * Worlds that are explored together: those with the same number of deviations, whose first choices have the same
 * point and may look the same to the subject.
 */
export interface WorldsPart {
  /** How many deviations each world has. */
  readonly size: number;
  /** The index of the first one's deviation point in the world without deviations, from 0. */
  readonly first: number;
  /** The index of the first of these choices at that point, from 0. */
  readonly choice: number;
  /** How many worlds there would be if no deviation led to further points, and only equals looked the same. */
  readonly expected: number;
}

/** Takes the worlds of a part, in order. */
export interface Visitor {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /**
   * Called after each world.
   * @param order its place in the order of all worlds
   * @param alike how many were left out since the one before, because the subject would have seen the same
   */
  visit(
    order: readonly number[],
    deviations: readonly Deviation[],
    run: WorldRun,
    alike: number,
  ): void | Promise<void>;
}

/** How a part ended. */
export interface PartEnd {
  /** Why the part is incomplete; undefined if it is complete. */
  readonly leftOut: string | undefined;
  /** How many worlds were left out after the last, because the subject would have seen the same. */
  readonly alike: number;
}

/** Runs a world. */
type RunWorld = (deviations: readonly Deviation[], wanted: ExecutionRequest) => Promise<WorldRun>;

/** The choices of a world so far. */
interface Way {
  readonly path: readonly DeviationChoice[];
  /** The number of deviations, then the index of each choice's point and of the choice at its point. */
  readonly order: readonly number[];
  /** The index of the first deviation point after the last choice. */
  readonly from: number;
  /** Its prefix, unless all worlds with it are known to be this shard's. */
  readonly key: string | undefined;
}

/**
 * Every world up to a bound, in a fixed order: the one without deviations, those with one, those with two … Worlds of
 * one size are in the order of their first deviation, then of their second. A deviation is only added after the
 * others, so no set comes twice. Worlds in which the subject would see the same as in one that was run are left out
 * and counted. A run shows which those are, so none is left out by guessing.
 * The deviation points of the first worlds are kept; nothing else of a world is. Other worlds on the way to a deeper one
 * are run again to find their deviation points. Those of the world without deviations are always kept, since every part
 * begins with them.
 */
export class Frontier {
  private plain: readonly ReachedPoint[] | undefined;
  private readonly memory = new Memory();
  private readonly choices: DeviationChoices;

  /** @param shardContents the worlds that are this shard's; undefined for all */
  constructor(
    private readonly runWorld: RunWorld,
    private readonly bound: Bound,
    public shardContents: ShardContents | undefined,
  ) {
    this.choices = new DeviationChoices(bound);
  }

  /** The parts of a share in order. From now on, this share's worlds are run. */
  async parts(shard: Shard): Promise<WorldsPart[]> {
    this.shardContents = shard.count === 1 ? undefined : await divide(this.divisible(), shard);
    const parts: WorldsPart[] = this.isOwn(ROOT) ? [{ size: 0, first: 0, choice: 0, expected: 1 }] : [];
    const points = this.bound.atMost === 0 ? [] : await this.plainPoints();
    const counts = points.map((reached) => this.choices.at(reached).filter(isRepresentative).length);
    for (let size = 1; size <= this.bound.atMost; size++)
      for (const [first, reached] of points.entries()) {
        const expected = combinations(size - 1, counts.slice(first + 1));
        for (const choice of this.choices.at(reached).filter(isRepresentative))
          if (this.hasWorlds(choice.equivalenceKey, size))
            parts.push({ size, first, choice: choice.index, expected });
      }
    return parts;
  }

  /** Runs a part's worlds. */
  async run(part: WorldsPart, visitor: Visitor): Promise<PartEnd> {
    const { size, first } = part;
    const memory = size < this.bound.atMost ? this.memory : undefined;
    const visits = new Visits(this.runWorld, visitor, memory);
    try {
      if (size === 0) await visits.take([], [0]);
      else {
        const points = await this.plainPoints();
        const reached = points[first];
        const choices = reached === undefined ? [] : this.choices.at(reached);
        for (const choice of choices.filter(
          ({ equivalenceKey }) => equivalenceKey === choices[part.choice]?.equivalenceKey,
        ))
          await this.below(visits, wayTo(startOf(size), choice, first), size - 1);
      }
      return { leftOut: undefined, alike: visits.alike };
    } catch (error) {
      if (error instanceof Stopped) return { leftOut: error.message, alike: visits.alike };
      throw error;
    }
  }

  /** Runs this shard's worlds with this many more deviations than the way, each after the last. */
  private below(visits: Visits, way: Way, more: number): Promise<void> | undefined {
    if (more > 0) return this.behind(visits, way, more);
    const { path, order, key } = way;
    if ((key !== undefined && !this.isOwn(key)) || visits.isAlike(path)) return undefined;
    return visits.take(path, order);
  }

  private async behind(visits: Visits, way: Way, more: number): Promise<void> {
    let { key } = way;
    if (key !== undefined && this.shardContents?.divided.has(key) !== true) {
      if (!this.isOwn(key)) return;
      key = undefined;
    }
    const here = { ...way, key };
    const points = this.memory.get(way.path) ?? (await this.look(way.path)).points;
    for (let index = way.from; index < points.length; index++)
      for (const choice of this.choices.at(points[index] as ReachedPoint)) {
        const waits = this.below(visits, wayTo(here, choice, index), more - 1);
        // many worlds are left out, and an await of nothing takes time
        if (waits !== undefined) await waits;
      }
  }

  private isOwn(key: string): boolean {
    return this.shardContents === undefined || this.shardContents.own.has(key);
  }

  /** Whether this shard may have worlds of a size whose first choice is of this class. */
  private hasWorlds(prefix: string, size: number): boolean {
    return this.isOwn(prefix) || (size > 1 && this.shardContents?.divided.has(prefix) === true);
  }

  private divisible() {
    return {
      choices: this.choices,
      atMost: this.bound.atMost,
      findPoints: (path: readonly DeviationChoice[]) => this.look(path),
      keep: (path: readonly DeviationChoice[], points: readonly ReachedPoint[]) => {
        if (path.length === 0) this.plain = points;
        else if (!this.memory.isFull) this.memory.keep(path, points);
      },
    };
  }

  /** @throws the error of `runWorld`, for example for a deviation of the scenario's own that is not reached */
  private async plainPoints(): Promise<readonly ReachedPoint[]> {
    this.plain ??= (await this.look([])).points;
    return this.plain;
  }

  /** Runs a world only for its deviation points. */
  private look(path: readonly DeviationChoice[]): Promise<WorldRun> {
    const deviations = path.map(({ deviation }) => deviation);
    return this.runWorld(deviations, { points: true, unjudged: true });
  }
}

function startOf(size: number): Way {
  return { path: [], order: [size], from: 0, key: ROOT };
}

function wayTo({ path, order, key }: Way, choice: DeviationChoice, index: number): Way {
  return {
    path: [...path, choice],
    order: [...order, index, choice.index],
    from: index + 1,
    key: key === undefined ? undefined : key + choice.equivalenceKey,
  };
}

/** Thrown when the visitor wants no more. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** How many worlds' deviation points are kept. For a small scenario, these are all worlds with one deviation. */
const KEPT = 200;

/** Keeps the deviation points of worlds with which deeper ones begin. */
class Memory {
  private readonly points = new Map<string, readonly ReachedPoint[]>();

  get(path: readonly DeviationChoice[]): readonly ReachedPoint[] | undefined {
    return this.points.get(keysOf(path));
  }

  get isFull(): boolean {
    return this.points.size >= KEPT;
  }

  keep(path: readonly DeviationChoice[], points: readonly ReachedPoint[]): void {
    this.points.set(keysOf(path), points);
  }
}

/** Runs the worlds of a part, one after the other. */
class Visits {
  /** How many worlds were left out since the last run. */
  alike = 0;
  /** Worlds whose turn is still to come, and in which the subject would see what it saw in one that was run. */
  private readonly known = new Set<number | string>();
  /** Where their deviation points are kept: those of the world that was run. */
  private readonly knownPoints = new Map<number | string, readonly ReachedPoint[]>();

  constructor(
    private readonly runWorld: RunWorld,
    private readonly visitor: Visitor,
    /** Set if deeper worlds follow. */
    private readonly memory: Memory | undefined,
  ) {}

  /** Whether the subject would see nothing new in a world, which is then counted. */
  isAlike(path: readonly DeviationChoice[]): boolean {
    if (this.known.size === 0) return false;
    const name = nameOf(path);
    if (!this.known.delete(name)) return false;
    this.alike++;
    const points = this.knownPoints.get(name);
    if (points !== undefined && this.memory?.isFull === false) this.memory.keep(path, points);
    this.knownPoints.delete(name);
    return true;
  }

  /** Runs a world. @param order its place in the order of all worlds */
  async take(path: readonly DeviationChoice[], order: readonly number[]): Promise<void> {
    const why = this.visitor.whyToStop();
    if (why !== undefined) throw new Stopped(why);
    const isKept = this.memory?.isFull === false;
    const deviations = path.map(({ deviation }) => deviation);
    const run = await this.runWorld(deviations, isKept ? { points: true } : {});
    if (isKept) this.memory?.keep(path, run.points);
    for (const name of run.readsPlatform ? [] : equivalentNames(path, run.alikeness)) {
      this.known.add(name);
      if (isKept) this.knownPoints.set(name, run.points);
    }
    const { alike } = this;
    this.alike = 0;
    const waits = this.visitor.visit(order, deviations, run, alike);
    if (waits !== undefined) await waits;
  }
}
