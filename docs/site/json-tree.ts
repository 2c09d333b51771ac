import { escapeHtml } from "markdown-it/lib/common/utils.mjs";

/** JSON as a tree whose parts below the record can be opened. Its text content is the JSON itself, for copying. */

/** An object with this many keys is a record: what is inside it is closed at first. */
const KEYS_OF_RECORD = 7;

export function jsonTree(json: string): string {
  const value: unknown = JSON.parse(json);
  const open = recordDepth([value], 0);
  return `<div class="tree" tabindex="0" role="group" aria-label="JSON">${partHtml("", value, { depth: 0, open, end: "" })}</div>`;
}

/** How deep the first record is, from the outside. */
function recordDepth(values: readonly unknown[], depth: number): number {
  const objects = values.filter((each): each is object => typeof each === "object" && each !== null);
  if (objects.length === 0) return depth;
  const isRecord = (each: object) => !Array.isArray(each) && Object.keys(each).length >= KEYS_OF_RECORD;
  if (objects.some(isRecord)) return depth;
  return recordDepth(objects.flatMap(Object.values), depth + 1);
}

interface Place {
  readonly depth: number;
  /** The depth of the last objects that are open. */
  readonly open: number;
  /** A comma, if more follows. */
  readonly end: string;
}

/** @param name the key as HTML, with its colon; empty in a list */
function partHtml(name: string, value: unknown, place: Place): string {
  const { depth, open, end } = place;
  const indent = "  ".repeat(depth);
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return `${indent}${name}${plainHtml(value)}${end}\n`;
  const entries = Object.entries(value);
  const [first, last] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const inner = entries.map(([key, each], index) => {
    const own = Array.isArray(value)
      ? ""
      : `<span class="hljs-attr">${escapeHtml(JSON.stringify(key))}</span>: `;
    return partHtml(own, each, { depth: depth + 1, open, end: index === entries.length - 1 ? "" : "," });
  });
  const content = `${inner.join("")}${indent}${last}${end}\n`;
  if (depth <= open) return `${indent}${name}${first}\n${content}`;
  const what = Array.isArray(value) ? "item" : "key";
  const more = `${entries.length} ${what}${entries.length === 1 ? "" : "s"} ${last}${end}`;
  return `<details><summary>${indent}${name}${first}<i data-more=" ${more}"></i>\n</summary>${content}</details>`;
}

function plainHtml(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value));
  if (typeof value === "string") return `<span class="hljs-string">${text}</span>`;
  if (typeof value === "number") return `<span class="hljs-number">${text}</span>`;
  return typeof value === "object" && value !== null ? text : `<span class="hljs-literal">${text}</span>`;
}
