import { type Deviation, isOfWholeRun } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { deviationText } from "../../core/scenario/deviations.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { failureSentence, type NearestWorld, type Received } from "../../findings/explain.ts";
import {
  identityOf,
  type PropertyFailure,
  shapeOf,
  unsteadyFailure,
} from "../../findings/property-failure.ts";
import { realTimeMs } from "../../findings/real-time.ts";
import { titleOf } from "../../findings/wording.ts";
import type { ScenarioText } from "../run/files.ts";
import type { CausedFailure } from "../run/outcome.ts";
import type { Prepared } from "../run/prepare.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import { EditableScenario, type PartKeys } from "../run/write-scenario.ts";
import { explain, otherMessage, receivedOf } from "./explanation.ts";
import { keyOf, minimalCause } from "./minimal-cause.ts";
import type { CachedWorld, WorldCache } from "./world-cache.ts";

/** A world that breaks a property. */
export interface FailingWorld {
  readonly prepared: Prepared;
  readonly failure: CausedFailure;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether the sentence tells what people do. */
  readonly isStory?: boolean;
  /** Whether the app is a server. */
  readonly isServer: boolean;
  /** The worlds that were run to shrink other failures. */
  readonly cache: WorldCache;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: ExecutionRequest): Promise<WorldRun>;
  /** The title of the smallest scenario. Default: made of the property and the deviations. */
  readonly title?: string;
}

/** The smallest world that breaks the property for the same reason. */
export interface MinimizedWorld {
  readonly failure: PropertyFailure;
  readonly deviations: readonly Deviation[];
  readonly text: string | undefined;
  readonly journal: JournalDocument;
  /** Whether no single part can be removed; false if the time was over before. */
  readonly isMinimal: boolean;
  /** How many worlds it took. Some may have been run for another failure. */
  readonly runs: number;
  readonly received: readonly Received[];
  readonly nearest: NearestWorld | undefined;
  readonly story: string;
  /** The first line of what was thrown in the world that was found, if it is another one. */
  readonly found: string | undefined;
}

interface Candidate {
  readonly scenario: EditableScenario | undefined;
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
}

/**
 * Shrinks a failing world: removes deviations, steps and parts of the organisation as long as it fails for the same reason,
 * and rounds times. At the end, no single part can be removed.
 *
 * A smaller world counts if it breaks the property with its deviations, and no longer when any one of them is taken
 * away, where all of its steps can be played too. One without deviations counts only if the message keeps its shape, no type of event happens that did not in the
 * original, and what went wrong between the platform and the app goes wrong in it too. If the app received something
 * in the original, it must in each smaller world; an app that does all which it can must be able to hold a ready-made property,
 * if it was; and what the platform did for good, such as to disable a webhook, it must do there too.
 */
export async function shrink(world: FailingWorld): Promise<MinimizedWorld> {
  return new Shrinker(world, await world.prepared.text()).run();
}

/** A world that fails in so many runs, besides those before, fails each time. */
const CERTAIN_RUNS = 3;

/** Thrown when the time for shrinking is over. */
class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** Thrown when a world that failed does not fail again. */
class HoldsAgain extends Error {
  override readonly name = "HoldsAgain";
}

class Shrinker {
  private readonly identity: string;
  private readonly endMs: number;
  private best: Candidate;
  private shape = "";
  /** What the original world was like. */
  private original: CachedWorld | undefined;
  /** The world that was found, as a scenario; undefined if no scenario shows its failure. */
  private found: Candidate | undefined;
  /** Whether the steps of the scenario can be played without its deviations. */
  private isPlayable = false;
  /** Whether its deviations are those that an exploration of its scenario offers. A scenario's own may be others. */
  private isOffered = false;
  /** The worlds that this failure needed, by their deviations. */
  private readonly asked = new Map<Prepared, Set<string>>();

  constructor(
    private readonly world: FailingWorld,
    private readonly source: ScenarioText | undefined,
  ) {
    const { failure, prepared, forMs } = world;
    this.identity = identityOf(failure);
    this.endMs = realTimeMs() + forMs;
    this.best = { scenario: undefined, prepared, deviations: failure.cause };
  }

  async run(): Promise<MinimizedWorld> {
    const { failure } = this.world;
    try {
      return await this.smallest();
    } catch (error) {
      if (!(error instanceof HoldsAgain)) throw error;
      const found = await this.asFound();
      if (found !== undefined) return found;
      const or = failure.cause.length === 0 ? "" : ", or then also without its deviations";
      const difference = `"${failure.property}" failed in this world, but not when it was run again${or}: ${failure.message}`;
      return this.unminimized(unsteadyFailure([difference], this.world.isServer));
    }
  }

  private async smallest(): Promise<MinimizedWorld> {
    await this.begin();
    const smallest = await this.explained(await this.minimise());
    if (smallest.text !== undefined || this.found === undefined || this.found === this.best) return smallest;
    // nothing is printed that does not show this
    this.best = this.found;
    return this.explained(false);
  }

  /** The best world, once more, with the reason of its failure. @throws {HoldsAgain} if it does not fail now */
  private async explained(isMinimal: boolean): Promise<MinimizedWorld> {
    const { deviations, prepared } = this.best;
    const { identity, world } = this;
    const explanation = await explain({
      prepared,
      deviations,
      identity,
      isStory: world.isStory === true,
      isServer: world.isServer,
      runIn: (...of) => world.runIn(...of),
    });
    if (explanation === undefined) throw new HoldsAgain();
    const { failure } = explanation;
    return {
      ...{ ...explanation, deviations, isMinimal },
      found: otherMessage(this.world.failure, failure),
      text: await this.playedText(failure, explanation.people),
      runs: this.runs,
    };
  }

  /** The best world as a scenario; undefined if that cannot be played, or does not show the failure. */
  private async playedText(failure: PropertyFailure, people: string): Promise<string | undefined> {
    const text = this.finalText(failure, people);
    const prepared = text === undefined ? undefined : this.world.cache.preparedText(text, this.best.prepared);
    if (prepared === undefined) return undefined;
    return this.brokenIn(await this.worldOf({ prepared }, [], true)) === undefined ? undefined : text;
  }

  /**
   * The world as it was found, explained, if it fails each time: only a smaller one does not.
   * @returns undefined if it does not fail each time
   */
  private async asFound(): Promise<MinimizedWorld | undefined> {
    const { failure, prepared } = this.world;
    const unsteady = this.best;
    const found = { scenario: this.sourceScenario, prepared, deviations: failure.cause };
    for (let run = 0; run < CERTAIN_RUNS; run++) {
      const { failures } = await this.world.runIn(prepared, failure.cause, {});
      if (!failures.some((each) => identityOf(each) === this.identity)) return undefined;
    }
    const explanation = await explain({
      ...{ prepared, deviations: failure.cause, identity: this.identity },
      ...{ isStory: this.world.isStory === true, isServer: this.world.isServer },
      runIn: (...of) => this.world.runIn(...of),
    });
    if (explanation === undefined) return undefined;
    this.best = found;
    const smaller = this.nameOf(unsteady);
    return {
      ...{ ...explanation, deviations: failure.cause, isMinimal: false, runs: this.runs },
      found: otherMessage(failure, explanation.failure),
      text: this.finalText(explanation.failure, explanation.people),
      story: `${explanation.story} This is the world as it was found, which fails each time. A smaller one, ${smaller}, fails in some of its runs only.`,
    };
  }

  /** What a smaller world is, in words. */
  private nameOf({ scenario, deviations }: Candidate): string {
    const steps = scenario === undefined ? [] : [counted(scenario.stepCount, "step")];
    const planned = deviations.map(deviationText);
    return `with ${[...steps, planned.length === 0 ? "no deviation" : planned.join(" and ")].join(" and ")}`;
  }

  private get sourceScenario(): EditableScenario | undefined {
    const { source } = this;
    return source && EditableScenario.of(source.text).withOwnOrganisation(source.organisations);
  }

  /** The world as it was found, if its failure does not recur. */
  private async unminimized(broken: PropertyFailure): Promise<MinimizedWorld> {
    const { failure, prepared } = this.world;
    const deviations = failure.cause;
    const { journal, trace } = await this.world.runIn(prepared, deviations, { journal: true, trace: true });
    if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
    this.best = { scenario: this.sourceScenario, prepared, deviations };
    return {
      ...{ failure: broken, journal, deviations, isMinimal: false, nearest: undefined },
      ...{ runs: this.runs, text: this.finalText(broken), received: receivedOf(trace), found: undefined },
      story: failureSentence(broken, deviations, trace, undefined, undefined),
    };
  }

  private get runs(): number {
    return [...this.asked.values()].reduce((runs, { size }) => runs + size, 0);
  }

  /** @returns false if the time was over first */
  private async minimise(): Promise<boolean> {
    try {
      this.isOffered = await this.areOffered(this.best);
      do await this.cutDown();
      while (await this.cutWithOtherDeviations());
      return true;
    } catch (error) {
      if (error instanceof OutOfTime) return false;
      throw error;
    }
  }

  /** Begins with the failure's scenario. A scenario made from a function may not fail, and is then not used. */
  private async begin(): Promise<void> {
    const { prepared, failure } = this.world;
    const original = await this.worldOf(this.best, this.best.deviations, true);
    const broken = this.brokenIn(original);
    if (broken === undefined) throw new HoldsAgain();
    this.shape = shapeOf(broken.message);
    this.original = original;
    if (this.source === undefined) return;
    const { source } = this;
    const given = { scenario: EditableScenario.of(source.text), prepared: { ...prepared, source } };
    const candidate = this.world.cache.smaller(given, "bare", (scenario) =>
      scenario.withoutExpectations().withOwnOrganisation(source.organisations),
    );
    if (candidate === undefined) return;
    const fails = async (some: readonly Deviation[]) =>
      this.brokenIn(await this.worldOf(candidate, some, true)) !== undefined;
    const deviations = [...prepared.recordedRun.own, ...failure.cause];
    if (!(await fails(deviations))) return;
    // some of the scenario's own deviations may not matter
    const cause = await minimalCause(deviations, fails);
    // what a function does may be more than the scenario that is made of it: that one must fail for the same reason
    if (cause.length === 0 && failure.cause.length > 0) return;
    this.best = { ...candidate, deviations: cause };
    this.found = this.best;
    this.isPlayable = (await this.worldOf(candidate, [], true)).points !== undefined;
  }

  /** Cuts until nothing more can be removed. */
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
        await this.try(...withoutSteps(indexes(start, size)));
  }

  /** Removes entries of the organisation's long lists, halves first, and then every part that can be removed. */
  private async cutParts(): Promise<void> {
    for (const list of this.best.scenario?.longLists ?? []) {
      const count = () => this.best.scenario?.countIn(list) ?? 0;
      for (let size = Math.ceil(count() / 2); size > 1; size = Math.ceil(size / 2))
        for (let start = count() - size; start > -size; start -= size)
          await this.try(`entries ${list.join(".")} ${start} ${size}`, (scenario) =>
            scenario.withoutEntries(list, indexes(start, size)),
          );
    }
    for (let index = 0; index < this.parts.length; ) {
      const isGone = await this.try(...withoutPart(this.parts[index] ?? []));
      if (!isGone) index++;
    }
  }

  private get parts(): readonly PartKeys[] {
    return this.best.scenario?.parts ?? [];
  }

  /** Takes the defaults instead of the scenario's own settings. */
  private async cutSettings(): Promise<void> {
    for (const key of this.best.scenario?.settings ?? []) await this.try(...withoutPart([key]));
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
        const at = `PT${roundedMs / 1_000}S`;
        if (await this.try(`step ${index} at ${at}`, (scenario) => scenario.withStepAt(index, at))) break;
      }
    }
  }

  /**
   * Removes one step or part, and puts another deviation of the same kind in place of one.
   * @returns whether that worked
   */
  private async cutWithOtherDeviations(): Promise<boolean> {
    const { scenario } = this.best;
    if (scenario === undefined || this.best.deviations.length === 0) return false;
    const steps = Array.from({ length: scenario.stepCount }, (_, index) => withoutSteps(new Set([index])));
    for (const change of [...steps.reverse(), ...scenario.parts.map(withoutPart)]) {
      const candidate = this.candidate(...change);
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

  /** Takes a changed scenario, with the deviations at their places in it, if it fails for the same reason. */
  private async try(...change: Change): Promise<boolean> {
    const candidate = this.candidate(...change);
    if (candidate === undefined) return false;
    const { deviations } = candidate;
    if (await this.take(candidate, deviations)) return true;
    if (deviations.length === 0) return false;
    const moved = await this.moved(this.best, candidate, deviations);
    if (moved !== undefined) return this.take(candidate, moved);
    // what was removed may have been what a deviation was about
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
    if (deviations.length < 2 || this.brokenIn(await this.worldOf(candidate, deviations)) === undefined)
      return false;
    for (const fewer of fewerOf(deviations)) if (await this.take(of, fewer)) return true;
    return false;
  }

  /** A changed scenario with the same deviations; undefined if it is wrong, or the change leaves it as it is. */
  private candidate(...[change, make]: Change): Candidate | undefined {
    const { scenario, prepared, deviations } = this.best;
    if (scenario === undefined) return undefined;
    const smaller = this.world.cache.smaller({ scenario, prepared }, change, make);
    if (smaller === undefined || smaller.scenario.text === scenario.text) return undefined;
    return { ...smaller, deviations };
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
      const place = before.filter(isLike).findIndex((other) => isSamePlace(other, deviation));
      const there = after.filter(isLike)[place];
      if (there === undefined) return undefined;
      const { webhook } = deviation;
      moved.push({ ...there, webhook: webhook === undefined ? undefined : there.webhook });
    }
    return moved;
  }

  /** All deviations that a world could also have; undefined if it cannot be played. */
  private async possibleIn(
    candidate: Candidate,
    deviations: readonly Deviation[],
  ): Promise<Deviation[] | undefined> {
    const { points } = await this.worldOf(candidate, deviations);
    return points?.flatMap(({ point: { to: _, ...place }, options }) =>
      options.map((option) => ({ ...place, ...option })),
    );
  }

  /**
   * Whether a candidate fails for the reason of the original: with its deviations, and no longer without any one of
   * them. Without deviations, the message must keep its shape.
   */
  private async counts(candidate: Candidate): Promise<boolean> {
    const { deviations } = candidate;
    const world = await this.worldOf(candidate, deviations);
    const broken = this.brokenIn(world);
    if (broken === undefined || !this.isLikeOriginal(world)) return false;
    if (deviations.length === 0)
      return shapeOf(broken.message) === this.shape && isSameWithoutDeviations(world, this.original);
    if (this.isOffered && !(await this.areOffered(candidate))) return false;
    for (const each of deviations) {
      const others = await this.worldOf(
        candidate,
        deviations.filter((other) => other !== each),
      );
      if (this.brokenIn(others) !== undefined || (this.isPlayable && others.points === undefined))
        return false;
    }
    return true;
  }

  /** Whether the app is reached and told enough as in the original, and the platform does for good what it did there. */
  private isLikeOriginal({ isTouched, acts, untold }: CachedWorld): boolean {
    const { original } = this;
    if (original === undefined || (original.isTouched && !isTouched)) return false;
    const { property } = this.world.failure;
    if (untold.includes(property) && !original.untold.includes(property)) return false;
    return original.acts.lasting.every((each) => acts.lasting.includes(each));
  }

  /** Whether an exploration of the candidate's scenario has this world: each deviation is possible after those before it. */
  private async areOffered(candidate: Candidate): Promise<boolean> {
    const { deviations } = candidate;
    for (const [index, deviation] of deviations.entries()) {
      if (isOfWholeRun(deviation)) continue;
      const offered = (await this.possibleIn(candidate, deviations.slice(0, index))) ?? [];
      if (!offered.some((other) => isSamePlace(other, deviation) && isSameKind(other, deviation)))
        return false;
    }
    return true;
  }

  /** The failure that is shrunk, if a world has it. */
  private brokenIn({ isPlayed, failures }: CachedWorld): PropertyFailure | undefined {
    return isPlayed ? failures.find((each) => identityOf(each) === this.identity) : undefined;
  }

  /** Runs a world, unless it was run before. @param isFirst whether it is run even if no time is left */
  private async worldOf(
    { prepared }: Pick<Candidate, "prepared">,
    deviations: readonly Deviation[],
    isFirst = false,
  ): Promise<CachedWorld> {
    const { cache } = this.world;
    const key = keyOf(deviations);
    const known = cache.known(prepared, key);
    if (known === undefined && !isFirst && realTimeMs() >= this.endMs) throw new OutOfTime();
    const asked = this.asked.get(prepared) ?? new Set();
    this.asked.set(prepared, asked.add(key));
    return known ?? cache.play(prepared, deviations, key);
  }

  private finalText({ property, message }: PropertyFailure, people = ""): string | undefined {
    const { scenario, prepared, deviations } = this.best;
    return scenario?.finished({
      title: this.world.title ?? titleOf(property, deviations, people),
      description: message,
      deviations,
      nameOf: (id) => prepared.recordedRun.nameOf(id),
      calendar: () => prepared.recordedRun.calendar(),
    }).text;
  }
}

/** A change of a scenario: its name, and how to make it. */
type Change = readonly [name: string, make: (scenario: EditableScenario) => EditableScenario];

function withoutSteps(gone: ReadonlySet<number>): Change {
  return [`steps ${[...gone].join()}`, (scenario) => scenario.withoutSteps(gone)];
}

function withoutPart(keys: PartKeys): Change {
  return [`part ${keys.join(".")}`, (scenario) => scenario.withoutPart(keys)];
}

/** The lists with one of the items left out, but not an empty one. */
function fewerOf<T>(list: readonly T[]): readonly T[][] {
  return list.length < 2 ? [] : list.map((each) => list.filter((other) => other !== each));
}

/** So many indexes from one on, without those below 0. */
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

/** Whether a world without deviations has no type of event that the original had not, and whatever went wrong there. */
function isSameWithoutDeviations({ acts }: CachedWorld, original: CachedWorld | undefined): boolean {
  if (original === undefined) return false;
  const { types, troubles } = original.acts;
  return (
    acts.types.every((type) => types.includes(type)) && troubles.every((each) => acts.troubles.includes(each))
  );
}

/** Whether both are at the same point of a run. */
function isSamePlace(a: Deviation, b: Deviation): boolean {
  return a.at === b.at && (a.nth ?? 1) === (b.nth ?? 1) && a.of === b.of;
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
