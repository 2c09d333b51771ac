import type { JournalEntry } from "../../engine/journal.ts";

/** The name that journals have for an event that the dialect leaves out. */
export const LEFT_OUT_ENTRY = "webhook.leftOut";

/** The id of the event that the dialect left out, if a journal's entry says so. */
export function leftOutBy({ command, args }: JournalEntry): string | undefined {
  return command === LEFT_OUT_ENTRY ? (args as { readonly event: string }).event : undefined;
}
