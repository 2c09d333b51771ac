/** The requests that clients of HTTP/1 write, such as `node:http` and undici. */

/** What an app asks by one, as it is named where it may restart before it. */
export const HTTP_REQUEST = "HTTP request";

/** So much of what is written is looked at: a line that is longer is refused by servers. */
const MOST_CHARACTERS = 16_384;
const firstLine = /^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/;

/** Whether what is written to a connection begins a request. @param chunk text, bytes, or the parts of both that are written at once */
export function beginsHttpRequest(chunk: unknown): boolean {
  if (Array.isArray(chunk))
    return beginsHttpRequest((chunk[0] as { readonly chunk?: unknown } | undefined)?.chunk);
  if (typeof chunk === "string") return firstLine.test(chunk);
  if (!(chunk instanceof Uint8Array)) return false;
  return firstLine.test(new TextDecoder("latin1").decode(chunk.subarray(0, MOST_CHARACTERS)));
}
