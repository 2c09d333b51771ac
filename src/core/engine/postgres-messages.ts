/** The messages of Postgres. */

/** The letters of those by which a client asks something, by the names that Postgres gives these. */
export const clientLetters = { query: 0x51, parse: 0x50, bind: 0x42, sync: 0x53 } as const;

/** The letter of a message, and its bytes after letter and length. */
export interface ClientMessage {
  readonly letter: number;
  readonly content: Uint8Array;
}

/** A message is a letter, a length that counts itself, and what it says. */
const HEAD = 5;

/** The messages of a written chunk; undefined if it is not what a client of Postgres writes. */
export function readClientMessages(chunk: unknown): readonly ClientMessage[] | undefined {
  if (Array.isArray(chunk)) {
    const messages: ClientMessage[] = [];
    for (const part of chunk as readonly { readonly chunk?: unknown }[]) {
      const some = readClientMessages(part.chunk);
      if (some === undefined) return undefined;
      messages.push(...some);
    }
    return messages;
  }
  if (!(chunk instanceof Uint8Array)) return undefined;
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const messages: ClientMessage[] = [];
  let at = 0;
  while (at + HEAD <= chunk.length) {
    const length = view.getUint32(at + 1);
    if (length < HEAD - 1) return undefined;
    const end = at + 1 + length;
    messages.push({ letter: chunk[at] ?? 0, content: chunk.subarray(at + HEAD, end) });
    at = end;
  }
  return at === chunk.length ? messages : undefined;
}

const VERSION_3 = 3;

/** What a client says first: parameters such as `search_path`; undefined if it is another message. */
export function readStartup(chunk: unknown): string | undefined {
  if (!(chunk instanceof Uint8Array) || chunk.length < 2 * (HEAD - 1)) return undefined;
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const isStartup = view.getUint32(0) === chunk.length && view.getUint16(HEAD - 1) === VERSION_3;
  return isStartup ? readText(chunk) : undefined;
}

/** Asks whether Postgres may be spoken to by TLS. */
const SSL_REQUEST = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/** Whether a chunk only begins to speak with Postgres. */
export function asksNothing(chunk: unknown): boolean {
  if (readStartup(chunk) !== undefined) return true;
  return (
    chunk instanceof Uint8Array &&
    chunk.length === SSL_REQUEST.length &&
    SSL_REQUEST.every((byte, index) => chunk[index] === byte)
  );
}

/** The texts of a message's content, each of which ends with a zero. */
export function textsOf(content: Uint8Array): readonly string[] {
  return readText(content).split("\0");
}

/** A message as its bytes. @param letter what kind it is @param content what it says; under 64 KiB */
export function writeMessage(letter: string, content: string): readonly number[] {
  const bytes = [...new TextEncoder().encode(content)];
  const length = bytes.length + HEAD - 1;
  return [letter.charCodeAt(0), 0, 0, length >> 8, length & 0xff, ...bytes];
}

const readText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
