import type { Deviation } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { deviationText } from "../../core/scenario/deviations.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { failureSentence, firstLine, type NearestWorld, type Received } from "../../findings/explain.ts";
import { identityOf, type PropertyFailure, unsteadyFailure } from "../../findings/property-failure.ts";
import { writeTitle } from "../../findings/wording.ts";
import type { ScenarioText } from "../run/files.ts";
import type { WorldRun } from "../run/world-run.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import { errorThatEnds } from "./cut-short.ts";
import { Cuts } from "./cuts.ts";
import { type Explanation, explain, otherMessage, receivedOf } from "./explanation.ts";
import { minimalCause } from "./minimal-cause.ts";
import { type FailingWorld, OutOfTime, SameFailure, type SmallerWorld } from "./same-failure.ts";

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

/**
 * Shrinks a failing world: removes deviations, steps and parts of the organisation as long as it fails for the same reason,
 * and rounds times. At the end, no single part can be removed.
 *
 * A smaller world counts if it breaks the property with its deviations, and no longer when any one of them is taken
 * away, where all of its steps can be played too. One without deviations counts only if the message keeps its shape, no type of event happens that did not in the
 * original, and what went wrong between the platform and the app goes wrong in it too. If the app received something
 * in the original, it must in each smaller world; an app that does all which it can must be able to hold a ready-made property,
 * if it was; and permanent effects of the platform, such as a webhook that it disabled, must be there too.
 */
export async function shrink(world: FailingWorld): Promise<MinimizedWorld> {
  return new Shrinker(world, await world.prepared.text()).run();
}

/** A world that fails in so many runs, besides those before, fails each time. */
const CERTAIN_RUNS = 8;

/** Thrown when a world that failed does not fail again. */
class HoldsAgain extends Error {
  override readonly name = "HoldsAgain";
}

class Shrinker {
  private readonly same: SameFailure;
  private readonly cuts: Cuts;
  /** The world that was found, as a scenario; undefined if no scenario shows its failure. */
  private found: SmallerWorld | undefined;
  /** The first error that ended a run before it could fail. */
  private endedBy: PropertyFailure | undefined;

  constructor(
    private readonly world: FailingWorld,
    private readonly source: ScenarioText | undefined,
  ) {
    const { failure, prepared, cache } = world;
    this.same = new SameFailure(world);
    this.cuts = new Cuts(this.same, cache, { scenario: undefined, prepared, deviations: failure.cause });
  }

  private get best(): SmallerWorld {
    return this.cuts.best;
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
      return this.unminimized(unsteadyFailure([difference], this.world.runsAs));
    }
  }

  private async smallest(): Promise<MinimizedWorld> {
    await this.begin();
    const smallest = await this.explained(await this.minimise());
    if (smallest.text !== undefined || this.found === undefined || this.found === this.best) return smallest;
    // nothing is printed that does not show this
    const smaller = this.nameOf(this.best);
    this.cuts.best = this.found;
    const found = await this.explained(false);
    const story = `${found.story} This is the world as it was found. A smaller one, ${smaller}, does not fail when it is played as a scenario.`;
    return { ...found, story };
  }

  /** The best world, once more, with the reason of its failure. @throws {HoldsAgain} if it does not fail now */
  private async explained(isMinimal: boolean): Promise<MinimizedWorld> {
    const { deviations, prepared } = this.best;
    const { world } = this;
    const { identity } = this.same;
    const explanation = await explain({
      prepared,
      deviations,
      identity,
      isStory: world.isStory === true,
      runsAs: world.runsAs,
      runIn: (...of) => this.playWhole(...of),
    });
    if (explanation === undefined) throw new HoldsAgain();
    const { failure } = explanation;
    return {
      ...{ ...explanation, deviations, isMinimal },
      found: otherMessage(this.world.failure, failure),
      text: await this.playedText(failure, explanation.people),
      runs: this.same.runs,
    };
  }

  /** The best world as a scenario; undefined if that cannot be played, or does not show the failure. */
  private async playedText(failure: PropertyFailure, people: string): Promise<string | undefined> {
    const text = this.finalText(failure, people);
    const prepared = text === undefined ? undefined : this.world.cache.preparedText(text, this.best.prepared);
    if (prepared === undefined) return undefined;
    return this.same.brokenIn(await this.same.playWorld({ prepared }, [], true)) === undefined
      ? undefined
      : text;
  }

  /**
   * The world as it was found, explained, if it fails each time: only a smaller one does not. One in which requests overlap need not: a
   * race that the machine decides is a defect, too.
   * @returns undefined if it does not fail again
   */
  private async asFound(): Promise<MinimizedWorld | undefined> {
    const { failure, prepared } = this.world;
    const unsteady = this.best;
    const found = { scenario: this.sourceScenario, prepared, deviations: failure.cause };
    const isRace = failure.cause.some(({ is }) => is === "overlapping");
    let fails = 0;
    for (let run = 0; run < CERTAIN_RUNS; run++) {
      const { failures } = await this.playWhole(prepared, failure.cause, {});
      if (failures.some((each) => identityOf(each) === this.same.identity)) fails++;
      else if (!isRace) return undefined;
    }
    const explanation = fails === 0 ? undefined : await this.explainedAsFound(isRace);
    if (explanation === undefined) return undefined;
    this.cuts.best = found;
    const smaller = this.nameOf(unsteady);
    const how =
      fails === CERTAIN_RUNS
        ? `This is the world as it was found, which fails each time${this.unless}. A smaller one, ${smaller}, fails in some of its runs only.`
        : "This world fails in some of its runs only. Its requests overlap. Either the machine decides which goes on first, as over real connections, or the app draws by chance.";
    return {
      ...{ ...explanation, deviations: failure.cause, isMinimal: false, runs: this.same.runs },
      found: otherMessage(failure, explanation.failure),
      text: this.finalText(explanation.failure, explanation.people),
      story: `${explanation.story} ${how}`,
    };
  }

  /** The reason of the failure in the world as it was found. @param isRace whether that fails in some runs only, so that it is run again */
  private async explainedAsFound(isRace: boolean): Promise<Explanation | undefined> {
    const { failure, prepared } = this.world;
    for (let run = 0; run < (isRace ? CERTAIN_RUNS : 1); run++) {
      const explanation = await explain({
        ...{ prepared, deviations: failure.cause, identity: this.same.identity },
        ...{ isStory: this.world.isStory === true, runsAs: this.world.runsAs },
        runIn: (...of) => this.playWhole(...of),
      });
      if (explanation !== undefined) return explanation;
    }
    return undefined;
  }

  /** Runs a world, again if an error of the app ends it that comes and goes. */
  private async playWhole(...of: Parameters<FailingWorld["runIn"]>): Promise<WorldRun> {
    const play = async () => {
      const run = await this.world.runIn(...of);
      this.endedBy ??= errorThatEnds(run, this.same.identity);
      return run;
    };
    return this.world.cache.cutShort.whole(this.same.identity, await play(), play);
  }

  /** What ends some runs of a world before they can fail, as a clause. */
  private get unless(): string {
    const { endedBy } = this;
    return endedBy === undefined ? "" : ` unless ${endedBy.property}: ${firstLine(endedBy.message)}`;
  }

  /** What a smaller world is, in words. */
  private nameOf({ scenario, deviations }: SmallerWorld): string {
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
    this.cuts.best = { scenario: this.sourceScenario, prepared, deviations };
    return {
      ...{ failure: broken, journal, deviations, isMinimal: false, nearest: undefined },
      ...{
        runs: this.same.runs,
        text: this.finalText(broken),
        received: receivedOf(trace),
        found: undefined,
      },
      story: failureSentence(broken, deviations, trace, undefined, undefined),
    };
  }

  /** @returns false if the time was over first */
  private async minimise(): Promise<boolean> {
    try {
      this.same.isOffered = await this.same.areOffered(this.best);
      do await this.cuts.cutDown();
      while (await this.cuts.cutWithOtherDeviations());
      return true;
    } catch (error) {
      if (error instanceof OutOfTime) return false;
      throw error;
    }
  }

  /** Begins with the failure's scenario. A scenario made from a function may not fail, and is then not used. */
  private async begin(): Promise<void> {
    const { prepared, failure } = this.world;
    if (!(await this.same.recurs(this.best))) throw new HoldsAgain();
    if (this.source === undefined) return;
    const { source } = this;
    const given = { scenario: EditableScenario.of(source.text), prepared: { ...prepared, source } };
    const candidate = this.world.cache.smaller(given, "bare", (scenario) =>
      scenario.withoutExpectations().withOwnOrganisation(source.organisations),
    );
    if (candidate === undefined) return;
    const fails = async (some: readonly Deviation[]) =>
      this.same.brokenIn(await this.same.playWorld(candidate, some, true)) !== undefined;
    const deviations = [...prepared.recordedRun.own, ...failure.cause];
    if (!(await fails(deviations))) return;
    // some of the scenario's own deviations may not matter
    const cause = await minimalCause(deviations, fails);
    // what a function does may be more than the scenario that is made of it: that one must fail for the same reason
    if (cause.length === 0 && failure.cause.length > 0) return;
    this.cuts.best = { ...candidate, deviations: cause };
    this.found = this.best;
    this.same.isPlayable = (await this.same.playWorld(candidate, [], true)).points !== undefined;
  }

  private finalText({ property, message }: PropertyFailure, people = ""): string | undefined {
    const { scenario, prepared, deviations } = this.best;
    return scenario?.finished({
      title: this.world.title ?? writeTitle(property, deviations, people),
      description: message,
      deviations,
      nameOf: (id) => prepared.recordedRun.nameOf(id),
      calendar: () => prepared.recordedRun.calendar(),
    }).text;
  }
}
