import type { Alikeness, ChoicePoint, Deviation, Option } from "../engine/choices.ts";
import type { Met, Wanted, WorldRun } from "./world.ts";

/** The bound of an exploration. */
export interface Bound {
  /** How many deviations a world may have at most. */
  readonly atMost: number;
  /** The kinds of deviations; undefined for all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** The starts of URLs whose requests may deviate; undefined for all. */
  readonly on: readonly string[] | undefined;
}

/** Runs a world. */
export type Runner = (deviations: readonly Deviation[], wanted: Wanted) => Promise<WorldRun>;

/** One of several shares of the work. The parts are dealt out in turn. */
export interface Share {
  /** Which of the shares, from 1. */
  readonly index: number;
  /** How many shares there are. */
  readonly count: number;
}

/** Worlds that are explored together: those with the same number of deviations and the same first choice point. */
export interface WorldsPart {
  /** How many deviations each world has. */
  readonly size: number;
  /** The index of the first one's choice point in the world without deviations, from 0. */
  readonly first: number;
}

/** Takes the worlds of a part, in order. */
export interface Visitor {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /**
   * Called after each world.
   * @param alike how many were left out since the one before, because the subject would have seen the same
   */
  visit(deviations: readonly Deviation[], run: WorldRun, alike: number): void;
}

/** How a part ended. */
export interface PartEnd {
  /** Why the part is incomplete; undefined if it is complete. */
  readonly leftOut: string | undefined;
  /** How many worlds were left out after the last, because the subject would have seen the same. */
  readonly alike: number;
}

/** A deviation, with a key that tells it from all others. */
interface Known {
  readonly deviation: Deviation;
  readonly key: string;
}

/** A deviation, with the later ones of its choice point that the subject might not tell from it. */
interface Choice extends Known {
  readonly others: readonly Known[];
}

/**
 * Every world up to a bound, in a fixed order: the one without deviations, those with one, those with two … Worlds of
 * one size are in the order of their first deviation, then of their second. A deviation is only added behind the
 * others, so no set comes twice. Worlds in which the subject would see the same as in one that was run are left out
 * and counted. A run shows which those are, so none is left out by guessing.
 * The choice points of the first worlds are kept; nothing else of a world is. Other worlds on the way to a deeper one
 * are run again to find their choice points. Those of the world without deviations are always kept, since every part
 * begins with them.
 */
export class Worlds {
  private plain: readonly Met[] | undefined;
  private readonly memory = new Memory();

  constructor(
    private readonly runner: Runner,
    private readonly bound: Bound,
  ) {}

  /** The parts in order, or those of a share. Shares take parts in turn. */
  async parts(share: Share): Promise<WorldsPart[]> {
    const parts: WorldsPart[] = share.index === 1 ? [{ size: 0, first: 0 }] : [];
    const { length } = this.bound.atMost === 0 ? [] : await this.plainPoints();
    for (let size = 1; size <= this.bound.atMost; size++)
      for (let first = share.index - 1; first < length; first += share.count) parts.push({ size, first });
    return parts;
  }

  /** Runs a part's worlds. */
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

  /** Runs the worlds with this many more deviations than the path, each behind the choice point `from`. */
  private async below(visits: Visits, path: readonly Choice[], from: number, more: number): Promise<void> {
    if (more === 0) return visits.take(path);
    const met = this.memory.get(path) ?? (await this.pointsOf(path));
    for (let index = from; index < met.length; index++)
      for (const choice of this.choicesAt(met[index] as Met))
        await this.below(visits, [...path, choice], index + 1, more - 1);
  }

  /** @throws the runner's error, for example for a deviation of the scenario's own that is not reached */
  private async plainPoints(): Promise<readonly Met[]> {
    this.plain ??= await this.pointsOf([]);
    return this.plain;
  }

  /** Runs a world only for its choice points. */
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

/** Thrown when the visitor wants no more. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** How many worlds' choice points are kept. For a small scenario, these are all worlds with one deviation. */
const KEPT = 200;

/** Keeps the choice points of worlds with which deeper ones begin. */
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

/** Runs the worlds of a part, one after the other. */
class Visits {
  /** How many worlds were left out since the last run. */
  alike = 0;
  /** Worlds that need no run. */
  private readonly known = new Set<string>();

  constructor(
    private readonly runner: Runner,
    private readonly visitor: Visitor,
    /** Set if deeper worlds follow. */
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

/** Whether a bound contains a deviation. */
export function isIn({ kinds, on }: Bound, { to, what }: ChoicePoint, option: Option): boolean {
  if (on !== undefined && to !== undefined && !on.some((prefix) => to.startsWith(prefix))) return false;
  return kinds === undefined || kinds.has(kindOf(what, option));
}

/** The name of a deviation's kind in the option `kinds`. */
export function kindOf(what: string, { is }: Option): string {
  if (what === "timer") return "timers";
  return what === "answer" ? "answers" : is;
}

const failures: readonly string[] = ["lost", "refused", "rejected"];

/** Whether a run with one option may show that the subject sees the same with the other. */
function isKin(what: string, one: Option, other: Option): boolean {
  if (one.is === "late") return other.is === "late";
  return what === "attempt" && failures.includes(one.is) && failures.includes(other.is);
}

/** The keys of worlds in which the subject sees the same as in one that was run. */
function alikeKeys(path: readonly Choice[], alikeness: readonly Alikeness[]): string[] {
  const forms = path.map(({ deviation, key, others }, index) => {
    // refused and rejected differ only in the platform's own records
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
