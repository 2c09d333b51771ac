import { ForkableList } from "./collections.ts";
import { InputError } from "./errors.ts";
import { shared, shareInstants } from "./instants.ts";

/** One command, or one answer of an endpoint. */
export interface JournalEntry {
  /** Virtual time, ms since the epoch. */
  readonly atMs: number;
  /** How many agenda items had run before it. Exact even where several things share an instant. */
  readonly step: number;
  /** The command's name, as in `sim.command`, or the name of an endpoint's answer. */
  readonly command: string;
  /** The arguments after they were read, with durations in ms. */
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
 * Reads a journal that was written line by line during a run: the options, then entries and positions of the run.
 * After a reset, a new journal follows; the last one is read. A last line that is cut off was being written when the
 * process was killed, and is dropped.
 * @returns the document that `journal()` would have returned; undefined if the text is not such a journal
 * @throws {InputError} naming a line that is not JSON
 */
export function readJournalLines(text: string): object | undefined {
  if (!/^\s*\{\s*"ringback"/.test(text) || !text.includes("\n")) return undefined;
  const lines = text.split("\n");
  lines.pop(); // the text after the last line's end
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
    return undefined; // the caller names the line, or the text is a document over several lines
  }
}

/** All commands and answers of a run, in order. The options and the journal determine the run. */
export class Journal {
  /** Called with every entry, even if entries are not kept. */
  onEntry: ((entry: JournalEntry) => void) | undefined;

  private constructor(private readonly entries: ForkableList<JournalEntry> | undefined) {}

  /** @param keeps false in long runs whose memory must stay bounded; such a run cannot be replayed */
  static create(keeps: boolean): Journal {
    return new Journal(keeps ? new ForkableList() : undefined);
  }

  get keeps(): boolean {
    return this.entries !== undefined;
  }

  record({ atMs, step }: JournalEnd, command: string, args: unknown): void {
    if (this.entries === undefined && this.onEntry === undefined) return;
    // fields one by one: adding them to a spread gives each entry a hidden class of its own
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
