import { eventText } from "../scenario/compare.ts";
import type { Simulator } from "../simulator.ts";
import { toExcerpt } from "../story/timeline.ts";
import type { FailedWorld } from "./alive.ts";
import type { MatcherContext } from "./matching.ts";
import { type Results, writeResults } from "./results.ts";

/** Events that are listed where there is no timeline. */
const LISTED = 8;

/** By what it can do: a test may have got it from another copy of the package. */
export function isSimulator(value: unknown): value is Simulator {
  const { events, journal, fork, pending } = (value ?? {}) as Partial<Simulator>;
  return [events?.toTimeline, journal, fork, pending].every((each) => typeof each === "function");
}

/**
 * What failed, the timeline around it, the seed, and the command that runs it again.
 * @param test which failed
 * @param place the event that it is about, among those that are kept; without it the end of the timeline is shown
 */
export function explained(
  test: MatcherContext,
  sim: Simulator,
  what: string,
  place?: number,
  details: readonly string[] = [],
): string {
  const problem = [what, ...details].join("\n");
  return [problem, excerpt(sim, place).trimEnd(), again(test, sim, problem)].join("\n\n");
}

function excerpt(sim: Simulator, place: number | undefined): string {
  if (!keepsJournal(sim)) return listOfEvents(sim);
  const story = sim.story();
  const dropped = story.eventCount - sim.events.length;
  return toExcerpt(story, place === undefined ? -1 : place + dropped);
}

/** Without a journal the run cannot be told: the newest events are all there is. */
function listOfEvents({ events, startTimestamp }: Simulator): string {
  const lines = events.slice(-LISTED).map((event) => `  ${eventText(event, startTimestamp)}`);
  return ["The last events (there is no timeline, `retain.journal` is false):", ...lines].join("\n");
}

/** How to look at the smallest world of a failure that an exploration found. */
export function againOf(test: MatcherContext, { property, message, smallest }: FailedWorld): string {
  const what = `${property}: the smallest world`;
  const run = { journal: () => smallest.journal };
  try {
    const results = writeResults(run, test, `${property}: ${message}`);
    if (results === undefined) return `${what} is in error.report.failures. replay() runs its journal again.`;
    return `${what}. This runs it again:\n${filesText(results)}`;
  } catch (error) {
    return `${what} is in error.report.failures; its file could not be written: ${(error as Error).message}`;
  }
}

/** How to run it again and how to look at it: a command and a page, of files that are written here. */
export function again(test: MatcherContext, sim: Simulator, problem: string): string {
  const seed = `Seed: ${JSON.stringify(sim.seed)}`;
  if (!keepsJournal(sim))
    return `${seed}: createSimulator({ seed: ${JSON.stringify(sim.seed)} }) draws the same.`;
  try {
    const results = writeResults(sim, test, problem);
    if (results === undefined) return `${seed}. replay(sim.journal()) runs it again.`;
    return `${seed}. This runs it again:\n${filesText(results)}`;
  } catch (error) {
    // a full disk must not hide what failed
    return `${seed}. replay(sim.journal()) runs it again; its file could not be written: ${(error as Error).message}`;
  }
}

/** The command that runs it again, and the page. */
function filesText({ journal, page }: Results): string {
  const shows = page === undefined ? "" : `\nThis page shows it:\n  ${page}`;
  return `  npx ringback replay ${quoted(journal)}${shows}`;
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./\\:-]+$/.test(path) ? path : JSON.stringify(path);
}

function keepsJournal(sim: Simulator): boolean {
  try {
    sim.journal();
    return true;
  } catch (error) {
    if ((error as Error).name === "CommandError") return false;
    throw error;
  }
}
