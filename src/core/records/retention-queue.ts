import { ForkableList } from "../foundation/collections.ts";

/** Keeps only the newest finished records. Without a limit it does nothing. */
export class RetentionQueue {
  constructor(
    private readonly keep: number,
    private readonly forget: (id: string) => void,
    /** The finished records, oldest first. */
    private readonly ids = new ForkableList<string>(),
  ) {}

  /** Adds a finished record. It is dropped once `keep` others have finished. */
  addFinished(id: string): void {
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
