import { ForkableList } from "../engine/collections.ts";

/** Bounds what is kept of one kind of record: of those that are over, the newest. Keeps no books while there is no limit. */
export class Newest {
  constructor(
    private readonly keep: number,
    private readonly forget: (id: string) => void,
    /** Those that are over, oldest first. */
    private readonly ids = new ForkableList<string>(),
  ) {}

  /** Nothing more will become of this record: it may be forgotten once `keep` others are over too. */
  over(id: string): void {
    if (this.keep === Number.POSITIVE_INFINITY) return;
    this.ids.push(id);
    for (
      let oldest = this.ids.at(0);
      oldest !== undefined && this.ids.length > this.keep;
      oldest = this.ids.at(0)
    ) {
      this.forget(oldest);
      this.ids.dropFirst(this.ids.length - 1);
    }
  }
}
