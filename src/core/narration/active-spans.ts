import type { StateOf } from "../platform/base/machine-types.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import { type Lifeline, type Lifelines, shortName } from "./lifelines.ts";
import type { Bar, BarEnd, BarKind, Hold, NarrationRow, RunRecord, SpanKind } from "./rows.ts";
import { callStates, conversationStates, teamOfferStates } from "./state-spans.ts";
import { oneLine } from "./words.ts";

type BarOf = Pick<Bar, "lane" | "kind" | "record"> & Partial<Pick<Bar, "endpoint">>;

/**
 * Keeps what lasts: the bars of lifelines, the teams that hold a call, and the state of each call and conversation.
 * Whatever begins or ends does so with the latest row.
 */
export class ActiveSpans {
  readonly bars: Bar[] = [];
  readonly holds: Hold[] = [];
  readonly records: RunRecord[] = [];
  private readonly placeOf = new Map<string, number>();
  private readonly openBars = new Map<string, Bar>();
  private readonly openHolds = new Map<string, Hold>();
  /** The calls that the latest row brought into another state, and what those on the bridge do in it. */
  private readonly entered = new Map<number, BarKind>();

  constructor(
    private readonly rows: readonly NarrationRow[],
    private readonly startMs: number,
  ) {}

  /** The place of a record, or -1. */
  recordOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.placeOf.get(id) ?? -1);
  }

  /** Begins a call or a conversation. */
  begin(kind: RunRecord["kind"], id: string, nowMs: number): number {
    const known = this.placeOf.get(id);
    if (known !== undefined) return known;
    const place = this.records.length;
    this.placeOf.set(id, place);
    this.records.push({
      id,
      kind,
      label: labelOf(place),
      title: "",
      fromMs: nowMs - this.startMs,
      toMs: -1,
      spans: [],
      outcome: "",
      fromRow: this.row,
      toRow: this.row,
      people: [],
    });
    this.open({ lane: "", kind: "live", record: place });
    return place;
  }

  /** A call's machine is in a state. */
  callIn(id: string, state: string, nowMs: number): void {
    const place = this.recordOf(id);
    const lasting = callStates[state as StateOf<"call">].lasts;
    this.span(place, lasting, nowMs);
    if (lasting === null) this.closeAll(place, "left");
    else this.entered.set(place, lasting === "talk" || lasting === "voicemail" ? lasting : "wait");
  }

  /** Whoever is on a call now does what its new state says. Not before its facts: they say who leaves. */
  settle(): void {
    for (const [place, kind] of this.entered)
      for (const bar of [...this.openBars.values()]) {
        if (bar.record !== place || [kind, "ring", "live"].includes(bar.kind)) continue;
        this.close(bar, bar.kind === "wait" ? "answered" : "left");
        this.open({ ...bar, kind });
      }
    this.entered.clear();
  }

  conversationIn(id: string, state: string, nowMs: number): void {
    const place = this.recordOf(id);
    const lasting = conversationStates[state as StateOf<"conversation">];
    this.span(place, lasting, nowMs);
    const record = this.records[place];
    if (record !== undefined && lasting === null) record.outcome = state;
  }

  offerIn(id: string, state: string): void {
    const hold = this.openHolds.get(id);
    if (hold === undefined || teamOfferStates[state as StateOf<"teamOffer">].hasCall) return;
    hold.toRow = this.row;
    this.openHolds.delete(id);
  }

  /** A team gets a call. */
  hold(offer: string, team: string, record: number): void {
    const hold: Hold = { team, record, fromRow: this.row, toRow: this.row };
    this.holds.push(hold);
    this.openHolds.set(offer, hold);
    this.joined(record, team);
  }

  /** Someone takes part in a call. */
  joined(record: number, id: string): void {
    this.records[record]?.people.push(id);
  }

  nameCall(place: number, caller: Lifeline, called: string): void {
    const record = this.records[place];
    if (record === undefined) return;
    record.people.push(caller.id);
    record.title = oneLine(`${nameOf(caller)} → ${called}`);
  }

  /** Names a conversation once its participants are known. */
  nameConversation(place: number, conversation: ConversationRecord, lifelines: Lifelines): void {
    const record = this.records[place];
    if (record === undefined || record.title !== "") return;
    const { contactAddresses, companyNumberOwner } = conversation;
    const contacts = contactAddresses.map((each) => lifelines.person(each).name).join(", ");
    record.title = oneLine(`${contacts} ⇄ ${shortName(companyNumberOwner.displayName)}`);
    record.people.push(...contactAddresses);
  }

  outcome(
    place: number,
    { status, reason }: { readonly status: string; readonly reason: string | null },
  ): void {
    const record = this.records[place];
    if (record !== undefined) record.outcome = reason === null ? status : `${status}, ${reason}`;
  }

  /** The latest row is about a record. */
  toldUntil(place: number): void {
    const record = this.records[place];
    if (record !== undefined) record.toRow = this.row;
  }

  /** What a record does from now on; null if it is over. */
  private span(place: number, kind: SpanKind | null, nowMs: number): void {
    const record = this.records[place];
    if (record === undefined) return;
    const atMs = nowMs - this.startMs;
    const last = record.spans.at(-1);
    if (last !== undefined && last.toMs < 0) {
      if (last.kind === kind) return;
      last.toMs = atMs;
    }
    if (kind !== null) record.spans.push({ kind, fromMs: atMs, toMs: -1 });
    else record.toMs = atMs;
  }

  open(bar: BarOf): void {
    const key = keyOf(bar);
    if (this.openBars.has(key)) return;
    const opened: Bar = { endpoint: undefined, ...bar, fromRow: this.row, toRow: this.row, end: "open" };
    this.bars.push(opened);
    this.openBars.set(key, opened);
    this.rows[this.row]?.began.push(opened);
  }

  close(bar: BarOf, end: BarEnd): void {
    const key = keyOf(bar);
    const opened = this.openBars.get(key);
    if (opened === undefined) return;
    opened.toRow = this.row;
    opened.end = end;
    this.openBars.delete(key);
    this.rows[this.row]?.ended.push(opened);
  }

  /** Ends all bars of a record, in one lane or in all. */
  closeAll(record: number, end: BarEnd, lane?: string): void {
    for (const bar of this.openBars.values())
      if (bar.record === record && (lane === undefined || bar.lane === lane)) this.close(bar, end);
  }

  /** At the end of the run, extends everything that still lasts. */
  end(nowMs: number): void {
    this.settle();
    for (const bar of this.openBars.values()) bar.toRow = this.row;
    for (const hold of this.openHolds.values()) hold.toRow = this.row;
    for (const record of this.records) {
      if (record.toMs < 0) record.toMs = nowMs - this.startMs;
      for (const span of record.spans) if (span.toMs < 0) span.toMs = nowMs - this.startMs;
    }
  }

  /** The place of the latest row. */
  private get row(): number {
    return Math.max(0, this.rows.length - 1);
  }
}

/** A person's first name; the whole name of someone outside. */
function nameOf({ kind, name }: Lifeline): string {
  return kind === "outside" ? name : shortName(name);
}

function keyOf({ lane, kind, record, endpoint }: BarOf): string {
  return [lane, kind satisfies BarKind, record, endpoint ?? ""].join("\n");
}

/** The label of a record: `A` to `Z`, then `AA` and so on. */
function labelOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : `${labelOf(Math.floor(place / 26) - 1)}${letter}`;
}
