import { printable } from "../core/foundation/printable.ts";
import type { Drift, DriftItem } from "./capture.ts";
import type { DifferenceListener } from "./shapes.ts";

/** How many items of each kind are kept, so that a capture full of made-up names cannot fill the memory. */
const MAX_ITEMS = 1_000;
/** Longer names and values are cut, in characters. */
const MAX_LENGTH = 200;

type Kind = keyof Drift;
type CountedItem = { -readonly [Key in keyof DriftItem]: DriftItem[Key] } & { body: number };

/** Counts in how many bodies each difference from the schemas occurs. */
export class DriftCounter implements DifferenceListener {
  private readonly items: Record<Kind, Map<string, CountedItem>> = {
    fields: new Map(),
    types: new Map(),
    enums: new Map(),
    lacking: new Map(),
    events: new Map(),
  };
  private line = 0;
  private body = 0;
  /** Whether the current body differs from its schema. */
  bodyDiffers = false;

  /** Starts counting for the next body. */
  startBody(line: number): void {
    this.line = line;
    this.body++;
    this.bodyDiffers = false;
  }

  count(kind: Kind, path: string, expected?: string, got?: string): void {
    this.bodyDiffers = true;
    const items = this.items[kind];
    const key = got === undefined ? path : `${path} ${got}`;
    const known = items.get(key);
    if (known !== undefined) {
      if (known.body !== this.body) known.count++;
      known.body = this.body;
      known.line = Math.min(known.line, this.line);
    } else if (items.size < MAX_ITEMS) {
      items.set(key, {
        path: shorten(path),
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got: shorten(got) }),
        count: 1,
        line: this.line,
        body: this.body,
      });
    }
  }

  /** The counts, sorted by path. */
  result(): Drift {
    return mapDrift(this.items, (items) =>
      [...items.values()]
        .map(({ body: _, ...item }): DriftItem => Object.freeze(item))
        .sort((a, b) => compareText(a.path, b.path) || compareText(a.got ?? "", b.got ?? "")),
    );
  }
}

/** Drift with the items of each kind replaced. */
export function mapDrift<Items>(
  kinds: Readonly<Record<keyof Drift, Items>>,
  change: (items: Items) => readonly DriftItem[],
): Drift {
  const entries = Object.entries(kinds).map(([kind, items]) => [kind, change(items)] as const);
  return Object.fromEntries(entries) as Readonly<Record<keyof Drift, readonly DriftItem[]>>;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function shorten(text: string): string {
  return printable(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}
