import {
  type Deviation,
  type DeviationPicker,
  isOfWholeRun,
  type ReachedPoint,
} from "../core/engine/deviations.ts";
import { isoDuration } from "../core/foundation/instants.ts";
import { wordsOfAssumption } from "../core/platform/declare/assumption-words.ts";
import {
  type AssumptionName,
  type AssumptionsInput,
  usualAssumptions,
} from "../core/platform/declare/assumptions.ts";
import type { Bound } from "./bound.ts";

/**
 * Deviations that hold for a whole world: the platform behaves otherwise where its documentation is silent. Their
 * deviation points come first, and each other value costs one world.
 */

/** The kinds of such deviations. `unspecified` is one assumption with a kind of its own. */
const assumptionKinds = ["assumption", "unspecified"] as const;

/** The kind of deviation that an assumption belongs to. */
function kindOfAssumption(name: string): (typeof assumptionKinds)[number] {
  return name === "unspecified" ? name : "assumption";
}

/** The deviation points of the assumptions that a bound includes. @param base what every world already assumes */
export function assumptionPoints({ kinds: allowed }: Bound, base: AssumptionsInput): readonly ReachedPoint[] {
  if (allowed === undefined || !assumptionKinds.some((kind) => allowed.has(kind))) return [];
  return (Object.keys(usualAssumptions) as AssumptionName[])
    .filter((name) => allowed.has(kindOfAssumption(name)))
    .map((name) => {
      const { usual, others } = wordsOfAssumption(name);
      const current = valueText(base[name] ?? usual);
      return {
        point: { what: kindOfAssumption(name), at: 0, of: name, nth: 1 },
        options: [usual, ...others].filter((value) => value !== current).map((is) => ({ is })),
      };
    });
}

/** An assumption's value as users write it. A duration arrives as a number of ms. */
function valueText(value: unknown): unknown {
  if (typeof value !== "number") return value;
  return value === 0 ? "none" : isoDuration(value);
}

/**
 * Puts the deviation points of assumptions before those of a run. A world with ids of another form gets only these,
 * since other deviations name requests by id.
 */
export function withAssumptions(
  points: readonly ReachedPoint[],
  assumptions: readonly ReachedPoint[],
  deviations: readonly Deviation[],
): readonly ReachedPoint[] {
  if (assumptions.length === 0) return points;
  return deviations.some((each) => isOfWholeRun(each) && each.is === "ids")
    ? assumptions
    : [...assumptions, ...points];
}

/** Lets a picker decide on each assumption. */
export function pickAssumptions(assumptions: readonly ReachedPoint[], chooser: DeviationPicker): Deviation[] {
  return assumptions.flatMap(({ point: { to: _, ...place }, options }) => {
    const option = chooser(place, options);
    return option === undefined ? [] : [{ ...place, ...option }];
  });
}

/** Splits a world's deviations into its assumptions, its place in the calendar, and the others. */
export function splitAssumptions(deviations: readonly Deviation[]): {
  readonly assume: AssumptionsInput | undefined;
  readonly calendar: Deviation | undefined;
  readonly others: readonly Deviation[];
} {
  if (!deviations.some(isOfWholeRun)) return { assume: undefined, calendar: undefined, others: deviations };
  const assumed = deviations.filter(isAssumption);
  return {
    assume:
      assumed.length === 0 ? undefined : Object.fromEntries(assumed.map(({ of: name, is }) => [name, is])),
    calendar: deviations.find(({ what }) => what === "calendar"),
    others: deviations.filter((each) => !isOfWholeRun(each)),
  };
}

/** Whether a deviation is another value of an assumption. */
function isAssumption(deviation: Deviation): boolean {
  return isOfWholeRun(deviation) && deviation.what !== "calendar";
}

/** For each assumption that a failure depends on, what its usual value means, in plain words. */
export function usualMeanings(deviations: readonly Deviation[]): string[] {
  return deviations.filter(isAssumption).map(({ of: name }) => {
    const { usual, means } = wordsOfAssumption(name as AssumptionName);
    return withoutBackticks(means[usual]);
  });
}

/** What an assumption means, as a clause. */
export function assumptionClause({ of: name, is }: Deviation): string {
  return withoutBackticks(wordsOfAssumption(name as AssumptionName).means[is]);
}

function withoutBackticks(words = ""): string {
  return words.replaceAll("`", "");
}
