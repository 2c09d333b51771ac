/** A handle that only reads. Changes are methods of the list that it is in. */
export interface RecordHandle<Record> {
  /** The record's id. */
  readonly id: string;
  /** The current record, frozen. @throws {CommandError} `not_found` once it was removed */
  readonly record: Record;
}

/** @param read returns the current record, or throws */
export function recordHandle<Record>(id: string, read: (id: string) => Record): RecordHandle<Record> {
  return {
    id,
    get record() {
      return read(id);
    },
  };
}
