import { eventText } from "../scenario/compare.ts";
import { createSimulator, type Simulator } from "../simulator.ts";
import { toExcerpt } from "../story/timeline.ts";

/** A longer journal is better kept in a file than in a message. */
const LONGEST_JOURNAL = 1_500;
/** Events that are listed where there is no timeline. */
const LISTED = 8;

/** By what it can do: a test may have got it from another copy of the package. */
export function isSimulator(value: unknown): value is Simulator {
  const { events, journal, fork, pending } = (value ?? {}) as Partial<Simulator>;
  return [events?.toTimeline, journal, fork, pending].every((each) => typeof each === "function");
}

/**
 * What failed, the timeline around it, the seed, and a line that runs it again.
 * @param place the event that it is about, among those that are kept; without it the end of the timeline is shown
 */
export function explained(
  sim: Simulator,
  what: string,
  place?: number,
  details: readonly string[] = [],
): string {
  return [[what, ...details].join("\n"), excerpt(sim, place).trimEnd(), again(sim)].join("\n\n");
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

/** How to run it again. */
function again(sim: Simulator): string {
  const seed = `Seed: ${JSON.stringify(sim.seed)}`;
  if (!keepsJournal(sim))
    return `${seed}: createSimulator({ seed: ${JSON.stringify(sim.seed)} }) draws the same.`;
  const journal = shortJournal(sim);
  const line =
    journal.length <= LONGEST_JOURNAL
      ? `const sim = replay(${quoted(journal)});`
      : 'writeFileSync("journal.json", JSON.stringify(sim.journal())); // then: ringback replay journal.json';
  return `${seed}. This runs it again:\n  ${line}`;
}

/** The journal without the options that are as they are by default. */
function shortJournal(sim: Simulator): string {
  const { options, ...journal } = sim.journal();
  const usual = createSimulator().journal().options as unknown as Record<string, unknown>;
  const own = Object.entries(options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]),
  );
  return JSON.stringify({ ...journal, options: Object.fromEntries(own) });
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
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
