import type { Deviation } from "../engine/choices.ts";
import { type Broken, fingerprintOf } from "./failure.ts";
import type { ScenarioText } from "./files.ts";
import type { WorldRun } from "./world.ts";

/** A broken property, and how failures like it are grouped. */
export interface BrokenAlike extends Broken {
  readonly fingerprint: string;
}

/** What a world came to, as plain data: it comes from other threads, and goes into files. */
export interface Outcome {
  /** Where the world stands in the order of all worlds: compared number by number. */
  readonly order: readonly number[];
  readonly deviations: readonly Deviation[];
  readonly broken: BrokenAlike | undefined;
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** How many steps the simulator took. */
  readonly steps: number;
  /** The states and transitions of machines that it reached. */
  readonly reached: readonly number[];
  /** How many requests came to the subject, and how many of its own were answered. */
  readonly requests: number;
  /** The addresses of requests that nobody had a route for. */
  readonly unrouted: readonly string[];
  /** How many worlds were left out since the one before, because the subject would have seen the same. */
  readonly alike: number;
  /** The scenario of a world that breaks something, where it is not the one that is explored. */
  readonly scenario?: ScenarioText | undefined;
  /** The file of a scenario of the corpus that does not come to its deviations, and why. */
  readonly outdated?: string | undefined;
}

/** The worlds of the corpus come before all others. */
export const CORPUS_ORDER = -1;

/** Whether a world is a scenario of the corpus. */
export function isOfCorpus({ order }: Pick<Outcome, "order">): boolean {
  return order[0] === CORPUS_ORDER;
}

/** @param order where the world stands among all */
export function outcomeOf(
  order: readonly number[],
  deviations: readonly Deviation[],
  { broken, held, steps, reached, requests, unrouted }: WorldRun,
  alike: number,
): Outcome {
  const alikeness = broken && { ...broken, fingerprint: fingerprintOf(broken) };
  return { order, deviations, broken: alikeness, held, steps, reached, requests, unrouted, alike };
}

/** Compares two places in the order of worlds. */
export function byOrder({ order: a }: Pick<Outcome, "order">, { order: b }: Pick<Outcome, "order">): number {
  const index = a.findIndex((each, at) => each !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
