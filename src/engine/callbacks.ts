/** Code of the consumer's that is to be called at a virtual instant. */
export interface Callback {
  /** Virtual time at which it is called, ms since the epoch. */
  readonly dueMs: number;
  readonly run: () => unknown;
  /** It was scheduled for the instant at which that was done. */
  readonly isAtOnce: boolean;
  /** What it returns settles in real time, whatever the virtual one. */
  readonly isReal: boolean;
}

/**
 * Callbacks in the order in which they are called: those of one instant as they were scheduled. They are not on the agenda,
 * which holds only what a replay and a fork find again.
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

  /** Takes the next one out, or this one. */
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
