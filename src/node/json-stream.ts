/** How many items of a list are written at once. */
const BATCH = 500;

/**
 * An answer in JSON that is written part by part: the whole may be longer than a text can be.
 * @param document an object; its lists are written item by item
 */
export function jsonStream(document: object): Response {
  const parts = partsOf(document);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = parts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function* partsOf(document: object): Generator<string, void> {
  let before = "{";
  for (const [key, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) yield* itemsOf(value);
    else yield JSON.stringify(value);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* itemsOf(items: readonly unknown[]): Generator<string, void> {
  yield "[";
  for (let start = 0; start < items.length; start += BATCH) {
    const texts = items.slice(start, start + BATCH).map((item) => JSON.stringify(item));
    yield (start === 0 ? "" : ",") + texts.join(",");
  }
  yield "]";
}
