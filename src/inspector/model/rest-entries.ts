import { DEPENDENCY_ENTRY } from "../../core/network/dependencies/called.ts";
import { ANSWER_ENTRY } from "../../core/network/network.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";

type Entry = JournalDocument["entries"][number];

/** Groups journal entries by REST request, in the order of answers: the request, its commands, its answer. */
export function groupRestEntries(entries: JournalDocument["entries"]): (readonly Entry[])[] {
  const groups: Entry[][] = [];
  let asking: Entry[] = [];
  for (const entry of entries) {
    const { command, atMs, args } = entry;
    const isOfAsking = asking[0]?.atMs === atMs;
    if (command === "restAsked") asking = [entry];
    else if (command === "restServed") {
      const hasAsked = (args as { readonly asked?: number }).asked !== undefined;
      groups.push(hasAsked && isOfAsking ? [...asking, entry] : [entry]);
      if (hasAsked) asking = [];
    } else if (isOfAsking && command !== ANSWER_ENTRY && command !== DEPENDENCY_ENTRY) asking.push(entry);
  }
  return groups;
}
