import { postgresAnswersAsked } from "./postgres-answers.ts";
import { readClientMessages, textsOf } from "./postgres-messages.ts";
import { mayAsk } from "./whose-code.ts";

/** What Postgres answers in place of what an app does not ask any more: a client that is left without an answer gives no connection back. */

/** What an app asks Postgres, as it is named where it may restart before it. */
export const STATEMENT = "database statement";

const QUERY = 0x51;
const PARSE = 0x50;
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i;
const ERROR = "SERROR\0C57P01\0Mthe app restarts\0\0";
const HEAD = 5;

/**
 * Asks whether the app that runs now may write this.
 * @param chunk what it writes to a connection
 * @param isInTransaction whether that stands in a transaction
 * @returns the answer in place of that of Postgres; undefined if it may, or if it asks Postgres nothing
 */
export function refuseAsEnded(chunk: unknown, isInTransaction: boolean): Uint8Array | undefined {
  const asked = postgresAnswersAsked(chunk) ?? 0;
  if (asked === 0 || mayAsk(STATEMENT, isInTransaction || beginsTransaction(chunk))) return undefined;
  const state = isInTransaction ? "E" : "I";
  const answer = [...message("E", ERROR), ...message("Z", state)];
  return Uint8Array.from(Array.from({ length: asked }, () => answer).flat());
}

/** A client that was taken out of its pool would stay out of it. */
function beginsTransaction(chunk: unknown): boolean {
  return (readClientMessages(chunk) ?? []).some(({ letter, content }) => {
    const [first = "", second = ""] = letter === QUERY || letter === PARSE ? textsOf(content) : [];
    return BEGIN.test(letter === PARSE ? second : first);
  });
}

function message(letter: string, content: string): readonly number[] {
  const bytes = [...new TextEncoder().encode(content)];
  const length = bytes.length + HEAD - 1;
  return [letter.charCodeAt(0), 0, 0, length >> 8, length & 0xff, ...bytes];
}
