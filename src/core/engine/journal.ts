import { ForkableList } from "../foundation/collections.ts";
import { internInstant, shareInstants } from "../foundation/instants.ts";

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

/** All commands and answers of a run, in order. The options and the journal determine the run. */
export class Journal {
  /** What is not over yet, each with the number of entries before it. */
  private readonly open = new Map<JournalEntry, number>();

  private constructor(private entries: ForkableList<JournalEntry> | undefined) {}

  /** @param keeps false in long runs whose memory must stay bounded; such a run cannot be replayed */
  static create(keeps: boolean): Journal {
    return new Journal(keeps ? new ForkableList() : undefined);
  }

  get keeps(): boolean {
    return this.entries !== undefined;
  }

  /** Adds an entry, unless this journal keeps none. */
  add({ atMs, step }: JournalEnd, command: string, args: unknown): JournalEntry {
    // fields one by one: adding them to a spread gives each entry a hidden class of its own
    const entry = newEntry(internInstant(atMs), step, command, args);
    this.entries?.push(entry);
    return entry;
  }

  /**
   * Has an entry here until it is over: then another entry says what came of it.
   * @returns ends it
   */
  addOpen({ atMs, step }: JournalEnd, command: string, args: unknown): () => void {
    const entry = newEntry(internInstant(atMs), step, command, args);
    if (this.entries !== undefined) this.open.set(entry, this.entries.length);
    return () => void this.open.delete(entry);
  }

  /** Drops the entries so far. */
  clear(): void {
    this.open.clear();
    if (this.entries !== undefined) this.entries = new ForkableList();
  }

  /** All entries, also of what is not over. */
  list(): JournalEntry[] {
    if (this.entries === undefined) return [];
    const all = [...this.entries];
    let added = 0;
    for (const [entry, before] of this.open) all.splice(before + added++, 0, entry);
    return all;
  }

  fork(): Journal {
    return new Journal(this.entries?.fork());
  }
}

function newEntry(atMs: number, step: number, command: string, args: unknown): JournalEntry {
  return { atMs, step, command, args };
}

shareInstants((nothing) => newEntry(nothing, 0, "", undefined));
