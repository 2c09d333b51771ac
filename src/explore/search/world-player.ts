import {
  type Deviation,
  isOfWholeRun,
  type PossibleDeviation,
  type ReachedPoint,
} from "../../core/engine/deviations.ts";
import { InputError } from "../../core/foundation/errors.ts";
import { isRestart } from "../../core/network/request-deviations.ts";
import { pointText } from "../../core/scenario/deviations.ts";
import { assumptionPoints, withAssumptions } from "../../findings/assumptions.ts";
import type { Bound } from "../../findings/bound.ts";
import { calendarPoints } from "../../findings/calendar.ts";
import type { RunsAs } from "../../findings/property-failure.ts";
import { makeCauseKey } from "../minimize/minimal-cause.ts";
import { WorldExecution } from "../run/execution.ts";
import { type ExploredApp, readRunsAs } from "../run/explored-app.ts";
import type { Prepared } from "../run/prepare.ts";
import type { RecordedRun } from "../run/recorded-run.ts";
import type { WorldSetup } from "../run/world.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import type { Supervision } from "../sandbox/supervision.ts";
import { withOutages } from "./outages.ts";
import type { Task } from "./task.ts";

/** Plays single worlds of a task, so that none can end or stop the process. */
export class WorldPlayer {
  /** The first run of the world without deviations. */
  plain: WorldRun | undefined;
  /** The setup of the previous world. Most worlds share it. */
  private setup: WorldSetup<unknown> | undefined;
  /** Set once what shows the app's state did not return. */
  leavesOutStates: boolean;

  constructor(
    readonly explored: ExploredApp<unknown>,
    private readonly task: Task,
    readonly supervision: Supervision,
  ) {
    this.leavesOutStates = task.leavesOutStates === true;
  }

  get runsAs(): RunsAs {
    return readRunsAs(this.explored);
  }

  /** Plays a world. @throws {InputError} if the run does not reach one of the scenario's own deviations */
  async playReached(
    prepared: Prepared,
    deviations: readonly Deviation[],
    request: ExecutionRequest,
  ): Promise<WorldRun> {
    const run = await this.play(prepared, deviations, request);
    if (deviations.length > 0 || run.unmet.length === 0 || run.failures.length > 0) return run;
    throw new InputError(["scenario", "deviations"], await this.whyUnmet(prepared, run));
  }

  /** Says which of the scenario's deviations the run does not reach, and which deviation points there are. */
  async whyUnmet(prepared: Prepared, { unmet }: WorldRun): Promise<string> {
    const { nameOf } = prepared.recordedRun;
    const { points } = await this.play(prepared, [], { points: true, unjudged: true });
    const { restarts } = this.task.bound;
    const isAboutCallers = unmet.some(({ what }) => what === "caller");
    const listOptions = (options: readonly PossibleDeviation[]) =>
      [...new Set(options.map(({ is }) => is).filter((is) => restarts || !isRestart(is)))].join(" | ");
    const places = points
      .filter(({ point }) => !isOfWholeRun(point) && (point.what !== "caller" || isAboutCallers))
      .map(({ point, options }) => `${pointText(point, nameOf)}, is: ${listOptions(options)}`);
    const known = places.length === 0 ? "there were none" : `there were: ${places.join("; ")}`;
    const missed = unmet.map((each) => `${pointText(each, nameOf)}, is: ${each.is}`).join("; ");
    return `the run does not reach this: ${missed}; ${known}`;
  }

  /** Plays a world. */
  async play(
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
      return `${source?.text}\n${makeCauseKey(deviations)}${how}`;
    };
    await this.explored.isBack?.();
    await recordedRun.loadRest();
    const run = await this.supervision.run(
      name,
      ({ patience, steps }) => {
        let { setup } = this;
        if (setup?.recordedRun !== recordedRun || setup.patience !== patience || setup.steps !== steps) {
          // a server that ran before has its own clock
          const { isBack, hasWorldTime } = this.explored;
          const clock = isBack === undefined || hasWorldTime === true ? this.task.clock : "real";
          const { leavesOutStates } = this;
          const { horizonMs } = this.task;
          setup = { ...this.explored, recordedRun, patience, steps, clock, horizonMs, leavesOutStates };
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
export function wholeRunPoints(bound: Bound, { calendar, assumes }: RecordedRun): readonly ReachedPoint[] {
  return [...calendarPoints(bound, calendar), ...assumptionPoints(bound, assumes)];
}
