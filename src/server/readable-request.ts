import type { IncomingMessage } from "node:http";
import { MAX_BYTES } from "../core/rest/body.ts";

/** One byte more than the longest body that is taken: it is refused as too long. */
const MOST_BYTES = MAX_BYTES + 1;

/** Whether classes of headers can be made of the server's, by the class. */
const canCopy = new WeakMap<object, boolean>();

/**
 * The request of a server, in a form whose body can be read. Node's own classes read it as it is. Happy DOM replaces them by
 * its own, which know no headers but theirs, so there the request is made anew.
 */
export async function readableRequest(request: Request, incoming: IncomingMessage): Promise<Request> {
  const { Headers } = globalThis;
  let isUsable = canCopy.get(Headers);
  if (isUsable === undefined) {
    isUsable = isCopied(request.headers);
    canCopy.set(Headers, isUsable);
  }
  if (isUsable) return request;
  const { method, url } = request;
  const headers = [...request.headers].filter(([name]) => name !== "content-length");
  const body = method === "GET" || method === "HEAD" ? undefined : await readBody(incoming);
  return new Request(url, {
    method,
    headers: Object.fromEntries(headers),
    ...(body === undefined || body.length === 0 ? {} : { body }),
  });
}

function isCopied(headers: Headers): boolean {
  try {
    return [...new Headers(headers)].length === [...headers].length;
  } catch {
    return false;
  }
}

/** The body up to what is too long. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BYTES) break;
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
