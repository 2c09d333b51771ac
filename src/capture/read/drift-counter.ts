import { printable } from "../../core/foundation/printable.ts";
import type { Drift, DriftItem } from "./capture.ts";
import type { DifferenceListener } from "./shapes.ts";

/** How many items of each kind are kept, so that a capture full of made-up names cannot fill the memory. */
const MAX_ITEMS = 1_000;
/** How many texts of a capture are remembered, for the same reason. */
const MAX_TEXTS = 1_000_000;
/** How many levels a value below a field may have. What walks it calls itself, and more would exceed the stack. */
export const MAX_LEVELS = 100;

/**
 * Whether a text looks like a name of an interface: it begins with a small letter, as `displayName` does. A person's name, a
 * sentence, and what has a number of five digits or more in it do not.
 */
export function isPlainName(text: string): boolean {
  return /^[a-z][\w.]{0,39}$/.test(text) && !/\d{5}/.test(text);
}

/** Whether a text may be a person's name, an address or the like, which somebody could write as a key too. */
const isSomebodys = /^[a-z][a-z .,'@_-]{0,79}$/i;

/** A text in one spelling: `johnSmith` for `John Smith`, `john.smith` and `JOHN_SMITH`. */
function spelling(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

type Kind = keyof Drift;
/** An item as it was found. Its last name and its value may be somebody's words. */
interface CountedItem {
  /** The path of the object that has the field; else of the value. */
  readonly path: string;
  /** The undocumented field or event type, which may be somebody's words. */
  readonly name: string | undefined;
  readonly expected: string | undefined;
  readonly got: string | undefined;
  count: number;
  line: number;
  /** The number of the last body that has it. */
  body: number;
}

/**
 * Counts in how many bodies each difference from the schemas occurs. A name of a field, an event type or a value is
 * listed if it looks like one and is no text elsewhere in the capture, however spelt; others are listed as `field 1` or `value 2`.
 */
export class DriftCounter implements DifferenceListener {
  private readonly items: Record<Kind, Map<string, CountedItem>> = {
    fields: new Map(),
    types: new Map(),
    enums: new Map(),
    lacking: new Map(),
    events: new Map(),
  };
  /** Texts of the capture that look like names of an interface or of people. */
  private readonly texts = new Set<string>();
  private line = 0;
  private body = 0;
  /** Whether the current body differs from its schema. */
  bodyDiffers = false;
  isTooDeep = false;

  /** Starts counting for the next body. */
  startBody(line: number): void {
    this.line = line;
    this.body++;
    this.bodyDiffers = false;
    this.isTooDeep = false;
  }

  count(kind: "types" | "enums" | "lacking", path: string, expected?: string, got?: string): void {
    this.add(kind, { path, expected, got });
  }

  countField(path: string, name: string): void {
    this.add("fields", { path, name });
  }

  /** Counts an undocumented event type. */
  countType(name: string): void {
    this.add("events", { path: "", name });
  }

  noteTexts(value: unknown, levels = MAX_LEVELS): void {
    if (typeof value === "object" && value !== null) {
      if (levels === 0) this.isTooDeep = true;
      else for (const below of Object.values(value)) this.noteTexts(below, levels - 1);
    } else if (typeof value === "string" && this.texts.size < MAX_TEXTS)
      if (isSomebodys.test(value) || isPlainName(value)) this.texts.add(value);
  }

  private add(
    kind: Kind,
    { path, name, expected, got }: Partial<CountedItem> & { readonly path: string },
  ): void {
    this.bodyDiffers = true;
    const items = this.items[kind];
    const key = JSON.stringify([path, name, got]);
    const known = items.get(key);
    if (known !== undefined) {
      if (known.body !== this.body) known.count++;
      known.body = this.body;
      known.line = Math.min(known.line, this.line);
    } else if (items.size < MAX_ITEMS) {
      items.set(key, { path, name, expected, got, count: 1, line: this.line, body: this.body });
    }
  }

  /** The counts, sorted by path. */
  result(): Drift {
    const names = new Names(this.texts);
    return {
      fields: this.listed("fields", names),
      types: this.listed("types", names),
      enums: this.listed("enums", names),
      lacking: this.listed("lacking", names),
      events: this.listed("events", names),
    };
  }

  private listed(kind: Kind, names: Names): readonly DriftItem[] {
    const items = [...this.items[kind].values()].map(({ path, name, expected, got, count, line }) => {
      const shown = name === undefined ? undefined : names.show(name, kind === "events" ? "value" : "field");
      const shownGot = got === undefined || kind === "types" ? got : names.show(got, "value");
      return Object.freeze({
        path: printable([path, shown].filter(Boolean).join(".")),
        ...(expected === undefined ? {} : { expected }),
        ...(shownGot === undefined ? {} : { got: shownGot }),
        count,
        line,
      });
    });
    return items.sort((a, b) => compareText(a.path, b.path) || compareText(a.got ?? "", b.got ?? ""));
  }
}

/** Shows names that are names, and numbers the others. */
class Names {
  private readonly numbered = new Map<string, string>();
  private readonly counts = { field: 0, value: 0 };
  private readonly spellings = new Set<string>();

  /** @param texts the texts of the capture that look like names */
  constructor(texts: ReadonlySet<string>) {
    for (const text of texts) {
      this.spellings.add(spelling(text));
      const [person = "", host] = text.split("@");
      if (host !== undefined) this.spellings.add(spelling(person));
    }
  }

  show(name: string, kind: "field" | "value"): string {
    if (isPlainName(name) && !this.spellings.has(spelling(name))) return name;
    const known = this.numbered.get(name) ?? `${kind} ${++this.counts[kind]}`;
    this.numbered.set(name, known);
    return known;
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
