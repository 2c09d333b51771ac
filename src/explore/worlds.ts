import type { Alikeness, Deviation, Option } from "../engine/choices.ts";
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

/** A world that was run, and what it came to. */
export interface Visited {
  readonly deviations: readonly Deviation[];
  readonly run: WorldRun;
}

/** Runs a world. */
export type Runner = (deviations: readonly Deviation[], wanted: Wanted) => Promise<WorldRun>;

/** A part of the worlds, for one of several that share the work: worlds go by their first deviation. */
export interface Share {
  readonly index: number;
  readonly count: number;
}

/** A deviation, and those of its point that the subject might not tell from it, which come later in the order. */
interface Choice {
  readonly deviation: Deviation;
  readonly others: readonly Deviation[];
}

/**
 * Every world up to a bound, in a fixed order: the plain one, those with one deviation, those with two … Worlds with the
 * same number are in the order of their first deviation, then of their second. A deviation is only ever added behind those
 * that are there, so that no set of them comes twice. Worlds in which the subject would see the same as in one that was run
 * are left out; `alike` counts them. A run shows which they are, so nothing is left out on a guess.
 *
 * Of a world nothing is kept: those on the way to a deeper one are run again, to learn what choice points they have.
 */
export class Worlds {
  /** How many worlds were left out because the subject would have seen the same as in one that was run. */
  alike = 0;
  /** Worlds with the same first choice point that need no run. */
  private readonly known = new Set<string>();

  constructor(
    private readonly runner: Runner,
    private readonly bound: Bound,
    private readonly share: Share = { index: 1, count: 1 },
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Visited, void> {
    const { atMost } = this.bound;
    for (let size = 0; size <= atMost; size++) yield* this.below([], 0, size);
  }

  /** The worlds with so many more deviations than those on the path, each behind the choice point `from`. */
  private async *below(path: readonly Choice[], from: number, more: number): AsyncGenerator<Visited, void> {
    if (more === 0) {
      yield* this.visit(path);
      return;
    }
    const { met } = await this.runner(
      path.map(({ deviation }) => deviation),
      { points: true },
    );
    for (const [index, each] of met.entries()) {
      if (index < from) continue;
      if (path.length === 0) {
        if (!this.isMine(index)) continue;
        this.known.clear();
      }
      for (const choice of this.choicesAt(each)) yield* this.below([...path, choice], index + 1, more - 1);
    }
  }

  /** Runs a world, unless the subject would see nothing new. */
  private async *visit(path: readonly Choice[]): AsyncGenerator<Visited, void> {
    // the plain world is for the first of those that share
    if (path.length === 0 && this.share.index !== 1) return;
    const deviations = path.map(({ deviation }) => deviation);
    if (this.known.delete(keyOf(deviations))) {
      this.alike++;
      return;
    }
    const run = await this.runner(deviations, {});
    for (const key of alikeKeys(path, run.alikeness)) this.known.add(key);
    yield { deviations, run };
  }

  private isMine(index: number): boolean {
    return index % this.share.count === this.share.index - 1;
  }

  private choicesAt({ point, options }: Met): Choice[] {
    const { kinds, on } = this.bound;
    const { to, ...place } = point;
    if (on !== undefined && to !== undefined && !on.some((prefix) => to.startsWith(prefix))) return [];
    const wanted = options.filter((option) => kinds === undefined || kinds.has(kindOf(point.what, option)));
    return wanted.map((option, index) => ({
      deviation: { ...place, ...option },
      others: wanted
        .slice(index + 1)
        .filter((other) => isKin(point.what, option, other))
        .map((other) => ({ ...place, ...other })),
    }));
  }
}

/** What a kind of deviation is called in the option `kinds`. */
function kindOf(what: string, { is }: Option): string {
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
  let lists: Deviation[][] = [[]];
  for (const [index, { deviation, others }] of path.entries()) {
    // refused and rejected differ in nothing but what the platform notes
    const isSame = deviation.is === "refused" || alikeness[index] !== "no";
    const same = isSame ? [deviation, ...others] : [deviation];
    lists = lists.flatMap((list) => same.map((each) => [...list, each]));
  }
  const areTogether = (list: readonly Deviation[]) =>
    list.every((each, index) => {
      if (alikeness[index] !== "together" || each.is === "lost") return true;
      return list.every((other) => other.at !== each.at || other.is !== "lost");
    });
  return lists.slice(1).filter(areTogether).map(keyOf);
}

function keyOf(deviations: readonly Deviation[]): string {
  return deviations
    .map(({ what, at, of, webhook, number, nth, is, after, by }) =>
      [what, at, of, webhook, number, nth, is, after, by].join(" "),
    )
    .join("\n");
}
