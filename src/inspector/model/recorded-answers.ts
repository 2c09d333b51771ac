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

/** How an endpoint handled a request: its answer, and the REST requests of its handler. */
interface Handling {
  answer: HandlerResult | undefined;
  readonly entries: Entry[];
}

/** The arguments that link a journal entry to a request. */
interface RequestArguments {
  readonly request?: string;
  readonly pending?: unknown;
  readonly during?: string;
}

/**
 * Lets function endpoints answer as in the recorded run: like the same event, else like an event of the
 * same type, else like the first request to the same URL.
 * @param refused called for a handler's command that the fork refuses
 * @returns the journal entries that the handlers repeat
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
    for (const key of readKeys(to, body)) byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  const served = new Map<string, number>();
  for (const { to, body, answer } of simulator.network.requests)
    if (answer !== null) increment(served, readKeys(to, body)[0]);
  for (const url of urls)
    simulator.network.route(url, ({ body }) => {
      const keys = readKeys(url, body);
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

/** The keys of a request, the most specific first: event id, event type, URL. */
function readKeys(url: string, body: string): string[] {
  try {
    const { id, type } = JSON.parse(body) as { id?: unknown; type?: unknown };
    return [`${url} ${id}`, `${url} ${type}`, url];
  } catch {
    return [url]; // not an event, such as a request without a body
  }
}

/** Increments a counter. @returns its previous value */
function increment(counts: Map<string, number>, key = ""): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** Repeats a command that a handler gave, or the answer to its REST request. */
function repeat(simulator: Simulator, entry: Entry, refused: (entry: Entry, error: Error) => void): void {
  const { command, args } = entry;
  const during = simulator.services.network.handlers.current;
  const isOfHandler = (args as RequestArguments).during !== undefined;
  const given = isOfHandler ? { ...(args as object), during } : args;
  try {
    simulator.command(command as CommandName, given as CommandInput<CommandName>);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof InputError)) throw error;
    refused(entry, error);
  }
}
