import type { OfferedAct } from "./acts.ts";
import type { PageRowKind } from "./types.ts";

/** A question about something that did not happen. */
export interface AskedWhy {
  readonly id: string;
  readonly text: string;
  /** The heading of its group: the whole run, or an instant such as `At 1:00`. */
  readonly group: string;
}

/** A reason why it did not happen. */
export interface Cause {
  readonly kind: PageRowKind;
  readonly title: string;
  readonly text: string;
  readonly row: number | undefined;
  /** The rows where it happened again. */
  readonly repeatRows?: readonly number[];
}

/** An act that makes it happen when done after a row. It was tried on a fork. */
export interface Remedy {
  readonly row: number;
  readonly atMs: number;
  readonly act: OfferedAct;
}

export interface WhyAnswer {
  readonly causes: readonly Cause[];
  /** The remedies that were tried and worked. */
  readonly remedies: readonly Remedy[];
  /** How many others were tried and did not work. */
  readonly failedCount: number;
}
