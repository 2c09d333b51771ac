import { inChunks, jsonChunks } from "../core/foundation/chunks.ts";

/** At this depth, each entry of a journal is a text of its own. */
const JOURNAL_DEPTH = 2;

/** Answers JSON part by part, since the whole may be longer than the longest string. */
export function jsonStream(document: object): Response {
  return new Response(makeStream(jsonChunks(document, JOURNAL_DEPTH)), {
    headers: { "content-type": "application/json" },
  });
}

/** Answers plain text part by part. */
export function textStream(texts: Iterable<string>): Response {
  return new Response(makeStream(texts), { headers: { "content-type": "text/plain; charset=utf-8" } });
}

function makeStream(texts: Iterable<string>): ReadableStream<Uint8Array> {
  const chunks = inChunks(texts);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
