import { type Deviation, isOfWholeRun, isOrder, type ReachedPoint } from "../engine/choices.ts";
import { dataOf } from "../story/app-state.ts";
import { identityOf, subjectDefects } from "./failure.ts";
import { CopyDiffers, type Standing } from "./standing.ts";
import { disposeOf, type Wanted, type WorldRun } from "./world.ts";

/** A world that others begin like. They go on from where it stood, so that what they share runs once. */
export class Trunk {
  /** By its place, how many choice points come before a point. */
  private readonly before = new Map<string, number>();

  constructor(
    readonly deviations: readonly Deviation[],
    readonly run: WorldRun,
    /** Whether it was run from its start. */
    readonly isWhole: boolean,
  ) {
    const points = run.points.filter(({ point }) => !isOfWholeRun(point));
    for (const [index, { point }] of points.entries()) this.before.set(placeOf(point), index);
  }

  /** The last place before a deviation at which the world stood. */
  standingBefore(deviation: Deviation): Standing<unknown> | undefined {
    const index = this.before.get(placeOf(deviation));
    if (index === undefined) return undefined;
    return this.run.standings.findLast(({ progress }) => progress.points.length <= index);
  }

  /** Disposes of what stood still. */
  async end(): Promise<void> {
    for (const { subject, simulator } of this.run.standings) {
      await disposeOf(subject);
      simulator.dispose();
    }
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

/**
 * Runs worlds from copies of the subject and the simulator, where the subject can be copied. Whether a copy goes on as
 * the subject does is checked all along: copies must stand still, each trunk of one deviation also goes on from its own
 * first and last copy, and some of the worlds are run from their start too.
 */
export class Trunks {
  private copied = 0;
  /** Whether the subject can be copied, as far as it is known. */
  private isForkable = false;

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
   * @param trunk a world with all its deviations but the last
   */
  async run(deviations: readonly Deviation[], wanted: Wanted, trunk?: Trunk): Promise<WorldRun> {
    const last = deviations.at(-1);
    const standing = last && trunk?.standingBefore(last);
    if (standing === undefined) {
      const run = await this.play(deviations, wanted);
      this.isForkable ||= run.canFork;
      return run;
    }
    const isChecked = ++this.copied <= FIRST || this.copied % EVERY === 0;
    if (!isChecked) return this.play(deviations, wanted, standing);
    const checked = { ...wanted, points: true, state: true };
    const run = await this.play(deviations, checked, standing);
    await this.mustGoOnAlike(deviations, checked, run, await this.play(deviations, checked));
    return run;
  }

  /**
   * Runs a world that others will go on from.
   * @param points its choice points that others deviate at
   * @param parent a world with all its deviations but the last
   */
  async grow(
    deviations: readonly Deviation[],
    points: readonly ReachedPoint[],
    parent: Trunk | undefined,
  ): Promise<Trunk> {
    const standings = new Set(points.flatMap(({ step }) => step ?? []));
    const wanted = { points: true, state: true, standings };
    return new Trunk(deviations, await this.run(deviations, wanted, parent), parent === undefined);
  }

  /**
   * Goes on from a trunk's first copy, and from its last.
   * @throws {CopyDiffers} if that is not what the trunk did, or if a copy did not stand still
   */
  async check({ deviations, run, isWhole }: Trunk): Promise<void> {
    const { standings } = run;
    for (const { subject, simulator, data } of standings) {
      const now = dataOf(subject, [simulator]);
      if (now === data) continue;
      const message = `a copy that stands still changes from ${data} to ${now}: it shares state with what it is a copy of`;
      throw new CopyDiffers({ message, deviations, isSteady: true });
    }
    if (!isWhole) return;
    const wanted = { points: true, state: true, standings: new Set<number>() };
    for (const standing of new Set([standings.at(0), standings.at(-1)]))
      if (standing !== undefined)
        await this.mustGoOnAlike(deviations, wanted, await this.play(deviations, wanted, standing), run);
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
