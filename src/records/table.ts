import { type Draft, freeze, Immer } from "immer";
import { ForkableList, ForkableMap } from "../engine/collections.ts";

/** An instance of our own: `setAutoFreeze` on the shared one belongs to the consumer. */
const immer = new Immer({ autoFreeze: true });

/** Frozen records by id, in the order of their insertion. Never one Immer tree: each record is produced by itself. */
export class Table<T extends { readonly id: string }> {
  constructor(
    private readonly records = new ForkableMap<string, T>(),
    private readonly ids = new ForkableList<string>(),
  ) {}

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  /** The record of an id that the platform itself holds. */
  mustGet(id: string): T {
    const record = this.records.get(id);
    if (record === undefined) throw new Error(`no record has the id ${id}`);
    return record;
  }

  insert(record: T): T {
    const frozen = freeze(record, true);
    this.records.set(record.id, frozen);
    this.ids.push(record.id);
    return frozen;
  }

  /** Produces the next version of a record; what the recipe does not touch is shared with the last. */
  update(id: string, recipe: (draft: Draft<T>) => void): T {
    const next = immer.produce(this.mustGet(id), (draft) => {
      recipe(draft);
    });
    this.records.set(id, next);
    return next;
  }

  remove(id: string): void {
    this.records.delete(id);
    for (let first = this.ids.at(0); first !== undefined && !this.records.has(first); first = this.ids.at(0))
      this.ids.dropFirst(this.ids.length - 1);
  }

  /** Every record, oldest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const id of this.ids) {
      const record = this.records.get(id);
      if (record !== undefined) yield record;
    }
  }

  fork(): Table<T> {
    return new Table(this.records.fork(), this.ids.fork());
  }
}
