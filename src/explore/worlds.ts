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
  visit(deviations: readonly Deviation[], run: WorldRun, alike: number): void | Promise<void>;
}

/** How a part ended. */
export interface PartEnd {
  /** Why the part is incomplete; undefined if it is complete. */
  readonly leftOut: string | undefined;
  /** How many worlds were left out after the last, because the subject would have seen the same. */
  readonly alike: number;
}

/** A deviation at its choice point. */
interface Choice {
  readonly deviation: Deviation;
  /** What tells it from all others. */
  readonly key: string;
  /** The same as a number from 1 on; 0 where there are too many. */
  readonly id: number;
  /** All that are explored at this point, in order. */
  readonly all: readonly Choice[];
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
  private readonly choices: ChoicesAt;

  constructor(
    private readonly runner: Runner,
    private readonly bound: Bound,
  ) {
    this.choices = new ChoicesAt(bound);
  }

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
        for (const choice of met === undefined ? [] : this.choices.at(met))
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
    if (more === 0) return visits.isAlike(path) ? undefined : visits.take(path);
    const met = this.memory.get(path) ?? (await this.pointsOf(path));
    for (let index = from; index < met.length; index++)
      for (const choice of this.choices.at(met[index] as Met))
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
}

/** So many choice points are remembered. A hundred thousand worlds of a plain call come to a hundred. */
const POINTS_KEPT = 1_000;

/** The choices at a point. Most worlds come to the same points, so they are made once. */
class ChoicesAt {
  private readonly made = new Map<string, readonly Choice[]>();
  private readonly keys = new WeakMap<readonly Option[], string>();
  private ids = 0;

  constructor(private readonly bound: Bound) {}

  at(met: Met): readonly Choice[] {
    const key = `${pointKey(met.point)} ${met.point.to}\n${this.keyOf(met.options)}`;
    const before = this.made.get(key);
    if (before !== undefined) return before;
    const isKept = this.made.size < POINTS_KEPT;
    const choices = this.make(met, isKept);
    if (isKept) this.made.set(key, choices);
    return choices;
  }

  private make({ point, options }: Met, isKept: boolean): readonly Choice[] {
    const { to: _, ...place } = point;
    const key = pointKey(point);
    const all: Choice[] = [];
    for (const option of options)
      if (isIn(this.bound, point, option))
        all.push({
          deviation: { ...place, ...option },
          key: `${key} ${optionKey(option)}\n`,
          id: isKept ? ++this.ids : 0,
          all,
        });
    return all;
  }

  /** The options of most points are the same list. */
  private keyOf(options: readonly Option[]): string {
    let key = this.keys.get(options);
    if (key === undefined) {
      key = options.map(optionKey).join();
      this.keys.set(options, key);
    }
    return key;
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
    return this.met.get(keysOf(path));
  }

  get isFull(): boolean {
    return this.met.size >= KEPT;
  }

  keep(path: readonly Choice[], met: readonly Met[]): void {
    this.met.set(keysOf(path), met);
  }
}

/** Runs the worlds of a part, one after the other. */
class Visits {
  /** How many worlds were left out since the last run. */
  alike = 0;
  /** Worlds whose turn is still to come, and in which the subject would see what it saw in one that was run. */
  private readonly known = new Set<number | string>();
  /** Where their choice points are kept: those of the world that was run. */
  private readonly knownMet = new Map<number | string, readonly Met[]>();

  constructor(
    private readonly runner: Runner,
    private readonly visitor: Visitor,
    /** Set if deeper worlds follow. */
    private readonly memory: Memory | undefined,
  ) {}

  /** Whether the subject would see nothing new in a world, which is then counted. */
  isAlike(path: readonly Choice[]): boolean {
    if (this.known.size === 0) return false;
    const name = nameOf(path);
    if (!this.known.delete(name)) return false;
    this.alike++;
    const met = this.knownMet.get(name);
    if (met !== undefined && this.memory?.isFull === false) this.memory.keep(path, met);
    this.knownMet.delete(name);
    return true;
  }

  /** Runs a world. */
  async take(path: readonly Choice[]): Promise<void> {
    const why = this.visitor.whyToStop();
    if (why !== undefined) throw new Stopped(why);
    const isKept = this.memory?.isFull === false;
    const deviations = path.map(({ deviation }) => deviation);
    const run = await this.runner(deviations, isKept ? { points: true } : {});
    if (isKept) this.memory?.keep(path, run.met);
    for (const name of alikeNames(path, run.alikeness)) {
      this.known.add(name);
      if (isKept) this.knownMet.set(name, run.met);
    }
    const { alike } = this;
    this.alike = 0;
    const waits = this.visitor.visit(deviations, run, alike);
    if (waits !== undefined) await waits;
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

/** The names of worlds in which the subject sees the same as in one that was run. */
function alikeNames(path: readonly Choice[], alikeness: readonly Alikeness[]): (number | string)[] {
  const forms = path.map((choice, index) => formsOf(choice, alikeness[index]));
  if (forms.every(({ length }) => length === 1)) return [];
  let lists: Choice[][] = [[]];
  for (const same of forms) lists = lists.flatMap((list) => same.map((each) => [...list, each]));
  const alike = lists.slice(1);
  const together = alikeness.includes("together")
    ? alike.filter((list) => areTogether(list, alikeness))
    : alike;
  return together.map(nameOf);
}

/** A choice, and those of its point that come later in the order and would have shown the subject the same. */
function formsOf(choice: Choice, alikeness: Alikeness | undefined): readonly Choice[] {
  const { deviation, all } = choice;
  // refused and rejected differ only in the platform's own records
  if (deviation.is !== "refused" && alikeness === "no") return [choice];
  const later = all.slice(all.indexOf(choice) + 1);
  return [choice, ...later.filter((other) => isKin(deviation.what, deviation, other.deviation))];
}

/** Whether those that are alike only together take the same form at each instant. */
function areTogether(list: readonly Choice[], alikeness: readonly Alikeness[]): boolean {
  return list.every(({ deviation: { is, at } }, index) => {
    if (alikeness[index] !== "together" || is === "lost") return true;
    return list.every(({ deviation: other }) => other.at !== at || other.is !== "lost");
  });
}

/** A number has so many bits. */
const BITS = 53;

/**
 * What tells a world from all others with as many deviations: a number where that is exact, which takes a quarter of the
 * memory of a text.
 */
function nameOf(path: readonly Choice[]): number | string {
  const base = 2 ** Math.floor(BITS / path.length);
  let name = 0;
  for (const { id } of path) {
    if (id === 0 || id >= base) return keysOf(path);
    name = name * base + id;
  }
  return name;
}

function keysOf(path: readonly Choice[]): string {
  let keys = "";
  for (const { key } of path) keys += key;
  return keys;
}

function pointKey({ what, at, of, webhook, number, nth }: ChoicePoint): string {
  return `${what} ${at} ${of} ${webhook} ${number} ${nth}`;
}

function optionKey({ is, after, by, of }: Option): string {
  return `${is} ${after} ${by} ${of}`;
}
