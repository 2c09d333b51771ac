import {
  type DeviationPoint,
  type DeviationPointKind,
  isOfWholeRun,
  type PossibleDeviation,
} from "../core/engine/deviations.ts";
import { isRestart, namedDeviations } from "../core/network/request-deviations.ts";

/** The bound of an exploration. */
export interface Bound {
  /** How many deviations a world may have at most. */
  readonly atMost: number;
  /** The kinds of deviations; undefined for all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** The starts of URLs whose requests may deviate; undefined for all. */
  readonly on: readonly string[] | undefined;
  /** Whether the app can restart. */
  readonly restarts: boolean;
}

/** Whether a bound contains a deviation. */
export function isWithinBound(
  { kinds, on, restarts }: Bound,
  { to, what }: DeviationPoint,
  option: PossibleDeviation,
): boolean {
  if (on !== undefined && to !== undefined && !on.some((prefix) => to.startsWith(prefix))) return false;
  const kind = findBoundKind(what, option);
  if (isRestart(kind) && !restarts) return false;
  // of what a webhook's request may meet, an outage is explored only if it is named
  if (what === "dependency" && kinds === undefined) return true;
  return kinds === undefined ? !namedDeviations.has(option.is) || isRestart(kind) : kinds.has(kind);
}

/** The name of a deviation's kind in the option `kinds`. */
export function findBoundKind(what: DeviationPointKind, { is }: PossibleDeviation): string {
  if (what === "timer") return "timers";
  if (isOfWholeRun({ what }) || what === "caller") return what;
  return what === "answer" ? "answers" : is;
}
