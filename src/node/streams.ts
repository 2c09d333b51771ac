import { inPieces, jsonPieces } from "../engine/pieces.ts";

/** Deep enough that each entry of a journal is a text of its own. */
const JOURNAL_DEPTH = 2;

/** An answer in JSON that is written part by part: the whole may be longer than a text can be. */
export function jsonStream(document: object): Response {
  return new Response(streamOf(jsonPieces(document, JOURNAL_DEPTH)), {
    headers: { "content-type": "application/json" },
  });
}

/** The same of plain text. */
export function textStream(texts: Iterable<string>): Response {
  return new Response(streamOf(texts), { headers: { "content-type": "text/plain; charset=utf-8" } });
}

function streamOf(texts: Iterable<string>): ReadableStream<Uint8Array> {
  const pieces = inPieces(texts);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
