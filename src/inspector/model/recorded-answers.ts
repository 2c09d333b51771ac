import { ANSWER_ENTRY } from "../../core/network/network.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import {
  CommandError,
  type CommandInput,
  type CommandName,
  type HandlerResult,
  InputError,
  type Simulator,
} from "../../index.ts";
import type { Recording } from "./recording.ts";
import { groupRestEntries } from "./rest-entries.ts";

type Entry = JournalDocument["entries"][number];

/** What an endpoint did with a request: its answer, and what its handler asked of the REST API. */
interface Handling {
  answer: HandlerResult | undefined;
  readonly entries: Entry[];
}

/** The parts of an entry's arguments that say which request it belongs to. */
interface RequestArguments {
  readonly request?: string;
  readonly pending?: unknown;
  readonly during?: string;
}

/**
 * Lets endpoints that were functions do as they did in a recorded run: with the same event, else with an event of the
 * same type, else with the first request to the same URL.
 * @param refused called for what a handler asked and the run does not allow
 * @returns the entries of the journal that handlers give, so that nobody else must
 */
export function answerAsRecorded(
  simulator: Simulator,
  { journal, simulator: recorded }: Pick<Recording, "journal" | "simulator">,
  refused: (entry: Entry, error: Error) => void,
): ReadonlySet<Entry> {
  const handled = handlingsIn(journal);
  const byKey = new Map<string, Handling[]>();
  const urls = new Set<string>();
  for (const { id, to, body } of recorded.network.requests) {
    const each = handled.get(id);
    if (each?.answer === undefined) continue;
    urls.add(to);
    for (const key of keysOf(to, body)) byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  const served = new Map<string, number>();
  for (const { to, body, answer } of simulator.network.requests)
    if (answer !== null) increment(served, keysOf(to, body)[0]);
  for (const url of urls)
    simulator.network.route(url, ({ body }) => {
      const keys = keysOf(url, body);
      const index = increment(served, keys[0]);
      const known = byKey.get(keys[0] ?? "");
      const each = known?.[index] ?? known?.at(-1) ?? keys.flatMap((key) => byKey.get(key) ?? [])[0];
      if (known !== undefined) for (const entry of each?.entries ?? []) repeat(simulator, entry, refused);
      return each?.answer ?? 200;
    });
  return new Set([...handled.values()].flatMap(({ entries }) => entries));
}

function handlingsIn({ entries }: JournalDocument): Map<string, Handling> {
  const handled = new Map<string, Handling>();
  const of = (id: string) => {
    const each = handled.get(id) ?? { answer: undefined, entries: [] };
    handled.set(id, each);
    return each;
  };
  for (const entry of entries) {
    if (entry.command !== ANSWER_ENTRY) continue;
    const { request, pending, ...answer } = entry.args as RequestArguments;
    if (request !== undefined && pending === undefined) of(request).answer = answer as HandlerResult;
  }
  for (const group of groupRestEntries(entries)) {
    const { during } = (group.at(-1)?.args ?? {}) as RequestArguments;
    if (during !== undefined) of(during).entries.push(...group);
  }
  return handled;
}

/** What tells requests apart, the narrowest first: the event, its type, the URL. */
function keysOf(url: string, body: string): string[] {
  try {
    const { id, type } = JSON.parse(body) as { id?: unknown; type?: unknown };
    return [`${url} ${id}`, `${url} ${type}`, url];
  } catch {
    return [url]; // a request that is no event, such as one without a body
  }
}

/** Counts one more. @returns how many there were before */
function increment(counts: Map<string, number>, key = ""): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** Gives a command of a handler again, or has a request of it answered again. */
function repeat(simulator: Simulator, entry: Entry, refused: (entry: Entry, error: Error) => void): void {
  const { command, args } = entry;
  const during = simulator.inside.network.handlers.current;
  const isOfHandler = (args as RequestArguments).during !== undefined;
  const given = isOfHandler ? { ...(args as object), during } : args;
  try {
    simulator.command(command as CommandName, given as CommandInput<CommandName>);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof InputError)) throw error;
    refused(entry, error);
  }
}
