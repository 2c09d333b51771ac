import {
  type Deviation,
  isOfWholeRun,
  type PossibleDeviation,
  type ReachedPoint,
} from "../../core/engine/deviations.ts";
import { InputError } from "../../core/foundation/errors.ts";
import { isRestart } from "../../core/network/request-deviations.ts";
import { pointText } from "../../core/scenario/deviations.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { assumptionPoints, pickAssumptions, withAssumptions } from "../../findings/assumptions.ts";
import type { Bound } from "../../findings/bound.ts";
import { calendarPoints } from "../../findings/calendar.ts";
import type { Received } from "../../findings/explain.ts";
import {
  appDefects,
  isDefect,
  type PropertyFailure,
  unsteadyFailure,
} from "../../findings/property-failure.ts";
import { receivedOf } from "../minimize/explanation.ts";
import { FailureMemory, keyOf } from "../minimize/minimal-cause.ts";
import { type MinimizedWorld, shrink } from "../minimize/shrink.ts";
import { WorldCache } from "../minimize/world-cache.ts";
import type { People } from "../people/people-options.ts";
import { type StoriesPart, type ToldPeople, tellStories } from "../people/told-stories.ts";
import { behaviourDifference } from "../run/behaviour.ts";
import { WorldExecution } from "../run/execution.ts";
import type { CorpusFile, ScenarioText } from "../run/files.ts";
import type { Integration } from "../run/integration.ts";
import { type Mutant, mutantKinds, recoveryOf } from "../run/mutants.ts";
import {
  type CausedFailure,
  CORPUS_ORDER,
  STORY_ORDER,
  type WorldOutcome,
  withCause,
  worldOutcome,
} from "../run/outcome.ts";
import { type Prepared, preparedText, readText, withoutDeviations } from "../run/prepare.ts";
import type { Given, RecordedRun } from "../run/recorded-run.ts";
import type { WorldSetup } from "../run/world.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { EndedWorldError } from "../sandbox/ended-worlds.ts";
import type { Supervision } from "../sandbox/supervision.ts";
import { type Allowance, Budget } from "./budget.ts";
import { ForgedWorlds } from "./forged-worlds.ts";
import { Frontier, isRestless, type PartEnd, type WorldsPart } from "./frontier.ts";
import type { Seeds } from "./limits.ts";
import { missedDeviationText } from "./not-run.ts";
import { withOutages } from "./outages.ts";
import type { Shard, ShardContents } from "./sharding.ts";
import { WorldSampler } from "./world-sampler.ts";

/** Worlds that one thread runs together. */
export type Part = WorldsPart | { readonly corpus: number } | SeedsPart | StoriesPart;

/** Some of the seeds. */
interface SeedsPart {
  readonly seeds: { readonly from: number; readonly to: number; readonly step: number };
}

/** How many seeds are one part. */
const SEEDS_PER_PART = 16;

/** What to explore, and how far. */
export interface Task {
  readonly prepared: Prepared;
  /** Scenarios that failed before, which are played first. */
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  /** The seeds of the worlds; undefined to run all worlds up to the bound. */
  readonly seeds: Seeds | undefined;
  /** What people may do besides what the scenario says. */
  readonly people?: People | undefined;
  /** Whether the app's clock and timers follow the virtual time. */
  readonly clock: "virtual" | "real";
  /** How long a world goes on after the last thing that was new, in virtual ms. */
  readonly horizonMs: number;
  /** The worlds of this shard; undefined for all. */
  readonly shardContents?: ShardContents | undefined;
  /** Whether the app's states are left out, since what shows them does not return. */
  readonly leavesOutStates?: boolean;
}

/** Receives the outcomes of a part's worlds, in order. */
export interface OutcomeSink {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /** Whether the allowed number of worlds has been taken. */
  isFull(): boolean;
  add(outcome: WorldOutcome): void;
}

/** A failing world that is to be shrunk. */
export interface Failing {
  readonly failure: CausedFailure;
  /** Its scenario, if it is not the one that is explored. */
  readonly scenario: ScenarioText | undefined;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether it is a story, of which the sentence tells what people do. */
  readonly isStory: boolean;
}

/** The run of one world. */
interface PlayedRun {
  readonly failures: readonly PropertyFailure[];
  readonly journal: JournalDocument;
  readonly received: readonly Received[];
}

/** Runs worlds, one after the other. */
export class WorldRunner<T> {
  private readonly frontier: Frontier;
  private readonly known: FailureMemory;
  private readonly cache: WorldCache;
  /** The first run of the world without deviations, where no frontier runs it. */
  private firstRun: WorldRun | undefined;
  private text: Promise<ScenarioText | undefined> | undefined;
  /** The stories that people may add; undefined if they do what the scenario says. */
  told: ToldPeople | undefined;
  /** The first run of the world without deviations. */
  private plain: WorldRun | undefined;
  /** The setup of the previous world. Most worlds share it. */
  private setup: WorldSetup<T> | undefined;
  /** Set once what shows the app's state did not return. */
  leavesOutStates: boolean;

  constructor(
    private readonly integration: Integration<T>,
    private readonly task: Task,
    private readonly supervision: Supervision,
  ) {
    this.leavesOutStates = task.leavesOutStates === true;
    this.known = new FailureMemory((deviations) => this.runWorld(task.prepared, deviations, {}));
    this.cache = new WorldCache((...world) => this.runWorld(...world));
    this.frontier = new Frontier(
      (deviations, request) => this.runIn(task.prepared, deviations, request),
      task.bound,
      task.shardContents,
    );
  }

  get isServer(): boolean {
    return this.integration.isBack !== undefined;
  }

  /** What the options give besides the scenario. */
  private get given(): Given {
    return this.task.prepared.given;
  }

  /** The parts of a shard, in order. The first shard takes the corpus. */
  async parts(shard: Shard): Promise<Part[]> {
    const corpus = shard.index === 1 ? this.task.corpus.map((_, index) => ({ corpus: index })) : [];
    const { prepared, seeds } = this.task;
    if (seeds !== undefined && shard.index === 1)
      this.firstRun = await this.runWorld(prepared, [], { behaviour: true });
    const worlds = seeds === undefined ? await this.frontier.parts(shard) : seedParts(seeds, shard);
    return [...corpus, ...worlds, ...(await this.storyParts(shard))];
  }

  /** Tells the stories of a shard. */
  private async storyParts(shard: Shard): Promise<StoriesPart[]> {
    const { people } = this.task;
    if (people === undefined) return [];
    const source = await this.sourceOfStories();
    const scenario = readText(source, this.given.phoneNumbers);
    const { parts, told } = tellStories(scenario, source.text, people, shard);
    this.told = told;
    return parts;
  }

  /** The worlds of the shard for which `parts` was called; undefined for all. */
  get shardContents(): ShardContents | undefined {
    return this.frontier.shardContents;
  }

  /** Runs a part's worlds within an allowance, and keeps their outcomes. */
  async outcomesOf(part: Part, allowance: Allowance): Promise<{ outcomes: WorldOutcome[]; end: PartEnd }> {
    const outcomes: WorldOutcome[] = [];
    const budget = new Budget(allowance);
    const end = await this.run(part, {
      isFull: () => budget.isFull,
      whyToStop: () => budget.whyToStop(),
      add(outcome) {
        budget.worlds++;
        outcomes.push(outcome);
      },
    });
    return { outcomes, end };
  }

  /** Runs a part's worlds. */
  async run(part: Part, sink: OutcomeSink): Promise<PartEnd> {
    if ("corpus" in part) return this.runCorpus(part.corpus, sink);
    if ("seeds" in part) return this.runSeeds(part, sink);
    if ("stories" in part) return this.runStories(part, sink);
    return this.frontier.run(part, {
      whyToStop: () => sink.whyToStop(),
      visit: (order, deviations, run, equivalentWorlds) => {
        // worlds with more deviations ask which of these fail
        if (deviations.length < this.task.bound.atMost) this.known.note(deviations, run.failures);
        const missed = missedDeviationText(deviations, run);
        if (missed !== undefined) {
          const unsteady = withCause(unsteadyFailure([missed], this.isServer), []);
          return sink.add(worldOutcome(order, deviations, run, equivalentWorlds, [unsteady]));
        }
        if (run.failures.length === 0)
          return sink.add(worldOutcome(order, deviations, run, equivalentWorlds, []));
        return this.causesOf(this.known, deviations, run.failures).then((failures) =>
          sink.add(worldOutcome(order, deviations, run, equivalentWorlds, failures)),
        );
      },
    });
  }

  /** Finds the deviations of a world that cause each of its failures. */
  private async causesOf(
    known: FailureMemory,
    deviations: readonly Deviation[],
    failures: readonly PropertyFailure[],
    { own } = this.task.prepared.recordedRun,
  ): Promise<CausedFailure[]> {
    const found: CausedFailure[] = [];
    for (const broken of failures)
      found.push(withCause(broken, await known.causeOf(broken, deviations), own));
    return found;
  }

  /** Runs the world without deviations once more, after all others. Says what differs, and what worlds threw that were over. */
  async endOfPlainRuns() {
    const difference = await this.differenceOfPlainRuns();
    return { difference, late: this.takeLateErrors() };
  }

  /** @returns a sentence; undefined if nothing differs from the first run here, or if that hung or killed its thread */
  private async differenceOfPlainRuns(): Promise<string | undefined> {
    const first = this.frontier.knownPlainRun ?? this.firstRun;
    if (first?.behaviour === undefined || first.failures.some(({ property }) => takesLong(property)))
      return undefined;
    return this.differenceFrom(first, { behaviour: true });
  }

  /**
   * Runs the world without deviations once more. Where that differs and the app draws by chance, each of the two is run again
   * with its own draws: what is the same then was chance.
   * @returns what differs from the first run, as a sentence; undefined if nothing does but by chance
   */
  private async differenceFrom(first: WorldRun, request: ExecutionRequest): Promise<string | undefined> {
    const run = (draws: WorldRun["drawn"]) => this.runWorld(this.task.prepared, [], { ...request, draws });
    const later = await run([]);
    const difference = differenceOfRuns(first, later);
    if (difference === undefined || first.drawn.length + later.drawn.length === 0) return difference;
    const withoutChance = differenceOfRuns(first, await run(first.drawn));
    if (withoutChance !== undefined) return withoutChance;
    return differenceOfRuns(later, await run(later.drawn)) === undefined ? undefined : difference;
  }

  /** What worlds threw here that were over, since this was last asked. */
  takeLateErrors(): readonly EndedWorldError[] {
    return this.supervision.takeLateErrors();
  }

  /** Runs the world without deviations for a report. */
  async playPlain(): Promise<{ readonly journal: JournalDocument; readonly received: readonly Received[] }> {
    const run = await this.runWorld(this.task.prepared, [], { journal: true, trace: true });
    if (run.journal === undefined) throw new Error("a world was asked for its journal, and has none");
    return { journal: run.journal, received: receivedOf(run.trace) };
  }

  /**
   * Runs the scenario with deviations, and keeps its journal and what the app received.
   * @throws {InputError} if the run does not reach a deviation
   */
  async playOnce(deviations: readonly Deviation[]): Promise<PlayedRun> {
    const { failures, journal, received } = await this.played(deviations);
    return { failures, journal, received };
  }

  /** The same without further deviations, and once more: if the second run differs, that is a failure. */
  async playTwice(): Promise<PlayedRun> {
    const { failures, journal, received, run } = await this.played([]);
    if (failures.length > 0) return { failures, journal, received };
    const difference = await this.differenceFrom(run, { trace: true, behaviour: true });
    const unsteady = difference === undefined ? [] : [unsteadyFailure([difference], this.isServer)];
    return { failures: unsteady, journal, received };
  }

  private async played(deviations: readonly Deviation[]): Promise<PlayedRun & { readonly run: WorldRun }> {
    const { prepared } = this.task;
    const run = await this.runIn(prepared, deviations, { journal: true, trace: true, behaviour: true });
    const { failures, journal, trace, unmet } = run;
    if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
    if (unmet.length > 0 && failures.length === 0)
      throw new InputError(["deviations"], await this.whyUnmet(prepared, run));
    return { failures, journal, received: receivedOf(trace), run };
  }

  /**
   * Plays the scenario on platforms that are each changed in one way, and finds which property notices. Empty if the
   * scenario fails on the unchanged platform.
   */
  async mutants(): Promise<Mutant[]> {
    const { prepared } = this.task;
    const request = { deliveredTypes: true, trace: true };
    const plain = await this.runIn(prepared, [], request);
    if (plain.failures.length > 0) return [];
    const mutants: Mutant[] = [];
    for (const mutation of plain.deliveredTypes.flatMap((type) => mutantKinds.map((is) => ({ type, is })))) {
      const run = await this.runWorld(prepared, [], { mutation, trace: true });
      const missed = plain.held.find((name) => !run.held.includes(name));
      const noticedBy = run.failures[0]?.property ?? missed;
      const recoveredBy = noticedBy === undefined ? recoveryOf(mutation, plain, run) : undefined;
      mutants.push({ ...mutation, noticedBy, recoveredBy });
    }
    return mutants;
  }

  /**
   * Whether restarts of the app might have found more, and were not tried since nothing says what outlives one.
   * @param worksLater whether it was seen to work after it had answered
   */
  lacksRestarts(worksLater: boolean): boolean {
    const { atMost, kinds, restarts } = this.task.bound;
    const areWanted = !restarts && kinds === undefined && atMost > 0;
    return areWanted && (worksLater || this.plain?.worksLater === true);
  }

  /**
   * That the world without deviations does not come to its end, in words; undefined if it does, or if no other world takes its
   * deviation points.
   */
  get endsEarly(): string | undefined {
    const { plain } = this;
    const { bound, seeds } = this.task;
    if (plain?.brokenOffMs === undefined || bound.atMost === 0 || seeds !== undefined) return undefined;
    const defect = plain.failures.find(({ property }) => isDefect(property))?.property ?? "the world ends";
    const untried = isRestless(plain) ? "no deviation" : "no deviation after that";
    return `without deviations ${defect} at PT${plain.brokenOffMs / 1_000}S, so ${untried} was tried`;
  }

  /** What forges requests of the scenario. @param isAlways whether also where the app does not look at signatures */
  forgedWorlds(isAlways: boolean, whyToStop: () => string | undefined): ForgedWorlds {
    const { prepared: whole, bound } = this.task;
    const { isServer } = this;
    // what the network or a restart does in a kept scenario has nothing to do with signatures
    const hasOwn = whole.recordedRun.own.length > 0 && whole.source !== undefined;
    const prepared = hasOwn ? withoutDeviations(whole) : whole;
    const plain = hasOwn ? undefined : this.plain;
    return new ForgedWorlds({
      ...{ prepared, isAlways, whyToStop, isServer, on: bound.on, plain },
      runWorld: (...world) => this.runWorld(...world),
    });
  }

  /** Finds the smallest world that fails for the same reason. */
  async shrink({ scenario, failure, forMs, isStory }: Failing): Promise<MinimizedWorld> {
    const prepared = scenario === undefined ? this.task.prepared : preparedText(scenario, this.given);
    return shrink({
      ...{ prepared, failure, forMs, isStory, cache: this.cache, isServer: this.isServer },
      runIn: (candidate, of, request) => this.runWorld(candidate, of, request),
    });
  }

  /** Runs a scenario of the corpus with its own deviations. A changed integration may no longer reach them. */
  private async runCorpus(index: number, sink: OutcomeSink): Promise<PartEnd> {
    const file = this.task.corpus[index];
    if (file === undefined) throw new Error(`there is no file ${index} in the corpus`);
    const prepared = preparedText(file, this.given);
    const run = await this.runWorld(prepared, [], {});
    const failures = run.failures.map((broken) => withCause(broken, [], prepared.recordedRun.own));
    const outcome = worldOutcome([CORPUS_ORDER, index, 0], [], run, 0, failures);
    if (failures.length > 0) sink.add({ ...outcome, scenario: file });
    else if (run.unmet.length === 0) sink.add(outcome);
    else sink.add({ ...outcome, outdated: `${file.path}: ${await this.whyUnmet(prepared, run)}` });
    return { leftOut: undefined, equivalentWorlds: 0 };
  }

  /** Plays stories with the app, each as a scenario of its own. */
  private async runStories({ stories, storyDeviations }: StoriesPart, sink: OutcomeSink): Promise<PartEnd> {
    for (const { text, acts, place } of stories) {
      const leftOut = sink.whyToStop();
      if (leftOut !== undefined) return { leftOut, equivalentWorlds: 0 };
      const scenario = { ...(await this.sourceOfStories()), text };
      const order = [STORY_ORDER + acts, place, 0];
      if (storyDeviations === 0) sink.add(await this.runStory(scenario, order));
      else await this.exploreStory(scenario, order, storyDeviations, sink);
    }
    return { leftOut: undefined, equivalentWorlds: 0 };
  }

  /** The scenario to which people add. @throws {InputError} for a function that does not run without the app */
  private async sourceOfStories(): Promise<ScenarioText> {
    this.text ??= this.task.prepared.text();
    const source = await this.text;
    if (source !== undefined) return source;
    throw new InputError(["people"], "expected a scenario, or a function that runs without the app");
  }

  /** Plays one story. What the app does by itself may forbid an act, which is then left out. */
  private async runStory(scenario: ScenarioText, order: readonly number[]): Promise<WorldOutcome> {
    const prepared = preparedText(scenario, this.given);
    const run = await this.runWorld(prepared, [], { chooser: () => undefined });
    if (run.failures.length === 0) return worldOutcome(order, [], run, 0, []);
    const text = EditableScenario.of(scenario.text).withoutTheSteps(run.skipped).text;
    const failures = run.failures.map((broken) => withCause(broken, [], prepared.recordedRun.own));
    return { ...worldOutcome(order, [], run, 0, failures), scenario: { ...scenario, text } };
  }

  /** Plays one story with deviations of the network, as an exploration of that story alone. */
  private async exploreStory(
    scenario: ScenarioText,
    order: readonly number[],
    atMost: number,
    sink: OutcomeSink,
  ): Promise<void> {
    const bound = { ...this.task.bound, atMost };
    const task = { ...this.task, prepared: preparedText(scenario, this.given), bound, people: undefined };
    const runner = new WorldRunner(
      this.integration,
      { ...task, corpus: [], seeds: undefined },
      this.supervision,
    );
    for (const part of await runner.parts({ index: 1, count: 1 }))
      await runner.run(part, {
        isFull: () => sink.isFull(),
        whyToStop: () => sink.whyToStop(),
        add: (outcome) => sink.add({ ...outcome, order: [...order.slice(0, 2), ...outcome.order], scenario }),
      });
  }

  private async runSeeds({ seeds: { from, to, step } }: SeedsPart, sink: OutcomeSink): Promise<PartEnd> {
    for (let seed = from; seed <= to; seed += step) {
      const leftOut = sink.whyToStop();
      if (leftOut !== undefined) return { leftOut, equivalentWorlds: 0 };
      sink.add(await this.runSeed(seed));
    }
    return { leftOut: undefined, equivalentWorlds: 0 };
  }

  /** Runs the world of a seed. The outcome of a failure contains everything that the seed decided. */
  private async runSeed(seed: number): Promise<WorldOutcome> {
    const { prepared, bound, seeds } = this.task;
    this.text ??= prepared.text();
    const given = await this.text;
    if (given === undefined || seeds === undefined)
      throw new InputError(["seeds"], "expected a scenario, or a function that runs without the app");
    const { source, chooser } = new WorldSampler(seed, seeds).world(
      readText(given, this.given.phoneNumbers),
      given,
      bound,
    );
    const sampled = preparedText(source, this.given);
    const assumptions = pickAssumptions(wholeRunPoints(bound, sampled.recordedRun), chooser);
    const run = await this.runWorld(sampled, assumptions, { chooser });
    const deviations = [...assumptions, ...run.chosen];
    if (run.failures.length === 0) return worldOutcome([0, seed, 0], deviations, run, 0, []);
    const text = EditableScenario.of(source.text).withoutTheSteps(run.skipped).text;
    const played = preparedText({ ...source, text }, this.given);
    const known = new FailureMemory((some) => this.runWorld(played, some, {}));
    const failures = await this.causesOf(known, deviations, run.failures, played.recordedRun);
    return { ...worldOutcome([0, seed, 0], deviations, run, 0, failures), scenario: { ...source, text } };
  }

  /** @throws {InputError} if the run does not reach one of the scenario's own deviations */
  private async runIn(
    prepared: Prepared,
    deviations: readonly Deviation[],
    request: ExecutionRequest,
  ): Promise<WorldRun> {
    const run = await this.runWorld(prepared, deviations, request);
    if (deviations.length > 0 || run.unmet.length === 0 || run.failures.length > 0) return run;
    throw new InputError(["scenario", "deviations"], await this.whyUnmet(prepared, run));
  }

  /** Says which of the scenario's deviations the run does not reach, and which deviation points there are. */
  private async whyUnmet(prepared: Prepared, { unmet }: WorldRun): Promise<string> {
    const { nameOf } = prepared.recordedRun;
    const { points } = await this.runWorld(prepared, [], { points: true, unjudged: true });
    const { restarts } = this.task.bound;
    const isAboutCallers = unmet.some(({ what }) => what === "caller");
    const optionsOf = (options: readonly PossibleDeviation[]) =>
      [...new Set(options.map(({ is }) => is).filter((is) => restarts || !isRestart(is)))].join(" | ");
    const places = points
      .filter(({ point }) => !isOfWholeRun(point) && (point.what !== "caller" || isAboutCallers))
      .map(({ point, options }) => `${pointText(point, nameOf)}, is: ${optionsOf(options)}`);
    const known = places.length === 0 ? "there were none" : `there were: ${places.join("; ")}`;
    const missed = unmet.map((each) => `${pointText(each, nameOf)}, is: ${each.is}`).join("; ");
    return `the run does not reach this: ${missed}; ${known}`;
  }

  private async runWorld(
    prepared: Prepared,
    deviations: readonly Deviation[],
    request: ExecutionRequest,
  ): Promise<WorldRun> {
    const { mutation, forgery, chooser } = request;
    const isPlain = deviations.length === 0 && (mutation ?? forgery ?? chooser) === undefined;
    if (!isPlain || prepared !== this.task.prepared || this.plain !== undefined)
      return this.runAsWanted(prepared, deviations, request);
    const run = await this.runAsWanted(prepared, deviations, { ...request, webhookReads: true });
    this.plain = run;
    return run;
  }

  private async runAsWanted(
    prepared: Prepared,
    deviations: readonly Deviation[],
    request: ExecutionRequest,
  ): Promise<WorldRun> {
    const { recordedRun, source } = prepared;
    const name = () => {
      const { chooser, webhookReads: _, ...more } = request;
      const sampled = chooser === undefined ? 0 : ++this.supervision.sampledWorlds;
      const how = JSON.stringify({ ...more, sampled });
      return `${source?.text}\n${keyOf(deviations)}${how}`;
    };
    await this.integration.isBack?.();
    await recordedRun.loadRest();
    const run = await this.supervision.run(
      name,
      ({ patience, steps }) => {
        let { setup } = this;
        if (setup?.recordedRun !== recordedRun || setup.patience !== patience || setup.steps !== steps) {
          // a server has its own clock
          const clock = this.integration.isBack === undefined ? this.task.clock : "real";
          const { leavesOutStates } = this;
          const { horizonMs } = this.task;
          setup = { ...this.integration, recordedRun, patience, steps, clock, horizonMs, leavesOutStates };
          this.setup = setup;
        }
        return new WorldExecution(setup, deviations, request).run();
      },
      request.journal === true,
      prepared === this.task.prepared ? deviations : undefined,
    );
    if (this.supervision.isStoppedShowing && !this.leavesOutStates) {
      this.leavesOutStates = true;
      this.setup = undefined;
      return this.runAsWanted(prepared, deviations, request);
    }
    if (request.points !== true || this.task.bound.kinds === undefined) return run;
    const points = this.task.bound.kinds.has("outage") ? withOutages(run.points) : run.points;
    return {
      ...run,
      points: withAssumptions(points, wholeRunPoints(this.task.bound, recordedRun), deviations),
    };
  }
}

/** What may hold for a whole world: its place in the calendar, and what the platform assumes. */
function wholeRunPoints(bound: Bound, { calendar, assumes }: RecordedRun): readonly ReachedPoint[] {
  return [...calendarPoints(bound, calendar), ...assumptionPoints(bound, assumes)];
}

/** Whether a defect would take its time again, or end another thread. */
function takesLong(property: string): boolean {
  const { threw, throwsLate, rejects } = appDefects;
  return isDefect(property) && !([threw, throwsLate, rejects] as string[]).includes(property);
}

function differenceOfRuns(
  { behaviour: one, failures: broken }: WorldRun,
  { behaviour: other, failures: later }: WorldRun,
): string | undefined {
  if (one === undefined || other === undefined)
    throw new Error("a world was asked for its behaviour, and has none");
  return behaviourDifference({ behaviour: one, failures: broken }, { behaviour: other, failures: later });
}

/** The seeds of a shard. Shards take seeds in turn. */
function seedParts({ from, to }: Seeds, { index, count }: Shard): SeedsPart[] {
  const parts: SeedsPart[] = [];
  const span = SEEDS_PER_PART * count;
  for (let start = from + index - 1; start <= to; start += span)
    parts.push({ seeds: { from: start, to: Math.min(start + span - 1, to), step: count } });
  return parts;
}
