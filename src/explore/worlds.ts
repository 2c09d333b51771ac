import type { Alikeness, ChoicePoint, Deviation, Option } from "../engine/choices.ts";
import type { Met, Wanted, WorldRun } from "./world.ts";

/** Which deviations are explored. */
export interface Bound {
  /** How many a world may have at most. */
  readonly atMost: number;
  /** Their kinds; undefined: all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** What the URLs of requests start with; undefined: all. */
  readonly on: readonly string[] | undefined;
}

/** Runs a world. */
export type Runner = (deviations: readonly Deviation[], wanted: Wanted) => Promise<WorldRun>;

/** One of several that share the work. Parts of the worlds go round among them. */
export interface Share {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Worlds that are explored by themselves: those with the same number of deviations, and the same first choice point. */
export interface WorldsPart {
  /** How many deviations each world has. */
  readonly size: number;
  /** Which choice point of the plain world the first of them is at, from 0. */
  readonly first: number;
}

/** Hears of the worlds of a part, in order. */
export interface Visitor {
  /** Asked before each world. What it returns says why there are to be no more. */
  whyToStop(): string | undefined;
  /**
   * A world was run.
   * @param alike how many were left out since the one before, because the subject would have seen the same
   */
  visit(deviations: readonly Deviation[], run: WorldRun, alike: number): void;
}

/** What came after the last world of a part. */
export interface PartEnd {
  /** Why the part is not all there; undefined: it is. */
  readonly leftOut: string | undefined;
  /** How many worlds were left out since the last, because the subject would have seen the same. */
  readonly alike: number;
}

/** A deviation, and what tells it from all others. */
interface Known {
  readonly deviation: Deviation;
  readonly key: string;
}

/** The same, and those of its point that the subject might not tell from it, which come later in the order. */
interface Choice extends Known {
  readonly others: readonly Known[];
}

/**
 * Every world up to a bound, in a fixed order: the plain one, those with one deviation, those with two … Worlds with the
 * same number are in the order of their first deviation, then of their second. A deviation is only ever added behind those
 * that are there, so that no set of them comes twice. Worlds in which the subject would see the same as in one that was run
 * are left out, and counted. A run shows which they are, so nothing is left out on a guess.
 *
 * Of a world nothing is kept but, of the first ones, their choice points: others on the way to a deeper one are run again,
 * to learn what choice points they have. Those of the plain world are always kept, which every part begins with.
 */
export class Worlds {
  private plain: readonly Met[] | undefined;
  private readonly memory = new Memory();

  constructor(
    private readonly runner: Runner,
    private readonly bound: Bound,
  ) {}

  /** The parts in order. Those that share them take turns. */
  async parts(share: Share): Promise<WorldsPart[]> {
    const parts: WorldsPart[] = share.index === 1 ? [{ size: 0, first: 0 }] : [];
    const { length } = this.bound.atMost === 0 ? [] : await this.plainPoints();
    for (let size = 1; size <= this.bound.atMost; size++)
      for (let first = share.index - 1; first < length; first += share.count) parts.push({ size, first });
    return parts;
  }

  /** Runs the worlds of a part. */
  async run({ size, first }: WorldsPart, visitor: Visitor): Promise<PartEnd> {
    const visits = new Visits(this.runner, visitor, size < this.bound.atMost ? this.memory : undefined);
    try {
      if (size === 0) await visits.take([]);
      else {
        const met = (await this.plainPoints())[first];
        for (const choice of met === undefined ? [] : this.choicesAt(met))
          await this.below(visits, [choice], first + 1, size - 1);
      }
      return { leftOut: undefined, alike: visits.alike };
    } catch (error) {
      if (error instanceof Stopped) return { leftOut: error.message, alike: visits.alike };
      throw error;
    }
  }

  /** The worlds with so many more deviations than those on the path, each behind the choice point `from`. */
  private async below(visits: Visits, path: readonly Choice[], from: number, more: number): Promise<void> {
    if (more === 0) return visits.take(path);
    const met = this.memory.get(path) ?? (await this.pointsOf(path));
    for (let index = from; index < met.length; index++)
      for (const choice of this.choicesAt(met[index] as Met))
        await this.below(visits, [...path, choice], index + 1, more - 1);
  }

  /** @throws what the runner throws, such as for a deviation of the scenario's own that is not reached */
  private async plainPoints(): Promise<readonly Met[]> {
    this.plain ??= await this.pointsOf([]);
    return this.plain;
  }

  /** Runs a world for its choice points alone. */
  private async pointsOf(path: readonly Choice[]): Promise<readonly Met[]> {
    const deviations = path.map(({ deviation }) => deviation);
    return (await this.runner(deviations, { points: true, unjudged: true })).met;
  }

  private choicesAt({ point, options }: Met): Choice[] {
    const { to: _, ...place } = point;
    const known: Known[] = options
      .filter((option) => isIn(this.bound, point, option))
      .map((option) => {
        const deviation = { ...place, ...option };
        return { deviation, key: keyOf(deviation) };
      });
    return known.map(({ deviation, key }, index) => {
      const others = known.filter((other, at) => at > index && isKin(point.what, deviation, other.deviation));
      return { deviation, key, others };
    });
  }
}

/** The visitor wants no more. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** So many worlds have their choice points kept: all those with one deviation, where the scenario is small. */
const KEPT = 200;

/** The choice points of worlds that deeper ones begin with. */
class Memory {
  private readonly met = new Map<string, readonly Met[]>();

  get(path: readonly Choice[]): readonly Met[] | undefined {
    return this.met.get(keyOfAll(path));
  }

  get isFull(): boolean {
    return this.met.size >= KEPT;
  }

  keep(path: readonly Choice[], met: readonly Met[]): void {
    this.met.set(keyOfAll(path), met);
  }
}

/** Runs one world of a part after the other. */
class Visits {
  /** How many were left out since the last that was run. */
  alike = 0;
  /** Worlds that need no run. */
  private readonly known = new Set<string>();

  constructor(
    private readonly runner: Runner,
    private readonly visitor: Visitor,
    /** Where deeper worlds are to come. */
    private readonly memory: Memory | undefined,
  ) {}

  /** Runs a world, unless the subject would see nothing new. */
  async take(path: readonly Choice[]): Promise<void> {
    const deviations = path.map(({ deviation }) => deviation);
    if (this.known.size > 0 && this.known.delete(keyOfAll(path))) {
      this.alike++;
      return;
    }
    const why = this.visitor.whyToStop();
    if (why !== undefined) throw new Stopped(why);
    const isKept = this.memory !== undefined && !this.memory.isFull;
    const run = await this.runner(deviations, isKept ? { points: true } : {});
    if (isKept) this.memory?.keep(path, run.met);
    for (const key of alikeKeys(path, run.alikeness)) this.known.add(key);
    const { alike } = this;
    this.alike = 0;
    this.visitor.visit(deviations, run, alike);
  }
}

/** Whether a bound has such a deviation. */
export function isIn({ kinds, on }: Bound, { to, what }: ChoicePoint, option: Option): boolean {
  if (on !== undefined && to !== undefined && !on.some((prefix) => to.startsWith(prefix))) return false;
  return kinds === undefined || kinds.has(kindOf(what, option));
}

/** What a kind of deviation is called in the option `kinds`. */
export function kindOf(what: string, { is }: Option): string {
  if (what === "timer") return "timers";
  return what === "answer" ? "answers" : is;
}

const failures: readonly string[] = ["lost", "refused", "rejected"];

/** Whether a run with the one may show that the subject sees the same with the other. */
function isKin(what: string, one: Option, other: Option): boolean {
  if (one.is === "late") return other.is === "late";
  return what === "attempt" && failures.includes(one.is) && failures.includes(other.is);
}

/** The worlds in which the subject sees the same as in one that was run. */
function alikeKeys(path: readonly Choice[], alikeness: readonly Alikeness[]): string[] {
  const forms = path.map(({ deviation, key, others }, index) => {
    // refused and rejected differ in nothing but what the platform notes
    const isSame = deviation.is === "refused" || alikeness[index] !== "no";
    return isSame ? [{ deviation, key }, ...others] : [{ deviation, key }];
  });
  if (forms.every(({ length }) => length === 1)) return [];
  let lists: Known[][] = [[]];
  for (const same of forms) lists = lists.flatMap((list) => same.map((each) => [...list, each]));
  const areTogether = (list: readonly Known[]) =>
    list.every(({ deviation: { is, at } }, index) => {
      if (alikeness[index] !== "together" || is === "lost") return true;
      return list.every(({ deviation: other }) => other.at !== at || other.is !== "lost");
    });
  return lists.slice(1).filter(areTogether).map(keyOfAll);
}

function keyOfAll(deviations: readonly Known[]): string {
  let keys = "";
  for (const { key } of deviations) keys += key;
  return keys;
}

function keyOf({ what, at, of, webhook, number, nth, is, after, by }: Deviation): string {
  return `${what} ${at} ${of} ${webhook} ${number} ${nth} ${is} ${after} ${by}\n`;
}
