import { type Deviation, isOfWholeRun, isOrder, type ReachedPoint } from "../engine/choices.ts";
import { dataOf } from "../story/app-state.ts";
import { disposeOf } from "./disposing.ts";
import { identityOf, subjectDefects } from "./failure.ts";
import { CopyDiffers, Prospects, type Standing } from "./standing.ts";
import type { Wanted, WorldRun } from "./world.ts";

/** A world that others branch off from: they go on from where it stood, so that what they share runs once. */
export class Stem {
  /** How many choice points come before each one, by its place. */
  private readonly before = new Map<string, number>();
  /** The places at which it was kept, in the order of the run. */
  standings: readonly Standing<unknown>[];

  constructor(
    readonly deviations: readonly Deviation[],
    readonly run: WorldRun,
    /** Whether it was run from its start. */
    readonly isWhole: boolean,
  ) {
    this.standings = run.standings;
    const points = run.points.filter(({ point }) => !isOfWholeRun(point));
    for (const [index, { point }] of points.entries()) this.before.set(placeOf(point), index);
  }

  /** The last place before a deviation at which the world was kept. */
  standingBefore(deviation: Deviation): Standing<unknown> | undefined {
    const index = this.before.get(placeOf(deviation));
    return index === undefined ? undefined : this.standingAt(index);
  }

  private standingAt(index: number): Standing<unknown> | undefined {
    return this.standings.findLast(({ progress }) => progress.points.length <= index);
  }

  /** Drops the places from which no world can go on, and learns which these are. */
  async keepUseful(prospects: Prospects): Promise<void> {
    const useful = new Set([...this.before.values()].map((index) => this.standingAt(index)));
    for (const each of this.standings) prospects.learn(each, useful.has(each));
    const useless = this.standings.filter((each) => !useful.has(each));
    this.standings = this.standings.filter((each) => useful.has(each));
    await disposeOfAll(useless);
  }

  /** Disposes of what was kept. */
  async end(): Promise<void> {
    await disposeOfAll(this.standings);
  }
}

/** A stem that is run when the first world goes on from it. */
export class GrowingStem {
  private grown: Promise<Stem | undefined> | undefined;

  /**
   * @param grow runs the stem; undefined if that would not pay
   * @param parent what worlds go on from then
   */
  constructor(
    private readonly grow: () => Promise<Stem | undefined>,
    private readonly parent?: GrowingStem,
  ) {}

  /** This stem, which the first call runs; undefined if that would not pay. */
  own(): Promise<Stem | undefined> {
    this.grown ??= this.grow();
    return this.grown;
  }

  /** What worlds branch off from: this stem, or else its parent. */
  async get(): Promise<Stem | undefined> {
    return (await this.own()) ?? this.parent?.get();
  }

  /** @throws {CopyDiffers} if a copy did not stand still, or goes on otherwise */
  async check(stems: Stems): Promise<void> {
    const stem = await this.grown;
    if (stem !== undefined) await stems.check(stem);
  }

  async end(): Promise<void> {
    const stem = await this.grown;
    await stem?.end();
  }
}

async function disposeOfAll(standings: readonly Standing<unknown>[]): Promise<void> {
  for (const { subject, simulator } of standings) {
    try {
      await disposeOf(subject);
    } catch {
      // the subject itself is disposed of in each world, where that is a failure
    }
    simulator.dispose();
  }
}

/** What tells a choice point from others of its run, and is the same in its deviations. */
function placeOf({ what, at, of, webhook, number, nth = 1 }: Deviation | ReachedPoint["point"]): string {
  return `${what} ${at} ${isOrder(what) ? "" : of} ${webhook} ${number} ${nth}`;
}

/** Runs a world from its start, or from where another one stood. */
export type PlayWorld = (
  deviations: readonly Deviation[],
  wanted: Wanted,
  from?: Standing<unknown>,
) => Promise<WorldRun>;

/** Of the worlds that go on from copies, the first few and then every so many are also run from their start. */
const FIRST = 4;
const EVERY = 64;

/** What is wanted of a run that is compared with another. */
const compared = { points: true, state: true };
const nowhere: ReadonlySet<number> = new Set();

/**
 * Runs worlds from copies of the subject and the simulator, where the subject can be copied. Whether a copy goes on as
 * the subject does is checked all along: copies must stand still, some stems are run from their start too and go on
 * from their own first and last copy, and so are some of the worlds.
 */
export class Stems {
  private copied = 0;
  /** Whether the subject can be copied, as far as it is known. */
  private isForkable = false;
  private readonly prospects = new Prospects();
  /** The kinds of deviation of which a stem was checked. */
  private readonly checkedKinds = new Set<string | undefined>();

  /** @param mayFork whether worlds may go on from copies */
  constructor(
    private readonly play: PlayWorld,
    private readonly mayFork: boolean,
  ) {}

  /** Whether worlds can go on from copies. */
  get canFork(): boolean {
    return this.mayFork && this.isForkable;
  }

  /**
   * Runs a world from its start, or from a copy.
   * @param stem a world with some of its deviations, the first ones
   */
  async run(deviations: readonly Deviation[], wanted: Wanted, stem?: Stem): Promise<WorldRun> {
    const standing = standingFor(deviations, stem);
    if (standing === undefined) {
      const run = await this.play(deviations, wanted);
      this.isForkable ||= run.canFork;
      return run;
    }
    const isChecked = ++this.copied <= FIRST || this.copied % EVERY === 0;
    if (!isChecked) return this.play(deviations, wanted, standing);
    const run = await this.play(deviations, { ...wanted, ...compared }, standing);
    const whole = { ...wanted, ...compared, standings: nowhere };
    await this.mustGoOnAlike(deviations, whole, run, await this.play(deviations, whole));
    return run;
  }

  /**
   * Runs a world that others will go on from.
   * @param parent a world with some of its deviations, the first ones
   * @param steps after which steps others go on, if that is known
   */
  async grow(
    deviations: readonly Deviation[],
    parent: Stem | undefined,
    steps?: ReadonlySet<number>,
  ): Promise<Stem> {
    const isWhole = standingFor(deviations, parent) === undefined;
    const wanted = { ...compared, standings: steps ?? this.prospects };
    const stem = new Stem(deviations, await this.run(deviations, wanted, parent), isWhole);
    await stem.keepUseful(this.prospects);
    return stem;
  }

  /**
   * Checks that copies stood still. The first stem of each kind of deviation, and each whose copies have other data
   * than the subject had, also goes on from its first copy and from its last, and is run from its start.
   * @throws {CopyDiffers} if a copy did not stand still, or does not go on like the world from its start
   */
  async check({ deviations, run, standings, isWhole }: Stem): Promise<void> {
    for (const { subject, simulator, data } of standings) {
      const now = dataOf(subject, [simulator]);
      if (now === data) continue;
      const message = `a copy that stands still changes from ${data} to ${now}: it shares state with what it is a copy of`;
      throw new CopyDiffers({ message, deviations, isSteady: true });
    }
    const kind = deviations.at(-1)?.is;
    if (this.checkedKinds.has(kind) && standings.every(({ isAltered }) => !isAltered)) return;
    this.checkedKinds.add(kind);
    const wanted = { ...compared, standings: nowhere };
    const whole = isWhole ? run : await this.play(deviations, wanted);
    if (!isWhole) await this.mustGoOnAlike(deviations, wanted, run, whole);
    for (const standing of new Set([standings.at(0), standings.at(-1)]))
      if (standing !== undefined)
        await this.mustGoOnAlike(deviations, wanted, await this.play(deviations, wanted, standing), whole);
  }

  /** @param copied a run from a copy @param whole the same world, not from a copy */
  private async mustGoOnAlike(
    deviations: readonly Deviation[],
    wanted: Wanted,
    copied: WorldRun,
    whole: WorldRun,
  ): Promise<void> {
    const message = differenceIn(copied, whole);
    if (message === undefined) return;
    // a subject that goes on otherwise each time is no matter of its copies
    const isSteady = differenceIn(await this.play(deviations, wanted), whole) === undefined;
    throw new CopyDiffers({ message, deviations, isSteady });
  }
}

/** The last place at which a stem was kept, before the first deviation that only the world has. */
function standingFor(deviations: readonly Deviation[], stem: Stem | undefined) {
  const next = deviations[stem?.deviations.length ?? 0];
  return next && stem?.standingBefore(next);
}

/** Defects that end a world in real time, so that what came before differs. */
const untimely: readonly string[] = [subjectDefects.hangs, subjectDefects.loops, subjectDefects.memory];

/** What differs between a run from a copy and one from the start, in words. */
function differenceIn(copied: WorldRun, whole: WorldRun): string | undefined {
  const says = (what: string, of: (run: WorldRun) => readonly unknown[]) => {
    const [ours, others] = [of(copied), of(whole)].map((list) => list.map((each) => JSON.stringify(each)));
    const count = Math.max(ours?.length ?? 0, others?.length ?? 0);
    for (let at = 0; at < count; at++)
      if (ours?.[at] !== others?.[at])
        return `${what} ${ours?.[at] ?? "no more"} if it goes on from a copy of the subject, and ${others?.[at] ?? "no more"} if the subject goes on itself`;
    return undefined;
  };
  const identities = says("it breaks", ({ failures }) => failures.map(identityOf));
  if (identities !== undefined) return identities;
  if (whole.failures.some(({ property }) => untimely.includes(property))) return undefined;
  return (
    says("it breaks", ({ failures }) => failures.map(({ property, message }) => `${property}: ${message}`)) ??
    says("`show` returns", ({ state }) => [state]) ??
    says("it comes to", ({ points }) => points.map(({ point, options }) => [point, options])) ??
    says("of `sometimes` there holds", ({ held }) => held) ??
    says("there are so many requests and steps:", ({ requests, steps }) => [requests, steps]) ??
    says("the platform comes to", ({ reached, skipped, unrouted, alikeness, readsPlatform }) => [
      ...[reached, skipped, unrouted, alikeness, readsPlatform],
    ])
  );
}
