import {
  type AssumptionName,
  type Assumptions,
  usualAssumptions,
} from "../core/platform/declare/assumptions.ts";
import type { CallStory } from "./call-story.ts";
import type { Capture, CapturedEvent, DriftItem } from "./capture.ts";
import { durationOf } from "./draft.ts";
import { isThere, type SeenData } from "./seen.ts";

/** How often a capture shows a value of an assumption. */
export interface Evidence {
  /** The assumption. */
  readonly assumption: AssumptionName;
  /** The value that was seen; of times, a duration or `none`. */
  readonly value: string;
  /** How often it was seen. */
  readonly count: number;
  /** The line that shows it first. */
  readonly line: number;
}

/** A time is none if it is shorter than this, ms. */
const NONE_MS = 100;

/** Counts what a capture shows of the rules that the documentation leaves open. */
export class Count {
  private readonly seen = new Map<string, Evidence>();
  private readonly times = new Map<AssumptionName, { readonly ms: number; readonly line: number }[]>();

  value(assumption: AssumptionName, value: string, line: number): void {
    const key = `${assumption} ${value}`;
    const before = this.seen.get(key);
    this.seen.set(key, {
      assumption,
      value,
      count: (before?.count ?? 0) + 1,
      line: Math.min(before?.line ?? line, line),
    });
  }

  time(assumption: AssumptionName, ms: number, line: number): void {
    const list = this.times.get(assumption) ?? [];
    list.push({ ms, line });
    this.times.set(assumption, list);
  }

  /** Times count together, by their median. */
  result(): Evidence[] {
    const times = [...this.times].map(([assumption, list]): Evidence => {
      const inOrder = list.map(({ ms }) => ms).sort((a, b) => a - b);
      const ms = inOrder[inOrder.length >> 1] ?? 0;
      const line = Math.min(...list.map((each) => each.line));
      return { assumption, value: ms < NONE_MS ? "none" : durationOf(ms), count: list.length, line };
    });
    return [...this.seen.values(), ...times].sort((a, b) =>
      a.assumption < b.assumption ? -1 : a.assumption > b.assumption ? 1 : b.count - a.count,
    );
  }
}

/** What a capture shows of the assumptions. */
export function evidenceIn(events: readonly CapturedEvent[], calls: readonly CallStory[]): Evidence[] {
  const count = new Count();
  const types = new Set(events.map(({ type }) => type));
  for (const event of events) ofEvent(event, count);
  for (const call of calls) ofCall(call, types, count);
  return count.result();
}

function ofEvent({ type, data, timestamp, createdTimestamp, requests }: CapturedEvent, count: Count): void {
  const { call, user } = data as SeenData;
  const line = requests[0]?.line ?? 0;
  if (createdTimestamp !== null && isOwnInstant(type))
    count.time("eventDelay", createdTimestamp - timestamp, line);
  if (type === "call.started" && call?.direction === "inbound")
    count.value("startedTarget", isThere(call.directoryTarget) ? "present" : "absent", line);
  if (type === "call.answered" && (call?.status === "accepted" || call?.status === "started"))
    count.value("answeredStatus", call.status, line);
  if (user?.availability?.notAvailableRule === "ringing")
    count.value("ringingAvailability", "announced", line);
  for (const { id, entryId, phoneNumber } of call?.parties ?? [])
    if (isThere(id) && (isThere(entryId) || isThere(phoneNumber)))
      count.value("partyIds", id === entryId || id === phoneNumber ? "entry" : "own", line);
  const [first, second] = requests;
  if (
    isThere(first?.signedTimestamp) &&
    isThere(second?.signedTimestamp) &&
    isThere(first.receivedTimestamp)
  ) {
    const apartMs = (second.receivedTimestamp ?? 0) - first.receivedTimestamp;
    if (apartMs > 10_000)
      count.value(
        "signedAt",
        second.signedTimestamp === first.signedTimestamp ? "event" : "attempt",
        second.line,
      );
  }
}

function isOwnInstant(type: string): boolean {
  return type === "call.started" || type === "call.answered" || type === "call.ended";
}

function ofCall(
  { events, rings, record, startMs, voicemail }: CallStory,
  types: ReadonlySet<string>,
  count: Count,
): void {
  const line = events[0]?.requests[0]?.line ?? 0;
  const [first] = rings;
  const isInbound = record.direction === "inbound";
  if (isInbound && first?.reason === "direct") count.time("dialLatency", first.fromMs - startMs, line);
  const rangUser = rings.some(({ party }) => party.type === "user");
  if (rangUser && types.has("user.availability.updated") && !types.has("ringing"))
    count.value("ringingAvailability", "silent", line);
  const missed = events.filter(({ type }) => type === "call.not_answered");
  const isOver = record.outcome !== null && record.outcome !== undefined;
  for (const event of missed)
    if (rings.some(({ fromMs, reason }) => reason === "teamOffer" && fromMs > event.timestamp))
      count.value("notAnswered", "perTeam", event.requests[0]?.line ?? line);
  const isChain =
    isThere(record.assignedCallGroup?.id) && record.assignedCallGroup.id !== record.directoryTarget?.id;
  if (isChain && isOver && missed.length <= 1 && types.has("call.not_answered"))
    count.value("notAnswered", "once", line);
  const isWhole = isOver && types.has("call.not_answered") && types.has("call.ended");
  if (isWhole && isInbound && record.outcome?.status === "abandoned")
    count.value("abandoned", missed.length > 0 ? "notAnswered" : "ended", line);
  if (isWhole && isInbound && voicemail !== undefined && record.outcome?.status === "missed")
    count.value("voicemailTaken", missed.length > 0 ? "notAnswered" : "silent", line);
}

/**
 * What bodies have that the documentation does not name: at least as many bodies as its most frequent kind. It judges
 * the assumption `unspecified`, and fits no run, since readers leave such things out.
 */
export function unspecifiedIn({ requests, drift }: Capture): Evidence[] {
  const most = (items: readonly DriftItem[]) => Math.max(0, ...items.map(({ count }) => count));
  const seen = (value: Assumptions["unspecified"], items: readonly DriftItem[]): Evidence[] =>
    items.length === 0
      ? []
      : [
          {
            assumption: "unspecified",
            value,
            count: most(items),
            line: Math.min(...items.map(({ line }) => line)),
          },
        ];
  const { fields, events, enums, lacking } = drift;
  const usual = requests - most([...fields, ...events, ...enums, ...lacking]);
  return [
    ...(usual > 0 ? [{ assumption: "unspecified", value: "nothing", count: usual, line: 1 } as const] : []),
    ...seen("unknownField", fields),
    ...seen("unknownEvent", events),
    ...seen("unknownValue", enums),
    ...seen("absent", lacking),
  ];
}

/** The assumptions that fit best: those that were seen most often, where they differ from the defaults. */
export function fitted(evidence: readonly Evidence[]): Partial<Record<AssumptionName, string>> {
  const best = new Map<AssumptionName, Evidence>();
  for (const each of evidence) {
    // one that is seen at all cannot be silent
    const weight =
      isDefault(each) && each.assumption !== "ringingAvailability" ? each.count : each.count * 1.000_1;
    const before = best.get(each.assumption);
    if (
      before === undefined ||
      weight > before.count ||
      each.value === "announced" ||
      each.value === "perTeam"
    )
      if (before?.value !== "announced" && before?.value !== "perTeam") best.set(each.assumption, each);
  }
  return Object.fromEntries(
    [...best.values()].filter((each) => !isDefault(each)).map(({ assumption, value }) => [assumption, value]),
  );
}

/** Whether a value is what a run assumes unless it says otherwise. */
export function isDefault({ assumption, value }: Pick<Evidence, "assumption" | "value">): boolean {
  const usual: Assumptions[AssumptionName] = usualAssumptions[assumption];
  return usual === 0 ? value === "none" : usual === value;
}
