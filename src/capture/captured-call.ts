import type { CapturedEvent } from "./capture.ts";
import { completeDials } from "./complete-dials.ts";
import {
  isThere,
  listOf,
  type PartialCall,
  type PartialEventData,
  type PartialParty,
} from "./partial-records.ts";
import type { RestSnapshots } from "./rest-answers.ts";

/** One ringing of one endpoint. */
export interface Ring {
  readonly party: PartialParty;
  readonly reason: string;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly outcome: string | undefined;
}

/** A party's time on the bridge at one endpoint. */
export interface CallConnection {
  readonly party: PartialParty;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** All that a capture says of one call. */
export interface CapturedCall {
  readonly id: string;
  /** The name that its steps use: `c1`. */
  readonly name: string;
  /** Its events, in the order of time. */
  readonly events: readonly CapturedEvent[];
  /** What its first event says of it. */
  readonly firstRecord: PartialCall;
  /** What is said of it last. */
  readonly record: PartialCall;
  readonly startMs: number;
  /** When it closed; undefined if the capture ends before. */
  readonly endedMs: number | undefined;
  readonly parties: readonly PartialParty[];
  /** In the order in which they began. */
  readonly rings: readonly Ring[];
  readonly connections: readonly CallConnection[];
  /** Who hung up, by `call.hungup`. */
  readonly hangups: readonly { readonly atMs: number; readonly party: PartialParty }[];
  /** The caller's stay with a voicemail. */
  readonly voicemail: CallConnection | undefined;
}

/** Who someone is in commands. */
export function actorReference({ entryId, phoneNumber }: PartialParty): string {
  return entryId ?? phoneNumber ?? "caller";
}

/** Tells each call of a capture, in the order in which they began. */
export function readCalls(events: readonly CapturedEvent[], rest: RestSnapshots): CapturedCall[] {
  const byId = new Map<string, { events: CapturedEvent[]; record: PartialCall }>();
  for (const event of events) {
    const { call } = event.data as PartialEventData;
    if (!isThere(call?.id)) continue;
    const known = byId.get(call.id);
    if (known === undefined) byId.set(call.id, { events: [event], record: call });
    else {
      known.events.push(event);
      if (isNewer(call, known.record)) known.record = call;
    }
  }
  for (const call of rest.calls) {
    const known = byId.get(call.id ?? "");
    if (known !== undefined && isNewer(call, known.record)) known.record = call;
  }
  const calls = [...byId].flatMap(([id, entry]) => {
    const call = readCall(id, entry.events, completeDials(entry.record, entry.events));
    return call === undefined ? [] : [call];
  });
  return calls
    .sort((a, b) => a.startMs - b.startMs || firstEventMs(a) - firstEventMs(b) || (a.id < b.id ? -1 : 1))
    .map((call, index) => ({ ...call, name: `c${index + 1}` }));
}

const firstEventMs = ({ events: [first] }: CapturedCall) => first?.timestamp ?? 0;

function isNewer(call: PartialCall, known: PartialCall): boolean {
  return (call.lastModifiedTimestamp ?? 0) >= (known.lastModifiedTimestamp ?? 0);
}

function readCall(
  id: string,
  events: readonly CapturedEvent[],
  record: PartialCall,
): CapturedCall | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const startMs = record.startedTimestamp ?? first.timestamp;
  const parties = listOf(record.parties).filter(isThere);
  const connections = listOf(record.connections).flatMap((each): CallConnection[] => {
    const party = parties.find((one) => one.id === each?.partyId);
    if (party === undefined || !isThere(each.joinedTimestamp)) return [];
    return [
      {
        party,
        endpoint: each.endpoint ?? undefined,
        fromMs: each.joinedTimestamp,
        toMs: each.leftTimestamp ?? undefined,
      },
    ];
  });
  return {
    id,
    name: "",
    events,
    firstRecord: (first.data as PartialEventData).call ?? {},
    record,
    startMs,
    endedMs: endOf(record, events),
    parties,
    rings: ringsOf(parties),
    connections,
    hangups: events.flatMap(({ type, timestamp, data }) => {
      const { party } = data as PartialEventData;
      return type === "call.hungup" && isThere(party) ? [{ atMs: timestamp, party }] : [];
    }),
    voicemail: connections.find(({ party }) => party.type === "voicemail"),
  };
}

function ringsOf(parties: readonly PartialParty[]): Ring[] {
  return parties
    .flatMap((party) =>
      listOf(party.dials).flatMap((dial): Ring[] =>
        isThere(dial?.startedTimestamp)
          ? [
              {
                party,
                reason: dial.reason ?? "direct",
                endpoint: dial.endpoint ?? undefined,
                fromMs: dial.startedTimestamp,
                toMs: dial.endedTimestamp ?? undefined,
                outcome: dial.outcome ?? undefined,
              },
            ]
          : [],
      ),
    )
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** When the call closed, by its record or by an event. */
function endOf(record: PartialCall, events: readonly CapturedEvent[]): number | undefined {
  if (isThere(record.endedTimestamp)) return record.endedTimestamp;
  const close = events.find(({ type }) => type === "call.ended");
  if (close !== undefined) return close.timestamp;
  return undefined;
}
