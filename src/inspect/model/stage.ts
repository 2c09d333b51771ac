import { PLATFORM } from "./cast.ts";
import type { Bar, BarEnd, BarKind, Hold, RunRecord, SpanKind } from "./types.ts";

/** Keeps what lasts: the bars in the lanes, the teams that hold a call, and the state of each record. */
export class Stage {
  readonly bars: Bar[] = [];
  readonly holds: Hold[] = [];
  readonly records: RunRecord[] = [];
  private readonly placeOf = new Map<string, number>();
  private readonly openBars = new Map<string, Bar>();
  private readonly openHolds = new Map<string, Hold>();

  /** The index of a record, or -1. */
  recordOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.placeOf.get(id) ?? -1);
  }

  /** Begins a call or a conversation. */
  begin(kind: RunRecord["kind"], id: string, row: number, atMs: number): number {
    const known = this.placeOf.get(id);
    if (known !== undefined) return known;
    const place = this.records.length;
    this.placeOf.set(id, place);
    this.records.push({
      id,
      kind,
      label: labelOf(place),
      title: "",
      fromMs: atMs,
      toMs: -1,
      spans: [],
      outcome: "",
      fromRow: row,
      toRow: row,
      people: [],
    });
    this.open({ lane: PLATFORM, kind: "live", record: place, endpoint: undefined }, row);
    return place;
  }

  /** Sets what a record does from now on; undefined if it is over. */
  span(place: number, kind: SpanKind | undefined, atMs: number): void {
    const record = this.records[place];
    if (record === undefined) return;
    const last = record.spans.at(-1);
    if (last !== undefined && last.toMs < 0) {
      if (last.kind === kind) return;
      last.toMs = atMs;
    }
    if (kind !== undefined) record.spans.push({ kind, fromMs: atMs, toMs: -1 });
    else record.toMs = atMs;
  }

  open(bar: Pick<Bar, "lane" | "kind" | "record" | "endpoint">, row: number): void {
    const key = keyOf(bar);
    if (this.openBars.has(key)) return;
    const opened: Bar = { ...bar, fromRow: row, toRow: row, end: "open" };
    this.bars.push(opened);
    this.openBars.set(key, opened);
  }

  close(bar: Pick<Bar, "lane" | "kind" | "record" | "endpoint">, row: number, end: BarEnd): void {
    const key = keyOf(bar);
    const opened = this.openBars.get(key);
    if (opened === undefined) return;
    opened.toRow = row;
    opened.end = end;
    this.openBars.delete(key);
  }

  /** Ends all bars of a record, in one lane or in all. */
  closeAll(record: number, row: number, end: BarEnd, lane?: string): void {
    for (const bar of this.openBars.values())
      if (bar.record === record && (lane === undefined || bar.lane === lane)) this.close(bar, row, end);
  }

  hold(offer: string, team: string, record: number, row: number): void {
    const hold: Hold = { team, record, fromRow: row, toRow: row };
    this.holds.push(hold);
    this.openHolds.set(offer, hold);
  }

  release(offer: string, row: number): void {
    const hold = this.openHolds.get(offer);
    if (hold === undefined) return;
    hold.toRow = row;
    this.openHolds.delete(offer);
  }

  /** At the end of the run, extends everything that still lasts. */
  end(lastRow: number, atMs: number): void {
    for (const bar of this.openBars.values()) bar.toRow = lastRow;
    for (const hold of this.openHolds.values()) hold.toRow = lastRow;
    for (const record of this.records) {
      if (record.toMs < 0) record.toMs = atMs;
      for (const span of record.spans) if (span.toMs < 0) span.toMs = atMs;
    }
  }
}

function keyOf({ lane, kind, record, endpoint }: Pick<Bar, "lane" | "kind" | "record" | "endpoint">): string {
  return [lane, kind satisfies BarKind, record, endpoint ?? ""].join("\n");
}

/** The label of a record: `A` to `Z`, then `AA` and so on. */
function labelOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : `${labelOf(Math.floor(place / 26) - 1)}${letter}`;
}
