/**
 * JSON as a log viewer shows it when it is copied: without commas, with the index before each item of a list (`0:{`), with
 * names in quotes or without, and with `NULL`.
 */

/** A value and the index behind it. */
interface Found {
  readonly value: unknown;
  readonly end: number;
}

/** Deeper values are not read. */
const MAX_DEPTH = 100;

const blank = /[\s,]*/y;
const key = /(?:"((?:[^"\\]|\\.)*)"|([\w$.-]+))\s*:\s*/y;
const index = /\d+\s*:\s*/y;
const text = /"(?:[^"\\]|\\.)*"/y;
const word = /[^\s,{}[\]":]+/y;

/** Reads the value at an index; undefined if there is none that ends. */
export function readLooseValue(source: string, start: number, depth = 0): Found | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const at = skip(source, start);
  if (source[at] === "{") return readRecord(source, at + 1, depth);
  if (source[at] === "[") return readList(source, at + 1, depth);
  if (source[at] === '"') {
    const found = matchAt(text, source, at);
    const value = found === undefined ? undefined : parsed(found[0]);
    return found === undefined || value === undefined ? undefined : { value, end: at + found[0].length };
  }
  const found = matchAt(word, source, at);
  return found === undefined ? undefined : { value: scalarIn(found[0]), end: at + found[0].length };
}

function readRecord(source: string, start: number, depth: number): Found | undefined {
  const entries: [string, unknown][] = [];
  for (let at = skip(source, start); at < source.length; at = skip(source, at)) {
    if (source[at] === "}") return { value: Object.fromEntries(entries), end: at + 1 };
    const name = matchAt(key, source, at);
    const found = name && readLooseValue(source, at + name[0].length, depth + 1);
    if (found === undefined) return undefined;
    entries.push([name?.[1] ?? name?.[2] ?? "", found.value]);
    at = found.end;
  }
  return undefined;
}

function readList(source: string, start: number, depth: number): Found | undefined {
  const items: unknown[] = [];
  for (let at = skip(source, start); at < source.length; at = skip(source, at)) {
    if (source[at] === "]") return { value: items, end: at + 1 };
    const number = matchAt(index, source, at);
    const found = readLooseValue(source, at + (number?.[0].length ?? 0), depth + 1);
    if (found === undefined) return undefined;
    items.push(found.value);
    at = found.end;
  }
  return undefined;
}

function skip(source: string, at: number): number {
  return at + (matchAt(blank, source, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

/** The value of a word: a number, a truth, null, or else the word. */
function scalarIn(found: string): unknown {
  const plain = found.toLowerCase();
  if (plain === "null" || plain === "undefined") return null;
  if (plain === "true" || plain === "false") return plain === "true";
  return /^-?\d+(?:\.\d+)?$/.test(found) ? Number(found) : found;
}

function parsed(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined; // the value cannot be read, which the caller reports
  }
}
