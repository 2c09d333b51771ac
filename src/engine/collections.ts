/**
 * Collections that fork at a cost which does not depend on how much they hold: after a fork both sides share what
 * was there, read only, and write into a layer of their own.
 */

const GONE = Symbol("gone");

/** A map whose fork shares its entries. Reads look through at most log(n) layers. */
export class ForkableMap<K, V> {
  /** Made when first written to: about fifty of a new simulator stay empty, and an empty `Map` takes 200 bytes. */
  private top: Map<K, V | typeof GONE> | undefined;
  /** Oldest first, never written again; each at least twice as large as the one after it. */
  private layers: readonly ReadonlyMap<K, V | typeof GONE>[] = [];

  get(key: K): V | undefined {
    const own = this.top?.get(key);
    if (own !== undefined) return own === GONE ? undefined : own;
    for (let index = this.layers.length - 1; index >= 0; index--) {
      const found = this.layers[index]?.get(key);
      if (found !== undefined) return found === GONE ? undefined : found;
    }
    return undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    this.top ??= new Map();
    this.top.set(key, value);
  }

  delete(key: K): void {
    if (this.layers.length === 0) {
      this.top?.delete(key);
      return;
    }
    this.top ??= new Map();
    this.top.set(key, GONE);
  }

  fork(): ForkableMap<K, V> {
    if (this.top !== undefined && this.top.size > 0) {
      this.layers = stack(this.layers, this.top);
      this.top = undefined;
    }
    const copy = new ForkableMap<K, V>();
    copy.layers = this.layers;
    return copy;
  }
}

/** Adds a layer, merging those that are not twice as large as what lies on them: amortised log(n) a written key. */
function stack<K, V>(layers: readonly ReadonlyMap<K, V>[], top: ReadonlyMap<K, V>): ReadonlyMap<K, V>[] {
  const stacked = [...layers];
  let newest = top;
  for (
    let below = stacked.at(-1);
    below !== undefined && below.size < 2 * newest.size;
    below = stacked.at(-1)
  ) {
    stacked.pop();
    newest = new Map([...below, ...newest]);
  }
  stacked.push(newest);
  return stacked;
}

/**
 * A list that never changes: one with an item more shares what it has. Made as an array when it is first read. So a
 * thousand versions of a record that lists thousands of things hold these once, until someone reads them.
 */
export class GrowingList<T> {
  // private to the language: freezing a record that has such a list must not freeze what the list grows into
  readonly #items: T[];
  readonly #count: number;
  #array: readonly T[] | undefined;

  /** @param items oldest first; later lists append to it, and each knows how much of it is its own past */
  constructor(items: T[] = [], count = items.length) {
    this.#items = items;
    this.#count = count;
  }

  /** The same list and one item more. */
  with(item: T): GrowingList<T> {
    const isNewest = this.#items.length === this.#count;
    // another list, after a fork, has gone on from here with something else
    const items = isNewest ? this.#items : this.#items.slice(0, this.#count);
    items.push(item);
    return new GrowingList(items, items.length);
  }

  /** Frozen, and the same each time. */
  get array(): readonly T[] {
    this.#array ??= Object.freeze(this.#items.slice(0, this.#count));
    return this.#array;
  }
}

/** An append-only list whose fork shares what it holds. `dropFirst` bounds its memory. */
export class ForkableList<T> {
  /** Oldest first; each is appended to by at most one list, and every list knows how much of it is its own past. */
  private shared: readonly { readonly items: readonly T[]; readonly from: number; readonly to: number }[] =
    [];
  private own: T[] = [];
  private ownFrom = 0;
  private sharedCount = 0;

  get length(): number {
    return this.sharedCount + this.own.length - this.ownFrom;
  }

  push(item: T): void {
    this.own.push(item);
  }

  at(index: number): T | undefined {
    if (index >= this.sharedCount) return this.own[index - this.sharedCount + this.ownFrom];
    let rest = index;
    for (const { items, from, to } of this.shared) {
      if (rest < to - from) return items[from + rest];
      rest -= to - from;
    }
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const { items, from, to } of this.shared)
      for (let index = from; index < to; index++) yield items[index] as T;
    for (let index = this.ownFrom; index < this.own.length; index++) yield this.own[index] as T;
  }

  /** Forgets the oldest items until at most `keep` are left. */
  dropFirst(keep: number): void {
    let excess = this.length - keep;
    if (excess <= 0) return;
    const shared = [];
    for (const part of this.shared) {
      const dropped = Math.min(excess, part.to - part.from);
      excess -= dropped;
      if (part.from + dropped < part.to) shared.push({ ...part, from: part.from + dropped });
    }
    this.shared = shared;
    this.sharedCount = shared.reduce((sum, part) => sum + part.to - part.from, 0);
    this.ownFrom += excess;
    // a slice at every doubling keeps dropping cheap; a fork may still read the old array
    if (this.ownFrom > this.own.length / 2) {
      this.own = this.own.slice(this.ownFrom);
      this.ownFrom = 0;
    }
  }

  fork(): ForkableList<T> {
    const copy = new ForkableList<T>();
    copy.shared =
      this.own.length > this.ownFrom
        ? [...this.shared, { items: this.own, from: this.ownFrom, to: this.own.length }]
        : this.shared;
    copy.sharedCount = this.length;
    return copy;
  }
}
