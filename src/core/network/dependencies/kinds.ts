import type { PossibleDeviation } from "../../engine/deviations.ts";
import type { Call } from "./call.ts";

/** The kinds of deviations of a call to a dependency, in the order in which they are explored. */
export const dependencyDeviations = [
  "refused",
  "outage",
  "unanswered",
  "slow",
  "503",
  "429",
  "restarted",
  "restartedAfter",
] as const;

/** How long a dependency is down, ms. */
export const OUTAGE_MS = 60_000;
/** How late a slow answer comes, ms: after anything that happens within a second, or after a webhook's request was given up. */
const SLOW_MS = 1_000;
export const VERY_SLOW_MS = 10_000;

const refusals: readonly PossibleDeviation[] = [{ is: "refused" }, { is: "outage", after: OUTAGE_MS }];
const answerLost: PossibleDeviation = { is: "unanswered" };
const slow: readonly PossibleDeviation[] = [
  { is: "slow", after: SLOW_MS },
  { is: "slow", after: VERY_SLOW_MS },
];
const restarted: PossibleDeviation = { is: "restarted" };
const restartedAfter: PossibleDeviation = { is: "restartedAfter" };

/** What may happen once it is known that a call returns a promise. */
const late: ReadonlySet<string> = new Set(["unanswered", "slow", "restartedAfter"]);

const restarts: ReadonlySet<string> = new Set(["restarted", "restartedAfter"]);

/** What must be known of a call's surroundings. */
interface Place {
  /** Whether time can pass until a slow answer comes. */
  readonly mayBeSlow: boolean;
  /** Whether the app can be restarted at its calls. */
  readonly mayRestart: boolean;
  /** The statuses that the dependency's client can answer or throw. */
  readonly statuses: readonly ("503" | "429")[];
}

/** What may happen at a call. The answer to what changes nothing may as well not come, so it is not lost. */
export function optionsAt(call: Call, place: Place): readonly PossibleDeviation[] {
  const ofAnswer = call.isSync ? [] : answerOptions(call, place);
  const all = [...refusals, ...ofAnswer, restarted, ...(call.isRead ? [] : [restartedAfter])];
  return place.mayRestart ? all : all.filter(({ is }) => !restarts.has(is));
}

function answerOptions({ isRead }: Call, { mayBeSlow, statuses }: Place): readonly PossibleDeviation[] {
  return [...(isRead ? [] : [answerLost]), ...(mayBeSlow ? slow : []), ...statuses.map((is) => ({ is }))];
}

/** Those of the options that can be chosen when the call was already made. */
export function optionsAfterwards(options: readonly PossibleDeviation[]): readonly PossibleDeviation[] {
  return options.filter(({ is }) => late.has(is));
}
