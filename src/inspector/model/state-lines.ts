import { type DiffLine, lineDiff } from "./line-diff.ts";

/** Objects up to this length stay on one line, characters. */
const MAX_LINE = 44;

/**
 * Lays out an app's state, which is written in one line, so that versions of it can be compared line by line: each
 * field and each item of a list has a line of its own.
 */
export function stateLines(text: string): string[] {
  const isWhole = text.startsWith("{") && text.endsWith("}");
  // the outermost braces carry no information
  return isWhole ? itemsIn(text.slice(1, -1)).flatMap((item) => layOutLines(item, 0)) : layOutLines(text, 0);
}

/** How an app's state changed, line by line. @param before undefined if it was not known */
export function stateChanges(before: string | undefined, after: string): DiffLine[] {
  return lineDiff(before === undefined ? [] : stateLines(before), stateLines(after));
}

function layOutLines(text: string, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const open = maskQuoted(text).findIndex((sign) => sign === "[" || sign === "{");
  const end = text.at(-1);
  const hasItems = open >= 0 && (end === "]" || end === "}");
  const items = hasItems ? itemsIn(text.slice(open + 1, -1)) : [];
  // a list always has a line for each item, so that an added item is one added line
  const isShort = text.length <= MAX_LINE && (text[open] === "{" || items.length === 0);
  if (!hasItems || items.length === 0 || isShort) return [`${indent}${text}`];
  return [
    `${indent}${text.slice(0, open + 1)}`,
    ...items.flatMap((item) => layOutLines(item, depth + 1)),
    `${indent}${end}`,
  ];
}

/** Splits at commas outside brackets and quotes. */
function itemsIn(text: string): string[] {
  const items: string[] = [];
  let [depth, from] = [0, 0];
  maskQuoted(text).forEach((sign, index) => {
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    else if (sign === "," && depth === 0) {
      items.push(text.slice(from, index).trim());
      from = index + 1;
    }
  });
  const last = text.slice(from).trim();
  return last === "" ? items : [...items, last];
}

/** The characters of a text, with spaces in place of quoted ones. */
function maskQuoted(text: string): string[] {
  let isQuoted = false;
  let isEscaped = false;
  return Array.from({ length: text.length }, (_, index) => {
    const sign = text[index] ?? "";
    if (isQuoted) {
      if (isEscaped) isEscaped = false;
      else if (sign === "\\") isEscaped = true;
      else if (sign === '"') isQuoted = false;
      return " ";
    }
    if (sign === '"') isQuoted = true;
    return isQuoted ? " " : sign;
  });
}
