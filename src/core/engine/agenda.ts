/** A scheduled item. Plain data, so that a fork can share it. */
export interface AgendaItem {
  /** Virtual time at which it runs, ms since the epoch. */
  readonly dueMs: number;
  /** Order of scheduling; ties in `dueMs` run in this order. */
  readonly serial: number;
  /** Name of the handler that runs it. */
  readonly task: string;
  /** Id of the record it concerns. */
  readonly recordId: string;
  /** Its purpose in words, such as `ring: ringTimeout`. */
  readonly purpose: string;
  readonly data: unknown;
  /** Whether it repeats for ever, as working hours do. A run may be idle with it. */
  readonly isBackground: boolean;
  /** How many steps of the same instant led to it. `RunState.mustEnd` uses this. */
  readonly depth: number;
}

/** Below this many cancelled items, sweeping the heap costs more than it frees. */
const SWEEP_FROM = 64;

/** A binary heap keyed by (due, serial): ties run first in, first out. */
export class Agenda {
  private serial = 0;
  private heap: AgendaItem[] = [];
  private readonly cancelled = new Set<number>();
  /** Serials of the background items that have not run. */
  private readonly background = new Set<number>();
  /** Items moved ahead of all else at their instant. Used only by deviations. */
  private first: AgendaItem[] = [];

  get size(): number {
    return this.heap.length + this.first.length - this.cancelled.size;
  }

  /** Whether only background items are left. */
  get isIdle(): boolean {
    return this.size === this.background.size;
  }

  /** Adds an item and returns its serial, by which it can be cancelled. */
  add({ dueMs, task, recordId, purpose, data, isBackground, depth }: Omit<AgendaItem, "serial">): number {
    const serial = this.serial++;
    // field by field: a spread takes ten times as long
    this.heap.push({ serial, dueMs, task, recordId, purpose, data, isBackground, depth });
    if (isBackground) this.background.add(serial);
    this.siftUp(this.heap.length - 1);
    return serial;
  }

  /** Cancels an item that has not run. The item stays in the heap until it surfaces or is swept. */
  cancel(serial: number): void {
    this.background.delete(serial);
    if (this.first.some((item) => item.serial === serial)) {
      this.first = this.first.filter((item) => item.serial !== serial);
      return;
    }
    this.cancelled.add(serial);
    if (this.cancelled.size >= SWEEP_FROM && this.cancelled.size > this.heap.length / 2) this.sweep();
  }

  /** The next item due, which stays in the agenda. */
  peek(): AgendaItem | undefined {
    if (this.first.length > 0) return this.first[0];
    for (let top = this.heap[0]; top !== undefined; top = this.heap[0]) {
      if (!this.cancelled.delete(top.serial)) return top;
      this.removeTop();
    }
    return undefined;
  }

  /** Removes and returns the next item due. */
  take(): AgendaItem | undefined {
    const top = this.peek();
    if (top === undefined) return undefined;
    if (this.first.length > 0) this.first.shift();
    else this.removeTop();
    if (top.isBackground) this.background.delete(top.serial);
    return top;
  }

  /** All items due at the next item's instant, in the order in which they would run. */
  ties(): AgendaItem[] {
    const next = this.peek();
    if (next === undefined) return [];
    // in a heap, items tied with the top are at its top
    const isTied = (item: AgendaItem | undefined) => item?.dueMs === next.dueMs;
    if (this.first.length === 0 && !isTied(this.heap[1]) && !isTied(this.heap[2])) return [next];
    return this.list().filter(isTied);
  }

  /** Items due at an instant that were scheduled after the given serial. */
  dueSince(dueMs: number, serial: number): AgendaItem[] {
    return this.list().filter((item) => item.dueMs === dueMs && item.serial > serial);
  }

  /** Moves an item ahead of the others of its instant, after those moved before. */
  moveAhead(serial: number): void {
    const item = this.heap.find((each) => each.serial === serial);
    if (item === undefined) return;
    this.heap = this.heap.filter((each) => each !== item).sort(runsBefore);
    this.first.push(item);
  }

  /** Resets the depth of the next item after a runaway loop was stopped there. */
  forgive(next: AgendaItem): void {
    const forgiven = { ...next, depth: 0 };
    if (this.first.length > 0) this.first[0] = forgiven;
    else this.heap[0] = forgiven;
  }

  /** All items, in the order in which they will run. */
  list(): AgendaItem[] {
    this.sweep();
    return [...this.first, ...this.heap];
  }

  /** Items due at an instant, in the order in which they will run. */
  dueAt(dueMs: number): AgendaItem[] {
    const isDue = (item: AgendaItem) => item.dueMs === dueMs && !this.cancelled.has(item.serial);
    return [...this.first.filter(isDue), ...this.heap.filter(isDue).sort(runsBefore)];
  }

  clear(): void {
    this.heap = [];
    this.first = [];
    this.cancelled.clear();
    this.background.clear();
  }

  fork(): Agenda {
    return this.load(this.save());
  }

  /** The scheduled items, for `load`, which copies them. */
  save() {
    this.sweep();
    return { serial: this.serial, first: this.first, items: this.heap };
  }

  /** @returns an agenda with the saved items */
  load({ serial, first, items }: ReturnType<Agenda["save"]>): Agenda {
    const loaded = new Agenda();
    loaded.serial = serial;
    loaded.heap = [...items]; // a sorted array is a heap
    loaded.first = [...first];
    for (const item of [...first, ...items]) if (item.isBackground) loaded.background.add(item.serial);
    return loaded;
  }

  /**
   * Removes cancelled items and leaves the heap sorted. A sorted array is a heap, and sorting it again is
   * cheap.
   */
  private sweep(): void {
    const { cancelled } = this;
    if (cancelled.size > 0) this.heap = this.heap.filter((item) => !cancelled.has(item.serial));
    this.heap.sort(runsBefore);
    cancelled.clear();
  }

  private removeTop(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.siftDown();
  }

  private siftUp(from: number): void {
    const item = this.heap[from] as AgendaItem;
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.heap[parentIndex] as AgendaItem;
      if (runsBefore(parent, item) < 0) break;
      this.heap[index] = parent;
      index = parentIndex;
    }
    this.heap[index] = item;
  }

  private siftDown(): void {
    const item = this.heap[0] as AgendaItem;
    const length = this.heap.length;
    let index = 0;
    for (let child = 1; child < length; child = 2 * index + 1) {
      const right = child + 1;
      if (right < length && runsBefore(this.heap[right] as AgendaItem, this.heap[child] as AgendaItem) < 0)
        child = right;
      if (runsBefore(item, this.heap[child] as AgendaItem) < 0) break;
      this.heap[index] = this.heap[child] as AgendaItem;
      index = child;
    }
    this.heap[index] = item;
  }
}

function runsBefore(a: AgendaItem, b: AgendaItem): number {
  return a.dueMs - b.dueMs || a.serial - b.serial;
}
