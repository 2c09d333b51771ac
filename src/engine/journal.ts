import { ForkableList } from "./collections.ts";

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
    const entry = { atMs, step, command, args };
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
