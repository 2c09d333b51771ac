import { countAsked } from "./postgres-answers.ts";
import { type ClientMessage, clientLetters, textsOf, writeMessage } from "./postgres-messages.ts";
import { mayAsk, noteRefusal } from "./whose-code.ts";

/** What Postgres answers in place of what an app does not ask any more: a client that is left without an answer gives no connection back. */

/** What an app asks Postgres, as it is named where it may restart before it. */
export const STATEMENT = "database statement";

const BEGIN = /^\s*(?:begin|start\s+transaction)\b[^;]*;?\s*$/i;
const ERROR = "SERROR\0C57P01\0Mthe app restarts\0\0";

/**
 * Asks whether the app that runs now may write this.
 * @param messages what it writes to a connection
 * @param isInTransaction whether that stands in a transaction
 * @returns the answer in place of that of Postgres; undefined if it may, or if it asks Postgres nothing
 */
export function refuseAsEnded(
  messages: readonly ClientMessage[],
  isInTransaction: boolean,
): Uint8Array | undefined {
  const asked = countAsked(messages);
  if (asked === 0) return undefined;
  if (mayAsk(STATEMENT, isInTransaction ? "part" : "place")) return undefined;
  // what is rolled back soon is as if it had not begun, and no client is left that waits for it
  if (asked === 1 && !isInTransaction && beginsTransaction(messages)) return undefined;
  noteRefusal();
  const state = isInTransaction ? "E" : "I";
  const answer = [...writeMessage("E", ERROR), ...writeMessage("Z", state)];
  return Uint8Array.from(Array.from({ length: asked }, () => answer).flat());
}

/** Whether it only begins a transaction. */
function beginsTransaction(messages: readonly ClientMessage[]): boolean {
  return messages.some(({ letter, content }) => {
    const [first = "", second = ""] =
      letter === clientLetters.query || letter === clientLetters.parse ? textsOf(content) : [];
    return BEGIN.test(letter === clientLetters.parse ? second : first);
  });
}
