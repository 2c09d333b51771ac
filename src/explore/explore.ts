import { type Deviation, isSamePoint } from "../core/engine/deviations.ts";
import { beginAt, callerOf, stackHere } from "../core/foundation/caller.ts";
import { InputError } from "../core/foundation/errors.ts";
import { isOwnReader } from "../core/platform/phonebooks/own-reader.ts";
import { ScenarioError } from "../core/scenario/scenario.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import { firstLine, type Received } from "../findings/explain.ts";
import type { PropertyFailure } from "../findings/property-failure.ts";
import { processorMs } from "../findings/real-time.ts";
import { isInTransit, withCurrentName } from "../findings/rest-transit.ts";
import type { ExplorationListener } from "./exploration-listener.ts";
import { DeviationCounter } from "./minimize/deviation-statistics.ts";
import { withReplayCommand, writeArtifacts } from "./report/artifacts.ts";
import { failuresOfEndedWorlds } from "./report/ended-worlds.ts";
import { CounterexampleError, IncompleteError } from "./report/errors.ts";
import { exploreFailure, forgedFailure } from "./report/explore-failure.ts";
import { withoutKnown } from "./report/known.ts";
import { LONGEST, longestOf } from "./report/longest-worlds.ts";
import { mergeFailures } from "./report/merge-failures.ts";
import { replayText } from "./report/replay-text.ts";
import { type ExploreFailure, ExploreReport, type ExploreResult, type LongWorld } from "./report/report.ts";
import {
  corpusFileOf,
  namedWorld,
  relativePath,
  reproductionOf,
  withNamedWorld,
} from "./report/reproduce.ts";
import { printSummary } from "./report/summary.ts";
import { Unsteadiness } from "./report/unsteadiness.ts";
import { untriedOf } from "./report/untried.ts";
import { ComparisonCollector } from "./run/compared.ts";
import { CoverageCount } from "./run/coverage.ts";
import { type CorpusFile, readCorpus, writeCorpus } from "./run/files.ts";
import {
  appOf,
  brokenIntegration,
  type Integration,
  integrationOf,
  loadIntegration,
  propertyCount,
} from "./run/integration.ts";
import { type CausedFailure, isOfCorpus, isOfStories, type WorldOutcome } from "./run/outcome.ts";
import { type Prepared, prepare, withoutDeviations } from "./run/prepare.ts";
import { withRestTransit } from "./run/with-rest-transit.ts";
import type { EndedWorldError } from "./sandbox/ended-worlds.ts";
import { FreeCores } from "./sandbox/free-cores.ts";
import { Supervision } from "./sandbox/supervision.ts";
import { mayStartThreads } from "./sandbox/watchdog.ts";
import { Budget, ShrinkingTime } from "./search/budget.ts";
import { RemainingTimeEstimate } from "./search/estimate.ts";
import type { ForgedWorlds } from "./search/forged-worlds.ts";
import { isOfModule, type Limits, readLimits } from "./search/limits.ts";
import { type NotRun, notRunText } from "./search/not-run.ts";
import type { ExploreModuleOptions, ExploreOptions } from "./search/options.ts";
import { withRestarts } from "./search/restarts.ts";
import { type Part, WorldRunner } from "./search/runner.ts";
import { sideBySide } from "./workers/side-by-side.ts";
import { type RunningPart, startThreads, thisThread, type Workers } from "./workers/worker-pool.ts";

/** Failing worlds that may have the same cause, and the first of them, which has the fewest deviations. */
interface Group {
  readonly failure: CausedFailure;
  readonly first: WorldOutcome;
  worlds: number;
}

/**
 * Runs an app in every world up to a bound in which the platform and the network behave legally but not
 * ideally.
 * @param options what to explore, how far, and the app with its properties
 * @returns the report, if every property holds
 * @throws {CounterexampleError} with the report, if a property fails
 * @throws {IncompleteError} with the report, if the test's time was over first, and neither `for` nor `worlds` is
 * given; or if no world was run at all
 * @throws {InputError} for wrong options
 * @throws {ScenarioError} for a wrong scenario
 * @example
 * import { explore } from "ringback/explore";
 *
 * const report = await explore({
 *   scenario(sim) {
 *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
 *     sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 *   },
 *   app(sim) {
 *     const seen = new Set<string>();
 *     sim.network.route("https://crm.test/", ({ body }) => seen.add(JSON.parse(body).id) && 204);
 *     return seen;
 *   },
 *   eventually: { "each call is seen once": (sim, seen) => seen.size === sim.calls.list().length },
 * });
 * report.complete; // => true
 */
export async function explore<T, D = unknown>(
  options: ExploreOptions<T, D> | ExploreModuleOptions,
): Promise<ExploreReport> {
  const stack = stackHere();
  const explored = await exploreAs(withNamedWorld(options), {}).catch(rethrowAt(stack));
  const [again, named] = [reproductionOf(options, stack), namedWorld()];
  const report =
    named === undefined
      ? writeArtifacts(explored, again, corpusFileOf(options), stack)
      : withReplayCommand(explored, again, relativePath(named));
  // a world that is played alone tries nothing else
  if (named === undefined) printSummary(report.result);
  const { isEmpty, result } = report;
  const [isCut, hasNotRun] = [result.leftOut !== undefined, result.notRun.length > 0];
  const isFailed = isEmpty || hasNotRun ? report.failures.length > 0 : !report.passed;
  if (isFailed) throw reported(beginAt(new CounterexampleError(report), stack));
  const fewerWillDo = [options.for, options.within, options.worlds].some((each) => each !== undefined);
  if (isCut && (isEmpty || hasNotRun || !fewerWillDo)) throw beginAt(new IncompleteError(report), stack);
  return report;
}

/** Rethrows an error. What is wrong with the options or the scenario is told at the line that explores, if at no other. */
function rethrowAt(stack: string): (error: unknown) => never {
  return (error) => {
    const isMistake = error instanceof InputError || error instanceof ScenarioError;
    throw isMistake && callerOf(error.stack) === undefined ? beginAt(error, stack) : error;
  };
}

/** The hook of a test framework's adapter that reports what explorations find. */
const failedExplorationHook: unique symbol = Symbol.for("ringback.found");

function reported(error: CounterexampleError): CounterexampleError {
  (globalThis as { [failedExplorationHook]?: (error: CounterexampleError) => void })[failedExplorationHook]?.(
    error,
  );
  return error;
}

/**
 * Like `explore`, but returns the report even if a property fails.
 * @param options as for `explore`
 * @example
 * import { exploreReport } from "ringback/explore";
 *
 * const { failures } = await exploreReport({
 *   scenario: (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }),
 *   app: () => ({}),
 *   eventually: { "nobody is missed": (sim) => sim.events.ofType("call.not_answered").length === 0 },
 * });
 * failures.map(({ property }) => property); // => ["nobody is missed"]
 */
export async function exploreReport<T, D = unknown>(
  options: ExploreOptions<T, D> | ExploreModuleOptions,
): Promise<ExploreReport> {
  const report = await exploreAs(withNamedWorld(options), {}).catch(rethrowAt(stackHere()));
  if (namedWorld() === undefined) printSummary(report.result);
  return report;
}

/** Like `exploreReport`, with a listener. */
export async function exploreAs<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  listener: ExplorationListener,
): Promise<ExploreReport> {
  const { limits: read, prepared } = await readOptions(options);
  // biome-ignore lint/suspicious/noConsole: the standard output is the user's
  if (options.explain !== undefined) console.warn("ringback: `explain` has no effect any more");
  const corpus = options.corpus === undefined ? [] : readCorpus(options.corpus, options.allowLocal ?? false);
  return withSupervision(read, async (supervision) => {
    const integration = await integrationFor(options, supervision);
    const limits = withRestarts<unknown>(read, prepared, integration as Integration<unknown>);
    return new Exploration(options, limits, prepared, corpus, integration, supervision, listener).run();
  });
}

/** Runs the app's code so that it cannot end or stop the process. */
async function withSupervision<R>(limits: Limits, run: (supervision: Supervision) => Promise<R>): Promise<R> {
  const supervision = new Supervision(limits);
  supervision.start();
  try {
    return await run(supervision);
  } finally {
    await supervision.end();
  }
}

/** Reads the options and prepares the scenario. */
async function readOptions<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
): Promise<{ readonly limits: Limits; readonly prepared: Prepared }> {
  const limits = readLimits(options);
  if (limits.workers > 1 && !isOfModule(options))
    throw new InputError(
      ["workers"],
      `got ${limits.workers}, and \`app\` is a function, which no other thread can get. Export \`app\` and its properties from a module, and name its file by \`with\` instead`,
    );
  // the first request would load this, and so take other turns of the event loop than later ones
  await import("../core/rest/rest.ts");
  return {
    limits,
    prepared: await prepare(options.scenario, options.allowLocal ?? false, {
      phoneNumbers: options.phoneNumbers,
      dialect: options.dialect,
      profile: options.profile,
    }),
  };
}

/** Reads the integration, from the options or from its module. */
async function integrationFor<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  supervision: Supervision,
): Promise<Integration<T> | Integration<unknown>> {
  if (!isOfModule(options)) return integrationOf(options);
  return supervision.load(options.with, () => loadIntegration(options.with), brokenIntegration);
}

/** The result of playing one world. */
export interface PlayedWorld {
  readonly failures: readonly PropertyFailure[];
  /** The journal of the world, for `replay`. */
  readonly journal: JournalDocument;
  /** The ids of the webhooks that the scenario names. */
  readonly named: ReadonlyMap<string, string>;
  /** What the app received, and the app's state after each. */
  readonly received: readonly Received[];
  /** The deviations of the world. */
  readonly deviations: readonly Deviation[];
}

/**
 * Plays a scenario for an integration, with only its own deviations and those that are added.
 * @param added further deviations; one takes the place of the scenario's own for the same request
 * @throws {InputError} for wrong options, or deviations that the run does not reach
 * @throws {ScenarioError} for a wrong scenario
 */
export async function playWorld<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  given: readonly Deviation[] = [],
): Promise<PlayedWorld> {
  const added = given.map(withCurrentName);
  const { limits, prepared: base } = await readOptions(options);
  const others = base.recordedRun.own.filter((own) => !added.some((each) => isSamePoint(own, each)));
  const prepared = added.length === 0 ? base : withoutDeviations(base);
  const extra = added.length === 0 ? [] : [...others, ...added];
  return withSupervision(limits, async (supervision) => {
    const integration = (await integrationFor(options, supervision)) as Integration<unknown>;
    const { bound } = withRestarts(limits, prepared, integration);
    const task = {
      prepared,
      corpus: [],
      bound,
      seeds: undefined,
      clock: limits.clock,
      horizonMs: limits.horizonMs,
    };
    const [onTheWay, planned] = [extra.filter(isInTransit), extra.filter((each) => !isInTransit(each))];
    const withTransit = onTheWay.length === 0 ? undefined : withRestTransit(integration, onTheWay);
    const runner = new WorldRunner(withTransit?.integration ?? integration, task, supervision);
    const played = added.length === 0 ? await runner.playTwice() : await runner.playOnce(planned);
    if (played.failures.length === 0) withTransit?.mustBeOver();
    return { ...played, named: prepared.recordedRun.named(), deviations: [...others, ...added] };
  });
}

/**
 * The processor time that a new thread loses until V8 has compiled the code again, ms. So two threads pay for what takes one
 * thread ten seconds, and four for what takes it seven.
 */
const THREAD_COST_MS = 5_000;

class Exploration<T> {
  private readonly groups = new Map<string, Group>();
  private readonly unsteadiness: Unsteadiness;
  /** In how many worlds each property of `sometimes` held. Those of the corpus do not count as worlds. */
  private readonly heldProperties = new Map<string, number>();
  private readonly comparisons = new ComparisonCollector();
  private readonly deviationCounts = new DeviationCounter();
  private readonly outdated: string[] = [];
  private readonly notRun: NotRun[] = [];
  private readonly late: EndedWorldError[] = [];
  private longest: LongWorld[] = [];
  private readonly coverageCount = new CoverageCount();
  private readonly budget: Budget;
  private equivalentWorlds = 0;
  private requests = 0;
  private readonly unrouted = new Set<string>();
  private readonly realTimers = new Set<string>();
  private worksLater = false;
  /** Whether requests are forged. */
  private forges = false;
  private readonly estimate = new RemainingTimeEstimate();
  private readonly runner: WorldRunner<unknown>;
  private workers: Workers;
  /**
   * Starts threads on free cores, if they pay for so much processor time of this thread, ms. Undefined if none may be
   * started, or they run already.
   */
  private startThreads: ((ownMs: number) => Workers | undefined) | undefined;

  constructor(
    private readonly options: ExploreOptions<T> | ExploreModuleOptions,
    private readonly limits: Limits,
    private readonly prepared: Prepared,
    private readonly corpus: readonly CorpusFile[],
    private readonly integration: Integration<T> | Integration<unknown>,
    private readonly supervision: Supervision,
    private readonly listener: ExplorationListener,
  ) {
    this.budget = new Budget({ worlds: limits.worlds, leftMs: limits.forMs }, limits.whyUntil);
    const { bound, seeds, clock, horizonMs, people } = limits;
    const task = { prepared, corpus, bound, seeds, clock, horizonMs, people };
    this.runner = new WorldRunner(integration as Integration<unknown>, task, supervision);
    this.workers = thisThread(this.runner);
    const app = isOfModule(options) ? options.with : appOf(options);
    this.unsteadiness = new Unsteadiness(prepared, app, integration.isBack !== undefined);
  }

  async run(): Promise<ExploreReport> {
    const { runner } = this;
    const { shard } = this.limits;
    const parts = await runner.parts(shard);
    this.listener.onStart?.({ prepared: this.prepared, limits: this.limits, parts: parts.length });
    this.workers = this.workersFor(runner);
    try {
      const leftOut = await this.runParts(parts);
      for (const { difference, notRun, late } of await this.workers.endsOfPlainRuns()) {
        if (difference !== undefined) this.unsteadiness.notePlain(difference);
        this.noteNotRun(notRun);
        this.late.push(...late);
      }
      // one of the shards forges requests, and plays the mutants
      const isFirst = shard.index === 1;
      const { forged: forges = true, mutants: mutates = false } = this.options;
      const forged = isFirst && forges && this.budget.worlds > 0 ? await this.forgeRequests() : undefined;
      this.forges = (forged?.result.requests ?? 0) > 0;
      this.listener.onMinimize?.(this.groups.size + (forged?.failures.length ?? 0));
      const failures = await this.failures(this.workers, forged);
      const mutants = isFirst && mutates ? await runner.mutants() : undefined;
      failures.push(...(await this.failuresOfEndedWorlds()));
      return this.report(leftOut, failures, { mutants, forged: forged?.result });
    } finally {
      await this.workers.close();
    }
  }

  /** Runs worlds with forged requests. */
  private async forgeRequests() {
    const worlds = this.runner.forgedWorlds(this.options.forged === true, () => this.budget.whyOutOfTime());
    return { worlds, ...(await worlds.run()) };
  }

  private workersFor(runner: WorldRunner<unknown>): Workers {
    const { workers, bound, seeds, clock, horizonMs, patienceMs, steps } = this.limits;
    if (!isOfModule(this.options)) return this.instancesFor(runner, appOf(this.options));
    if (workers === 1 || !this.supervision.isLoaded || !mayStartThreads) return thisThread(runner);
    const scenario = this.prepared.source;
    if (scenario === undefined)
      throw new InputError(["workers"], "expected a scenario: a function cannot be passed to another thread");
    const { phoneNumbers, dialect } = this.prepared.given;
    // its functions cannot be passed to another thread, and the report is the same without
    if (dialect !== undefined) return thisThread(runner);
    const readsNumbers = phoneNumbers !== undefined;
    if (readsNumbers && !(isOwnReader in phoneNumbers))
      throw new InputError(
        ["workers"],
        "expected `phoneNumbers` to be readPhoneNumber of ringback/phone-numbers: another function cannot be passed to another thread",
      );
    const { corpus } = this;
    const data = {
      module: this.options.with,
      scenario,
      corpus,
      bound,
      seeds,
      clock,
      horizonMs,
      patienceMs,
      steps,
      readsNumbers,
    };
    // to read the cores takes time, so only an exploration that may start threads does
    const freeCores = new FreeCores();
    this.startThreads = (ownMs) => {
      if (ownMs < THREAD_COST_MS) return undefined;
      const count = Math.min(workers, freeCores.count());
      if (count < 2 || ownMs < (THREAD_COST_MS * count) / (count - 1)) return undefined;
      const { shardContents, leavesOutStates } = runner;
      return startThreads(count, { ...data, shardContents, leavesOutStates }, runner);
    };
    return thisThread(runner);
  }

  /**
   * Goes on in threads if that takes less time: each loads everything again, and needs a free core.
   * @param parts those that are left
   */
  private startThreadsIfTheyPay(parts: readonly Part[]): void {
    if (this.startThreads === undefined) return;
    const { worlds, leftMs } = this.budget.left;
    const ownMs = this.estimate.msFor(Math.min(worlds, this.estimate.worldsIn(parts)));
    const threads = ownMs === undefined ? undefined : this.startThreads(Math.min(ownMs, leftMs));
    if (threads === undefined) return;
    this.workers = threads;
    this.startThreads = undefined;
  }

  /** Runs worlds side by side if the app is a server with several instances. */
  private instancesFor(runner: WorldRunner<unknown>, app: object): Workers {
    const instances = "instances" in app ? Number(app.instances) : 1;
    if (instances === 1) return thisThread(runner);
    const { prepared, corpus, integration } = this;
    const { bound, seeds, clock, horizonMs } = this.limits;
    const others = Array.from(
      { length: instances - 1 },
      () => new Supervision(this.limits, this.supervision.group),
    );
    const task = { prepared, corpus, bound, seeds, clock, horizonMs, shardContents: runner.shardContents };
    const runners = others.map((each) => new WorldRunner(integration as Integration<unknown>, task, each));
    for (const each of others) each.start();
    return sideBySide([runner, ...runners], () => {
      for (const each of others) each.end();
    });
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
        started.push({ part, work: this.workers.begin(part, this.budget.left) });
      }
      const first = started.shift();
      if (first === undefined) return undefined;
      // to read the processor time takes time, and only the choice to start threads needs it
      const now = this.startThreads === undefined ? () => 0 : processorMs;
      const before = { worlds: this.budget.worlds, ms: now() };
      const { equivalentWorlds, leftOut, notRun } = await first.work.finish(sink);
      this.noteNotRun(notRun);
      this.equivalentWorlds += equivalentWorlds;
      if (leftOut !== undefined) return leftOut;
      this.estimate.note(first.part, this.budget.worlds - before.worlds, now() - before.ms);
      this.listener.onPartDone?.();
      this.startThreadsIfTheyPay(parts.slice(next));
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
    const worlds = this.estimate.worldsIn(started.map(({ part }) => part));
    return started.length < this.workers.atOnce && worlds < this.budget.left.worlds;
  }

  private take(outcome: WorldOutcome): void {
    if (!isOfCorpus(outcome)) this.deviationCounts.add(outcome);
    const { equivalentWorlds, failures, held, outdated, requests, unrouted, realTimers } = outcome;
    if (!isOfCorpus(outcome)) {
      this.budget.worlds++;
      this.noteLength(outcome);
      this.coverageCount.add(outcome.reached);
    }
    this.equivalentWorlds += equivalentWorlds;
    this.requests += requests;
    for (const each of outcome.compared) this.comparisons.merge(each);
    for (const address of unrouted) this.unrouted.add(address);
    for (const timer of realTimers) this.realTimers.add(timer);
    this.worksLater ||= outcome.worksLater;
    for (const name of held)
      this.heldProperties.set(name, (this.heldProperties.get(name) ?? 0) + (isOfCorpus(outcome) ? 0 : 1));
    if (outdated !== undefined) this.outdated.push(outdated);
    this.listener.onWorld?.(outcome);
    for (const failure of failures) {
      if (Unsteadiness.isShownBy(failure)) {
        this.noteNotRun({ why: firstLine(failure.message), isUnsteady: true });
        continue;
      }
      const group = this.groups.get(failure.group);
      if (group === undefined) this.groups.set(failure.group, { failure, first: outcome, worlds: 1 });
      else group.worlds++;
    }
  }

  private noteLength({ order, deviations, steps }: WorldOutcome): void {
    if (this.longest.length === LONGEST && steps <= (this.longest.at(-1)?.steps ?? 0)) return;
    this.longest = longestOf([...this.longest, { order, deviations, steps }]);
  }

  /**
   * Shrinks the failures; with several threads, all at the same time. Failures of one property with the same smallest
   * scenario are merged.
   */
  private async failures(workers: Workers, forged: Forged | undefined): Promise<ExploreFailure[]> {
    const all = [...this.groups.values()];
    const groups = this.unsteadiness.isFound ? [] : all;
    const count = groups.length + (forged?.failures.length ?? 0);
    const time = new ShrinkingTime(this.limits, this.budget, count);
    const shrinking = ({ failure, first }: Group) =>
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
    const merged = this.limits.shard.count === 1 ? mergeFailures(failures) : failures;
    for (const found of forged?.failures ?? []) {
      const smallest = await forged?.worlds.shrink(found, time.next());
      if (smallest !== undefined) merged.push(forgedFailure(found.failure, found.forgeries, smallest));
    }
    return merged.map((failure) => this.withReplay(failure));
  }

  /** What worlds threw that were over. */
  private async failuresOfEndedWorlds(): Promise<ExploreFailure[]> {
    const late = [...this.late, ...this.runner.takeLateErrors()];
    const failures = await failuresOfEndedWorlds(late, this.prepared, this.runner);
    return failures.map((failure) => this.withReplay(failure, false));
  }

  /** Writes a failure's smallest scenario into the corpus, if there is one, and says how to replay it. */
  private withReplay(failure: ExploreFailure, isSteady = !Unsteadiness.isShownBy(failure)): ExploreFailure {
    const { corpus } = this.options;
    const { order, property, smallest, forged } = failure;
    const isForged = forged.length > 0;
    const replay = this.listener.replay?.("FILE", isForged) ?? this.options.replay;
    const text = isSteady ? smallest.scenario : undefined;
    const kept = isOfCorpus({ order })
      ? this.corpus[order[1] ?? 0]?.path
      : corpus && text && writeCorpus(corpus, property, text);
    const about = { ...this.options, replay, forged: this.forges ? isForged : this.options.forged };
    return { ...failure, kept, replay: replayText(about, smallest.scenario, kept) };
  }

  private report(
    leftOut: string | undefined,
    failures: readonly ExploreFailure[],
    more: Pick<ExploreResult, "mutants" | "forged">,
  ): ExploreReport {
    const { bound, seeds, shard } = this.limits;
    const { known, unknown } = withoutKnown(failures, this.options.known);
    const why = [leftOut, notRunText(this.notRun)].filter((each) => each !== undefined).join("; ");
    return new ExploreReport({
      title: this.prepared.title,
      seed: this.prepared.seed,
      atMost: bound.atMost,
      seeds: seeds && { from: seeds.from, to: seeds.to },
      people: this.runner.told,
      properties: propertyCount(this.integration),
      worlds: this.budget.worlds,
      alike: this.equivalentWorlds,
      complete: why === "" && this.runner.endsEarly === undefined,
      leftOut: why === "" ? undefined : why,
      endsEarly: this.runner.endsEarly,
      notRun: [...new Set(this.notRun.map((each) => each.why))],
      shard,
      failures: unknown,
      known,
      held: Object.keys(this.integration.sometimes).map((property) => ({
        property,
        worlds: this.heldProperties.get(property) ?? 0,
      })),
      neverHeld: Object.keys(this.integration.sometimes).filter((name) => !this.heldProperties.has(name)),
      compared: this.comparisons.all,
      corpus: shard.index === 1 ? this.corpus.length : 0,
      outdated: this.outdated,
      longest: this.longest,
      coverage: this.coverageCount.coverage,
      ...this.deviationCounts.counts,
      ...(this.unsteadiness.isFound ? { breaks: [] } : {}),
      requests: this.requests,
      unrouted: [...this.unrouted],
      realTimers: [...this.realTimers],
      untriedRestarts: this.runner.lacksRestarts(this.worksLater),
      required: this.options.require ?? [],
      untried: untriedOf({
        ...{ bound, isServer: this.runner.isServer, tried: this.deviationCounts.counts.tried },
        ...{ forged: more.forged, forges: this.options.forged, isFirst: shard.index === 1 },
      }),
      ...more,
    });
  }
}

/** What came of forged requests, and what minimizes it. */
type Forged = Awaited<ReturnType<ForgedWorlds["run"]>> & { readonly worlds: ForgedWorlds };
