/** Chance from a seed (mulberry32). Written here, so that no release of a library changes what is drawn. */
export class Dice {
  /** The durations to draw from, ms. In many runs they are few, so that things often coincide. */
  readonly durations: readonly [number, ...number[]];

  constructor(private state: number) {
    const many = [0, 1, 999, 1_000, 4_000, 5_000, 10_000, 20_000, 30_000, 61_234] as const;
    this.durations = this.chance(0.5) ? [5_000, 10_000] : many;
  }

  /** From 0 up to 1, 1 excluded. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to `limit`, `limit` excluded. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of them, each as likely as the others. */
  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** Each of them or not, in their order. */
  some<T>(list: readonly T[], probability = 0.5): T[] {
    return list.filter(() => this.chance(probability));
  }

  /** Returns the object without some of its keys, chosen at random. */
  partly<T extends object>(object: T, probability = 0.5): Partial<T> {
    return Object.fromEntries(this.some(Object.entries(object), probability)) as Partial<T>;
  }
}
