import type { Deviation } from "../../core/engine/deviations.ts";
import { InputError } from "../../core/foundation/errors.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import type { Received } from "../../findings/explain.ts";
import {
  appDefects,
  isDefect,
  type PropertyFailure,
  unsteadyFailure,
} from "../../findings/property-failure.ts";
import { receivedOf } from "../minimize/explanation.ts";
import { behaviourDifference } from "../run/behaviour.ts";
import type { Prepared } from "../run/prepare.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";
import type { WorldPlayer } from "./world-player.ts";

/** The run of one world. */
export interface PlayedRun {
  readonly failures: readonly PropertyFailure[];
  readonly journal: JournalDocument;
  readonly received: readonly Received[];
}

/** Runs the world without deviations for a report. */
export async function playPlain(
  player: WorldPlayer,
  prepared: Prepared,
): Promise<{ readonly journal: JournalDocument; readonly received: readonly Received[] }> {
  const run = await player.play(prepared, [], { journal: true, trace: true });
  if (run.journal === undefined) throw new Error("a world was asked for its journal, and has none");
  return { journal: run.journal, received: receivedOf(run.trace) };
}

/**
 * Runs the scenario with deviations, and keeps its journal and what the app received.
 * @throws {InputError} if the run does not reach a deviation
 */
export async function playOnce(
  player: WorldPlayer,
  prepared: Prepared,
  deviations: readonly Deviation[],
): Promise<PlayedRun> {
  const { failures, journal, received } = await played(player, prepared, deviations);
  return { failures, journal, received };
}

/** Runs the scenario without further deviations, and once more: if the second run differs, that is a failure. */
export async function playTwice(player: WorldPlayer, prepared: Prepared): Promise<PlayedRun> {
  const { failures, journal, received, run } = await played(player, prepared, []);
  if (failures.length > 0) return { failures, journal, received };
  const difference = await differenceFrom(player, prepared, run, { trace: true, behaviour: true });
  const unsteady = difference === undefined ? [] : [unsteadyFailure([difference], player.runsAs)];
  return { failures: unsteady, journal, received };
}

async function played(
  player: WorldPlayer,
  prepared: Prepared,
  deviations: readonly Deviation[],
): Promise<PlayedRun & { readonly run: WorldRun }> {
  const run = await player.playReached(prepared, deviations, { journal: true, trace: true, behaviour: true });
  const { failures, journal, trace, unmet } = run;
  if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
  if (unmet.length > 0 && failures.length === 0)
    throw new InputError(["deviations"], await player.whyUnmet(prepared, run));
  return { failures, journal, received: receivedOf(trace), run };
}

/**
 * Runs the world without deviations once more. Where that differs and the app draws by chance, each of the two is run again
 * with its own draws: what is the same then was chance.
 * @returns what differs from the first run, as a sentence; undefined if nothing does but by chance
 */
export async function differenceFrom(
  player: WorldPlayer,
  prepared: Prepared,
  first: WorldRun,
  request: ExecutionRequest,
): Promise<string | undefined> {
  const run = (draws: WorldRun["drawn"]) => player.play(prepared, [], { ...request, draws });
  const later = await run([]);
  const difference = differenceOfRuns(first, later);
  if (difference === undefined || first.drawn.length + later.drawn.length === 0) return difference;
  const withoutChance = differenceOfRuns(first, await run(first.drawn));
  if (withoutChance !== undefined) return withoutChance;
  return differenceOfRuns(later, await run(later.drawn)) === undefined ? undefined : difference;
}

/** Whether a defect would take its time again, or end another thread. */
export function takesLong(property: string): boolean {
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
