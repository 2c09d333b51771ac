import { usualMeanings } from "../../findings/assumptions.ts";
import { identityOf, type PropertyFailure } from "../../findings/property-failure.ts";
import type { MinimizedWorld } from "../minimize/shrink.ts";
import type { Forgery } from "../run/forgery.ts";
import type { ExploreFailure } from "./report.ts";

/** Failing worlds that have the same cause. */
interface FailingWorlds {
  readonly group: string;
  /** The place of the first. */
  readonly order: readonly number[];
  readonly worlds: number;
}

/** A failure as the report has it. What depends on the corpus and on files is added later. */
export function exploreFailure(
  { group, order, worlds }: FailingWorlds,
  smallest: MinimizedWorld,
): ExploreFailure {
  const { failure, text, deviations, journal, isMinimal, nearest, received, runs } = smallest;
  return {
    // the property of the failure, unless its world passed when it was run again
    property: failure.property,
    message: failure.message,
    difference: failure.difference,
    thrown: failure.thrown,
    identity: identityOf(failure),
    fingerprint: group,
    worlds,
    order,
    smallest: { scenario: text, deviations, journal, isMinimal, runs, received },
    ...{ found: smallest.found, story: smallest.story, nearest },
    forged: [],
    dependsOn: usualMeanings(deviations),
    also: [],
    kept: undefined,
    files: undefined,
    replay: "",
  };
}

/** The place of failures by forged requests, after all worlds. */
const FORGED_ORDER = Number.MAX_SAFE_INTEGER;

/** A failure by forged requests. @param forgeries those that bring it about */
export function forgedFailure(
  failure: PropertyFailure,
  forgeries: readonly Forgery[],
  smallest: MinimizedWorld,
): ExploreFailure {
  const group = `${identityOf(failure)} (forged)`;
  const found = exploreFailure({ group, order: [FORGED_ORDER], worlds: forgeries.length }, smallest);
  return { ...found, forged: forgeries };
}
