import { type Deviation, isSamePoint } from "../core/engine/deviations.ts";
import { beginAt, callerOf, stackHere } from "../core/foundation/caller.ts";
import { InputError } from "../core/foundation/errors.ts";
import { ScenarioError } from "../core/scenario/scenario.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import type { Received } from "../findings/explain.ts";
import type { PropertyFailure } from "../findings/property-failure.ts";
import { isInTransit, withCurrentName } from "../findings/rest-transit.ts";
import { Exploration } from "./exploration.ts";
import type { ExplorationListener } from "./exploration-listener.ts";
import { withReplayCommand, writeArtifacts } from "./report/artifacts.ts";
import { CounterexampleError, IncompleteError } from "./report/errors.ts";
import type { ExploreReport } from "./report/report.ts";
import {
  corpusFileOf,
  findReproduction,
  namedWorld,
  relativePath,
  withNamedWorld,
} from "./report/reproduce.ts";
import { findTitle, printSummary } from "./report/summary.ts";
import { brokenApp, type ExploredApp, loadApp, readExploredApp } from "./run/explored-app.ts";
import { withoutDeviations } from "./run/prepare.ts";
import { withRestTransit } from "./run/with-rest-transit.ts";
import { noteExploringFile } from "./sandbox/real-timers.ts";
import { mustBeOutsideWorlds, Supervision } from "./sandbox/supervision.ts";
import { isOfModule, type Limits } from "./search/limits.ts";
import type { ExploreModuleOptions, ExploreOptions } from "./search/options.ts";
import { type ExplorationOptions, readExplorationOptions } from "./search/read-options.ts";
import { withRestarts } from "./search/restarts.ts";
import { playOnce, playTwice } from "./search/single-world.ts";
import { WorldPlayer } from "./search/world-player.ts";

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
  noteExploringFile(stack);
  const explored = await exploreAs(withNamedWorld(options), {}).catch(rethrowAt(stack));
  const [again, named] = [findReproduction(options, stack), namedWorld()];
  const report =
    named === undefined
      ? writeArtifacts(explored, again, corpusFileOf(options), stack)
      : withReplayCommand(explored, again, relativePath(named));
  // a world that is played alone tries nothing else
  if (named === undefined) printSummary(report.result, findTitle(report.result, stack));
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
  const stack = stackHere();
  noteExploringFile(stack);
  const report = await exploreAs(withNamedWorld(options), {}).catch(rethrowAt(stack));
  if (namedWorld() === undefined) printSummary(report.result, findTitle(report.result, stack));
  return report;
}

/** Like `exploreReport`, with a listener. */
export async function exploreAs<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  listener: ExplorationListener,
): Promise<ExploreReport> {
  mustBeOutsideWorlds();
  const read = await readExplorationOptions(options);
  // biome-ignore lint/suspicious/noConsole: the standard output is the user's
  if (options.explain !== undefined) console.warn("ringback: `explain` has no effect any more");
  return withSupervision(read.limits, async (supervision) => {
    const explored = (await appFor(options, supervision)) as ExploredApp<unknown>;
    const limits = withRestarts(read.limits, read.prepared, explored);
    return new Exploration({ ...read, limits } as ExplorationOptions, explored, supervision, listener).run();
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

/** Reads the app, from the options or from its module. */
async function appFor<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  supervision: Supervision,
): Promise<ExploredApp<T> | ExploredApp<unknown>> {
  if (!isOfModule(options)) return readExploredApp(options);
  return supervision.load(options.with, () => loadApp(options.with), brokenApp);
}

/** The result of playing one world. */
export interface PlayedWorld {
  readonly failures: readonly PropertyFailure[];
  /** The journal of the world, for `replay`. */
  readonly journal: JournalDocument;
  /** The ids of the webhooks that the scenario names. */
  readonly named: ReadonlyMap<string, string>;
  /** The names of the properties that must hold. */
  readonly checked: readonly string[];
  /** What the app received, and the app's state after each. */
  readonly received: readonly Received[];
  /** The deviations of the world. */
  readonly deviations: readonly Deviation[];
}

/**
 * Plays a scenario for an app, with only its own deviations and those that are added.
 * @param added further deviations; one takes the place of the scenario's own for the same request
 * @throws {InputError} for wrong options, or deviations that the run does not reach
 * @throws {ScenarioError} for a wrong scenario
 */
export async function playWorld<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
  given: readonly Deviation[] = [],
): Promise<PlayedWorld> {
  const added = given.map(withCurrentName);
  const { limits, prepared: base } = await readExplorationOptions(options);
  const others = base.recordedRun.own.filter((own) => !added.some((each) => isSamePoint(own, each)));
  const prepared = added.length === 0 ? base : withoutDeviations(base);
  const extra = added.length === 0 ? [] : [...others, ...added];
  return withSupervision(limits, async (supervision) => {
    const explored = (await appFor(options, supervision)) as ExploredApp<unknown>;
    const { bound } = withRestarts(limits, prepared, explored);
    const task = {
      prepared,
      corpus: [],
      bound,
      seeds: undefined,
      clock: limits.clock,
      horizonMs: limits.horizonMs,
    };
    const [onTheWay, planned] = [extra.filter(isInTransit), extra.filter((each) => !isInTransit(each))];
    const withTransit = onTheWay.length === 0 ? undefined : withRestTransit(explored, onTheWay);
    const player = new WorldPlayer(withTransit?.explored ?? explored, task, supervision);
    const played =
      added.length === 0 ? await playTwice(player, prepared) : await playOnce(player, prepared, planned);
    if (played.failures.length === 0) withTransit?.mustBeOver();
    const checked = Object.keys({ ...explored.always, ...explored.settled, ...explored.eventually });
    return { ...played, checked, named: prepared.recordedRun.named(), deviations: [...others, ...added] };
  });
}
