import { byOrder } from "../run/outcome.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { ExploreFailure } from "./report.ts";

/**
 * Merges failures of the same group, of which the first world in the order of all is kept, and then failures of one
 * property with the same smallest scenario. The deviations of those that are merged are listed in `also`.
 */
export function mergeFailures(failures: readonly ExploreFailure[]): ExploreFailure[] {
  const groups = new Map<string, ExploreFailure>();
  for (const failure of failures.toSorted(byOrder)) {
    const first = groups.get(failure.fingerprint);
    groups.set(failure.fingerprint, first === undefined ? failure : mergeTwo(first, failure, failure.also));
  }
  const merged = new Map<string, ExploreFailure>();
  for (const failure of groups.values()) {
    const key = mergeKey(failure);
    const first = merged.get(key);
    const also = [failure.smallest.deviations, ...failure.also];
    merged.set(key, first === undefined ? failure : mergeTwo(first, failure, also));
  }
  return [...merged.values()];
}

function mergeTwo(
  first: ExploreFailure,
  { worlds }: ExploreFailure,
  also: ExploreFailure["also"],
): ExploreFailure {
  const known = new Set([first.smallest.deviations, ...first.also].map((each) => JSON.stringify(each)));
  const more = also.filter((each) => !known.has(JSON.stringify(each)));
  return { ...first, worlds: first.worlds + worlds, also: [...first.also, ...more] };
}

/** Equal for failures that are one: the identity, and the scenario without its deviations. */
function mergeKey({ identity, fingerprint, smallest }: ExploreFailure): string {
  if (smallest.scenario === undefined) return fingerprint;
  return `${identity}\n${EditableScenario.of(smallest.scenario).withoutHeading().text}`;
}
