import { clock } from "../../src/core/foundation/clock.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";

/** A row of a run, as lists of the course show it. */
export interface ShownRow {
  readonly kind: string;
  /** `0:15`. */
  readonly at: string;
  /** The part in bold. */
  readonly subject: string;
  readonly rest: string;
  /** The place of its card in its run. */
  readonly card?: number;
}

/** The words of a row behind its subject. */
export const restOf = ({ verb, detail }: PageRow): string => [verb, detail].filter(Boolean).join(" ");

export function shownRow(row: PageRow): ShownRow {
  return { kind: row.kind, at: clock(row.atMs), subject: row.subject, rest: restOf(row) };
}
