import type { Deviation } from "../engine/choices.ts";
import { type Broken, fingerprintOf } from "./failure.ts";
import { type ExploreOptions, type Limits, readLimits } from "./options.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { wallClockMs } from "./real-time.ts";
import { CounterexampleError, type ExploreFailure, ExploreReport } from "./report.ts";
import { type FailingWorld, shrink } from "./shrink.ts";
import { type Setup, World, type WorldRun } from "./world.ts";
import { type Runner, Worlds } from "./worlds.ts";

/** One kind of failure, and the first world that showed it: the one with the fewest deviations. */
interface Group {
  readonly broken: Broken;
  readonly fingerprint: string;
  readonly deviations: readonly Deviation[];
  readonly prepared: Prepared;
  worlds: number;
}

/**
 * Runs an integration in every world up to a bound in which the platform and the network behave legally but not ideally.
 * @returns what was explored, when every property holds
 * @throws {CounterexampleError} with the report, when a property fails
 * @throws {InputError} for options, and {ScenarioError} for a scenario, that are wrong
 */
export async function explore<T>(options: ExploreOptions<T>): Promise<ExploreReport> {
  const report = await exploreReport(options);
  if (!report.passed) throw new CounterexampleError(report);
  return report;
}

/** As `explore`, but a property that fails is only in the report. */
export async function exploreReport<T>(options: ExploreOptions<T>): Promise<ExploreReport> {
  const limits = readLimits(options as ExploreOptions<never>);
  // a first request loads it; later ones must not take another number of turns
  await import("../rest/rest.ts");
  const prepared = await prepare(options.scenario);
  return new Exploration(options, limits, prepared).run();
}

/** The budget is used up, and there is another world to run. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

class Exploration<T> {
  private readonly groups = new Map<string, Group>();
  private readonly held = new Set<string>();
  private readonly startedMs = wallClockMs();
  private worlds = 0;

  constructor(
    private readonly options: ExploreOptions<T>,
    private readonly limits: Limits,
    private readonly prepared: Prepared,
  ) {}

  async run(): Promise<ExploreReport> {
    const { bound, share } = this.limits;
    const setup = setupOf(this.options, this.limits, this.prepared);
    const runner: Runner = (deviations, wanted) => {
      const why = wanted.points === true ? undefined : this.whyToStop();
      if (why !== undefined) throw new Stopped(why);
      return new World(setup, deviations, wanted).run();
    };
    const worlds = new Worlds(runner, bound, share);
    let leftOut: string | undefined;
    try {
      for await (const { deviations, run } of worlds) this.take(deviations, run, this.prepared);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      leftOut = error.message;
    }
    const { sometimes = {} } = this.options;
    return new ExploreReport({
      title: this.prepared.title,
      seed: this.prepared.seed,
      atMost: bound.atMost,
      worlds: this.worlds,
      alike: worlds.alike,
      complete: leftOut === undefined,
      leftOut,
      shard: share,
      failures: await this.failures(),
      neverHeld: Object.keys(sometimes).filter((name) => !this.held.has(name)),
    });
  }

  private take(deviations: readonly Deviation[], { broken, held }: WorldRun, prepared: Prepared): void {
    this.worlds++;
    for (const name of held) this.held.add(name);
    if (broken === undefined) return;
    const fingerprint = fingerprintOf(broken);
    const group = this.groups.get(fingerprint);
    if (group === undefined)
      this.groups.set(fingerprint, { broken, fingerprint, deviations, prepared, worlds: 1 });
    else group.worlds++;
  }

  private whyToStop(): string | undefined {
    const { worlds, forMs } = this.limits;
    if (this.worlds >= worlds) return `stopped after ${worlds.toLocaleString("en")}, as \`worlds\` says`;
    const passedMs = wallClockMs() - this.startedMs;
    return passedMs >= forMs ? `stopped after ${Math.round(passedMs / 1_000)} s, as \`for\` says` : undefined;
  }

  private async failures(): Promise<ExploreFailure[]> {
    const failures: ExploreFailure[] = [];
    for (const { broken, fingerprint, deviations, prepared, worlds } of this.groups.values()) {
      const runIn: FailingWorld["runIn"] = (candidate, of, wanted) =>
        new World(setupOf(this.options, this.limits, candidate), of, wanted).run();
      const smallest = await shrink({ prepared, deviations, fingerprint, runIn });
      failures.push({
        property: broken.property,
        message: smallest.broken.message,
        fingerprint,
        worlds,
        smallest: {
          scenario: smallest.text,
          deviations: smallest.deviations,
          journal: smallest.journal,
        },
        replay: this.options.replay ?? "runScenario(parseScenario(smallest.scenario))",
      });
    }
    return failures;
  }
}

function setupOf<T>(options: ExploreOptions<T>, { patienceMs }: Limits, { script }: Prepared): Setup<T> {
  const { always = {}, eventually = {}, sometimes = {} } = options;
  return { script, subject: (sim) => options.subject(sim), always, eventually, sometimes, patienceMs };
}
