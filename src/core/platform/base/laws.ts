import { iso } from "../../foundation/instants.ts";
import type { CallRecord, Connection, Party } from "../../records/call.ts";

/**
 * Laws that hold in every run: each checks an event's body against itself and against earlier events. `event-causes.ts`
 * lists the laws of each event type. Bodies may come from a capture, so any field may be missing; a law does not judge
 * what it does not have.
 */

/** An event, as laws read it. */
export interface LawEvent {
  readonly id: string;
  readonly type: string;
  /** When it happened, ms since the Unix epoch. */
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What earlier events said, for laws that compare several events. */
export class LawHistory {
  /** When something was first said, ms since the Unix epoch, by keys such as `call.answered call-1`. */
  readonly firstTimes = new Map<string, number>();
  /** The times of people and devices on calls. */
  readonly onCalls = new Map<
    string,
    { readonly callId: string; readonly fromMs: number; readonly toMs: number | null }[]
  >();
  /** How many messages a conversation had. */
  readonly messages = new Map<string, number>();

  /** @param toleranceMs how far clocks may differ */
  constructor(readonly toleranceMs = 1_000) {}
}

/** Says how an event breaks a law; undefined if it keeps it. */
type Judge = (event: LawEvent, history: LawHistory) => string | undefined;

interface Law {
  /** The field of the event's data that breaks it, or the list that has it. */
  readonly field: string;
  /** The law as a sentence. */
  readonly text: string;
  readonly judge: Judge;
}

type PartialCall = { readonly [Key in keyof CallRecord]?: CallRecord[Key] | null };

const callOf = ({ data }: LawEvent) => (data.call ?? {}) as PartialCall;
const listOf = <T>(list: readonly T[] | null | undefined): readonly T[] => list ?? [];
const clock = (ms: number) => iso(ms).slice(11, 23);
const isAt = (ms: number | null | undefined): ms is number => typeof ms === "number";

/** Makes a judge of calls. */
function ofCall(
  judge: (call: PartialCall, history: LawHistory, event: LawEvent) => string | undefined,
): Judge {
  return (event, history) => judge(callOf(event), history, event);
}

/** Says that something happens once, and when it did before. */
function once(what: string): Judge {
  return (event, { firstTimes }) => {
    const { id } = callOf(event);
    const key = `${event.type} ${id}`;
    const before = firstTimes.get(key);
    if (before === undefined) firstTimes.set(key, event.timestamp);
    return before === undefined
      ? undefined
      : `the call ${what} at ${clock(before)} already; ${event.type} comes once`;
  };
}

/** Whether a call says who each of its parties is. */
const hasParties = ({ parties }: PartialCall) =>
  parties !== undefined && listOf(parties).every(({ id }) => id !== undefined);

function findParty({ parties }: PartialCall, partyId: string): Party | undefined {
  return listOf(parties).find(({ id }) => id === partyId);
}

const liveStatuses: readonly string[] = ["started", "offered", "accepted"];

function afterTheEnd(
  call: PartialCall,
  { firstTimes, toleranceMs }: LawHistory,
  event: LawEvent,
): string | undefined {
  const endedMs = call.endedTimestamp ?? firstTimes.get(`call.ended ${call.id}`);
  if (!isAt(endedMs)) {
    const isUnknown = call.endedTimestamp === undefined && !liveStatuses.includes(call.status ?? "");
    return isUnknown ? undefined : "the call is not over yet";
  }
  return event.timestamp + toleranceMs < endedMs ? `the call ended only at ${clock(endedMs)}` : undefined;
}

/** Who is on two calls at once. */
function overlap(call: PartialCall, { onCalls, toleranceMs }: LawHistory): string | undefined {
  const callId = call.id ?? "";
  for (const { partyId, joinedTimestamp: fromMs, leftTimestamp: toMs } of listOf(call.connections)) {
    const party = findParty(call, partyId);
    const entryId = party?.entryId;
    if (party === undefined || entryId === undefined || !isAt(fromMs)) continue;
    const all = onCalls.get(entryId) ?? [];
    const other = all.find(
      (each) =>
        each.callId !== callId &&
        isAt(each.toMs) &&
        Math.min(each.toMs, toMs ?? Number.POSITIVE_INFINITY) - Math.max(each.fromMs, fromMs) > toleranceMs,
    );
    onCalls.set(entryId, [
      ...all.filter((each) => each.callId !== callId).slice(-8),
      { callId, fromMs, toMs: toMs ?? null },
    ]);
    if (other !== undefined)
      return `${party.displayName ?? entryId} was on another call from ${clock(other.fromMs)} to ${clock(other.toMs ?? 0)}`;
  }
  return undefined;
}

/** Who answered joins at that instant. */
function answerJoins(call: PartialCall, { toleranceMs }: LawHistory): string | undefined {
  const isKnown = call.connections?.every(({ partyId }) => partyId !== undefined) === true;
  if (!isKnown || !hasParties(call)) return undefined;
  const joins = new Map<string, Connection[]>();
  for (const each of listOf(call.connections))
    joins.set(each.partyId, [...(joins.get(each.partyId) ?? []), each]);
  for (const { id, displayName, dials } of listOf(call.parties))
    for (const { outcome, endedTimestamp: endedMs } of listOf(dials)) {
      if (outcome !== "answered" || !isAt(endedMs)) continue;
      const own = joins.get(id) ?? [];
      const isJoin = (atMs: number) => !isAt(atMs) || Math.abs(atMs - endedMs) <= toleranceMs;
      if (own.some(({ joinedTimestamp }) => isJoin(joinedTimestamp))) continue;
      const joined = own[0] === undefined ? "never joined" : `joined at ${clock(own[0].joinedTimestamp)}`;
      return `${displayName} answered at ${clock(endedMs)} but ${joined}`;
    }
  return undefined;
}

function isOtherCall(callId: string | undefined, event: LawEvent): boolean {
  const { id } = callOf(event);
  return callId !== undefined && id !== undefined && id !== callId;
}

interface PartialUser {
  readonly id?: string;
  readonly displayName?: string;
  readonly availability?: {
    readonly status?: string;
    readonly notAvailableRule?: string | null;
    readonly callId?: string | null;
  };
}
const userOf = ({ data }: LawEvent) => (data.user ?? {}) as PartialUser;

interface PartialTeam {
  readonly teamMembers?: readonly unknown[];
  readonly availability?: { readonly totalMembers?: number; readonly totalAvailable?: number };
}

interface PartialConversation {
  readonly id?: string;
  readonly messages?: readonly { readonly id?: string }[];
}
const conversationOf = ({ data }: LawEvent) => (data.conversation ?? {}) as PartialConversation;

/** Every law, by name. */
export const laws = {
  "starts once": { field: "call.id", text: "A call starts once.", judge: once("started") },
  "answered once": {
    field: "call.id",
    text: "A call is answered once: later parties join it.",
    judge: once("was answered"),
  },
  "missed once": { field: "call.id", text: "A call is missed once.", judge: once("was missed") },
  "closes once": {
    field: "call.id",
    text: "A call closes once, and nobody answers or leaves it afterwards.",
    judge: (event, { firstTimes }) => {
      const key = `call.ended ${callOf(event).id}`;
      const endedMs = firstTimes.get(key);
      if (event.type === "call.ended" && endedMs === undefined) firstTimes.set(key, event.timestamp);
      if (endedMs === undefined || !/\.(ended|started|answered|not_answered|hungup)$/.test(event.type))
        return undefined;
      return `the call had ended at ${clock(endedMs)}`;
    },
  },
  "ends after it starts": {
    field: "call.endedAt",
    text: "A call ends after it starts.",
    judge: ofCall(({ startedTimestamp: startedMs, endedTimestamp: endedMs }, { toleranceMs }) =>
      isAt(startedMs) && isAt(endedMs) && endedMs + toleranceMs < startedMs
        ? `ended at ${clock(endedMs)}, before it started at ${clock(startedMs)}`
        : undefined,
    ),
  },
  "answered before it ends": {
    field: "call.answeredAt",
    text: "A call is answered after it starts and before it ends.",
    judge: ofCall((call, { toleranceMs }) => {
      const { startedTimestamp: startedMs, answeredTimestamp: answeredMs, endedTimestamp: endedMs } = call;
      if (!isAt(answeredMs)) return undefined;
      if (isAt(endedMs) && endedMs + toleranceMs < answeredMs)
        return `ended at ${clock(endedMs)}, before it was answered at ${clock(answeredMs)}`;
      return isAt(startedMs) && answeredMs + toleranceMs < startedMs
        ? `answered at ${clock(answeredMs)}, before it started at ${clock(startedMs)}`
        : undefined;
    }),
  },
  duration: {
    field: "call.duration",
    text: "`duration` is from start to end.",
    judge: ofCall((call, { toleranceMs }) => {
      const {
        startedTimestamp: startedMs,
        answeredTimestamp: answeredMs,
        endedTimestamp: endedMs,
        duration,
      } = call;
      if (!isAt(startedMs) || !isAt(endedMs) || !isAt(duration)) return undefined;
      const isFrom = (fromMs: number) => Math.abs(endedMs - fromMs - duration) <= toleranceMs;
      return isFrom(startedMs) || (isAt(answeredMs) && isFrom(answeredMs))
        ? undefined
        : `duration is ${duration} ms, but from startedAt to endedAt it is ${endedMs - startedMs} ms`;
    }),
  },
  "wait time": {
    field: "call.waitTime",
    text: "`waitTime` is from start to answer; of an unanswered call, its duration.",
    judge: ofCall((call, { toleranceMs }) => {
      const { startedTimestamp: startedMs, answeredTimestamp: answeredMs, waitTime, duration } = call;
      if (!isAt(startedMs) || !isAt(waitTime)) return undefined;
      if (isAt(answeredMs))
        return Math.abs(answeredMs - startedMs - waitTime) > toleranceMs
          ? `waitTime is ${waitTime} ms, but it was answered ${answeredMs - startedMs} ms after it started`
          : undefined;
      return answeredMs === null && isAt(duration) && Math.abs(duration - waitTime) > toleranceMs
        ? `waitTime is ${waitTime} ms, but nobody answered in ${duration} ms`
        : undefined;
    }),
  },
  "connections belong to parties": {
    field: "call.connections",
    text: "Each connection is one of the call's parties.",
    judge: ofCall((call) => {
      if (!hasParties(call)) return undefined;
      const stray = listOf(call.connections).find(
        ({ partyId }) => partyId !== undefined && findParty(call, partyId) === undefined,
      );
      return stray === undefined
        ? undefined
        : `${stray.partyId} is on the bridge, but is no party of the call`;
    }),
  },
  "leaves after joining": {
    field: "call.connections",
    text: "A party leaves the bridge after joining it.",
    judge: ofCall((call, { toleranceMs }) => {
      for (const { partyId, joinedTimestamp: joinedMs, leftTimestamp: leftMs } of listOf(call.connections))
        if (isAt(leftMs) && isAt(joinedMs) && leftMs + toleranceMs < joinedMs)
          return `${findParty(call, partyId)?.displayName ?? partyId} left at ${clock(leftMs)}, before joining at ${clock(joinedMs)}`;
      return undefined;
    }),
  },
  "dials end after they start": {
    field: "call.parties",
    text: "A ring ends after it begins.",
    judge: ofCall((call, { toleranceMs }) => {
      for (const { displayName, dials } of listOf(call.parties))
        for (const { startedTimestamp: startedMs, endedTimestamp: endedMs } of listOf(dials))
          if (isAt(endedMs) && isAt(startedMs) && endedMs + toleranceMs < startedMs)
            return `${displayName} stopped ringing at ${clock(endedMs)}, before beginning at ${clock(startedMs)}`;
      return undefined;
    }),
  },
  "answer joins": {
    field: "call.connections",
    text: "Who answers joins the bridge at that instant.",
    judge: ofCall(answerJoins),
  },
  "one call at a time": {
    field: "call.connections",
    text: "A user or a device is on one call at a time.",
    judge: ofCall(overlap),
  },
  "hangs up as a party": {
    field: "party.id",
    text: "Only a party that is on the call hangs up.",
    judge: (event) => {
      const call = callOf(event);
      const party = (event.data.party ?? undefined) as Party | undefined;
      if (party?.id === undefined || !hasParties(call)) return undefined;
      return findParty(call, party.id) === undefined
        ? `${party.displayName} hung up, but is no party of the call`
        : undefined;
    },
  },
  "after the end": {
    field: "call.endedAt",
    text: "Recordings, transcripts and tariffs follow the end of a call.",
    judge: ofCall(afterTheEnd),
  },
  "recording of the call": {
    field: "recording.callId",
    text: "The recording is of the call.",
    judge: (event) => {
      const { callId } = (event.data.recording ?? {}) as { callId?: string };
      return isOtherCall(callId, event) ? `the recording is of call ${callId}` : undefined;
    },
  },
  "transcript of the call": {
    field: "transcript.callId",
    text: "The transcript is of the call.",
    judge: (event) => {
      const { callId } = (event.data.transcript ?? {}) as { callId?: string };
      return isOtherCall(callId, event) ? `the transcript is of call ${callId}` : undefined;
    },
  },
  "message of the conversation": {
    field: "message.id",
    text: "The message is the newest of its conversation.",
    judge: (event) => {
      const { messages } = conversationOf(event);
      const { id } = (event.data.message ?? {}) as { id?: string };
      const isKnown = messages?.every((each) => each.id !== undefined) === true;
      return id !== undefined && isKnown && !messages.some((each) => each.id === id)
        ? "its message is not in the conversation"
        : undefined;
    },
  },
  "closed stays closed": {
    field: "conversation.status",
    text: "A closed conversation does not open again.",
    judge: (event, { firstTimes }) => {
      const key = `conversation.closed ${conversationOf(event).id}`;
      const closedMs = firstTimes.get(key);
      if (closedMs !== undefined)
        return `the conversation was closed at ${clock(closedMs)} and does not open again`;
      if (event.type === "conversation.closed") firstTimes.set(key, event.timestamp);
      return undefined;
    },
  },
  "completed after it was made": {
    field: "contentAnalysis.completedAt",
    text: "An analysis is done after it was made.",
    judge: ({ data }, { toleranceMs }) => {
      const { createdTimestamp: madeMs, completedTimestamp: doneMs } = (data.contentAnalysis ?? {}) as {
        createdTimestamp?: number;
        completedTimestamp?: number | null;
      };
      return isAt(madeMs) && isAt(doneMs) && doneMs + toleranceMs < madeMs
        ? `completed at ${clock(doneMs)}, before it was made at ${clock(madeMs)}`
        : undefined;
    },
  },
  "busy on a call names it": {
    field: "user.availability.callId",
    text: "Who is busy on a call says which.",
    judge: (event) => {
      const { availability } = userOf(event);
      return availability?.notAvailableRule === "busyOnACall" && availability.callId === null
        ? "busy on a call, but names none"
        : undefined;
    },
  },
  "available is not busy": {
    field: "user.availability.status",
    text: "Who is available is on no call.",
    judge: (event, { onCalls, toleranceMs }) => {
      const { id = "", displayName, availability } = userOf(event);
      if (availability?.status !== "available") return undefined;
      const on = onCalls
        .get(id)
        ?.find(
          ({ fromMs, toMs }) =>
            toMs !== null && fromMs + toleranceMs < event.timestamp && event.timestamp + toleranceMs < toMs,
        );
      return on === undefined
        ? undefined
        : `${displayName ?? id} is available, but was on a call from ${clock(on.fromMs)} to ${clock(on.toMs ?? 0)}`;
    },
  },
  "team counts its members": {
    field: "team.availability.totalMembers",
    text: "A team's totals count its members.",
    judge: ({ data }) => {
      const { teamMembers, availability } = (data.team ?? {}) as PartialTeam;
      const { totalMembers, totalAvailable } = availability ?? {};
      if (totalMembers === undefined || totalAvailable === undefined) return undefined;
      if (totalAvailable > totalMembers) return `${totalAvailable} of ${totalMembers} members are available`;
      return teamMembers !== undefined && teamMembers.length !== totalMembers
        ? `it says ${totalMembers} members and lists ${teamMembers.length}`
        : undefined;
    },
  },
} as const satisfies Readonly<Record<string, Law>>;

/** The name of a law. */
export type LawName = keyof typeof laws;
