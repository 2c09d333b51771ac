/** So many items are kept before those that are over are dropped. */
const FEWEST = 100;

/** Items that are over some time, and say so only when they are asked. It grows to twice as many as are not over, and holds no more. */
export class PrunedList<T> {
  private items: T[] = [];
  private most = FEWEST;

  /** @param isOver whether an item need not be kept any more */
  constructor(private readonly isOver: (item: T) => boolean) {}

  /** Adds one, and drops those that are over if there are many. */
  add(item: T): void {
    this.items.push(item);
    if (this.items.length < this.most) return;
    this.items = this.current;
    this.most = Math.max(FEWEST, 2 * this.items.length);
  }

  /** All that are kept, oldest first: some may be over. */
  get all(): readonly T[] {
    return this.items;
  }

  /** Those that are not over, oldest first. */
  get current(): T[] {
    return this.items.filter((each) => !this.isOver(each));
  }
}
