import { printable } from "../core/foundation/printable.ts";
import type { Drift, DriftItem } from "./capture.ts";
import type { Differences } from "./shapes.ts";

/** The most different items of each kind; a capture that invents names must not fill the memory. */
const MOST = 1_000;
/** The longest name or value that is kept, in characters. */
const LONGEST = 200;

type Kind = keyof Drift;
type Counted = { -readonly [Key in keyof DriftItem]: DriftItem[Key] } & { body: number };

/** Counts how bodies differ from our schemas: each difference once a body. */
export class DriftCount implements Differences {
  private readonly items: Record<Kind, Map<string, Counted>> = {
    fields: new Map(),
    types: new Map(),
    enums: new Map(),
    lacking: new Map(),
    events: new Map(),
  };
  private line = 0;
  private body = 0;
  private before = 0;
  private told = 0;

  /** Begins the next body. */
  begin(line: number): void {
    this.line = line;
    this.body++;
    this.before = this.told;
  }

  /** Whether the body differs. */
  get differs(): boolean {
    return this.told > this.before;
  }

  field(path: string): void {
    this.note("fields", path);
  }
  type(path: string, expected: string, got: string): void {
    this.note("types", path, expected, got);
  }
  word(path: string, expected: string, got: string): void {
    this.note("enums", path, expected, got);
  }
  lacking(path: string): void {
    this.note("lacking", path);
  }
  event(type: string): void {
    this.note("events", type);
  }

  private note(kind: Kind, path: string, expected?: string, got?: string): void {
    this.told++;
    const items = this.items[kind];
    const key = got === undefined ? path : `${path} ${got}`;
    const known = items.get(key);
    if (known !== undefined) {
      if (known.body !== this.body) known.count++;
      known.body = this.body;
      known.line = Math.min(known.line, this.line);
    } else if (items.size < MOST) {
      items.set(key, {
        path: shortened(path),
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got: shortened(got) }),
        count: 1,
        line: this.line,
        body: this.body,
      });
    }
  }

  /** What was counted, sorted by path. */
  result(): Drift {
    const list = (kind: Kind): readonly DriftItem[] =>
      [...this.items[kind].values()]
        .map(({ body: _, ...item }): DriftItem => Object.freeze(item))
        .sort((a, b) => compared(a.path, b.path) || compared(a.got ?? "", b.got ?? ""));
    return {
      fields: list("fields"),
      types: list("types"),
      enums: list("enums"),
      lacking: list("lacking"),
      events: list("events"),
    };
  }
}

function compared(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function shortened(text: string): string {
  return printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
