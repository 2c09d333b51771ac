import { isoDuration } from "../../core/foundation/instants.ts";
import {
  type AssumptionName,
  type Assumptions,
  usualAssumptions,
} from "../../core/platform/declare/assumptions.ts";
import { type Capture, type CapturedEvent, type DriftItem, firstEventLine } from "../read/capture.ts";
import { append } from "../read/lists.ts";
import { isThere, type PartialEventData } from "../read/partial-records.ts";
import type { CapturedCall } from "./captured-call.ts";

/** How often a capture shows one value of an assumption. */
export interface Evidence {
  /** The assumption. */
  readonly assumption: AssumptionName;
  /** The value; for times a duration or `none`. */
  readonly value: string;
  /** How often the capture shows it. */
  readonly count: number;
  /** The first line that shows it. */
  readonly line: number;
}

/** A shorter time counts as none, ms. */
const NONE_MS = 100;

/** Counts which values of assumptions a capture shows. */
export class EvidenceCounter {
  private readonly byValue = new Map<string, Evidence>();
  private readonly times = new Map<AssumptionName, { readonly ms: number; readonly line: number }[]>();

  addValue(assumption: AssumptionName, value: string, line: number): void {
    const key = `${assumption} ${value}`;
    const before = this.byValue.get(key);
    this.byValue.set(key, {
      assumption,
      value,
      count: (before?.count ?? 0) + 1,
      line: Math.min(before?.line ?? line, line),
    });
  }

  addTime(assumption: AssumptionName, ms: number, line: number): void {
    append(this.times, assumption, { ms, line });
  }

  /** The counts by assumption. All times of an assumption count as their median. */
  result(): Evidence[] {
    const times = [...this.times].map(([assumption, list]): Evidence => {
      const inOrder = list.map(({ ms }) => ms).sort((a, b) => a - b);
      const ms = inOrder[inOrder.length >> 1] ?? 0;
      const line = Math.min(...list.map((each) => each.line));
      return { assumption, value: ms < NONE_MS ? "none" : isoDuration(ms), count: list.length, line };
    });
    return [...this.byValue.values(), ...times].sort((a, b) =>
      a.assumption < b.assumption ? -1 : a.assumption > b.assumption ? 1 : b.count - a.count,
    );
  }
}

/** Collects what a capture shows about the assumptions. */
export function collectEvidence(
  events: readonly CapturedEvent[],
  calls: readonly CapturedCall[],
): Evidence[] {
  const count = new EvidenceCounter();
  const types = new Set(events.map(({ type }) => type));
  for (const event of events) countEvent(event, count);
  for (const call of calls) countCall(call, types, count);
  countTargets(calls, count);
  return count.result();
}

function countEvent(event: CapturedEvent, count: EvidenceCounter): void {
  const { type, data, timestamp, createdTimestamp, requests } = event;
  const { call, user } = data as PartialEventData;
  const line = firstEventLine(event);
  if (createdTimestamp !== null && isOwnInstant(type))
    count.addTime("eventDelay", createdTimestamp - timestamp, line);
  if (type === "call.answered" && (call?.status === "accepted" || call?.status === "started"))
    count.addValue("answeredStatus", call.status, line);
  if (user?.availability?.notAvailableRule === "ringing")
    count.addValue("ringingAvailability", "announced", line);
  for (const { id, entryId, phoneNumber } of call?.parties ?? [])
    if (isThere(id) && (isThere(entryId) || isThere(phoneNumber)))
      count.addValue("partyIds", id === entryId || id === phoneNumber ? "entry" : "own", line);
  for (const request of requests)
    if (request.bodyText !== null) count.addValue("bodyText", request.bodyText, request.line);
  const [first, second] = requests;
  if (
    isThere(first?.signedTimestamp) &&
    isThere(second?.signedTimestamp) &&
    isThere(first.receivedTimestamp)
  ) {
    const apartMs = (second.receivedTimestamp ?? 0) - first.receivedTimestamp;
    if (apartMs > 10_000)
      count.addValue(
        "signedAt",
        second.signedTimestamp === first.signedTimestamp ? "event" : "attempt",
        second.line,
      );
  }
}

/** Counts which inbound calls name their target in `call.started`: all, none, or only those to people. */
function countTargets(calls: readonly CapturedCall[], count: EvidenceCounter): void {
  const began = calls.flatMap(({ events, record: { directoryTarget } }) => {
    const event = events.find(({ type }) => type === "call.started");
    const call = (event?.data as PartialEventData | undefined)?.call;
    if (event === undefined || call?.direction !== "inbound") return [];
    const isNamed = isThere(call.directoryTarget);
    return { isNamed, isForTeam: directoryTarget?.type === "team", line: firstEventLine(event) };
  });
  const some = (isNamed: boolean, isForTeam: boolean) =>
    began.some((each) => each.isNamed === isNamed && each.isForTeam === isForTeam);
  const isForPeople = some(true, false) && some(false, true) && !some(true, true);
  for (const { isNamed, isForTeam, line } of began)
    count.addValue(
      "startedTarget",
      isForPeople && isNamed !== isForTeam ? "people" : isNamed ? "present" : "absent",
      line,
    );
}

function isOwnInstant(type: string): boolean {
  return type === "call.started" || type === "call.answered" || type === "call.ended";
}

function countCall(
  { events, rings, record, startMs, voicemail }: CapturedCall,
  types: ReadonlySet<string>,
  count: EvidenceCounter,
): void {
  const line = firstEventLine(events[0]);
  const [first] = rings;
  const isInbound = record.direction === "inbound";
  if (isInbound && first?.reason === "direct") count.addTime("dialLatency", first.fromMs - startMs, line);
  const rangUser = rings.some(({ party }) => party.type === "user");
  if (rangUser && types.has("user.availability.updated") && !types.has("ringing"))
    count.addValue("ringingAvailability", "silent", line);
  const missed = events.filter(({ type }) => type === "call.not_answered");
  const isOver = record.outcome !== null && record.outcome !== undefined;
  for (const event of missed)
    if (
      // the call goes on
      (event.data as PartialEventData).call?.status === "offered" ||
      rings.some(({ fromMs, reason }) => reason === "teamOffer" && fromMs > event.timestamp)
    )
      count.addValue("notAnswered", "perTeam", event.requests[0]?.line ?? line);
  const hasSecondTeam =
    isThere(record.assignedCallGroup?.id) && record.assignedCallGroup.id !== record.directoryTarget?.id;
  if (hasSecondTeam && isOver && missed.length <= 1 && types.has("call.not_answered"))
    count.addValue("notAnswered", "once", line);
  const isComplete = isOver && types.has("call.not_answered") && types.has("call.ended");
  if (isComplete && isInbound && record.outcome?.status === "abandoned")
    count.addValue("abandoned", missed.length > 0 ? "notAnswered" : "ended", line);
  if (isComplete && isInbound && voicemail !== undefined && record.outcome?.status === "missed")
    count.addValue("voicemailTaken", missed.length > 0 ? "notAnswered" : "silent", line);
}

/**
 * Evidence on the assumption `unspecified`: how many bodies have something undocumented, at least. Fits no run, since
 * reading drops what is undocumented.
 */
export function unspecifiedEvidence({ requests, drift }: Capture): Evidence[] {
  const most = (items: readonly DriftItem[]) => Math.max(0, ...items.map(({ count }) => count));
  const makeEvidence = (value: Assumptions["unspecified"], items: readonly DriftItem[]): Evidence[] =>
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
    ...makeEvidence("unknownField", fields),
    ...makeEvidence("unknownEvent", events),
    ...makeEvidence("unknownValue", enums),
    ...makeEvidence("absent", lacking),
  ];
}

/**
 * The most frequent value of each assumption, where it differs from the default. How bodies are written fits no run: the
 * importer compares what bodies say, and with the default explorations find who verifies a body that it wrote again.
 */
export function fitAssumptions(evidence: readonly Evidence[]): Partial<Record<AssumptionName, string>> {
  const best = new Map<AssumptionName, Evidence>();
  for (const each of evidence.filter(({ assumption }) => assumption !== "bodyText")) {
    // `silent` is only the absence of events, so one that is there outweighs it
    const weight =
      isDefault(each) && each.assumption !== "ringingAvailability" ? each.count : each.count * 1.000_1;
    const bestSoFar = best.get(each.assumption);
    if (
      bestSoFar === undefined ||
      weight > bestSoFar.count ||
      each.value === "announced" ||
      each.value === "perTeam"
    )
      if (bestSoFar?.value !== "announced" && bestSoFar?.value !== "perTeam") best.set(each.assumption, each);
  }
  return Object.fromEntries(
    [...best.values()].filter((each) => !isDefault(each)).map(({ assumption, value }) => [assumption, value]),
  );
}

/** Whether a value is the default of its assumption. */
export function isDefault({ assumption, value }: Pick<Evidence, "assumption" | "value">): boolean {
  const usual: Assumptions[AssumptionName] = usualAssumptions[assumption];
  return usual === 0 ? value === "none" : usual === value;
}
