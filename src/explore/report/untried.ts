import { isRestart } from "../../core/network/request-deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import type { Bound } from "../../findings/bound.ts";
import type { DeviationCount } from "../minimize/deviation-statistics.ts";
import { askForShow, type ForgedRequests } from "../run/forged-report.ts";
import { requirable } from "../search/options.ts";

/** Why something was not tried, or not wholly, with what to do; without what was tried. */
export type Untried = { readonly [What in (typeof requirable)[number]]?: string };

/** What tells what an exploration tried. */
interface Explored {
  readonly bound: Bound;
  readonly isServer: boolean;
  readonly tried: readonly DeviationCount[];
  /** Whether the app went on after a restart. */
  readonly wentOn: boolean;
  /** Whether it did not ask again, in some world, what it was to restart before. */
  readonly missesRestart: boolean;
  readonly forged: ForgedRequests | undefined;
  /** The option `forged`. */
  readonly forges: boolean | undefined;
  /** Whether this is the first of its shards, which alone forges requests. */
  readonly isFirst: boolean;
}

/** What an exploration or a shard did not try. */
export function untriedOf(explored: Explored): Untried {
  const [restarts, forged] = [restartsLack(explored), explored.isFirst ? forgedLack(explored) : undefined];
  return { ...(restarts === undefined ? {} : { restarts }), ...(forged === undefined ? {} : { forged }) };
}

/** What no shard tried: a restart that one of them has was tried, and only the first forges. */
export function mergeUntried(shards: readonly (Untried | undefined)[]): Untried {
  const [first] = shards.map((each) => each?.restarts);
  const partly = PARTLY.find((why) => shards.some((each) => each?.restarts === why));
  const areUntried = shards.every((each) => each?.restarts !== undefined);
  const forged = shards.find((each) => each?.forged !== undefined)?.forged;
  const restarts = partly ?? (areUntried ? first : undefined);
  return {
    ...(restarts === undefined ? {} : { restarts }),
    ...(forged === undefined ? {} : { forged }),
  };
}

const WENT_ON =
  "not all: callbacks of a database, a file or another service went on after a restart; await promises there, or name it by `sim.dependency`";

const MISSED =
  "not all: how often the app asks a file, service or database differs from run to run, so some of these were not reached";

/** Why not all were tried, the gravest first. */
const PARTLY = [WENT_ON, MISSED];

function restartsLack({ bound, isServer, tried, wentOn, missesRestart }: Explored): string | undefined {
  if (wentOn) return WENT_ON;
  if (missesRestart) return MISSED;
  if (tried.some(({ kind }) => isRestart(kind))) return undefined;
  if (!bound.restarts) return isServer ? "give `--restart <command>`" : "give `durable`";
  if (bound.atMost === 0) return "`deviations` is 0";
  if (bound.kinds !== undefined && ![...bound.kinds].some(isRestart)) return "`kinds` leaves them out";
  return "no world had one: the app got no request, or the exploration ended before";
}

function forgedLack({ forged, forges }: Explored): string | undefined {
  if (forges === false) return "`forged` is false";
  if (forged === undefined) return "no world was run";
  const { worlds, leftOut, isLookedAt, unclear } = forged;
  if (!isLookedAt) return "give `forged: true`: the app looks at no signature";
  // what to do about it is said elsewhere in a report
  const [why] = leftOut?.split(/;|, because/, 1) ?? [];
  if (worlds === 0) return why ?? "no webhook's request reached the app";
  if (why !== undefined) return `not all: ${why}`;
  if (unclear.length === 0) return undefined;
  return `${askForShow(forged.showFailure)}: ${counted(unclear.length, "forged request")} answered 2xx, and ${NOTHING_TELLS} ${unclear.length === 1 ? "it" : "them"}`;
}

/** What is required and was not tried, in words. */
export function unmetTexts(required: readonly (keyof Untried)[], untried: Untried): string[] {
  return required.flatMap((what) => {
    const why = untried[what];
    return why === undefined
      ? []
      : [`\`require\` names ${names[what]}, and they were ${notDone(why)}: ${why}`];
  });
}

/** ``not tried: restarts (give `durable`)``, and what was tried and not judged behind that. */
export function untriedTexts(untried: Untried): string[] {
  return notDoneTexts.flatMap((not) => {
    const found = requirable.flatMap((what) => {
      const why = untried[what];
      return why === undefined || notDone(why) !== not ? [] : [`${names[what]} (${why})`];
    });
    return found.length === 0 ? [] : [`${not}: ${found.join(", ")}`];
  });
}

const notDoneTexts = ["not tried", "not judged"] as const;

/** Forged requests that were answered 2xx were tried. */
const notDone = (why: string): (typeof notDoneTexts)[number] =>
  why.includes(NOTHING_TELLS) ? "not judged" : "not tried";

const NOTHING_TELLS = "nothing tells what came of";

const names: Readonly<Record<keyof Untried, string>> = { restarts: "restarts", forged: "forged requests" };
