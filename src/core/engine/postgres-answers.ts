import { type ClientMessage, clientLetters } from "./postgres-messages.ts";

/**
 * When Postgres has answered: each Query and each Sync of a client leads to one ReadyForQuery, the last message of an answer.
 * Which others come, and when, nothing tells.
 */

/** ReadyForQuery without the byte that tells the state of the transaction. */
const READY = [0x5a, 0, 0, 0, 5] as const;
/** That byte, if there is no transaction, if there is one, and if it has failed. */
const IDLE = 0x49;
const OPEN = 0x54;
const FAILED = 0x45;

/** How many answers a client asks for. */
export function countAsked(messages: readonly ClientMessage[]): number {
  const isAsked = ({ letter, content }: ClientMessage) =>
    letter === clientLetters.query || (letter === clientLetters.sync && content.length === 0);
  return messages.filter(isAsked).length;
}

/** Counts the answers that a connection has brought to their end. */
export class PostgresAnswers {
  /** Whether any has ended: only then is it Postgres that answers. */
  isKnown = false;
  /** Whether nothing came after the last one. */
  isAtEnd = false;
  /** Whether the last one said that the connection stands in a transaction, which may have failed. */
  isInTransaction = false;
  /** The end of what was read last, as a message may be divided. */
  private rest = new Uint8Array();

  /** @param chunk what was read @returns how many answers end in it */
  read(chunk: unknown): number {
    if (!(chunk instanceof Uint8Array)) return 0;
    const bytes = new Uint8Array(this.rest.length + chunk.length);
    bytes.set(this.rest);
    bytes.set(chunk, this.rest.length);
    let ended = 0;
    let end = 0;
    let state: number | undefined = IDLE;
    for (let at = bytes.indexOf(READY[0]); at >= 0; at = bytes.indexOf(READY[0], at + 1))
      if (at + READY.length < bytes.length && READY.every((byte, index) => bytes[at + index] === byte)) {
        ended++;
        end = at + READY.length + 1;
        state = bytes[at + READY.length];
      }
    this.rest = bytes.slice(Math.max(end, bytes.length - READY.length));
    this.isKnown ||= ended > 0;
    this.isAtEnd = end > 0 && end === bytes.length;
    // other bytes may look like it: an answer ends with it
    if (ended > 0) this.isInTransaction = this.isAtEnd && (state === OPEN || state === FAILED);
    return ended;
  }
}
