import { InputError } from "../../core/foundation/errors.ts";
import { isOwnReader } from "../../core/platform/phonebooks/own-reader.ts";
import { type ExploredApp, readApp } from "../run/explored-app.ts";
import { FreeCores } from "../sandbox/free-cores.ts";
import { Supervision } from "../sandbox/supervision.ts";
import { mayStartThreads } from "../sandbox/watchdog.ts";
import type { Budget } from "../search/budget.ts";
import { RemainingTimeEstimate } from "../search/estimate.ts";
import { isOfModule } from "../search/limits.ts";
import type { ExplorationOptions } from "../search/read-options.ts";
import { WorldRunner } from "../search/runner.ts";
import type { Part } from "../search/task.ts";
import { sideBySide } from "./side-by-side.ts";
import { startThreads, thisThread, type Workers } from "./worker-pool.ts";

/**
 * The processor time that a new thread loses until V8 has compiled the code again, ms. So two threads pay for what takes one
 * thread ten seconds, and four for what takes it seven.
 */
const THREAD_COST_MS = 5_000;

/** Decides who runs the parts of an exploration: this thread, several threads, or several instances of a server. */
export class Staffing {
  readonly estimate = new RemainingTimeEstimate();
  /** Those that run parts now. */
  workers: Workers;
  /**
   * Starts threads on free cores, if they pay for so much processor time of this thread, ms. Undefined if none may be
   * started, or they run already.
   */
  private startThreads: ((ownMs: number) => Workers | undefined) | undefined;

  constructor(
    private readonly given: ExplorationOptions,
    private readonly explored: ExploredApp<unknown>,
    private readonly supervision: Supervision,
    private readonly runner: WorldRunner,
  ) {
    this.workers = thisThread(runner);
  }

  /** Whether threads may still be started. */
  get mayGrow(): boolean {
    return this.startThreads !== undefined;
  }

  /** Chooses who begins, once the runner knows the parts. @throws {InputError} for options that no thread can get */
  begin(): void {
    const { options } = this.given;
    if (isOfModule(options)) this.prepareThreads(options.with);
    else this.workers = this.staffInstances(readApp(options));
  }

  private prepareThreads(module: string): void {
    const { given, runner } = this;
    const { workers, bound, seeds, clock, horizonMs, patienceMs, steps } = given.limits;
    if (workers === 1 || !this.supervision.isLoaded || !mayStartThreads) return;
    const scenario = given.prepared.source;
    if (scenario === undefined)
      throw new InputError(["workers"], "expected a scenario: a function cannot be passed to another thread");
    const { phoneNumbers, dialect } = given.prepared.given;
    // its functions cannot be passed to another thread, and the report is the same without
    if (dialect !== undefined) return;
    const readsNumbers = phoneNumbers !== undefined;
    if (readsNumbers && !(isOwnReader in phoneNumbers))
      throw new InputError(
        ["workers"],
        "expected `phoneNumbers` to be readPhoneNumber of ringback/phone-numbers: another function cannot be passed to another thread",
      );
    const data = {
      ...{ module, scenario, corpus: given.corpus, readsNumbers },
      ...{ bound, seeds, clock, horizonMs, patienceMs, steps },
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
  }

  /**
   * Goes on in threads if that takes less time: each loads everything again, and needs a free core.
   * @param parts those that are left
   */
  growIfItPays(parts: readonly Part[], budget: Budget): void {
    if (this.startThreads === undefined) return;
    const { worlds, leftMs } = budget.left;
    const ownMs = this.estimate.msFor(Math.min(worlds, this.estimate.worldsIn(parts)));
    const threads = ownMs === undefined ? undefined : this.startThreads(Math.min(ownMs, leftMs));
    if (threads === undefined) return;
    this.workers = threads;
    this.startThreads = undefined;
  }

  /** Runs worlds side by side if the app is a server with several instances. */
  private staffInstances(app: object): Workers {
    const { runner, explored } = this;
    const instances = "instances" in app ? Number(app.instances) : 1;
    if (instances === 1) return thisThread(runner);
    const { prepared, corpus, limits } = this.given;
    const { bound, seeds, clock, horizonMs } = limits;
    const others = Array.from(
      { length: instances - 1 },
      () => new Supervision(limits, this.supervision.group),
    );
    const task = { prepared, corpus, bound, seeds, clock, horizonMs, shardContents: runner.shardContents };
    const runners = others.map((each) => new WorldRunner(explored, task, each));
    for (const each of others) each.start();
    return sideBySide([runner, ...runners], () => {
      for (const each of others) each.end();
    });
  }
}
