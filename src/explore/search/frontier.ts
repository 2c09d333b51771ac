import type { Deviation, ReachedPoint } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import type { Bound } from "../../findings/bound.ts";
import { appDefects } from "../../findings/property-failure.ts";
import { isRestartPlace } from "../run/restart-places.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import { type DeviationChoice, DeviationChoices } from "./deviation-choices.ts";
import { equivalentNames, joinKeys, pathKey } from "./equivalence.ts";
import { missedDeviation, missedDeviationText, type NotRun } from "./not-run.ts";
import { combinations, divide, isRepresentative, ROOT, type Shard, type ShardContents } from "./sharding.ts";

/**
 * Worlds that are explored together: those with the same number of deviations, whose first choices have the same
 * point and may look the same to the app.
 */
export interface WorldsPart {
  /** How many deviations each world has. */
  readonly size: number;
  /** The index of the first one's deviation point in the world without deviations, from 0. */
  readonly first: number;
  /** The index of the first of these choices at that point, from 0. */
  readonly choice: number;
  /** How many worlds there would be if no deviation led to further points, and none looked the same as another. */
  readonly expected: number;
}

/** Receives the worlds of a part, in order. */
export interface Visitor {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /**
   * Called after each world.
   * @param order its place in the order of all worlds
   * @param equivalentWorlds how many were left out since the previous one, because the app would have seen the same
   */
  visit(
    order: readonly number[],
    deviations: readonly Deviation[],
    run: WorldRun,
    equivalentWorlds: number,
  ): void | Promise<void>;
}

/** How a part ended. */
export interface PartEnd {
  /** Why the part is incomplete; undefined if it is complete. */
  readonly leftOut: string | undefined;
  /** How many worlds were left out after the last, because the app would have seen the same. */
  readonly equivalentWorlds: number;
  /** Why worlds of the part did not run, though no limit ended it; undefined if all ran. */
  readonly notRun?: NotRun | undefined;
  /** Whether some did not run since the app did not ask the file or the service again that it was to restart before. */
  readonly missesRestart?: boolean | undefined;
}

/** Runs a world. */
type RunWorld = (deviations: readonly Deviation[], wanted: ExecutionRequest) => Promise<WorldRun>;

/** A world whose first choices are made. */
interface PartialWorld {
  readonly path: readonly DeviationChoice[];
  /** The number of deviations, then the index of each choice's point and of the choice at its point. */
  readonly order: readonly number[];
  /** The index of the first deviation point after the last choice. */
  readonly firstPoint: number;
  /** The prefix of its choices; undefined once all worlds with it are known to belong to this shard. */
  readonly key: string | undefined;
}

/**
 * Every world up to a bound, in a fixed order: the one without deviations, those with one, those with two … Worlds of
 * one size are in the order of their first deviation, then of their second. Each deviation comes later than those before
 * it, so no set comes twice. Worlds in which the app would see the same as in one that was run are left out and
 * counted: that run shows which they are.
 * The deviation points of the first worlds are cached. Other worlds are run again when worlds with more deviations need
 * their points.
 */
export class Frontier {
  /** The world without deviations, of which the points of the others follow. It is the first that runs. */
  private plain: WorldRun | undefined;
  private readonly memory = new Memory();
  private readonly choices: DeviationChoices;

  /** @param shardContents the worlds of this shard; undefined for all */
  constructor(
    private readonly runWorld: RunWorld,
    private readonly bound: Bound,
    public shardContents: ShardContents | undefined,
  ) {
    this.choices = new DeviationChoices(bound);
  }

  /** The parts of a shard, in order. From now on, only the worlds of this shard are run. */
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
      if (size === 0) await visits.take([], [0], await this.plainRun());
      else {
        const points = await this.plainPoints();
        const reached = points[first];
        const choices = reached === undefined ? [] : this.choices.at(reached);
        const key = choices[part.choice]?.equivalenceKey;
        if (key === undefined)
          return {
            leftOut: undefined,
            equivalentWorlds: 0,
            notRun: { why: missingText(part), isUnsteady: true },
          };
        for (const choice of choices.filter(({ equivalenceKey }) => equivalenceKey === key))
          await this.runBelow(visits, withChoice(emptyWorld(size), choice, first), size - 1);
      }
      const { equivalentWorlds, notRun, missesRestart } = visits;
      return { leftOut: undefined, equivalentWorlds, notRun, missesRestart };
    } catch (error) {
      if (error instanceof Stopped)
        return { leftOut: error.message, equivalentWorlds: visits.equivalentWorlds };
      throw error;
    }
  }

  /** Runs the worlds of this shard that begin with these choices and have so many more deviations. */
  private runBelow(visits: Visits, partial: PartialWorld, more: number): Promise<void> | undefined {
    if (more > 0) return this.runAfterEachPoint(visits, partial, more);
    const { path, key } = partial;
    if ((key !== undefined && !this.isOwn(key)) || visits.isEquivalent(path)) return undefined;
    const isTwice = path.length === this.bound.atMost && arrivesTwiceAtOnce(path.at(-1)?.deviation);
    return isTwice ? this.takeTwice(visits, partial) : visits.take(path, partial.order);
  }

  /**
   * Runs a world in which a request arrives twice at once, one after the other, and the one in which the app still works on the
   * first. Where a request is alone at its instant, only its second arrival can find the app at work, so both count as one deviation.
   */
  private async takeTwice(visits: Visits, once: PartialWorld): Promise<void> {
    const { deviation } = once.path.at(-1) as DeviationChoice;
    const points = await visits.takeForPoints(once.path, once.order);
    for (let index = once.firstPoint; index < points.length; index++) {
      const reached = points[index] as ReachedPoint;
      if (!isSecondArrival(reached, deviation)) continue;
      const [choice] = this.choices.at(reached);
      if (choice === undefined) return;
      const { path, order } = withChoice(once, choice, index);
      return visits.takeExtra(path, [path.length, ...order.slice(1)]);
    }
  }

  private async runAfterEachPoint(visits: Visits, partial: PartialWorld, more: number): Promise<void> {
    let { key } = partial;
    if (key !== undefined && this.shardContents?.divided.has(key) !== true) {
      if (!this.isOwn(key)) return;
      key = undefined;
    }
    const here = { ...partial, key };
    const points = this.memory.get(partial.path) ?? (await this.look(partial.path, visits)).points;
    for (let index = partial.firstPoint; index < points.length; index++)
      for (const choice of this.choices.at(points[index] as ReachedPoint)) {
        const waits = this.runBelow(visits, withChoice(here, choice, index), more - 1);
        // most worlds are left out, and each `await` would cost a turn
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
      findPoints: (path: readonly DeviationChoice[]) =>
        path.length === 0 ? this.plainRun() : this.look(path),
      keep: (path: readonly DeviationChoice[], points: readonly ReachedPoint[]) => {
        if (path.length > 0 && !this.memory.isFull) this.memory.keep(path, points);
      },
    };
  }

  private async plainPoints(): Promise<readonly ReachedPoint[]> {
    return (await this.plainRun()).points;
  }

  /**
   * The first run of the world without deviations. One that never comes to rest has no deviation points: each of thousands of worlds
   * would take as long to show the same.
   * @throws the error of `runWorld`, for example for a deviation of the scenario's own that is not reached
   */
  async plainRun(): Promise<WorldRun> {
    if (this.plain === undefined) {
      const run = await this.runWorld([], { points: true, behaviour: true });
      this.plain = isRestless(run) ? { ...run, points: [] } : run;
    }
    return this.plain;
  }

  /** The same, if it was run. */
  get knownPlainRun(): WorldRun | undefined {
    return this.plain;
  }

  /** Runs a world only for its deviation points. @param visits is told if it is not the world that was planned */
  private async look(path: readonly DeviationChoice[], visits?: Visits): Promise<WorldRun> {
    const deviations = path.map(({ deviation }) => deviation);
    const run = await this.runWorld(deviations, { points: true, unjudged: true });
    visits?.noteMissed(missedDeviation(deviations, run));
    return run;
  }
}

function arrivesTwiceAtOnce(deviation: Deviation | undefined): boolean {
  return deviation?.what === "attempt" && deviation.is === "duplicated" && deviation.after === undefined;
}

/** Whether the duplicate of a request may come at a point while the app works. It is numbered right after its request. */
function isSecondArrival({ point }: ReachedPoint, { at, of, webhook, number, nth = 1 }: Deviation): boolean {
  const isSame = point.at === at && point.of === of && point.webhook === webhook && point.number === number;
  return point.what === "overlap" && isSame && point.nth === nth + 1;
}

/** Whether a world was ended since it never comes to rest. */
export function isRestless({ failures }: WorldRun): boolean {
  return failures.some(({ property }) => property === appDefects.restless);
}

function missingText({ first, choice }: WorldsPart): string {
  return `the world without deviations does not reach option ${choice + 1} of deviation point ${first + 1}, which its first run did`;
}

function emptyWorld(size: number): PartialWorld {
  return { path: [], order: [size], firstPoint: 0, key: ROOT };
}

function withChoice(
  { path, order, key }: PartialWorld,
  choice: DeviationChoice,
  index: number,
): PartialWorld {
  return {
    path: [...path, choice],
    order: [...order, index, choice.index],
    firstPoint: index + 1,
    key: key === undefined ? undefined : key + choice.equivalenceKey,
  };
}

/** Thrown when the visitor wants no further world. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** The deviation points of so many worlds are cached: for a small scenario, of all with one deviation. */
const KEPT = 200;

/** Caches the deviation points of worlds with which those with more deviations begin. */
class Memory {
  private readonly points = new Map<string, readonly ReachedPoint[]>();

  get(path: readonly DeviationChoice[]): readonly ReachedPoint[] | undefined {
    return this.points.get(joinKeys(path));
  }

  get isFull(): boolean {
    return this.points.size >= KEPT;
  }

  keep(path: readonly DeviationChoice[], points: readonly ReachedPoint[]): void {
    this.points.set(joinKeys(path), points);
  }
}

/** Runs the worlds of a part, one after the other. */
class Visits {
  /** How many worlds were left out since the last one was run. */
  equivalentWorlds = 0;
  /** Worlds that come later in the order, and in which the app would see the same as in one that was run. */
  private readonly known = new Set<number | string>();
  /** Their deviation points, which are those of the world that was run. */
  private readonly knownPoints = new Map<number | string, readonly ReachedPoint[]>();
  /** Those of them with a restart before something that the app need not ask as often in each run. */
  private readonly unsure = new Set<number | string>();
  private missedDeviation: string | undefined;
  /** Whether worlds did not run since the app did not ask what it was to restart before. */
  missesRestart = false;

  constructor(
    private readonly runWorld: RunWorld,
    private readonly visitor: Visitor,
    /** Set if worlds with more deviations follow. */
    private readonly memory: Memory | undefined,
  ) {}

  /** @param missed for which worlds that begin like one do not run; undefined if they do */
  noteMissed(missed: Deviation | undefined): void {
    if (missed === undefined) return;
    if (isRestartPlace(missed)) this.missesRestart = true;
    else this.missedDeviation ??= missedDeviationText(missed);
  }

  /** Why worlds did not run, when the part is over. Each that looks the same as another must have come up. */
  get notRun(): NotRun | undefined {
    const size = [...this.known].filter((name) => !this.unsure.has(name)).length;
    const missing =
      size === 0
        ? undefined
        : `${counted(size, "world")} that would look the same as one that was run ${size === 1 ? "does" : "do"} not come up, so its points differ from run to run`;
    const why = this.missedDeviation ?? missing;
    return why === undefined ? undefined : { why, isUnsteady: true };
  }

  /** Whether the app would see nothing new in a world. If so, counts it. */
  isEquivalent(path: readonly DeviationChoice[]): boolean {
    if (this.known.size === 0) return false;
    const name = pathKey(path);
    if (!this.known.delete(name)) return false;
    this.equivalentWorlds++;
    const points = this.knownPoints.get(name);
    if (points !== undefined && this.memory?.isFull === false) this.memory.keep(path, points);
    this.knownPoints.delete(name);
    this.unsure.delete(name);
    return true;
  }

  /**
   * Runs a world.
   * @param order its place in the order of all worlds
   * @param known its run, if it was run before
   */
  async take(path: readonly DeviationChoice[], order: readonly number[], known?: WorldRun): Promise<void> {
    await this.runAndTell(path, order, { known });
  }

  /** The same, for a world beyond the bound: those that would look the same do not come up. */
  async takeExtra(path: readonly DeviationChoice[], order: readonly number[]): Promise<void> {
    await this.runAndTell(path, order, { isExtra: true });
  }

  /** The same. @returns its deviation points */
  async takeForPoints(
    path: readonly DeviationChoice[],
    order: readonly number[],
  ): Promise<readonly ReachedPoint[]> {
    return (await this.runAndTell(path, order, { wantsPoints: true })).points;
  }

  private async runAndTell(
    path: readonly DeviationChoice[],
    order: readonly number[],
    {
      known,
      wantsPoints = false,
      isExtra = false,
    }: { known?: WorldRun | undefined; wantsPoints?: boolean; isExtra?: boolean },
  ): Promise<WorldRun> {
    const why = this.visitor.whyToStop();
    if (why !== undefined) throw new Stopped(why);
    const isKept = this.memory?.isFull === false;
    const deviations = path.map(({ deviation }) => deviation);
    const run = known ?? (await this.runWorld(deviations, isKept || wantsPoints ? { points: true } : {}));
    if (isKept) this.memory?.keep(path, run.points);
    for (const name of run.readsPlatform || isExtra ? [] : equivalentNames(path, run.equivalences)) {
      this.known.add(name);
      if (deviations.some(isRestartPlace)) this.unsure.add(name);
      if (isKept) this.knownPoints.set(name, run.points);
    }
    const { equivalentWorlds } = this;
    this.equivalentWorlds = 0;
    const waits = this.visitor.visit(order, deviations, run, equivalentWorlds);
    if (waits !== undefined) await waits;
    return run;
  }
}
