/** Text that may be longer than the longest string, in pieces. */

const PIECE_LENGTH = 1 << 16;

/**
 * Joins short texts and cuts long ones, until each piece is worth a write. Each piece is well-formed Unicode.
 */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = "";
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const end = wholeCharacters(text, start + PIECE_LENGTH);
      piece += text.slice(start, end);
      start = end;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}

/** The nearest place at or after `end` that does not cut a surrogate pair, such as an emoji, in two. */
function wholeCharacters(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

/**
 * The JSON of plain data, as `JSON.stringify` writes it.
 * @param depth how many levels of objects and lists are written part by part; each deeper value is one text
 */
export function* jsonPieces(value: unknown, depth: number): Generator<string> {
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
    yield* jsonPieces(part, depth - 1);
    before = ",";
  }
  yield `${before === "," ? "" : before}${isList ? "]" : "}"}`;
}
