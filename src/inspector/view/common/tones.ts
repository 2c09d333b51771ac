import type { PageRow, PageRowKind } from "../../model/types.ts";

/** The tone of a row: its own kind, changed by the results of its requests. */
export type Tone = PageRowKind | "delivered";

export function listTones(row: PageRow): Tone[] {
  const tones: Tone[] = [row.kind];
  const outcomes = row.outcome === undefined ? row.deliveries.map(({ outcome }) => outcome) : [row.outcome];
  for (const { kind } of outcomes) if (kind !== "pending" && !tones.includes(kind)) tones.push(kind);
  return tones;
}
