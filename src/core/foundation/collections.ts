/** Collections whose forks share the content so far, read only. Each side writes into layers of its own. */

const DELETED = Symbol("gone");

/** One empty list for all: a fork makes about ninety of these collections. */
const none: readonly never[] = [];

/** A map whose fork shares its entries. Reads look through at most log(n) layers. */
export class ForkableMap<K, V> {
  /**
   * Made at the first write: about fifty of a new simulator's maps stay empty, and an empty `Map` takes 200
   * bytes.
   */
  private top: Map<K, V | typeof DELETED> | undefined;
  /** Oldest first, never written again. Each is at least twice as large as the next. */
  private layers: readonly ReadonlyMap<K, V | typeof DELETED>[] = none;

  get(key: K): V | undefined {
    const own = this.top?.get(key);
    if (own !== undefined) return own === DELETED ? undefined : own;
    for (let index = this.layers.length - 1; index >= 0; index--) {
      const found = this.layers[index]?.get(key);
      if (found !== undefined) return found === DELETED ? undefined : found;
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
    const layer = this.layers.findLast((each) => each.has(key));
    // keeping a mark for each deleted key would leak memory
    if (layer === undefined || layer.get(key) === DELETED) this.top?.delete(key);
    else {
      this.top ??= new Map();
      this.top.set(key, DELETED);
    }
  }

  fork(): ForkableMap<K, V> {
    if (this.top !== undefined && this.top.size > 0) {
      this.layers = pushLayer(this.layers, this.top);
      this.top = undefined;
    }
    const copy = new ForkableMap<K, V>();
    copy.layers = this.layers;
    return copy;
  }

  /** Returns the content, for `load`. */
  save(): Map<K, V> {
    const all = new Map<K, V>();
    for (const layer of [...this.layers, this.top ?? []])
      for (const [key, value] of layer)
        if (value === DELETED) all.delete(key);
        else all.set(key, value);
    return all;
  }

  /** @returns a map with what was saved */
  load(saved: ReadonlyMap<K, V>): ForkableMap<K, V> {
    const loaded = new ForkableMap<K, V>();
    if (saved.size > 0) loaded.top = new Map(saved);
    return loaded;
  }
}

/**
 * Adds a layer and merges those that are less than twice as large as the ones above: log(n) for each written
 * key, amortised.
 */
function pushLayer<K, V>(layers: readonly ReadonlyMap<K, V>[], top: ReadonlyMap<K, V>): ReadonlyMap<K, V>[] {
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
  // the lowest layer needs no marks: nothing is below it
  if (stacked.length === 0 && newest !== top)
    newest = new Map([...newest].filter(([, value]) => value !== DELETED));
  stacked.push(newest);
  return stacked;
}

/**
 * A list that never changes. `with` returns a list with one more item that shares the storage, so a thousand
 * versions of a record hold its thousands of items once. The array is made on the first read.
 */
export class GrowingList<T> {
  // `#`, since freezing a record must not freeze its list's storage
  readonly #items: T[];
  readonly #count: number;
  #array: readonly T[] | undefined;

  /**
   * @param items oldest first; later lists append to it
   * @param count how many of the items are in this list
   */
  constructor(items: T[] = [], count = items.length) {
    this.#items = items;
    this.#count = count;
  }

  /** Returns the list with one more item. */
  with(item: T): GrowingList<T> {
    const isNewest = this.#items.length === this.#count;
    // after a fork, another list may have appended something else to the shared items
    const items = isNewest ? this.#items : this.#items.slice(0, this.#count);
    items.push(item);
    return new GrowingList(items, items.length);
  }

  /** The items, frozen; the same array each time. */
  get array(): readonly T[] {
    this.#array ??= Object.freeze(this.#items.slice(0, this.#count));
    return this.#array;
  }
}

/** An append-only list whose fork shares its items. `dropFirst` bounds its memory. */
export class ForkableList<T> {
  /** Oldest first. At most one list appends to each part; the others hold a range of it. */
  private shared: readonly { readonly items: readonly T[]; readonly start: number; readonly end: number }[] =
    none;
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
    for (const { items, start, end } of this.shared) {
      if (rest < end - start) return items[start + rest];
      rest -= end - start;
    }
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const { items, start, end } of this.shared)
      for (let index = start; index < end; index++) yield items[index] as T;
    for (let index = this.ownFrom; index < this.own.length; index++) yield this.own[index] as T;
  }

  /** Drops the oldest items until at most `keep` are left. */
  dropFirst(keep: number): void {
    let excess = this.length - keep;
    if (excess <= 0) return;
    const shared: (typeof this.shared)[number][] = [];
    for (const part of this.shared) {
      const dropped = Math.min(excess, part.end - part.start);
      excess -= dropped;
      if (part.start + dropped < part.end) shared.push({ ...part, start: part.start + dropped });
    }
    this.shared = shared;
    this.sharedCount = shared.reduce((sum, part) => sum + part.end - part.start, 0);
    this.ownFrom += excess;
    // cutting only when half is dropped keeps this cheap; a fork may still read the old array
    if (this.ownFrom > this.own.length / 2) {
      this.own = this.own.slice(this.ownFrom);
      this.ownFrom = 0;
    }
  }

  fork(): ForkableList<T> {
    const copy = new ForkableList<T>();
    copy.shared =
      this.own.length > this.ownFrom
        ? [...this.shared, { items: this.own, start: this.ownFrom, end: this.own.length }]
        : this.shared;
    copy.sharedCount = this.length;
    return copy;
  }

  /** Returns the content, for `load`. */
  save(): T[] {
    return [...this];
  }

  /** @returns a list with what was saved */
  load(saved: readonly T[]): ForkableList<T> {
    const loaded = new ForkableList<T>();
    loaded.own = [...saved];
    return loaded;
  }
}
