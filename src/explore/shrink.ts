import type { Deviation } from "../engine/choices.ts";
import type { JournalDocument } from "../options.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { causeIn, keyOf } from "./causes.ts";
import { firstDifference, type NearestWorld, type Received, storyOf } from "./explain.ts";
import { type Broken, identityOf, shapeOf, subjectDefects } from "./failure.ts";
import type { ScenarioText } from "./files.ts";
import { type Prepared, preparedText } from "./prepare.ts";
import { realTimeMs } from "./real-time.ts";
import { type SinceWhen, sinceWhen } from "./since-when.ts";
import { titleOf } from "./wording.ts";
import type { Wanted, WorldRun } from "./world.ts";
import type { CausedFailure } from "./world-outcome.ts";
import { EditableScenario, type PartKeys } from "./write-scenario.ts";

/** A world that breaks a property. */
export interface FailingWorld {
  readonly prepared: Prepared;
  readonly failure: CausedFailure;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether to find out since when the failure is certain. */
  readonly explains: boolean;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: Wanted): Promise<WorldRun>;
}

/** The smallest world that breaks it for the same reason. */
export interface Shrunk {
  readonly broken: Broken;
  readonly deviations: readonly Deviation[];
  readonly text: string | undefined;
  readonly journal: JournalDocument;
  /** Whether nothing single can go; false if the time was over before. */
  readonly isMinimal: boolean;
  /** How many worlds were run. */
  readonly runs: number;
  readonly received: readonly Received[];
  readonly nearest: NearestWorld | undefined;
  readonly story: string;
  /** From which deviation on the failure is certain, if that was asked for. */
  readonly since: readonly SinceWhen[] | undefined;
}

interface Candidate {
  readonly scenario: EditableScenario | undefined;
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
}

/** How a world failed that was run. */
interface Fate {
  /** The failure, if it is the one that is shrunk. */
  readonly broken: Broken | undefined;
  /** Whether the subject received anything. */
  readonly isTouched: boolean;
}

/**
 * Shrinks a failing world: removes deviations, steps and parts of the organisation as long as the same failure has the
 * same cause, and rounds times. At the end, nothing single can go.
 *
 * A smaller world counts if it breaks the property with its deviations, and no longer when any one of them is taken
 * away. One without deviations counts only if the message keeps its shape. If the subject received something in the
 * original, it must in each smaller world.
 */
export async function shrink(world: FailingWorld): Promise<Shrunk> {
  return new Shrinker(world, await world.prepared.text()).run();
}

/** Thrown when the time for shrinking is over. */
class TimeIsOver extends Error {
  override readonly name = "TimeIsOver";
}

/** Thrown when a world that failed holds. */
class HeldAgain extends Error {
  override readonly name = "HeldAgain";
}

class Shrinker {
  private readonly identity: string;
  private readonly fates = new Map<string, Fate>();
  private readonly endMs: number;
  private best: Candidate;
  private shape = "";
  private isTouched = false;
  private runs = 0;

  constructor(
    private readonly world: FailingWorld,
    private readonly source: ScenarioText | undefined,
  ) {
    const { failure, prepared, forMs } = world;
    this.identity = identityOf(failure);
    this.endMs = realTimeMs() + forMs;
    this.best = { scenario: undefined, prepared, deviations: failure.cause };
  }

  async run(): Promise<Shrunk> {
    try {
      return await this.smallest();
    } catch (error) {
      if (error instanceof HeldAgain) return this.unsteady();
      throw error;
    }
  }

  private async smallest(): Promise<Shrunk> {
    await this.begin();
    const isMinimal = await this.minimise();
    const { deviations, prepared } = this.best;
    const wanted = { journal: true, trace: true };
    const { failures, journal, trace } = await this.world.runIn(prepared, deviations, wanted);
    const broken = failures.find((each) => identityOf(each) === this.identity);
    if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
    if (broken === undefined) throw new HeldAgain();
    const nearest = await this.nearest(trace);
    return {
      ...{ broken, journal, deviations, isMinimal, nearest },
      runs: this.runs,
      text: this.finalText(broken),
      received: trace,
      story: storyOf(broken, deviations, trace, nearest?.received),
      since: this.world.explains ? await sinceWhen(this.world, prepared, deviations) : undefined,
    };
  }

  /** A world that failed, and held when it was run again: no failure of the property, but of the subject. */
  private async unsteady(): Promise<Shrunk> {
    const { failure, prepared } = this.world;
    const deviations = failure.cause;
    const { journal, trace } = await this.world.runIn(prepared, deviations, { journal: true, trace: true });
    if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
    const broken = {
      property: subjectDefects.unsteady,
      message: `"${failure.property}" failed in this world, and held when it was run again: ${failure.message}`,
    };
    const text =
      this.source && EditableScenario.of(this.source.text).withOwnOrganisation(this.source.organisations);
    this.best = { scenario: text, prepared, deviations };
    return {
      ...{ broken, journal, deviations, isMinimal: false, nearest: undefined, since: undefined },
      ...{ runs: this.runs, text: this.finalText(broken), received: trace },
      story: storyOf(broken, deviations, trace, undefined),
    };
  }

  /** The smallest world without its last deviation, in which the property holds. */
  private async nearest(fails: readonly Received[]): Promise<NearestWorld | undefined> {
    const { prepared, deviations } = this.best;
    const without = deviations.at(-1);
    if (without === undefined) return undefined;
    const fewer = deviations.slice(0, -1);
    const { trace, journal } = await this.world.runIn(prepared, fewer, { trace: true, journal: true });
    if (journal === undefined) throw new Error("a world was run without its journal");
    const difference = firstDifference(trace, fails);
    return { deviations: fewer, without, difference, received: trace, journal };
  }

  /** @returns false if the time was over before nothing more could go */
  private async minimise(): Promise<boolean> {
    try {
      do await this.cutDown();
      while (await this.cutWithOtherDeviations());
      return true;
    } catch (error) {
      if (error instanceof TimeIsOver) return false;
      throw error;
    }
  }

  /** Begins with the scenario of the failure. One that was made from a function may not show it. */
  private async begin(): Promise<void> {
    const { prepared, failure } = this.world;
    const original = await this.fateOf(this.best, this.best.deviations, true);
    if (original.broken === undefined) throw new HeldAgain();
    this.shape = shapeOf(original.broken.message);
    this.isTouched = original.isTouched;
    if (this.source === undefined) return;
    const { organisations } = this.source;
    const scenario = EditableScenario.of(this.source.text)
      .withoutExpectations()
      .withOwnOrganisation(organisations);
    const candidate = this.candidate(scenario, [...prepared.script.own, ...failure.cause]);
    if (candidate === undefined) return;
    const breaks = async (some: readonly Deviation[]) =>
      (await this.fateOf(candidate, some, true)).broken !== undefined;
    if (!(await breaks(candidate.deviations))) return;
    // the scenario's own deviations may have nothing to do with it
    this.best = { ...candidate, deviations: await causeIn(candidate.deviations, breaks) };
  }

  /** Cuts until nothing goes any more. */
  private async cutDown(): Promise<void> {
    for (let before: Candidate | undefined; before !== this.best; ) {
      before = this.best;
      await this.cutSteps();
      await this.cutParts();
      await this.cutSettings();
      await this.roundTimes();
    }
  }

  /** Delta debugging: removes halves first, then smaller parts, then single steps. */
  private async cutSteps(): Promise<void> {
    const count = () => this.best.scenario?.stepCount ?? 0;
    for (let size = count(); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let start = count() - size; start > -size; start -= size)
        await this.try(this.best.scenario?.withoutSteps(indexes(start, size)));
  }

  /** Removes entries of the organisation's long lists, halves first, and then every part that can go. */
  private async cutParts(): Promise<void> {
    for (const list of this.best.scenario?.longLists ?? []) {
      const count = () => this.best.scenario?.countIn(list) ?? 0;
      for (let size = Math.ceil(count() / 2); size > 1; size = Math.ceil(size / 2))
        for (let start = count() - size; start > -size; start -= size)
          await this.try(this.best.scenario?.withoutEntries(list, indexes(start, size)));
    }
    for (let index = 0; index < this.parts.length; ) {
      const isGone = await this.try(this.best.scenario?.withoutPart(this.parts[index] ?? []));
      if (!isGone) index++;
    }
  }

  private get parts(): readonly PartKeys[] {
    return this.best.scenario?.parts ?? [];
  }

  /** Takes the defaults instead of the scenario's own settings. */
  private async cutSettings(): Promise<void> {
    for (const key of this.best.scenario?.settings ?? [])
      await this.try(this.best.scenario?.withoutPart([key]));
  }

  /**
   * Rounds times to minutes, tens of seconds or seconds, as long as the failure stays. Steps about the same call stay
   * apart.
   */
  private async roundTimes(): Promise<void> {
    for (const { index } of timedSteps(this.best.scenario)) {
      const steps = timedSteps(this.best.scenario);
      const step = steps.find((each) => each.index === index);
      if (step === undefined) continue;
      for (const unitMs of [60_000, 10_000, 1_000]) {
        if (step.atMs % unitMs === 0) break;
        const roundedMs = Math.round(step.atMs / unitMs) * unitMs;
        if (!keepsApart(steps, step, roundedMs)) continue;
        if (await this.try(this.best.scenario?.withStepAt(index, `PT${roundedMs / 1_000}S`))) break;
      }
    }
  }

  /**
   * Removes one step or part with any other deviation of the same kind in place of one that there is.
   * @returns whether anything went
   */
  private async cutWithOtherDeviations(): Promise<boolean> {
    const { scenario } = this.best;
    if (scenario === undefined || this.best.deviations.length === 0) return false;
    const steps = Array.from({ length: scenario.stepCount }, (_, index) =>
      scenario.withoutSteps(new Set([index])),
    );
    const parts = scenario.parts.map((keys) => scenario.withoutPart(keys));
    for (const smaller of [...steps.reverse(), ...parts]) {
      const candidate = this.candidate(smaller, this.best.deviations);
      if (candidate !== undefined && (await this.failsWithAnother(candidate))) return true;
    }
    return false;
  }

  /** Whether a candidate fails with another deviation in place of one of its own. */
  private async failsWithAnother(candidate: Candidate): Promise<boolean> {
    const { deviations } = candidate;
    for (const [index, deviation] of deviations.entries()) {
      const earlier = await this.moved(this.best, candidate, deviations.slice(0, index));
      if (earlier === undefined) continue;
      const others = (await this.possibleIn(candidate, earlier)) ?? [];
      for (const other of others.filter(({ what, is }) => what === deviation.what && is === deviation.is)) {
        const placed = [...earlier, { ...other, webhook: deviation.webhook && other.webhook }];
        const rest = await this.moved(this.best, candidate, deviations.slice(index + 1), placed);
        if (rest !== undefined && (await this.take(candidate, [...placed, ...rest]))) return true;
      }
    }
    return false;
  }

  /** Takes another scenario, with the deviations at their places in it, if it fails for the same reason. */
  private async try(scenario: EditableScenario | undefined): Promise<boolean> {
    if (scenario === undefined || scenario.text === this.best.scenario?.text) return false;
    const candidate = this.candidate(scenario, this.best.deviations);
    if (candidate === undefined) return false;
    const { deviations } = candidate;
    if (await this.take(candidate, deviations)) return true;
    if (deviations.length === 0) return false;
    const moved = await this.moved(this.best, candidate, deviations);
    if (moved !== undefined) return this.take(candidate, moved);
    // what was removed may have been all that one of them was about
    for (const fewer of fewerOf(deviations)) {
      const placed = await this.moved(this.best, candidate, fewer);
      if (placed !== undefined && (await this.take(candidate, placed))) return true;
    }
    return false;
  }

  /** Takes a candidate if it fails for the same reason: with all of the deviations, or else with some of them. */
  private async take(of: Candidate, deviations: readonly Deviation[]): Promise<boolean> {
    const candidate = { ...of, deviations };
    if (await this.counts(candidate)) {
      this.best = candidate;
      return true;
    }
    if (deviations.length < 2 || (await this.fateOf(candidate, deviations)).broken === undefined)
      return false;
    for (const fewer of fewerOf(deviations)) if (await this.take(of, fewer)) return true;
    return false;
  }

  /** Reads a scenario. Parts of the organisation that refer to what was removed go too. */
  private candidate(scenario: EditableScenario, deviations: readonly Deviation[]): Candidate | undefined {
    const { source } = this;
    for (let each: EditableScenario | undefined = scenario; source !== undefined && each !== undefined; ) {
      try {
        const prepared = preparedText({ ...source, text: each.text }, this.best.prepared.phoneNumbers);
        return { scenario: each, prepared, deviations };
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
        each = each.mended(error.problems.map(({ path }) => path));
      }
    }
    return undefined;
  }

  /** Finds the deviations' places in another scenario, where their events may have other times and ids. */
  private async moved(
    from: Candidate,
    to: Candidate,
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
      const place = before
        .filter(isLike)
        .findIndex(
          ({ at, nth, of }) => at === deviation.at && nth === (deviation.nth ?? 1) && of === deviation.of,
        );
      const there = after.filter(isLike)[place];
      if (there === undefined) return undefined;
      const { webhook } = deviation;
      moved.push({ ...there, webhook: webhook === undefined ? undefined : there.webhook });
    }
    return moved;
  }

  /** All deviations that a world could also have. */
  private async possibleIn(
    { prepared }: Candidate,
    deviations: readonly Deviation[],
  ): Promise<Deviation[] | undefined> {
    try {
      const { points } = await this.run1(prepared, deviations, { points: true, unjudged: true });
      return points.flatMap(({ point: { to: _, ...place }, options }) =>
        options.map((option) => ({ ...place, ...option })),
      );
    } catch (error) {
      if (error instanceof ScenarioError) return undefined;
      throw error;
    }
  }

  /**
   * Whether a candidate fails for the reason of the original: with its deviations, and no longer without any one of
   * them. Without deviations, the message must keep its shape.
   */
  private async counts(candidate: Candidate): Promise<boolean> {
    const { deviations } = candidate;
    const { broken, isTouched } = await this.fateOf(candidate, deviations);
    if (broken === undefined || (this.isTouched && !isTouched)) return false;
    if (deviations.length === 0) return shapeOf(broken.message) === this.shape;
    for (const each of deviations) {
      const others = deviations.filter((other) => other !== each);
      if ((await this.fateOf(candidate, others)).broken !== undefined) return false;
    }
    return true;
  }

  /** Runs a world, unless it was run before. */
  private async fateOf(
    { prepared, scenario }: Candidate,
    deviations: readonly Deviation[],
    isFirst = false,
  ): Promise<Fate> {
    const key = `${scenario?.text}\n${keyOf(deviations)}`;
    const known = this.fates.get(key);
    if (known !== undefined) return known;
    const fate = await this.fateIn(prepared, deviations, isFirst);
    this.fates.set(key, fate);
    return fate;
  }

  private async fateIn(
    prepared: Prepared,
    deviations: readonly Deviation[],
    isFirst: boolean,
  ): Promise<Fate> {
    try {
      const { failures, unmet, isTouched } = await this.run1(prepared, deviations, {}, isFirst);
      if (unmet.length > 0) return holds;
      return { broken: failures.find((each) => identityOf(each) === this.identity), isTouched };
    } catch (error) {
      if (error instanceof ScenarioError) return holds; // a step cannot be played without one that was removed
      throw error;
    }
  }

  private run1(
    prepared: Prepared,
    deviations: readonly Deviation[],
    wanted: Wanted,
    isFirst = false,
  ): Promise<WorldRun> {
    if (!isFirst && realTimeMs() >= this.endMs) throw new TimeIsOver();
    this.runs++;
    return this.world.runIn(prepared, deviations, wanted);
  }

  private finalText({ property, message }: Broken): string | undefined {
    const { scenario, prepared, deviations } = this.best;
    return scenario?.finished({
      title: titleOf(property, deviations),
      description: message,
      deviations,
      nameOf: (id) => prepared.script.nameOf(id),
    }).text;
  }
}

const holds: Fate = { broken: undefined, isTouched: false };

/** The lists with one of the items left out, but not an empty one. */
function fewerOf<T>(list: readonly T[]): readonly T[][] {
  return list.length < 2 ? [] : list.map((each) => list.filter((other) => other !== each));
}

/** So many indexes from one on, those below 0 left out. */
function indexes(start: number, count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, index) => start + index).filter((each) => each >= 0));
}

/** A step with a time. */
interface TimedStep {
  readonly index: number;
  readonly atMs: number;
  /** The names of what it makes and uses. */
  readonly names: readonly string[];
}

/** The steps that do not wait for an event. */
function timedSteps(scenario: EditableScenario | undefined): TimedStep[] {
  return Array.from({ length: scenario?.stepCount ?? 0 }, (_, index) => index).flatMap((index) => {
    const atMs = scenario?.stepAtMs(index);
    return scenario === undefined || atMs === undefined
      ? []
      : [{ index, atMs, names: scenario.namesIn(index) }];
  });
}

/** Whether a step keeps its order at another time, and stays apart from other steps about the same call. */
function keepsApart(steps: readonly TimedStep[], step: TimedStep, toMs: number): boolean {
  return steps.every(({ index, atMs, names }) => {
    if (index === step.index) return true;
    const [before, after] = [Math.sign(atMs - step.atMs), Math.sign(atMs - toMs)];
    return before === after || (after === 0 && !names.some((name) => step.names.includes(name)));
  });
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
