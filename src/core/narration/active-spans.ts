import { groupedNumber } from "../foundation/phone-number.ts";
import type { StateOf } from "../platform/base/machine-types.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import type { Lifeline, Lifelines } from "./lifelines.ts";
import type { Bar, BarEnd, BarKind, NarrationRow, RunRecord, SpanKind, TeamHold } from "./rows.ts";
import { callStates, conversationStates, teamOfferStates } from "./state-spans.ts";
import { oneLine } from "./words.ts";

type BarOf = Pick<Bar, "lane" | "kind" | "record"> & Partial<Pick<Bar, "endpoint">>;

/**
 * The bars of lifelines, the teams that hold a call, and the state of each call and conversation. Each begins and ends
 * at the row that is then the latest.
 */
export class ActiveSpans {
  readonly bars: Bar[] = [];
  readonly holds: TeamHold[] = [];
  readonly records: RunRecord[] = [];
  private readonly indexById = new Map<string, number>();
  private readonly openBars = new Map<string, Bar>();
  private readonly openHolds = new Map<string, TeamHold>();
  /** The calls whose state the latest row changed, with the kind of bar for those on the bridge. */
  private readonly enteredStates = new Map<number, BarKind>();

  /** Who called whom, by the index of the call. */
  private readonly calls = new Map<number, { readonly caller: Lifeline; readonly called: string }>();

  constructor(
    private readonly rows: readonly NarrationRow[],
    private readonly startMs: number,
  ) {}

  /** The index of a record, or -1. */
  indexOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.indexById.get(id) ?? -1);
  }

  /** Begins a call or a conversation. Returns its index. */
  beginRecord(kind: RunRecord["kind"], id: string, nowMs: number): number {
    const known = this.indexById.get(id);
    if (known !== undefined) return known;
    const index = this.records.length;
    this.indexById.set(id, index);
    this.records.push({
      id,
      kind,
      label: labelOf(index),
      journey: index,
      title: "",
      fromMs: nowMs - this.startMs,
      toMs: -1,
      spans: [],
      outcome: "",
      fromRow: this.latestRow,
      toRow: this.latestRow,
      people: [],
    });
    this.open({ lane: "", kind: "live", record: index });
    return index;
  }

  /** Notes the state of a call's machine. */
  setCallState(id: string, state: string, nowMs: number): void {
    const index = this.indexOf(id);
    const kind = callStates[state as StateOf<"call">].lasts;
    this.changeSpan(index, kind, nowMs);
    if (kind === null) this.closeAll(index, "left");
    else this.enteredStates.set(index, kind === "talk" || kind === "voicemail" ? kind : "wait");
  }

  /** Changes the bars of those on a call to its new state. Called after the call's facts, which say who leaves. */
  updateBars(): void {
    for (const [index, kind] of this.enteredStates)
      for (const bar of [...this.openBars.values()]) {
        if (bar.record !== index || [kind, "ring", "live"].includes(bar.kind)) continue;
        this.close(bar, bar.kind === "wait" ? "answered" : "left");
        this.open({ ...bar, kind });
      }
    this.enteredStates.clear();
  }

  setConversationState(id: string, state: string, nowMs: number): void {
    const index = this.indexOf(id);
    const kind = conversationStates[state as StateOf<"conversation">];
    this.changeSpan(index, kind, nowMs);
    const record = this.records[index];
    if (record !== undefined && kind === null) record.outcome = state;
  }

  setOfferState(id: string, state: string): void {
    const hold = this.openHolds.get(id);
    if (hold === undefined || teamOfferStates[state as StateOf<"teamOffer">].hasCall) return;
    hold.toRow = this.latestRow;
    this.openHolds.delete(id);
  }

  /** Notes that a team gets a call. */
  startHold(offer: string, team: string, record: number): void {
    const hold: TeamHold = { team, record, fromRow: this.latestRow, toRow: this.latestRow };
    this.holds.push(hold);
    this.openHolds.set(offer, hold);
    this.addPerson(record, team);
  }

  /** Notes that someone takes part in a call. */
  addPerson(record: number, id: string): void {
    this.records[record]?.people.push(id);
  }

  setJourney(index: number, journey: number): void {
    const record = this.records[index];
    if (record !== undefined) record.journey = journey;
  }

  nameCall(index: number, caller: Lifeline, called: string): void {
    const record = this.records[index];
    if (record === undefined) return;
    record.people.push(caller.id);
    record.title = callTitle(caller.name, called);
    this.calls.set(index, { caller, called });
  }

  /** Names the calls again, by a name for each caller that is told apart from all others. */
  renameCalls(nameOf: (caller: Lifeline) => string): void {
    for (const [index, { caller, called }] of this.calls) {
      const record = this.records[index];
      if (record !== undefined) record.title = callTitle(nameOf(caller), called);
    }
  }

  /** Names a conversation once its participants are known. */
  nameConversation(index: number, conversation: ConversationRecord, lifelines: Lifelines): void {
    const record = this.records[index];
    if (record === undefined || record.title !== "") return;
    const { contactAddresses, companyNumber, companyNumberOwner } = conversation;
    const contacts = contactAddresses.map((each) => groupedNumber(lifelines.person(each).name)).join(", ");
    const owner = companyNumberOwner;
    const company =
      owner === null ? groupedNumber(companyNumber) : lifelines.names.byId(owner.id, owner.displayName);
    record.title = oneLine(`${contacts} ↔ ${company}`);
    record.people.push(...contactAddresses);
  }

  setOutcome(
    index: number,
    { status, reason }: { readonly status: string; readonly reason: string | null },
  ): void {
    const record = this.records[index];
    if (record !== undefined) record.outcome = reason === null ? status : `${status}, ${reason}`;
  }

  /** Notes that the latest row is about a record. */
  extendTo(index: number): void {
    const record = this.records[index];
    if (record !== undefined) record.toRow = this.latestRow;
  }

  /** Changes a record's span; null if the record is over. */
  private changeSpan(index: number, kind: SpanKind | null, nowMs: number): void {
    const record = this.records[index];
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
    const key = barKey(bar);
    if (this.openBars.has(key)) return;
    const opened: Bar = {
      endpoint: undefined,
      ...bar,
      fromRow: this.latestRow,
      toRow: this.latestRow,
      end: "open",
    };
    this.bars.push(opened);
    this.openBars.set(key, opened);
    this.rows[this.latestRow]?.began.push(opened);
  }

  close(bar: BarOf, end: BarEnd): void {
    const key = barKey(bar);
    const opened = this.openBars.get(key);
    if (opened === undefined) return;
    opened.toRow = this.latestRow;
    opened.end = end;
    this.openBars.delete(key);
    this.rows[this.latestRow]?.ended.push(opened);
  }

  /** Ends all bars of a record, in one lane or in all. */
  closeAll(record: number, end: BarEnd, lane?: string): void {
    for (const bar of this.openBars.values())
      if (bar.record === record && (lane === undefined || bar.lane === lane)) this.close(bar, end);
  }

  /** Extends everything that still lasts to the end of the run. */
  finish(nowMs: number): void {
    this.updateBars();
    for (const bar of this.openBars.values()) bar.toRow = this.latestRow;
    for (const hold of this.openHolds.values()) hold.toRow = this.latestRow;
    for (const record of this.records) {
      if (record.toMs < 0) record.toMs = nowMs - this.startMs;
      for (const span of record.spans) if (span.toMs < 0) span.toMs = nowMs - this.startMs;
    }
  }

  /** The index of the latest row. */
  private get latestRow(): number {
    return Math.max(0, this.rows.length - 1);
  }
}

/** Who calls whom, by names or numbers. */
function callTitle(caller: string, called: string): string {
  return oneLine(`${groupedNumber(caller)} → ${groupedNumber(called)}`);
}

function barKey({ lane, kind, record, endpoint }: BarOf): string {
  return [lane, kind satisfies BarKind, record, endpoint ?? ""].join("\n");
}

/** The label of a record: `A` to `Z`, then `AA` and so on. */
function labelOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${labelOf(Math.floor(index / 26) - 1)}${letter}`;
}
