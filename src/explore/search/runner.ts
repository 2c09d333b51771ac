import type { JournalDocument } from "../../core/simulator/options.ts";
import type { Received } from "../../findings/explain.ts";
import { isDefect, type RunsAs, unsteadyFailure } from "../../findings/property-failure.ts";
import type { ToldPeople } from "../../stories/told-stories.ts";
import { FailureMemory } from "../minimize/minimal-cause.ts";
import { type MinimizedWorld, shrink } from "../minimize/shrink.ts";
import { WorldCache } from "../minimize/world-cache.ts";
import type { ExploredApp } from "../run/explored-app.ts";
import type { ScenarioText } from "../run/files.ts";
import type { Mutant } from "../run/mutants.ts";
import { CORPUS_ORDER, type WorldOutcome, withCause, worldOutcome } from "../run/outcome.ts";
import { preparedText, withoutDeviations } from "../run/prepare.ts";
import type { Given } from "../run/recorded-run.ts";
import { isRestartPlace } from "../run/restart-places.ts";
import type { WorldRun } from "../run/world-run.ts";
import type { EndedWorldError } from "../sandbox/ended-worlds.ts";
import type { Supervision } from "../sandbox/supervision.ts";
import { type Allowance, Budget } from "./budget.ts";
import { ForgedWorlds } from "./forged-worlds.ts";
import { Frontier, isRestless, type PartEnd } from "./frontier.ts";
import { playMutants } from "./mutated-worlds.ts";
import { missedDeviation, missedDeviationText } from "./not-run.ts";
import { SeededWorlds, seedParts } from "./seeded-worlds.ts";
import type { Shard, ShardContents } from "./sharding.ts";
import { differenceFrom, playPlain, takesLong } from "./single-world.ts";
import { StoryWorlds } from "./story-worlds.ts";
import type { Failing, OutcomeSink, Part, Task } from "./task.ts";
import { WorldPlayer } from "./world-player.ts";

/** Runs worlds, one after the other. */
export class WorldRunner {
  private readonly player: WorldPlayer;
  private readonly frontier: Frontier;
  private readonly stories: StoryWorlds;
  private readonly seeded: SeededWorlds;
  private readonly known: FailureMemory;
  private readonly cache: WorldCache;
  /** The first run of the world without deviations, where no frontier runs it. */
  private firstRun: WorldRun | undefined;

  constructor(
    explored: ExploredApp<unknown>,
    private readonly task: Task,
    supervision: Supervision,
  ) {
    const player = new WorldPlayer(explored, task, supervision);
    this.player = player;
    let read: Promise<ScenarioText | undefined> | undefined;
    const text = () => {
      read ??= task.prepared.text();
      return read;
    };
    this.seeded = new SeededWorlds(player, task, text);
    this.stories = new StoryWorlds(
      player,
      task,
      text,
      (story) => new WorldRunner(explored, story, supervision),
    );
    this.known = new FailureMemory((deviations) => player.play(task.prepared, deviations, {}));
    this.cache = new WorldCache((...world) => player.play(...world));
    this.frontier = new Frontier(
      (deviations, request) => player.playReached(task.prepared, deviations, request),
      task.bound,
      task.shardContents,
    );
  }

  get runsAs(): RunsAs {
    return this.player.runsAs;
  }

  /** Whether the app is a server. */
  get isServer(): boolean {
    return this.runsAs !== "code";
  }

  /** Whether what shows the app's state did not return. */
  get leavesOutStates(): boolean {
    return this.player.leavesOutStates;
  }

  /** The stories that people may add; undefined if they do what the scenario says. */
  get told(): ToldPeople | undefined {
    return this.stories.told;
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
      this.firstRun = await this.player.play(prepared, [], { behaviour: true });
    const worlds = seeds === undefined ? await this.frontier.parts(shard) : seedParts(seeds, shard);
    return [...corpus, ...worlds, ...(await this.stories.parts(shard))];
  }

  /** The worlds of the shard for which `parts` was called; undefined for all. */
  get shardContents(): ShardContents | undefined {
    return this.frontier.shardContents;
  }

  /** Runs a part's worlds within an allowance, and keeps their outcomes. */
  async takeOutcomes(part: Part, allowance: Allowance): Promise<{ outcomes: WorldOutcome[]; end: PartEnd }> {
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
    if ("seeds" in part) return this.seeded.run(part, sink);
    if ("stories" in part) return this.stories.run(part, sink);
    return this.frontier.run(part, {
      whyToStop: () => sink.whyToStop(),
      visit: (order, deviations, run, equivalentWorlds) => {
        const missed = missedDeviation(deviations, run);
        if (missed !== undefined && isRestartPlace(missed)) {
          // what it shows, worlds with fewer deviations have shown
          const reached = deviations.slice(0, deviations.indexOf(missed));
          const outcome = worldOutcome(order, reached, run, equivalentWorlds, []);
          return sink.add({ ...outcome, missesRestart: true });
        }
        // worlds with more deviations ask which of these fail
        if (deviations.length < this.task.bound.atMost) this.known.note(deviations, run.failures);
        if (missed !== undefined) {
          const why = missedDeviationText(missed);
          const unsteady = withCause(unsteadyFailure([why], this.runsAs), []);
          return sink.add(worldOutcome(order, deviations, run, equivalentWorlds, [unsteady]));
        }
        if (run.failures.length === 0)
          return sink.add(worldOutcome(order, deviations, run, equivalentWorlds, []));
        return this.known
          .findCauses(run.failures, deviations, this.task.prepared.recordedRun.own)
          .then((failures) => sink.add(worldOutcome(order, deviations, run, equivalentWorlds, failures)));
      },
    });
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
    return differenceFrom(this.player, this.task.prepared, first, { behaviour: true });
  }

  /** What worlds threw here that were over, since this was last asked. */
  takeLateErrors(): readonly EndedWorldError[] {
    return this.player.supervision.takeLateErrors();
  }

  /** Runs the world without deviations for a report. */
  playPlain(): Promise<{ readonly journal: JournalDocument; readonly received: readonly Received[] }> {
    return playPlain(this.player, this.task.prepared);
  }

  /** Plays the scenario on platforms that are each changed in one way. */
  mutants(): Promise<Mutant[]> {
    return playMutants(this.player, this.task.prepared);
  }

  /**
   * Whether restarts of the app might have found more, and were not tried since nothing says what outlives one.
   * @param worksLater whether it was seen to work after it had answered
   */
  lacksRestarts(worksLater: boolean): boolean {
    const { atMost, kinds, restarts } = this.task.bound;
    const areWanted = !restarts && kinds === undefined && atMost > 0;
    return areWanted && (worksLater || this.player.plain?.worksLater === true);
  }

  /**
   * That the world without deviations does not come to its end, in words; undefined if it does, or if no other world takes its
   * deviation points.
   */
  get endsEarly(): string | undefined {
    const { plain } = this.player;
    const { bound, seeds } = this.task;
    if (plain?.brokenOffMs === undefined || bound.atMost === 0 || seeds !== undefined) return undefined;
    const defect = plain.failures.find(({ property }) => isDefect(property))?.property ?? "the world ends";
    const untried = isRestless(plain) ? "no deviation" : "no deviation after that";
    return `without deviations ${defect} at PT${plain.brokenOffMs / 1_000}S, so ${untried} was tried`;
  }

  /** What forges requests of the scenario. @param isAlways whether also where the app does not look at signatures */
  forgedWorlds(isAlways: boolean, whyToStop: () => string | undefined): ForgedWorlds {
    const { prepared: whole, bound } = this.task;
    const { runsAs } = this;
    // what the network or a restart does in a kept scenario has nothing to do with signatures
    const hasOwn = whole.recordedRun.own.length > 0 && whole.source !== undefined;
    const prepared = hasOwn ? withoutDeviations(whole) : whole;
    const plain = hasOwn ? undefined : this.player.plain;
    return new ForgedWorlds({
      ...{ prepared, isAlways, whyToStop, runsAs, on: bound.on, plain },
      runWorld: (...world) => this.player.play(...world),
    });
  }

  /** Finds the smallest world that fails for the same reason. */
  async shrink({ scenario, failure, forMs, isStory }: Failing): Promise<MinimizedWorld> {
    const prepared = scenario === undefined ? this.task.prepared : preparedText(scenario, this.given);
    return shrink({
      ...{ prepared, failure, forMs, isStory, cache: this.cache, runsAs: this.runsAs },
      runIn: (candidate, of, request) => this.player.play(candidate, of, request),
    });
  }

  /** Runs a scenario of the corpus with its own deviations. A changed app may no longer reach them. */
  private async runCorpus(index: number, sink: OutcomeSink): Promise<PartEnd> {
    const file = this.task.corpus[index];
    if (file === undefined) throw new Error(`there is no file ${index} in the corpus`);
    const prepared = preparedText(file, this.given);
    const run = await this.player.play(prepared, [], {});
    const failures = run.failures.map((broken) => withCause(broken, [], prepared.recordedRun.own));
    const outcome = worldOutcome([CORPUS_ORDER, index, 0], [], run, 0, failures);
    if (failures.length > 0) sink.add({ ...outcome, scenario: file });
    else if (run.unmet.length === 0) sink.add(outcome);
    else sink.add({ ...outcome, outdated: `${file.path}: ${await this.player.whyUnmet(prepared, run)}` });
    return { leftOut: undefined, equivalentWorlds: 0 };
  }
}
