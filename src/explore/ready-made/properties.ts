import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { WorldError } from "../../findings/property-failure.ts";
import type { Check, SometimesCheck } from "../run/integration.ts";

/** Ready-made properties, to be spread into the options of `explore`. */
export interface ReadyProperties<T> {
  /** What must hold once everything is quiet. */
  readonly eventually: Readonly<Record<string, Check<T>>>;
  /** At least one world must have what the properties are about, or they would hold without being tested. */
  readonly sometimes: Readonly<Record<string, SometimesCheck<T>>>;
}

/**
 * The calls by which apps are judged. Left out are blocked calls, which never rang, and calls of withheld numbers, which
 * an app may leave out.
 */
export function judgedCalls(sim: Simulator): PublicCallRecord[] {
  return sim.calls
    .list()
    .map(({ record }) => record)
    .filter(({ contactNumber, status }) => contactNumber !== null && status !== "blocked");
}

/** The calls that an app need not know, but may. */
export function otherCalls(sim: Simulator): Set<string> {
  const judged = new Set(judgedCalls(sim).map(({ id }) => id));
  return new Set(
    sim.calls
      .list()
      .map(({ id }) => id)
      .filter((id) => !judged.has(id)),
  );
}

/** Compares two lists in any order, with repeats. @throws {WorldError} saying what is too much, and what is missing */
export function mustBeSame(property: string, shown: readonly string[], expected: readonly string[]): void {
  const tooMuch = without(shown, expected);
  const missing = without(expected, shown);
  if (tooMuch.length + missing.length === 0) return;
  const parts = [
    ...(missing.length > 0 ? [`${missing.join(", ")} missing`] : []),
    ...(tooMuch.length > 0 ? [`${tooMuch.join(", ")} too much`] : []),
  ];
  throw new WorldError(property, parts.join("; "));
}

/** The items of the first list without those of the second, each of which takes one away. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...some];
  return all.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
