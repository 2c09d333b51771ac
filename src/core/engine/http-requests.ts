/** The requests that clients of HTTP/1 write, such as `node:http` and undici. */

/** What an app asks by one, as it is named where it may restart before it. */
export const HTTP_REQUEST = "HTTP request";

/** So much of what is written is looked at: a line that is longer is refused by servers. */
const MOST_CHARACTERS = 16_384;
const firstLine = /^[A-Z-]+ \S+ HTTP\/1\.[01]\r\n/;
const leave = /^CONNECT |\r\nupgrade:/i;

/** Whether what is written to a connection begins a request. @param chunk text, bytes, or the parts of both that are written at once */
export function beginsHttpRequest(chunk: unknown): boolean {
  return firstLine.test(beginning(chunk));
}

/** Whether a request asks to speak something else than HTTP over its connection, such as a WebSocket. */
export function asksToLeaveHttp(chunk: unknown): boolean {
  return leave.test(beginning(chunk));
}

/** What is written first, as text. */
function beginning(chunk: unknown): string {
  if (Array.isArray(chunk)) {
    const parts = chunk as readonly { readonly chunk?: { readonly length?: number } }[];
    return beginning(parts.find((part) => part.chunk?.length !== 0)?.chunk);
  }
  if (typeof chunk === "string") return chunk;
  if (!(chunk instanceof Uint8Array)) return "";
  return new TextDecoder("latin1").decode(chunk.subarray(0, MOST_CHARACTERS));
}
