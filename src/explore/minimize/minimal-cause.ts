import type { Deviation } from "../../core/engine/deviations.ts";
import { ScenarioError } from "../../core/scenario/scenario.ts";
import { identityOf, type PropertyFailure } from "../../findings/property-failure.ts";
import { type CausedFailure, withCause } from "../run/outcome.ts";
import type { WorldRun } from "../run/world-run.ts";

/** The identities of a world's failures. */
export type Identities = readonly string[];

/** Up to this many deviations, runs every subset. Of more, leaves out one after the other. */
const MAX_FOR_ALL_SUBSETS = 4;

/**
 * Finds the deviations of a world that cause a failure: some with which the world fails, and without any one of which it
 * does not. Finds the fewest; of as many, the first.
 * @param deviations those of a world that fails
 * @param fails whether a world with some of them fails in the same way
 */
export async function minimalCause(
  deviations: readonly Deviation[],
  fails: (some: readonly Deviation[]) => Promise<boolean>,
): Promise<readonly Deviation[]> {
  if (deviations.length > MAX_FOR_ALL_SUBSETS) return removeOneByOne(deviations, fails);
  for (let size = 0; size < deviations.length; size++)
    for (const some of listSubsets(deviations, size)) if (await fails(some)) return some;
  return deviations;
}

/** Leaves out one deviation after the other, as long as the world fails. */
async function removeOneByOne(
  deviations: readonly Deviation[],
  fails: (some: readonly Deviation[]) => Promise<boolean>,
): Promise<readonly Deviation[]> {
  if (await fails([])) return [];
  let best = deviations;
  for (let before: readonly Deviation[] | undefined; before !== best; ) {
    before = best;
    for (let index = best.length - 1; index >= 0; index--) {
      const fewer = best.filter((_, each) => each !== index);
      if (fewer.length > 0 && (await fails(fewer))) best = fewer;
    }
  }
  return best;
}

/** All parts of a list with so many items, in order. */
export function listSubsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((first, index) =>
    listSubsets(list.slice(index + 1), size - 1).map((rest) => [first, ...rest]),
  );
}

/** How many worlds are remembered. */
const MAX_REMEMBERED = 20_000;

/** Remembers the failures of worlds, to find causes in worlds with more deviations. */
export class FailureMemory {
  /** By the numbers of their deviations: the texts of these took 33 MB for 20,000 worlds. */
  private readonly known = new Map<string, Identities>();
  private readonly numbers = new Map<string, number>();
  private readonly numberOf = new WeakMap<Deviation, number>();

  /** @param run runs a world of the same scenario */
  constructor(private readonly run: (deviations: readonly Deviation[]) => Promise<WorldRun>) {}

  /** Remembers how a world failed. */
  note(deviations: readonly Deviation[], failures: readonly PropertyFailure[]): void {
    if (this.known.size < MAX_REMEMBERED)
      this.known.set(this.nameOf(deviations), failures.length === 0 ? noFailures : failures.map(identityOf));
  }

  /** Identifies a world among all of its scenario. */
  private nameOf(deviations: readonly Deviation[]): string {
    return deviations.map((each) => this.numbered(each)).join();
  }

  private numbered(deviation: Deviation): number {
    const before = this.numberOf.get(deviation);
    if (before !== undefined) return before;
    const key = makeCauseKey([deviation]);
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    this.numberOf.set(deviation, number);
    return number;
  }

  /** The deviations that cause a failure in a world. */
  private findCause(
    failure: PropertyFailure,
    deviations: readonly Deviation[],
  ): Promise<readonly Deviation[]> {
    const identity = identityOf(failure);
    return minimalCause(deviations, async (some) => (await this.brokenIn(some)).includes(identity));
  }

  /** The same for each failure of a world. @param own the deviations of the scenario itself */
  async findCauses(
    failures: readonly PropertyFailure[],
    deviations: readonly Deviation[],
    own: readonly Deviation[],
  ): Promise<CausedFailure[]> {
    const found: CausedFailure[] = [];
    for (const broken of failures)
      found.push(withCause(broken, await this.findCause(broken, deviations), own));
    return found;
  }

  private async brokenIn(deviations: readonly Deviation[]): Promise<Identities> {
    const known = this.known.get(this.nameOf(deviations));
    if (known !== undefined) return known;
    const found = await this.failuresIn(deviations);
    this.note(deviations, found);
    return found.map(identityOf);
  }

  private async failuresIn(deviations: readonly Deviation[]): Promise<readonly PropertyFailure[]> {
    try {
      const { failures, unmet } = await this.run(deviations);
      // a deviation that is not reached alone does not cause anything alone
      return unmet.length > 0 ? [] : failures;
    } catch (error) {
      if (error instanceof ScenarioError) return []; // its steps can only be played with the others
      throw error;
    }
  }
}

const noFailures: Identities = [];

/** Identifies a world among all of its scenario. */
export function makeCauseKey(deviations: readonly Deviation[]): string {
  let key = "";
  for (const { what, at, of, webhook, number, nth, is, after, by } of deviations)
    key += `${what} ${at} ${of} ${webhook} ${number ?? 1} ${nth ?? 1} ${is} ${after} ${by}\n`;
  return key;
}
