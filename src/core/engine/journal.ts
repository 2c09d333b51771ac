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

  /** Drops the entries so far. */
  clear(): void {
    if (this.entries !== undefined) this.entries = new ForkableList();
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
