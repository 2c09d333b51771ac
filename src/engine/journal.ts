import { ForkableList } from "./collections.ts";
import { InputError } from "./errors.ts";
import { shared, shareInstants } from "./instants.ts";

/** One thing that came from outside. */
export interface JournalEntry {
  /** Virtual time, ms since the epoch. */
  readonly atMs: number;
  /** How many agenda items had run before it: exact also where several things share an instant. */
  readonly step: number;
  /** The command's name, as `sim.command` takes it; or that an endpoint answered. */
  readonly command: string;
  /** Its arguments, read: durations in ms. */
  readonly args: unknown;
}

/** Where a run stood when its journal was taken. */
export interface JournalEnd {
  /** Virtual time, ms since the epoch. */
  readonly atMs: number;
  /** How many agenda items had run. */
  readonly step: number;
}

/**
 * Reads a journal that was written line by line as the run went: the options, then entries and places where the run stood.
 * Of several that follow each other, after a reset, it is the last. A last line without an end was being written when
 * the process was killed, and is left out.
 * @returns the document that `journal()` would have returned; undefined when the text is none of these
 * @throws {InputError} naming a line that is not JSON
 */
export function readJournalLines(text: string): object | undefined {
  if (!/^\s*\{\s*"ringback"/.test(text) || !text.includes("\n")) return undefined;
  const lines = text.split("\n");
  lines.pop(); // what follows the last line's end
  const parts = lines.map(lineOf);
  const head = parts.findLastIndex((part) => part !== undefined && "ringback" in part);
  if (parts[0] === undefined || head < 0 || "entries" in (parts[head] ?? {})) return undefined;
  const entries: object[] = [];
  let end: unknown;
  for (const [offset, part] of parts.slice(head + 1).entries()) {
    if (part === undefined) throw new InputError(["journal"], `line ${head + offset + 2} is not JSON`);
    if ("end" in part) end = part.end;
    else {
      entries.push(part);
      const { atMs, step } = part as Partial<JournalEnd>;
      end = { atMs, step };
    }
  }
  return { ...parts[head], entries, end };
}

function lineOf(line: string): Record<string, unknown> | undefined {
  try {
    const part: unknown = JSON.parse(line);
    return typeof part === "object" && part !== null ? (part as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // the reader says which line, or it is a document over several lines
  }
}

/** Everything that came from outside, in order. With the options it determines the run. */
export class Journal {
  /** Hears of every entry as it is made, also where none is kept. */
  onEntry: ((entry: JournalEntry) => void) | undefined;

  private constructor(private readonly entries: ForkableList<JournalEntry> | undefined) {}

  /** @param keeps `false` in long runs whose memory must stay bounded; such a run cannot be replayed. */
  static create(keeps: boolean): Journal {
    return new Journal(keeps ? new ForkableList() : undefined);
  }

  get keeps(): boolean {
    return this.entries !== undefined;
  }

  record({ atMs, step }: JournalEnd, command: string, args: unknown): void {
    if (this.entries === undefined && this.onEntry === undefined) return;
    // fields named one by one: those added to a spread would give each entry a hidden class of its own
    const entry = newEntry(shared(atMs), step, command, args);
    this.entries?.push(entry);
    this.onEntry?.(entry);
  }

  list(): JournalEntry[] {
    return this.entries === undefined ? [] : [...this.entries];
  }

  fork(): Journal {
    return new Journal(this.entries?.fork());
  }
}

function newEntry(atMs: number, step: number, command: string, args: unknown): JournalEntry {
  return { atMs, step, command, args };
}

shareInstants((nothing) => newEntry(nothing, 0, "", undefined));
