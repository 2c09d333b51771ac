import { ForkableList, ForkableMap } from "../foundation/collections.ts";

/** Ordinals whose records were removed. */
interface Gap {
  /** The index of the id behind it, among the ids when the gap was noted. */
  readonly index: number;
  readonly count: number;
}

const none: readonly Gap[] = [];

/** The fewest removed ids that cause a compaction, so that short lists are not rebuilt for each. */
const FEWEST_TO_COMPACT = 4;

/**
 * The ids of records, oldest first, each with its ordinal: how many were added before it. Ordinals are never reused.
 * Removed ids are compacted away.
 */
export class OrdinalIndex {
  constructor(
    /** Includes those in `removed`. */
    private ids = new ForkableList<string>(),
    private removed = new ForkableMap<string, true>(),
    private removedCount = 0,
    /** The ordinal of the first id, without gaps before it. */
    public start = 0,
    private gaps: readonly Gap[] = none,
    /** How many ids were dropped since the gaps were noted. */
    private shift = 0,
  ) {}

  /**
   * @param start the ordinal of the first
   * @param items ids, and the sizes of the gaps between them
   */
  static of(start: number, items: Iterable<string | number>): OrdinalIndex {
    const ids = new ForkableList<string>();
    const gaps: Gap[] = [];
    for (const item of items)
      if (typeof item === "string") ids.push(item);
      else gaps.push({ index: ids.length, count: item });
    return new OrdinalIndex(ids, undefined, 0, start, gaps);
  }

  add(id: string): void {
    // an id that is added again moves to the end
    if (this.removed.has(id)) this.compact();
    this.ids.push(id);
  }

  remove(id: string): void {
    // usually the oldest: drop it, and the removed ones behind it
    if (this.ids.at(0) === id) {
      this.dropFirst();
      for (let next = this.ids.at(0); next !== undefined && this.removed.has(next); next = this.ids.at(0)) {
        this.removed.delete(next);
        this.removedCount--;
        this.dropFirst();
      }
      return;
    }
    if (this.removed.has(id)) return;
    this.removed.set(id, true);
    if (++this.removedCount > FEWEST_TO_COMPACT && 2 * this.removedCount > this.ids.length) this.compact();
  }

  /** The ids, possibly with removed ones. */
  [Symbol.iterator](): IterableIterator<string> {
    return this.ids[Symbol.iterator]();
  }

  /**
   * The ids with their ordinals, forwards or backwards from an ordinal, possibly with removed ones.
   * @param from default: the first, or the last if backwards
   */
  *from(
    from: number | undefined,
    direction: 1 | -1,
  ): IterableIterator<readonly [ordinal: number, id: string]> {
    const { ids, gaps, shift } = this;
    const { length } = ids;
    const last = from === undefined ? length : Math.min(this.indexFrom(from + 1), length);
    let index = direction === 1 ? this.indexFrom(from ?? 0) : last - 1;
    let ordinal = this.ordinalAt(index);
    let passed = gaps.filter((gap) => gap.index - shift <= index).length;
    for (; index >= 0 && index < length; index += direction) {
      yield [ordinal, ids.at(index) as string];
      ordinal += direction;
      const gap = gaps[direction === 1 ? passed : passed - 1];
      if (gap === undefined || gap.index - shift !== (direction === 1 ? index + 1 : index)) continue;
      ordinal += direction * gap.count;
      passed += direction;
    }
  }

  /** The ids, and the sizes of the gaps between and behind them, for `of`. */
  *items(): IterableIterator<string | number> {
    let next = this.start;
    for (const [ordinal, id] of this.from(undefined, 1)) {
      if (this.removed.has(id)) continue;
      if (ordinal > next) yield ordinal - next;
      yield id;
      next = ordinal + 1;
    }
    const end = this.ordinalAt(this.ids.length);
    if (end > next) yield end - next;
  }

  fork(): OrdinalIndex {
    const { ids, removed, removedCount, start, gaps, shift } = this;
    return new OrdinalIndex(ids.fork(), removed.fork(), removedCount, start, gaps, shift);
  }

  private dropFirst(): void {
    this.ids.dropFirst(this.ids.length - 1);
    this.start++;
    this.shift++;
  }

  private ordinalAt(index: number): number {
    let ordinal = this.start + index;
    for (const gap of this.gaps) if (gap.index - this.shift <= index) ordinal += gap.count;
    return ordinal;
  }

  /** The index of the first id at an ordinal or behind it. */
  private indexFrom(ordinal: number): number {
    let index = ordinal - this.start;
    for (const gap of this.gaps) {
      const at = gap.index - this.shift;
      if (index < at) break;
      index = Math.max(at, index - gap.count);
    }
    return Math.max(0, index);
  }

  /** Rebuilds the list without removed ids. */
  private compact(): void {
    const { ids, removed, gaps } = OrdinalIndex.of(this.start, this.items());
    Object.assign(this, { ids, removed, removedCount: 0, gaps, shift: 0 });
  }
}
