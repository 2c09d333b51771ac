/** Splits text that may exceed the longest string into chunks. */

const CHUNK_LENGTH = 1 << 16;

/**
 * Joins short texts and splits long ones into chunks of at least 64 Ki characters. Each chunk is well-formed Unicode.
 */
export function* inChunks(texts: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const end = endOfCharacter(text, start + CHUNK_LENGTH);
      chunk += text.slice(start, end);
      start = end;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") yield chunk;
}

/** Moves `end` behind a surrogate pair, such as an emoji, that it would split. */
function endOfCharacter(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

/**
 * The JSON of plain data, as `JSON.stringify` writes it.
 * @param depth how many levels of objects and lists are written in parts; each deeper value is one text
 */
export function* jsonChunks(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? "[" : "{";
  const parts = isList
    ? value.map((item) => ["", item] as const)
    : Object.entries(value).filter(([, part]) => part !== undefined);
  for (const [key, part] of parts) {
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* jsonChunks(part, depth - 1);
    before = ",";
  }
  yield `${before === "," ? "" : before}${isList ? "]" : "}"}`;
}
