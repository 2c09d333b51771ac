import { shortClock } from "../../src/core/foundation/clock.ts";
import type { Scenario } from "../../src/index.ts";
import type { Moment } from "./mark.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { sentenceCase, situationOf } from "./situation.ts";

/** The times into which a lesson's cards are put: when people do something, and what lies between. */

/** A time with its words. */
export interface ShownMoment extends Moment {
  /** `0:20`; empty for the time between two instants. */
  readonly at: string;
  /** `Kiwi Freight calls Alice`, `before 0:22` */
  readonly what: string;
}

/** A shorter time between two instants belongs to the first, ms. */
const SHORT_MS = 1000;

/**
 * The times of a story, in order. They follow from what people do, so they tell nothing of what the platform does.
 * @param isOnArrival whether cards are requests, which arrive a little after what brings them about: nothing lies between then
 */
export function momentsOf(scenario: Scenario, run: RecordedRun, isOnArrival: boolean): ShownMoment[] {
  const { acts } = situationOf(scenario, run);
  const told = scenario.steps.flatMap(({ on, atMs = 0, args }, index) => {
    if (on !== undefined) return [];
    return [{ atMs, isSetUp: typeof args.url === "string", what: sentence(acts[index]?.what ?? "") }];
  });
  const instants = [...new Set([0, ...told.map(({ atMs }) => atMs)])].sort((one, other) => one - other);
  return instants.flatMap((atMs, index): ShownMoment[] => {
    const here = told.filter((each) => each.atMs === atMs);
    const people = here.filter(({ isSetUp }) => !isSetUp);
    const acts = (people.length > 0 ? people : here).map((each) => each.what);
    const what = acts.length > 0 ? acts.join(". ") : "The story begins";
    const next = instants[index + 1];
    if (isOnArrival) return [{ fromMs: atMs, at: `from ${shortClock(atMs)}`, what }];
    const begins = { fromMs: atMs, at: shortClock(atMs), what };
    if (next === undefined) return [begins, { fromMs: atMs + 1, at: "", what: "later" }];
    if (next - atMs <= SHORT_MS) return [begins];
    return [begins, { fromMs: atMs + 1, at: "", what: `before ${shortClock(next)}` }];
  });
}

/** An act without its full stop, and without what is said or written. */
function sentence(what: string): string {
  return sentenceCase(what.replace(/: ‘.*$/s, "").replace(/\.$/, ""));
}
