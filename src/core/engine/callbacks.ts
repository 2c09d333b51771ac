/** A consumer's function that runs at a virtual instant. */
export interface Callback {
  /** Virtual time at which it runs, ms since the epoch. */
  readonly dueMs: number;
  readonly run: () => unknown;
  /** Whether it was scheduled without delay. */
  readonly isAtOnce: boolean;
  /** Whether its promise settles in real time, not by virtual time. */
  readonly isReal: boolean;
}

/**
 * The callbacks of `sim.schedule`, by due time, then in the order of scheduling. Not in the agenda: replays and forks
 * cannot have functions.
 */
export class Callbacks {
  private list: Callback[] = [];

  get next(): Callback | undefined {
    return this.list[0];
  }

  add(callback: Callback): void {
    let index = this.list.length;
    while (index > 0 && (this.list[index - 1] as Callback).dueMs > callback.dueMs) index--;
    this.list.splice(index, 0, callback);
  }

  /** Removes a callback, by default the next one. */
  remove(callback = this.next): void {
    this.list = this.list.filter((each) => each !== callback);
  }

  all(): readonly Callback[] {
    return this.list;
  }

  clear(): void {
    this.list = [];
  }
}
