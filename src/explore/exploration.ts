import { firstLine } from "../findings/explain.ts";
import { processorMs } from "../findings/real-time.ts";
import type { ExplorationListener } from "./exploration-listener.ts";
import { failuresOfEndedWorlds } from "./report/ended-worlds.ts";
import { exploreFailure, forgedFailure } from "./report/explore-failure.ts";
import { withoutKnown } from "./report/known.ts";
import { mergeFailures } from "./report/merge-failures.ts";
import { replayText } from "./report/replay-text.ts";
import { type ExploreFailure, ExploreReport, type ExploreResult } from "./report/report.ts";
import { type FailureGroup, Tally } from "./report/tally.ts";
import { Unsteadiness } from "./report/unsteadiness.ts";
import { untriedOf } from "./report/untried.ts";
import { type ExploredApp, propertyCount, readApp, readRunsAs } from "./run/explored-app.ts";
import { writeCorpus } from "./run/files.ts";
import { isOfCorpus, isOfStories, type WorldOutcome } from "./run/outcome.ts";
import type { EndedWorldError } from "./sandbox/ended-worlds.ts";
import type { Supervision } from "./sandbox/supervision.ts";
import { Budget, ShrinkingTime } from "./search/budget.ts";
import type { ForgedWorlds } from "./search/forged-worlds.ts";
import { isOfModule } from "./search/limits.ts";
import { type NotRun, notRunText } from "./search/not-run.ts";
import type { ExplorationOptions } from "./search/read-options.ts";
import { WorldRunner } from "./search/runner.ts";
import type { Part } from "./search/task.ts";
import { Staffing } from "./workers/staffing.ts";
import type { RunningPart } from "./workers/worker-pool.ts";

/** One exploration: runs the worlds up to the bound, minimizes what fails, and reports. */
export class Exploration {
  private readonly tally = new Tally();
  private readonly unsteadiness: Unsteadiness;
  private readonly notRun: NotRun[] = [];
  private readonly late: EndedWorldError[] = [];
  private readonly budget: Budget;
  /** Whether requests are forged. */
  private forges = false;
  private readonly runner: WorldRunner;
  private readonly staffing: Staffing;

  constructor(
    private readonly given: ExplorationOptions,
    private readonly explored: ExploredApp<unknown>,
    supervision: Supervision,
    private readonly listener: ExplorationListener,
  ) {
    const { options, limits, prepared, corpus } = given;
    this.budget = new Budget({ worlds: limits.worlds, leftMs: limits.forMs }, limits.whyUntil);
    const { bound, seeds, clock, horizonMs, people } = limits;
    const task = { prepared, corpus, bound, seeds, clock, horizonMs, people };
    this.runner = new WorldRunner(explored, task, supervision);
    this.staffing = new Staffing(given, explored, supervision, this.runner);
    const app = isOfModule(options) ? options.with : readApp(options);
    this.unsteadiness = new Unsteadiness(prepared, app, readRunsAs(explored));
  }

  async run(): Promise<ExploreReport> {
    const { runner } = this;
    const { options, limits, prepared } = this.given;
    const { shard } = limits;
    const parts = await runner.parts(shard);
    this.listener.onStart?.({ prepared, limits, parts: parts.length });
    this.staffing.begin();
    try {
      const leftOut = await this.runParts(parts);
      for (const { difference, notRun, late } of await this.staffing.workers.endsOfPlainRuns()) {
        if (difference !== undefined) this.unsteadiness.notePlain(difference);
        this.noteNotRun(notRun);
        this.late.push(...late);
      }
      // one of the shards forges requests, and plays the mutants
      const isFirst = shard.index === 1;
      const { forged: forges = true, mutants: mutates = false } = options;
      const forged = isFirst && forges && this.budget.worlds > 0 ? await this.forgeRequests() : undefined;
      this.forges = (forged?.result.requests ?? 0) > 0;
      this.listener.onMinimize?.(this.tally.failureGroups.length + (forged?.failures.length ?? 0));
      const failures = await this.failures(forged);
      const mutants = isFirst && mutates ? await runner.mutants() : undefined;
      failures.push(...(await this.failuresOfEndedWorlds()));
      return this.report(leftOut, failures, { mutants, forged: forged?.result });
    } finally {
      await this.staffing.workers.close();
    }
  }

  /** Runs worlds with forged requests. */
  private async forgeRequests() {
    const worlds = this.runner.forgedWorlds(this.given.options.forged === true, () =>
      this.budget.whyOutOfTime(),
    );
    return { worlds, ...(await worlds.run()) };
  }

  /** Runs the parts and takes their outcomes in order. Returns why not all were run, or undefined. */
  private async runParts(parts: readonly Part[]): Promise<string | undefined> {
    const started: { readonly part: Part; readonly work: RunningPart }[] = [];
    const sink = {
      isFull: () => this.budget.isFull,
      whyToStop: () => this.budget.whyToStop(),
      add: (outcome: WorldOutcome) => this.take(outcome),
    };
    for (let next = 0; ; ) {
      for (; next < parts.length && this.mayStart(started); next++) {
        const part = parts[next] as Part;
        started.push({ part, work: this.staffing.workers.begin(part, this.budget.left) });
      }
      const first = started.shift();
      if (first === undefined) return undefined;
      // to read the processor time takes time, and only the choice to start threads needs it
      const now = this.staffing.mayGrow ? processorMs : () => 0;
      const before = { worlds: this.budget.worlds, ms: now() };
      const { equivalentWorlds, leftOut, notRun, missesRestart } = await first.work.finish(sink);
      this.tally.missesRestart ||= missesRestart === true;
      this.noteNotRun(notRun);
      this.tally.equivalentWorlds += equivalentWorlds;
      if (leftOut !== undefined) return leftOut;
      this.staffing.estimate.note(first.part, this.budget.worlds - before.worlds, now() - before.ms);
      this.listener.onPartDone?.();
      this.staffing.growIfItPays(parts.slice(next), this.budget);
    }
  }

  private noteNotRun(notRun: NotRun | undefined): void {
    if (notRun === undefined) return;
    this.notRun.push(notRun);
    if (notRun.isUnsteady) this.unsteadiness.note(notRun.why);
  }

  /** Whether to begin a further part. The parts before it may already use the whole budget. */
  private mayStart(started: readonly { readonly part: Part }[]): boolean {
    if (started.length === 0) return true;
    const { estimate, workers } = this.staffing;
    const worlds = estimate.worldsIn(started.map(({ part }) => part));
    return started.length < workers.atOnce && worlds < this.budget.left.worlds;
  }

  private take(outcome: WorldOutcome): void {
    if (!isOfCorpus(outcome)) this.budget.worlds++;
    const unsteady = this.tally.add(outcome);
    this.listener.onWorld?.(outcome);
    for (const { message } of unsteady) this.noteNotRun({ why: firstLine(message), isUnsteady: true });
  }

  /**
   * Shrinks the failures; with several threads, all at the same time. Failures of one property with the same smallest
   * scenario are merged.
   */
  private async failures(forged: Forged | undefined): Promise<ExploreFailure[]> {
    const { workers } = this.staffing;
    const { limits } = this.given;
    const all = this.tally.failureGroups;
    const groups = this.unsteadiness.isFound ? [] : all;
    const count = groups.length + (forged?.failures.length ?? 0);
    const time = new ShrinkingTime(limits, this.budget, count);
    const shrinking = ({ failure, first }: FailureGroup) =>
      workers.shrink({
        ...{ failure, scenario: first.scenario, forMs: time.next() },
        isStory: isOfStories(first),
      });
    const started = workers.atOnce > 1 ? groups.map(shrinking) : [];
    for (const each of started) each.catch(() => {}); // handled where it is awaited
    const failures = await this.unsteadiness.failures(all, () => this.runner.playPlain());
    for (const [index, group] of groups.entries())
      failures.push(
        exploreFailure(
          { group: group.failure.group, order: group.first.order, worlds: group.worlds },
          await (started[index] ?? shrinking(group)),
        ),
      );
    // another shard may have an earlier world of a group, so `merge` does this for shards
    const merged = limits.shard.count === 1 ? mergeFailures(failures) : failures;
    for (const found of forged?.failures ?? []) {
      const smallest = await forged?.worlds.shrink(found, time.next());
      if (smallest !== undefined) merged.push(forgedFailure(found.failure, found.forgeries, smallest));
    }
    return merged.map((failure) => this.withReplay(failure));
  }

  /** What worlds threw that were over. */
  private async failuresOfEndedWorlds(): Promise<ExploreFailure[]> {
    const late = [...this.late, ...this.runner.takeLateErrors()];
    const failures = await failuresOfEndedWorlds(late, this.given.prepared, this.runner);
    return failures.map((failure) => this.withReplay(failure, false));
  }

  /** Writes a failure's smallest scenario into the corpus, if there is one, and says how to replay it. */
  private withReplay(failure: ExploreFailure, isSteady = !Unsteadiness.isShownBy(failure)): ExploreFailure {
    const { options, corpus: files } = this.given;
    const { order, property, smallest, forged } = failure;
    const isForged = forged.length > 0;
    const replay = this.listener.replay?.("FILE", isForged) ?? options.replay;
    const text = isSteady ? smallest.scenario : undefined;
    const kept = isOfCorpus({ order })
      ? files[order[1] ?? 0]?.path
      : options.corpus && text && writeCorpus(options.corpus, property, text);
    const about = { ...options, replay, forged: this.forges ? isForged : options.forged };
    return { ...failure, kept, replay: replayText(about, smallest.scenario, kept) };
  }

  private report(
    leftOut: string | undefined,
    failures: readonly ExploreFailure[],
    more: Pick<ExploreResult, "mutants" | "forged">,
  ): ExploreReport {
    const { options, limits, prepared, corpus } = this.given;
    const { bound, seeds, shard } = limits;
    const { runner, tally, explored } = this;
    const { known, unknown } = withoutKnown(failures, options.known);
    const why = [leftOut, notRunText(this.notRun)].filter((each) => each !== undefined).join("; ");
    return new ExploreReport({
      title: prepared.title,
      seed: prepared.seed,
      atMost: bound.atMost,
      seeds: seeds && { from: seeds.from, to: seeds.to },
      people: runner.told,
      properties: propertyCount(explored),
      worlds: this.budget.worlds,
      complete: why === "" && runner.endsEarly === undefined,
      leftOut: why === "" ? undefined : why,
      endsEarly: runner.endsEarly,
      notRun: [...new Set(this.notRun.map((each) => each.why))],
      shard,
      failures: unknown,
      known,
      corpus: shard.index === 1 ? corpus.length : 0,
      ...tally.figures(Object.keys(explored.sometimes)),
      ...(this.unsteadiness.isFound ? { breaks: [] } : {}),
      untriedRestarts: runner.lacksRestarts(tally.worksLater),
      required: options.require ?? [],
      untried: untriedOf({
        ...{ bound, isServer: runner.isServer, tried: tally.tried },
        ...{ wentOn: tally.wentOn, missesRestart: tally.missesRestart },
        ...{ forged: more.forged, forges: options.forged, isFirst: shard.index === 1 },
      }),
      ...more,
    });
  }
}

/** What came of forged requests, and what minimizes it. */
type Forged = Awaited<ReturnType<ForgedWorlds["run"]>> & { readonly worlds: ForgedWorlds };
