import { type Deviation, isOfWholeRun, type PossibleDeviation } from "../../core/engine/deviations.ts";
import { InputError } from "../../core/foundation/errors.ts";
import type { PhoneNumberReader } from "../../core/platform/organisation/contact-numbers.ts";
import { pointText } from "../../core/scenario/deviations.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { assumptionPoints, pickAssumptions, withAssumptions } from "../../findings/assumptions.ts";
import type { Bound } from "../../findings/bound.ts";
import type { Received } from "../../findings/explain.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import { KnownWorlds, keyOf } from "../minimize/minimal-cause.ts";
import { type Shrunk, shrink } from "../minimize/shrink.ts";
import { WorldCache } from "../minimize/world-cache.ts";
import {
  type ExecutionRequest,
  type ExecutionSetup,
  WorldExecution,
  type WorldRun,
} from "../run/execution.ts";
import type { CorpusFile, ScenarioText } from "../run/files.ts";
import type { Integration } from "../run/integration.ts";
import { type Mutant, mutantKinds, recoveryOf } from "../run/mutants.ts";
import { type CausedFailure, CORPUS_ORDER, caused, type WorldOutcome, worldOutcome } from "../run/outcome.ts";
import { type Prepared, preparedText, readText } from "../run/prepare.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { Supervision } from "../sandbox/supervision.ts";
import { type Allowance, Budget } from "./budget.ts";
import { Frontier, type PartEnd, type WorldsPart } from "./frontier.ts";
import type { Seeds } from "./limits.ts";
import { withOutages } from "./outages.ts";
import type { ShardContents, Share } from "./sharding.ts";
import { WorldSampler } from "./world-sampler.ts";

/** Worlds that one thread runs together. */
export type Part = WorldsPart | { readonly corpus: number } | SeedsPart;

/** Some of the seeds. */
interface SeedsPart {
  readonly seeds: { readonly from: number; readonly to: number; readonly step: number };
}

/** How many seeds are one part. */
const SEEDS_OF_A_PART = 16;

/** What to explore, and how far. */
export interface Task {
  readonly prepared: Prepared;
  /** Scenarios that failed before, which are played first. */
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  /** The seeds to draw worlds from; undefined to run all worlds up to the bound. */
  readonly seeds: Seeds | undefined;
  /** The worlds that are this shard's; undefined for all. */
  readonly holding?: ShardContents | undefined;
}

/** Takes the outcomes of a part's worlds, in order. */
export interface Taker {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /** Whether the allowed number of worlds has been taken. */
  isFull(): boolean;
  take(outcome: WorldOutcome): void;
}

/** A failing world that is to be shrunk. */
export interface Failing {
  readonly failure: CausedFailure;
  /** Its scenario, if it is not the one that is explored. */
  readonly scenario: ScenarioText | undefined;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether to find out since when the failure is certain. */
  readonly explains: boolean;
}

/** Runs worlds, one after the other. */
export class WorldRunner<T> {
  private readonly worlds: Frontier;
  private readonly known: KnownWorlds;
  private readonly tried: WorldCache;
  private text: Promise<ScenarioText | undefined> | undefined;
  /** That of the last world. Most worlds have the same. */
  private setup: ExecutionSetup<T> | undefined;

  constructor(
    private readonly integration: Integration<T>,
    private readonly task: Task,
    private readonly supervision: Supervision,
  ) {
    this.known = new KnownWorlds((deviations) => this.runWorld(task.prepared, deviations, {}));
    this.tried = new WorldCache((...world) => this.runWorld(...world));
    this.worlds = new Frontier(
      (deviations, wanted) => this.runIn(task.prepared, deviations, wanted),
      task.bound,
      task.holding,
    );
  }

  private get reader(): PhoneNumberReader | undefined {
    return this.task.prepared.phoneNumbers;
  }

  /** All parts in order, or the shard's share of them. The first shard takes the corpus. */
  async parts(share: Share): Promise<Part[]> {
    const corpus = share.index === 1 ? this.task.corpus.map((_, index) => ({ corpus: index })) : [];
    const { seeds } = this.task;
    return [...corpus, ...(seeds === undefined ? await this.worlds.parts(share) : seedParts(seeds, share))];
  }

  /** The worlds of the share for which parts were made; undefined for all. */
  get holding(): ShardContents | undefined {
    return this.worlds.holding;
  }

  /** Runs a part's worlds within an allowance, and keeps their outcomes. */
  async outcomesOf(part: Part, allowance: Allowance): Promise<{ outcomes: WorldOutcome[]; end: PartEnd }> {
    const outcomes: WorldOutcome[] = [];
    const budget = new Budget(allowance);
    const end = await this.run(part, {
      isFull: () => budget.isFull,
      whyToStop: () => budget.whyToStop(),
      take(outcome) {
        budget.worlds++;
        outcomes.push(outcome);
      },
    });
    return { outcomes, end };
  }

  /** Runs a part's worlds. */
  async run(part: Part, taker: Taker): Promise<PartEnd> {
    if ("corpus" in part) return this.runCorpus(part.corpus, taker);
    if ("seeds" in part) return this.runSeeds(part, taker);
    return this.worlds.run(part, {
      whyToStop: () => taker.whyToStop(),
      visit: (order, deviations, run, alike) => {
        // deeper worlds ask which of these fail
        if (deviations.length < this.task.bound.atMost) this.known.note(deviations, run.failures);
        if (run.failures.length === 0) return taker.take(worldOutcome(order, deviations, run, alike, []));
        return this.causesOf(this.known, deviations, run.failures).then((failures) =>
          taker.take(worldOutcome(order, deviations, run, alike, failures)),
        );
      },
    });
  }

  /** Finds the deviations of a world that cause each of its failures. */
  private async causesOf(
    known: KnownWorlds,
    deviations: readonly Deviation[],
    failures: readonly PropertyFailure[],
    { own } = this.task.prepared.script,
  ): Promise<CausedFailure[]> {
    const found: CausedFailure[] = [];
    for (const broken of failures) found.push(caused(broken, await known.causeOf(broken, deviations), own));
    return found;
  }

  /**
   * Runs the scenario, and keeps its journal and what the subject received.
   * @throws {InputError} if the run does not come to a deviation
   */
  async playOnce(deviations: readonly Deviation[]): Promise<{
    readonly failures: readonly PropertyFailure[];
    readonly journal: JournalDocument;
    readonly received: readonly Received[];
  }> {
    const { prepared } = this.task;
    const run = await this.runIn(prepared, deviations, { journal: true, trace: true });
    const { failures, journal, trace, unmet } = run;
    if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
    if (unmet.length > 0 && failures.length === 0)
      throw new InputError(["deviations"], await this.whyUnmet(prepared, run));
    return { failures, journal, received: trace };
  }

  /**
   * Plays the scenario on platforms that are each changed in one way, and finds which property notices. Empty if the
   * scenario fails on the unchanged platform.
   */
  async mutants(): Promise<Mutant[]> {
    const { prepared } = this.task;
    const wanted = { told: true, trace: true };
    const plain = await this.runIn(prepared, [], wanted);
    if (plain.failures.length > 0) return [];
    const mutants: Mutant[] = [];
    for (const mutation of plain.told.flatMap((type) => mutantKinds.map((is) => ({ type, is })))) {
      const run = await this.runWorld(prepared, [], { mutation, trace: true });
      const missed = plain.held.find((name) => !run.held.includes(name));
      const noticedBy = run.failures[0]?.property ?? missed;
      const recoveredBy = noticedBy === undefined ? recoveryOf(mutation, plain, run) : undefined;
      mutants.push({ ...mutation, noticedBy, recoveredBy });
    }
    return mutants;
  }

  /** Finds the smallest world that fails for the same reason. */
  async shrink({ scenario, failure, forMs, explains }: Failing): Promise<Shrunk> {
    const prepared = scenario === undefined ? this.task.prepared : preparedText(scenario, this.reader);
    return shrink({
      ...{ prepared, failure, forMs, explains, tried: this.tried },
      runIn: (candidate, of, wanted) => this.runWorld(candidate, of, wanted),
    });
  }

  /** Runs a scenario of the corpus with its own deviations. A changed integration may no longer reach them. */
  private async runCorpus(index: number, taker: Taker): Promise<PartEnd> {
    const file = this.task.corpus[index];
    if (file === undefined) throw new Error(`there is no file ${index} in the corpus`);
    const prepared = preparedText(file, this.reader);
    const run = await this.runWorld(prepared, [], {});
    const failures = run.failures.map((broken) => caused(broken, [], prepared.script.own));
    const outcome = worldOutcome([CORPUS_ORDER, index, 0], [], run, 0, failures);
    if (failures.length > 0) taker.take({ ...outcome, scenario: file });
    else if (run.unmet.length === 0) taker.take(outcome);
    else taker.take({ ...outcome, outdated: `${file.path}: ${await this.whyUnmet(prepared, run)}` });
    return { leftOut: undefined, alike: 0 };
  }

  private async runSeeds({ seeds: { from, to, step } }: SeedsPart, taker: Taker): Promise<PartEnd> {
    for (let seed = from; seed <= to; seed += step) {
      const leftOut = taker.whyToStop();
      if (leftOut !== undefined) return { leftOut, alike: 0 };
      taker.take(await this.runSeed(seed));
    }
    return { leftOut: undefined, alike: 0 };
  }

  /** Runs the world of a seed. The outcome of a failure contains everything that the seed drew. */
  private async runSeed(seed: number): Promise<WorldOutcome> {
    const { prepared, bound, seeds } = this.task;
    this.text ??= prepared.text();
    const given = await this.text;
    if (given === undefined || seeds === undefined)
      throw new InputError(["seeds"], "expected a scenario, or a function that runs without the subject");
    const { source, chooser } = new WorldSampler(seed, seeds).world(
      readText(given, this.reader),
      given,
      bound,
    );
    const drawn = preparedText(source, this.reader);
    const assumptions = pickAssumptions(assumptionPoints(bound, drawn.script.assumes), chooser);
    const run = await this.runWorld(drawn, assumptions, { chooser });
    const deviations = [...assumptions, ...run.chosen];
    if (run.failures.length === 0) return worldOutcome([0, seed, 0], deviations, run, 0, []);
    const text = EditableScenario.of(source.text).withoutTheSteps(run.skipped).text;
    const played = preparedText({ ...source, text }, this.reader);
    const known = new KnownWorlds((some) => this.runWorld(played, some, {}));
    const failures = await this.causesOf(known, deviations, run.failures, played.script);
    return { ...worldOutcome([0, seed, 0], deviations, run, 0, failures), scenario: { ...source, text } };
  }

  /** @throws {InputError} if the run does not reach one of the scenario's own deviations */
  private async runIn(
    prepared: Prepared,
    deviations: readonly Deviation[],
    wanted: ExecutionRequest,
  ): Promise<WorldRun> {
    const run = await this.runWorld(prepared, deviations, wanted);
    if (deviations.length > 0 || run.unmet.length === 0 || run.failures.length > 0) return run;
    throw new InputError(["scenario", "deviations"], await this.whyUnmet(prepared, run));
  }

  /** Says which of the scenario's deviations the run does not reach, and which choice points there are. */
  private async whyUnmet(prepared: Prepared, { unmet }: WorldRun): Promise<string> {
    const { nameOf } = prepared.script;
    const { points } = await this.runWorld(prepared, [], { points: true, unjudged: true });
    const optionsOf = (options: readonly PossibleDeviation[]) =>
      [...new Set(options.map(({ is }) => is))].join(" | ");
    const places = points
      .filter(({ point }) => !isOfWholeRun(point))
      .map(({ point, options }) => `${pointText(point, nameOf)}, is: ${optionsOf(options)}`);
    const known = places.length === 0 ? "there were none" : `there were: ${places.join("; ")}`;
    const missed = unmet.map((each) => `${pointText(each, nameOf)}, is: ${each.is}`).join("; ");
    return `the run does not come to this: ${missed}; ${known}`;
  }

  private async runWorld(
    { script, source }: Prepared,
    deviations: readonly Deviation[],
    wanted: ExecutionRequest,
  ): Promise<WorldRun> {
    const name = () => {
      const { chooser, ...more } = wanted;
      const drawn = chooser === undefined ? 0 : ++this.supervision.drawn;
      const how = JSON.stringify({ ...more, drawn });
      return `${source?.text}\n${keyOf(deviations)}${how}`;
    };
    await this.integration.isBack?.();
    const run = await this.supervision.run(
      name,
      ({ patience, steps }) => {
        let { setup } = this;
        if (setup?.script !== script || setup.patience !== patience || setup.steps !== steps) {
          const { subject, always, settled, eventually, sometimes, show } = this.integration;
          // written out: in V8, a spread before further fields gives each world a hidden class of its own
          setup = { subject, always, settled, eventually, sometimes, show, script, patience, steps };
          this.setup = setup;
        }
        return new WorldExecution(setup, deviations, wanted).run();
      },
      wanted.journal === true,
    );
    if (wanted.points !== true || this.task.bound.kinds === undefined) return run;
    const points = this.task.bound.kinds.has("outage") ? withOutages(run.points) : run.points;
    return {
      ...run,
      points: withAssumptions(points, assumptionPoints(this.task.bound, script.assumes), deviations),
    };
  }
}

/** The seeds of a shard. Shards take seeds in turn. */
function seedParts({ from, to }: Seeds, { index, count }: Share): SeedsPart[] {
  const parts: SeedsPart[] = [];
  const span = SEEDS_OF_A_PART * count;
  for (let start = from + index - 1; start <= to; start += span)
    parts.push({ seeds: { from: start, to: Math.min(start + span - 1, to), step: count } });
  return parts;
}
