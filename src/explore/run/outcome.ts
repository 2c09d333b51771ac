import { type Deviation, isOfWholeRun } from "../../core/engine/deviations.ts";
import { identityOf, type PropertyFailure } from "../../findings/property-failure.ts";
import type { ComparedRows } from "./compared.ts";
import type { ScenarioText } from "./files.ts";
import type { WorldRun } from "./world-run.ts";

/** A failure of a world, and the deviations that cause it. */
export interface CausedFailure extends PropertyFailure {
  readonly cause: readonly Deviation[];
  /** The key that groups failing worlds before they are shrunk. */
  readonly group: string;
}

/** The outcome of a world. Plain data, since it comes from other threads and is written into files. */
export interface WorldOutcome {
  /** The world's place in the order of all worlds, compared number by number. */
  readonly order: readonly number[];
  readonly deviations: readonly Deviation[];
  readonly failures: readonly CausedFailure[];
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** What ready-made properties compared. */
  readonly compared: readonly ComparedRows[];
  /** How many steps the simulator took. */
  readonly steps: number;
  /** The states and transitions of machines that the world reached. */
  readonly reached: readonly number[];
  /** How many requests the app received, plus how many it sent. */
  readonly requests: number;
  /** The URLs of requests without a route. */
  readonly unrouted: readonly string[];
  /** The real timers that the app had set while an answer waited for virtual time. */
  readonly realTimers: readonly string[];
  /** What else the report says of the app, a line each. */
  readonly notes: readonly string[];
  /** Whether the app was seen to work after it had answered a request. False if worlds may restart it, or where nobody looks. */
  readonly worksLater: boolean;
  /** Whether it went on after a restart. */
  readonly wentOn: boolean;
  /** Whether it is not the world that was planned, as the app did not ask again what it was to restart before. */
  readonly missesRestart?: boolean;
  /** How many worlds were left out since the previous one, because the app would have seen the same. */
  readonly equivalentWorlds: number;
  /** The scenario of a failing world, if it is not the one that is explored. */
  readonly scenario?: ScenarioText | undefined;
  /** The file of a corpus scenario that does not reach its deviations, and why. */
  readonly outdated?: string | undefined;
}

/** The place of the corpus, before all other worlds. */
export const CORPUS_ORDER = -1;

/** The place of stories, after all worlds of the scenario itself: those with the fewest acts first. */
export const STORY_ORDER = 1_000;

/** Whether a world is a story, in which people do other things than the scenario says. */
export function isOfStories({ order }: Pick<WorldOutcome, "order">): boolean {
  return (order[0] ?? 0) >= STORY_ORDER;
}

/** Whether a world is a scenario of the corpus. */
export function isOfCorpus({ order }: Pick<WorldOutcome, "order">): boolean {
  return order[0] === CORPUS_ORDER;
}

/** @param order the world's place among all worlds */
export function worldOutcome(
  order: readonly number[],
  deviations: readonly Deviation[],
  { held, compared, steps, reached, requests, unrouted, realTimers, notes, worksLater, wentOn }: WorldRun,
  equivalentWorlds: number,
  failures: readonly CausedFailure[],
): WorldOutcome {
  return {
    ...{ order, deviations, failures, held, compared, steps, reached, requests, unrouted, realTimers },
    ...{ equivalentWorlds, notes, worksLater, wentOn },
  };
}

/** What happens to a request, in words, by kinds of deviation that an app can hardly tell apart. */
const families: Readonly<Record<string, string>> = {
  lost: "not received",
  refused: "not received",
  rejected: "not received",
  unanswered: "received twice",
  duplicated: "received twice",
  late: "received late",
};

/** With these an app learns that a dependency has not done what it was asked. */
const failsAlike: ReadonlySet<string> = new Set(["refused", "outage", "503", "429"]);

/** The name of a deviation's family. Kinds that are like no other are a family of their own. */
function findFamily(deviation: Deviation): string {
  const { what, is } = deviation;
  if (what === "dependency") {
    const [name] = deviation.of.split(" ", 1);
    return `${name} ${failsAlike.has(is) ? "fails" : is}`;
  }
  if (isOfWholeRun(deviation)) return `${deviation.of}: ${is}`;
  if (what === "timer" || what === "answer") return `another ${what} first`;
  return families[is] ?? is;
}

/** A failure with its cause. @param own the deviations that the scenario has already */
export function withCause(
  failure: PropertyFailure,
  cause: readonly Deviation[],
  own: readonly Deviation[] = [],
): CausedFailure {
  const names = [...new Set([...own, ...cause].map(findFamily))].sort();
  const identity = identityOf(failure);
  const { property, message, error, difference, thrown } = failure;
  const group = names.length === 0 ? identity : `${identity} (${names.join(", ")})`;
  return { property, message, error, difference, thrown, cause, group };
}

/** Compares the places of two worlds. */
export function byOrder(
  { order: a }: Pick<WorldOutcome, "order">,
  { order: b }: Pick<WorldOutcome, "order">,
): number {
  const index = a.findIndex((each, at) => each !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
