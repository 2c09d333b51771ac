import { lineIn, stackHere } from "../core/foundation/caller.ts";
import { exactDurationText } from "../core/foundation/instants.ts";
import { toExcerpt } from "../core/narration/timeline.ts";
import { eventText } from "../core/scenario/compare.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { runningTest } from "../findings/running-test.ts";
import { type TestFailure, type WrittenFiles, writeFailurePage } from "./failure-page.ts";
import type { MatcherContext } from "./matching.ts";

/** How many events are listed if there is no timeline. */
const EVENTS_LISTED = 8;

/**
 * Whether a value is a simulator. Judged by its methods, since the test may have it from another copy of the package.
 */
export function isSimulator(value: unknown): value is Simulator {
  const { events, journal, fork, pending } = (value ?? {}) as Partial<Simulator>;
  return [events?.toTimeline, journal, fork, pending].every((each) => typeof each === "function");
}

/**
 * Explains a failure: the problem, the timeline around it, the seed, and the command that runs it again.
 * @param test the test that failed
 * @param eventIndex the index of its event among those that are kept; without it, the end of the timeline is shown
 */
export function explainFailure(
  test: MatcherContext,
  sim: Simulator,
  message: string,
  eventIndex?: number,
  details: readonly string[] = [],
): string {
  const problem = [message, ...details].join("\n");
  if (!keepsJournal(sim)) return [problem, eventList(sim), rerunText(test, sim, { problem })].join("\n\n");
  const story = sim.narration();
  const dropped = story.eventCount - sim.events.length;
  const at = eventIndex === undefined ? undefined : eventIndex + dropped;
  const failed = { problem, eventIndex: at };
  lastFailures.set(sim, failed);
  return [problem, toExcerpt(story, at ?? -1).trimEnd(), rerunText(test, sim, failed)].join("\n\n");
}

/** Lists the newest events. Without a journal, the run cannot be drawn. */
function eventList({ events, startTimestamp }: Simulator): string {
  const lines = events.slice(-EVENTS_LISTED).map((event) => `  ${eventText(event, startTimestamp)}`);
  return ["The last events (there is no timeline, `retain.journal` is false):", ...lines].join("\n");
}

/** What failed, besides the test. */
export type FailureDetails = Pick<TestFailure, "problem" | "difference" | "eventIndex" | "line">;

/** What a matcher last reported of each simulator. A failed test's message begins with it, but lacks the event. */
const lastFailures = new WeakMap<Simulator, FailureDetails>();

/** The last failure that a matcher reported for a simulator; undefined if none failed. */
export function lastFailure(sim: Simulator): FailureDetails | undefined {
  return lastFailures.get(sim);
}

/** Says how to run a failure again and look at it, and writes the files for that. */
export function rerunText(test: MatcherContext, sim: Simulator, details: FailureDetails): string {
  const reported = lastFailures.get(sim);
  const failed = reported !== undefined && details.problem.startsWith(reported.problem) ? reported : details;

  const seed = `${stateText(sim)}Seed: ${JSON.stringify(sim.seed)}`;
  if (!keepsJournal(sim))
    return `${seed}: createSimulator({ seed: ${JSON.stringify(sim.seed)} }) draws the same.`;
  try {
    const results = writeFailurePage({ ...placeOf(test), ...failed }, sim);
    if (results === undefined) return `${seed}. replay(sim.journal()) runs it again.`;
    return `${seed}. This runs it again:\n${filesText(results)}`;
  } catch (error) {
    // a full disk must not hide the failure
    return `${seed}. replay(sim.journal()) runs it again; its file could not be written: ${(error as Error).message}`;
  }
}

/** The state that the app came to, if the test says what it is. */
function stateText({ appStates }: Simulator): string {
  const last = appStates?.all().at(-1);
  if (last === undefined) return "";
  return `Your app, since ${exactDurationText(last.at)}: ${last.state}\n\n`;
}

/** The command that runs it again, and the page. */
function filesText({ replay, page }: WrittenFiles): string {
  const shows = page === undefined ? "" : `\nThis page shows it:\n  ${page}`;
  return `  ${replay}${shows}`;
}

/** The test, and where in it this is called: for a matcher, the line of the assertion. */
function placeOf({
  currentTestName = "",
  testPath: file = runningTest()?.file,
}: MatcherContext): Pick<TestFailure, "title" | "file" | "line"> {
  return {
    title: currentTestName || "A test",
    file,
    line: file === undefined ? undefined : lineIn(stackHere(), file),
  };
}

/** Whether a simulator keeps its journal, by which a run can be played again. */
export function keepsJournal(sim: Simulator): boolean {
  try {
    sim.journal();
    return true;
  } catch (error) {
    if ((error as Error).name === "CommandError") return false;
    throw error;
  }
}
