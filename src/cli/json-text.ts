/** Puts values into the text of a JSON file, and leaves the rest as it is. */

/** A value to put in place of another. */
export interface JsonEdit {
  /** The way to the value: keys and indices. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The text with other values at some places. Each is indented as the file is; a file in one line stays so. */
export function withValues(text: string, edits: readonly JsonEdit[]): string {
  const indent = indentOf(text);
  const placed = edits.map((edit) => ({ ...edit, ...findRange(text, edit.keys) }));
  return placed
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, value }) => {
      const line = all.slice(all.lastIndexOf("\n", start) + 1, start);
      const [margin = ""] = /^[ \t]*/.exec(line) ?? [];
      const written = JSON.stringify(value, null, indent);
      return all.slice(0, start) + written.replaceAll("\n", `\n${margin}`) + all.slice(end);
    }, text);
}

/** What a file is indented by; undefined for one in one line. */
function indentOf(text: string): string | undefined {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? (text.trim().includes("\n") ? "  " : undefined);
}

/** Where the value at some keys stands in a well-formed text. */
function findRange(text: string, keys: readonly (string | number)[]): TextRange {
  let start = skipBlank(text, text.startsWith("\uFEFF") ? 1 : 0);
  for (const key of keys) start = startOfChild(text, start, key);
  return { start, end: endOfValue(text, start) };
}

function startOfChild(text: string, start: number, key: string | number): number {
  const isList = text[start] === "[";
  let at = skipBlank(text, start + 1);
  // of keys that stand there twice, the last counts
  let found = -1;
  for (let index = 0; text[at] !== "]" && text[at] !== "}"; index++) {
    let name: string | number = index;
    if (!isList) {
      const end = endOfValue(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipBlank(text, skipBlank(text, end) + 1);
    }
    if (name === key) found = at;
    at = skipBlank(text, endOfValue(text, at));
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  if (found < 0) throw new Error(`no value at ${key}`);
  return found;
}

function skipBlank(text: string, at: number): number {
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfText(text, start);
  if (text[start] !== "{" && text[start] !== "[") {
    const match = /[^\s,\]}]+/y;
    match.lastIndex = start;
    return match.test(text) ? match.lastIndex : start;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
