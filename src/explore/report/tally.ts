import type { PropertyFailure } from "../../findings/property-failure.ts";
import { CoverageCount } from "../../stories/coverage.ts";
import { DeviationCounter } from "../minimize/deviation-statistics.ts";
import { ComparisonCollector } from "../run/compared.ts";
import { type CausedFailure, isOfCorpus, type WorldOutcome } from "../run/outcome.ts";
import { LONGEST, longestWorlds } from "./longest-worlds.ts";
import type { ExploreResult, LongWorld } from "./report.ts";
import { Unsteadiness } from "./unsteadiness.ts";

/** Failing worlds that may have the same cause, and the first of them, which has the fewest deviations. */
export interface FailureGroup {
  readonly failure: CausedFailure;
  readonly first: WorldOutcome;
  worlds: number;
}

/** What the outcomes of worlds come to, for the report. */
export class Tally {
  private readonly groups = new Map<string, FailureGroup>();
  /** In how many worlds each property of `sometimes` held. Those of the corpus do not count as worlds. */
  private readonly heldProperties = new Map<string, number>();
  private readonly comparisons = new ComparisonCollector();
  private readonly deviations = new DeviationCounter();
  private readonly coverageCount = new CoverageCount();
  private readonly outdated: string[] = [];
  private longest: LongWorld[] = [];
  private requests = 0;
  private readonly unrouted = new Set<string>();
  private readonly realTimers = new Set<string>();
  private readonly notes = new Set<string>();
  /** How many worlds were left out, because the app would have seen the same. */
  equivalentWorlds = 0;
  /** Whether the app was seen to work after it had answered. */
  worksLater = false;
  /** Whether it went on after a restart. */
  wentOn = false;
  /** Whether it did not ask again, in some world, what it was to restart before. */
  missesRestart = false;

  /** Takes an outcome. @returns the failures that show that runs of one world differ, which are counted nowhere */
  add(outcome: WorldOutcome): readonly PropertyFailure[] {
    if (!isOfCorpus(outcome)) {
      this.deviations.add(outcome);
      this.noteLength(outcome);
      this.coverageCount.add(outcome.reached);
    }
    const { equivalentWorlds, failures, held, outdated, requests, unrouted, realTimers, notes } = outcome;
    this.equivalentWorlds += equivalentWorlds;
    this.requests += requests;
    for (const each of outcome.compared) this.comparisons.merge(each);
    for (const address of unrouted) this.unrouted.add(address);
    for (const timer of realTimers) this.realTimers.add(timer);
    for (const note of notes) this.notes.add(note);
    this.worksLater ||= outcome.worksLater;
    this.wentOn ||= outcome.wentOn;
    this.missesRestart ||= outcome.missesRestart === true;
    for (const name of held)
      this.heldProperties.set(name, (this.heldProperties.get(name) ?? 0) + (isOfCorpus(outcome) ? 0 : 1));
    if (outdated !== undefined) this.outdated.push(outdated);
    for (const failure of failures) if (!Unsteadiness.isShownBy(failure)) this.addFailure(failure, outcome);
    return failures.filter(Unsteadiness.isShownBy);
  }

  private addFailure(failure: CausedFailure, outcome: WorldOutcome): void {
    const group = this.groups.get(failure.group);
    if (group === undefined) this.groups.set(failure.group, { failure, first: outcome, worlds: 1 });
    else group.worlds++;
  }

  private noteLength({ order, deviations, steps }: WorldOutcome): void {
    if (this.longest.length === LONGEST && steps <= (this.longest.at(-1)?.steps ?? 0)) return;
    this.longest = longestWorlds([...this.longest, { order, deviations, steps }]);
  }

  /** The failures by what may be their cause, in the order in which they were found. */
  get failureGroups(): readonly FailureGroup[] {
    return [...this.groups.values()];
  }

  /** The deviations that were tried, by kind. */
  get tried(): ExploreResult["tried"] {
    return this.deviations.counts.tried;
  }

  /** What the report says of the worlds. @param sometimes the names of the properties that must hold once */
  figures(sometimes: readonly string[]) {
    return {
      alike: this.equivalentWorlds,
      held: sometimes.map((property) => ({ property, worlds: this.heldProperties.get(property) ?? 0 })),
      neverHeld: sometimes.filter((name) => !this.heldProperties.has(name)),
      compared: this.comparisons.all,
      outdated: this.outdated,
      longest: this.longest,
      coverage: this.coverageCount.coverage,
      ...this.deviations.counts,
      requests: this.requests,
      unrouted: [...this.unrouted],
      realTimers: [...this.realTimers],
      notes: [...this.notes].sort(),
    };
  }
}
