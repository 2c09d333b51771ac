import type { CapturedEvent } from "../read/capture.ts";
import {
  isThere,
  listOrEmpty,
  type PartialCall,
  type PartialEventData,
  type PartialParty,
} from "../read/partial-records.ts";
import type { RestSnapshots } from "../read/rest-answers.ts";
import { completeDials } from "./complete-dials.ts";

/** The time that one endpoint rang. */
export interface CapturedRing {
  readonly party: PartialParty;
  readonly reason: string;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly outcome: string | undefined;
}

/** The time that a party was on the bridge with one endpoint. */
export interface CallConnection {
  readonly party: PartialParty;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** Everything that a capture says about one call. */
export interface CapturedCall {
  readonly id: string;
  /** Its name in steps: `c1`. */
  readonly name: string;
  /** Its events, oldest first. */
  readonly events: readonly CapturedEvent[];
  /** The call in its first event. */
  readonly firstRecord: PartialCall;
  /** The newest record of the call. */
  readonly record: PartialCall;
  readonly startMs: number;
  /** When it ended; undefined if the capture ends before. */
  readonly endedMs: number | undefined;
  /** When it ended, else when `call.not_answered` came. */
  readonly endedOrMissedMs: number | undefined;
  readonly parties: readonly PartialParty[];
  /** In the order in which they started. */
  readonly rings: readonly CapturedRing[];
  readonly connections: readonly CallConnection[];
  /** Who hung up and when, from `call.hungup`. */
  readonly hangups: readonly { readonly atMs: number; readonly party: PartialParty }[];
  /** The connection to a voicemail. */
  readonly voicemail: CallConnection | undefined;
}

/** How commands refer to a party. */
export function actorReference({ entryId, phoneNumber }: PartialParty): string {
  return entryId ?? phoneNumber ?? "caller";
}

/** Reads the calls of a capture, in the order in which they started. */
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
  const firstOf = (name: string) => events.find(({ type }) => type === name)?.timestamp;
  const endedMs = record.endedTimestamp ?? firstOf("call.ended");
  const parties = listOrEmpty(record.parties).filter(isThere);
  const connections = listOrEmpty(record.connections).flatMap((each): CallConnection[] => {
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
    endedMs,
    endedOrMissedMs: endedMs ?? firstOf("call.not_answered"),
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

function ringsOf(parties: readonly PartialParty[]): CapturedRing[] {
  return parties
    .flatMap((party) =>
      listOrEmpty(party.dials).flatMap((dial): CapturedRing[] =>
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
