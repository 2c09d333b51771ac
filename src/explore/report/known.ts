import { nameOfProperty } from "../../findings/property-failure.ts";
import { mergeFailures } from "./merge-failures.ts";
import type { ExploreFailure, KnownFailure } from "./report.ts";
import { namedWorld } from "./reproduce.ts";

/**
 * Puts the failures apart that are marked as known.
 * @param marks properties and the reasons why they fail
 */
export function withoutKnown(
  failures: readonly ExploreFailure[],
  marks: Readonly<Record<string, string>> = {},
): { readonly known: readonly KnownFailure[]; readonly unknown: readonly ExploreFailure[] } {
  // one defect may be marked by its former name too: the later mark counts
  const reasons = new Map(Object.entries(marks).map(([name, reason]) => [nameOfProperty(name), reason]));
  const known = [...reasons].map(([property, reason]) => ({
    property,
    reason,
    failures: failures.filter((failure) => failure.property === property),
  }));
  const names = new Set(known.map(({ property }) => property));
  return {
    // a world that is played alone shows only what fails in it
    known: namedWorld() === undefined ? known : known.filter((each) => each.failures.length > 0),
    unknown: failures.filter(({ property }) => !names.has(property)),
  };
}

/** Merges the known failures of shards, which all have the same marks. */
export function mergeKnown(shards: readonly (readonly KnownFailure[])[]): KnownFailure[] {
  const [first = []] = shards;
  const all = shards.flat();
  return first.map(({ property, reason }) => ({
    property,
    reason,
    failures: mergeFailures(
      all.filter((each) => each.property === property).flatMap(({ failures }) => failures),
    ),
  }));
}
