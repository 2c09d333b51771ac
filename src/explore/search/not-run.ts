import type { Deviation } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { deviationText } from "../../core/scenario/deviations.ts";
import { isDefect } from "../../findings/property-failure.ts";
import { makeCauseKey } from "../minimize/minimal-cause.ts";
import type { WorldRun } from "../run/world-run.ts";

/** Worlds that were planned and did not run, though no limit ended the exploration. */
export interface NotRun {
  /** Why not, as a sentence. */
  readonly why: string;
  /** Whether it shows that two runs of one world differ. */
  readonly isUnsteady: boolean;
}

/** The first of the planned deviations that a world does not reach, though another run of it did. What follows may miss it. */
export function missedDeviation(
  deviations: readonly Deviation[],
  { unmet, failures }: WorldRun,
): Deviation | undefined {
  if (unmet.length === 0) return undefined;
  const planned = deviations.map((each) => makeCauseKey([each]));
  const missed = unmet.find((each) => planned.includes(makeCauseKey([each])));
  if (missed === undefined || failures.some(({ property }) => isDefect(property))) return undefined;
  return missed;
}

/** Why a world is not the one that was planned. */
export function missedDeviationText(missed: Deviation): string {
  return `a world does not reach ${deviationText(missed)}, which another run of it did`;
}

/** Says in a line that worlds did not run; undefined if all did. */
export function notRunText(notRun: readonly Pick<NotRun, "why">[]): string | undefined {
  if (notRun.length === 0) return undefined;
  return `at least ${counted(notRun.length, "planned world")} did not run`;
}
