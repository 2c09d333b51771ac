import type { CapturedEvent } from "./capture.ts";
import { completed } from "./complete-dials.ts";
import type { RestSnapshots } from "./rest-answers.ts";
import { isThere, listOf, type SeenCall, type SeenData, type SeenParty } from "./seen.ts";

/** One ringing of one endpoint. */
export interface Ring {
  readonly party: SeenParty;
  readonly reason: string;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly outcome: string | undefined;
}

/** A party's time on the bridge at one endpoint. */
export interface Stay {
  readonly party: SeenParty;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** All that a capture says of one call. */
export interface CallStory {
  readonly id: string;
  /** The name that its steps use: `c1`. */
  readonly name: string;
  /** Its events, in the order of time. */
  readonly events: readonly CapturedEvent[];
  /** What its first event says of it. */
  readonly first: SeenCall;
  /** What is said of it last. */
  readonly record: SeenCall;
  readonly startMs: number;
  /** When it closed; undefined if the capture ends before. */
  readonly closedMs: number | undefined;
  readonly parties: readonly SeenParty[];
  /** In the order in which they began. */
  readonly rings: readonly Ring[];
  readonly stays: readonly Stay[];
  /** Who hung up, by `call.hungup`. */
  readonly hangups: readonly { readonly atMs: number; readonly party: SeenParty }[];
  /** The caller's stay with a voicemail. */
  readonly voicemail: Stay | undefined;
}

/** Who someone is in commands. */
export function whoIs({ entryId, phoneNumber }: SeenParty): string {
  return entryId ?? phoneNumber ?? "caller";
}

/** Tells each call of a capture, in the order in which they began. */
export function callStories(events: readonly CapturedEvent[], rest: RestSnapshots): CallStory[] {
  const gathered = new Map<string, { events: CapturedEvent[]; record: SeenCall }>();
  for (const event of events) {
    const { call } = event.data as SeenData;
    if (!isThere(call?.id)) continue;
    const known = gathered.get(call.id);
    if (known === undefined) gathered.set(call.id, { events: [event], record: call });
    else {
      known.events.push(event);
      if (isNewer(call, known.record)) known.record = call;
    }
  }
  for (const call of rest.calls) {
    const known = gathered.get(call.id ?? "");
    if (known !== undefined && isNewer(call, known.record)) known.record = call;
  }
  const stories = [...gathered].flatMap(([id, seen]) => {
    const story = told(id, seen.events, completed(seen.record, seen.events));
    return story === undefined ? [] : [story];
  });
  return stories
    .sort((a, b) => a.startMs - b.startMs || firstMs(a) - firstMs(b) || (a.id < b.id ? -1 : 1))
    .map((story, index) => ({ ...story, name: `c${index + 1}` }));
}

const firstMs = ({ events: [first] }: CallStory) => first?.timestamp ?? 0;

function isNewer(call: SeenCall, known: SeenCall): boolean {
  return (call.lastModifiedTimestamp ?? 0) >= (known.lastModifiedTimestamp ?? 0);
}

function told(id: string, events: readonly CapturedEvent[], record: SeenCall): CallStory | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const startMs = record.startedTimestamp ?? first.timestamp;
  const parties = listOf(record.parties).filter(isThere);
  const stays = listOf(record.connections).flatMap((each): Stay[] => {
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
    first: (first.data as SeenData).call ?? {},
    record,
    startMs,
    closedMs: closedAt(record, events),
    parties,
    rings: ringsOf(parties),
    stays,
    hangups: events.flatMap(({ type, timestamp, data }) => {
      const { party } = data as SeenData;
      return type === "call.hungup" && isThere(party) ? [{ atMs: timestamp, party }] : [];
    }),
    voicemail: stays.find(({ party }) => party.type === "voicemail"),
  };
}

function ringsOf(parties: readonly SeenParty[]): Ring[] {
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
function closedAt(record: SeenCall, events: readonly CapturedEvent[]): number | undefined {
  if (isThere(record.endedTimestamp)) return record.endedTimestamp;
  const close = events.find(({ type }) => type === "call.ended");
  if (close !== undefined) return close.timestamp;
  return undefined;
}
