import type { ReachedPoint } from "../../core/engine/deviations.ts";
import { Randomness } from "../../core/foundation/random.ts";
import { sum } from "../../core/foundation/values.ts";
import type { WorldRun } from "../run/world-run.ts";
import type { DeviationChoice, DeviationChoices } from "./deviation-choices.ts";
import { equivalentNames, pathKey } from "./equivalence.ts";

/** One of several parts of an exploration, which run on different machines. */
export interface Shard {
  /** Which of the shards, from 1. */
  readonly index: number;
  /** How many shards there are. */
  readonly count: number;
}

/**
 * The worlds of one shard, by the prefixes of their choices. Plain data, since threads get it. A prefix is made of
 * equivalence keys, so worlds that may look the same to the app are in the same shard.
 */
export interface ShardContents {
  /** Prefixes that are divided further: a longer one decides which shard has a world. */
  readonly divided: ReadonlySet<string>;
  /** The shard's prefixes. Of one that is divided, the shard has only the world that ends there. */
  readonly own: ReadonlySet<string>;
}

/** The prefix of the world without deviations. */
export const ROOT = "";

/** The worlds to divide. */
export interface ShardableWorlds {
  readonly choices: DeviationChoices;
  /** How many deviations a world may have at most. */
  readonly atMost: number;
  /** Runs a world for its deviation points. */
  findPoints(path: readonly DeviationChoice[]): Promise<Pick<WorldRun, "points" | "equivalences">>;
  /** Caches the deviation points of a world, which would otherwise be run again. */
  keep(path: readonly DeviationChoice[], points: readonly ReachedPoint[]): void;
}

/** Worlds with the same prefix. */
interface PrefixGroup {
  readonly key: string;
  readonly depth: number;
  /** The kind of its last deviation. */
  readonly kind: string;
  /** The paths with this prefix. */
  readonly paths: PrefixPath[];
}

/** The first choices of some worlds. */
interface PrefixPath {
  readonly path: readonly DeviationChoice[];
  /** The index of the first deviation point after its last choice. */
  readonly firstPoint: number;
  /** How many choices each later point has; undefined if these worlds look the same as others. */
  readonly choicesAfter: readonly number[] | undefined;
}

/** No prefix may have more than this part of a shard's worlds, if that can be reached. */
const MAX_SHARE_OF_SHARD = 1 / 8;
/** Planning costs each shard no more than this part of its own worlds. */
const MAX_SHARE_FOR_PLANNING = 1 / 2;

/**
 * Divides the worlds among shards. Prefixes with many worlds are divided further. The heaviest are assigned first, each
 * to the shard with the least so far; a stable hash orders equals. Every shard computes the same result by itself.
 */
export async function divide(worlds: ShardableWorlds, { index, count }: Shard): Promise<ShardContents> {
  const { divided, beginnings: prefixes } = await new ShardPlanner(worlds, count).run();
  const order = new Randomness("shards");
  const sorted = prefixes
    .map((each) => ({ ...each, hash: order.uniform(each.key) }))
    .sort((a, b) => b.weight - a.weight || a.hash - b.hash);
  const loads = Array.from({ length: count }, () => 0);
  const own = new Set<string>();
  for (const { key, weight } of sorted) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + weight;
    if (least === index - 1) own.add(key);
  }
  return { divided, own };
}

/** A prefix, and about how many worlds it has. */
interface WeightedPrefix {
  readonly key: string;
  readonly weight: number;
}

/** Divides the heaviest prefixes until all are light enough. */
class ShardPlanner {
  private readonly divided = new Set<string>();
  /** How many choices a deviation adds: a request that fails is attempted again. */
  private readonly growths = new Means(0);
  /** How many forms of a deviation look different to the app. */
  private readonly forms = new Means(1);
  private runs = 0;

  constructor(
    private readonly worlds: ShardableWorlds,
    private readonly count: number,
  ) {}

  async run(): Promise<{
    readonly divided: ReadonlySet<string>;
    readonly beginnings: readonly WeightedPrefix[];
  }> {
    const paths = [{ path: [], firstPoint: 0, choicesAfter: [] }];
    let open: PrefixGroup[] = await this.divide({ key: ROOT, depth: 0, kind: ROOT, paths });
    for (;;) {
      const weighed = open.map((each) => ({ ...each, weight: this.weigh(each) }));
      const heaviest = weighed.reduce((most, each) => (most.weight >= each.weight ? most : each), NOTHING);
      const share = weighed.reduce((sum, { weight }) => sum + weight, this.divided.size) / this.count;
      if (
        heaviest.weight <= Math.max(1, share * MAX_SHARE_OF_SHARD) ||
        this.runs >= share * MAX_SHARE_FOR_PLANNING
      ) {
        const single = [...this.divided].map((key) => ({ key, weight: 1 }));
        return { divided: this.divided, beginnings: [...single, ...weighed] };
      }
      open = [...open.filter(({ key }) => key !== heaviest.key), ...(await this.divide(heaviest))];
    }
  }

  /** Divides a prefix by its next choice. */
  private async divide({ key, kind, depth, paths }: PrefixGroup): Promise<PrefixGroup[]> {
    const { choices, findPoints, keep } = this.worlds;
    const parts = new Map<string, PrefixGroup>();
    const equivalent = new Map<number | string, readonly ReachedPoint[]>();
    this.divided.add(key);
    const runsBefore = this.runs;
    for (const { path, firstPoint, choicesAfter } of paths) {
      const known = equivalent.get(pathKey(path));
      let points = known;
      if (points === undefined) {
        const run = await findPoints(path);
        points = run.points;
        for (const name of equivalentNames(path, run.equivalences)) equivalent.set(name, points);
        this.runs++;
      }
      keep(path, points);
      const counts = points.map((each) => choices.at(each).filter(isRepresentative).length);
      if (choicesAfter !== undefined && depth > 0)
        this.growths.note(kind, sum(counts.slice(firstPoint)) - sum(choicesAfter));
      for (let at = firstPoint; at < points.length; at++)
        for (const choice of choices.at(points[at] as ReachedPoint)) {
          const longer = key + choice.equivalenceKey;
          let part = parts.get(longer);
          if (part === undefined) {
            part = { key: longer, kind: kindOf(choice), depth: depth + 1, paths: [] };
            parts.set(longer, part);
          }
          // of choices that look the same, only the first counts
          const counted = known === undefined && isRepresentative(choice) ? counts.slice(at + 1) : undefined;
          part.paths.push({ path: [...path, choice], firstPoint: at + 1, choicesAfter: counted });
        }
    }
    if (depth > 0)
      this.forms.note(
        kind,
        (this.runs - runsBefore) / paths.filter(({ choicesAfter }) => choicesAfter !== undefined).length,
      );
    return [...parts.values()];
  }

  /** About how many worlds there are: each has at most so many further deviations, each at a later point. */
  private weigh({ kind, depth, paths }: PrefixGroup): number {
    const further = this.worlds.atMost - depth;
    const each = sum(
      paths.map(({ choicesAfter }) => {
        if (choicesAfter === undefined) return 0;
        return sum(combinationsUpTo(further, [...choicesAfter, this.growths.of(kind)]));
      }),
    );
    return each * this.forms.of(kind);
  }
}

/** In how many ways so many points can be taken, with one choice of each. @param counts how many choices each point has */
export function combinations(points: number, counts: readonly number[]): number {
  return combinationsUpTo(points, counts)[points] ?? 0;
}

/** The same for each number of points, from none on. */
function combinationsUpTo(most: number, counts: readonly number[]): number[] {
  let ways = [1, ...Array.from({ length: most }, () => 0)];
  for (const count of counts)
    ways = ways.map((each, points) => each + (points === 0 ? 0 : count * (ways[points - 1] ?? 0)));
  return ways;
}

const NOTHING = { key: "", kind: "", depth: 0, paths: [], weight: 0 };

/** Mean values by kind of deviation. */
class Means {
  private readonly noted = new Map<string, { readonly total: number; readonly count: number }>();

  /** @param first the mean before the first value */
  constructor(private readonly first: number) {}

  note(kind: string, value: number): void {
    const { total, count } = this.noted.get(kind) ?? { total: 0, count: 0 };
    this.noted.set(kind, { total: total + value, count: count + 1 });
  }

  of(kind: string): number {
    const noted = this.noted.get(kind);
    return noted === undefined ? this.first : Math.max(0, noted.total / noted.count);
  }
}

function kindOf({ deviation: { what, is } }: DeviationChoice): string {
  return `${what} ${is}`;
}

/** Whether it is the first of the choices at its point that may look the same to the app. */
export function isRepresentative({ equivalenceKey, index, all }: DeviationChoice): boolean {
  return index === 0 || all[index - 1]?.equivalenceKey !== equivalenceKey;
}
