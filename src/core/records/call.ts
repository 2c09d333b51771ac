import { durationText, internInstant, iso, shareInstants } from "../foundation/instants.ts";
import {
  type CallRecord,
  type Connection,
  copyUsualCallRecord,
  copyWholeCallRecord,
  type Dial,
  type DialOutcome,
  type DialReason,
  type NewCallRecord,
  newCallRecord,
  type Party,
} from "../generated/records.ts";
import type { AllFields, Mutable } from "./table.ts";

export type {
  AssignedUser,
  CallNote,
  CallRecord,
  CallStatus,
  CallSummary,
  CallTariff,
  Connection,
  Dial,
  DialOutcome,
  DialReason,
  Party,
  PartyTariff,
  Recording,
} from "../generated/records.ts";

/*
 * Records change many times in a call, so each kind is written as a literal of all fields: a spread takes several times
 * as long and a seventh more memory. The literals of a call are generated from its schema.
 */

/** The empty list of every record. Sharing one saves memory. */
export const none: readonly never[] = Object.freeze([]);

/** Creates a call from its fields and the initial values of its schema. */
export function newCall(fields: NewCallRecord, nowMs: number): CallRecord {
  return newCallRecord(fields, iso(nowMs), internInstant(nowMs));
}

/**
 * Copies a call for its next version. The copy has `directoryTarget` and `assignedCallGroup` once the call is
 * answered or missed.
 */
export function copyCall(call: CallRecord, changes: Partial<CallRecord>): Mutable<CallRecord> {
  return call.directoryTarget === undefined && changes.directoryTarget === undefined
    ? copyUsualCallRecord(call)
    : copyWholeCallRecord(call);
}

// Fields of an instant are set on a draft: assigning them from another object would add 96 bytes to a call.

export function setModified(draft: Mutable<CallRecord>, nowMs: number): void {
  draft.lastModifiedAt = iso(nowMs);
  draft.lastModifiedTimestamp = internInstant(nowMs);
}

/** Sets the fields that depend on the answer. */
export function setAnswered(draft: Mutable<CallRecord>, nowMs: number): void {
  const waitMs = nowMs - draft.startedTimestamp;
  draft.waitTime = waitMs;
  draft.waitTimeText = durationText(waitMs);
  draft.answeredAt = iso(nowMs);
  draft.answeredTimestamp = internInstant(nowMs);
}

/** Sets the fields that depend on the end. An unanswered call waited for its whole duration. */
export function setEnded(draft: Mutable<CallRecord>, nowMs: number): void {
  const duration = nowMs - draft.startedTimestamp;
  const text = durationText(duration);
  draft.duration = duration;
  draft.durationText = text;
  if (draft.waitTime === null) {
    draft.waitTime = duration;
    draft.waitTimeText = text;
  }
  draft.endedAt = iso(nowMs);
  draft.endedTimestamp = internInstant(nowMs);
}

/** Ends the ringing dials of one party for which `outcomeOf` returns an outcome. */
export function endDials(
  parties: readonly Party[],
  partyId: string,
  outcomeOf: (endpoint: string) => DialOutcome | undefined,
  nowMs: number,
): Party[] {
  return parties.map((party) => {
    if (party.id !== partyId) return party;
    const dials = party.dials.map((dial) => {
      const outcome = isRinging(dial) ? outcomeOf(dial.endpoint) : undefined;
      return outcome === undefined ? dial : endedDial(dial, outcome, nowMs);
    });
    return withDials(party, dials);
  });
}

/** A party that is a user. */
export type UserParty = Extract<Party, { readonly type: "user" }>;

/** Returns a party with other dials. The literal is for users, who are rung most. */
export function withDials(party: Party, dials: readonly Dial[]): Party {
  return party.type === "user" ? userWithDials(party, dials) : { ...party, dials };
}

function userWithDials(party: UserParty, dials: readonly Dial[]): AllFields<UserParty> {
  return {
    id: party.id,
    type: party.type,
    isInternal: party.isInternal,
    displayName: party.displayName,
    entryId: party.entryId,
    phoneNumber: party.phoneNumber,
    extension: party.extension,
    email: party.email,
    timezone: party.timezone,
    manager: party.manager,
    location: party.location,
    tariff: party.tariff,
    dials,
  };
}

/** Creates the dial of an endpoint that begins to ring. */
export function newDial(
  reason: DialReason,
  endpoint: string,
  vendorCallId: string | null,
  nowMs: number,
): AllFields<Dial> {
  return {
    reason,
    endpoint,
    startedAt: iso(nowMs),
    startedTimestamp: internInstant(nowMs),
    endedAt: null,
    endedTimestamp: null,
    outcome: null,
    vendorCallIds: vendorCallId === null ? none : [vendorCallId],
  };
}

function endedDial(dial: Dial, outcome: DialOutcome, nowMs: number): AllFields<Dial> {
  return {
    reason: dial.reason,
    endpoint: dial.endpoint,
    startedAt: dial.startedAt,
    startedTimestamp: dial.startedTimestamp,
    endedAt: iso(nowMs),
    endedTimestamp: internInstant(nowMs),
    outcome,
    vendorCallIds: dial.vendorCallIds,
  };
}

/** Creates the connection of a party that joins the bridge. */
export function newConnection(
  partyId: string,
  endpoint: string | null,
  nowMs: number,
): AllFields<Connection> {
  return {
    partyId,
    endpoint,
    joinedAt: iso(nowMs),
    joinedTimestamp: internInstant(nowMs),
    leftAt: null,
    leftTimestamp: null,
  };
}

function endedConnection(connection: Connection, nowMs: number): AllFields<Connection> {
  return {
    partyId: connection.partyId,
    endpoint: connection.endpoint,
    joinedAt: connection.joinedAt,
    joinedTimestamp: connection.joinedTimestamp,
    leftAt: iso(nowMs),
    leftTimestamp: internInstant(nowMs),
  };
}

/** Whether three or more parties are on the bridge now. A voicemail never is. */
export function isConference(connections: readonly Connection[]): boolean {
  return connections.filter(isOnBridge).length > 2;
}

/** Ends the open connections of one party, or of all. */
export function endConnections(
  connections: readonly Connection[],
  nowMs: number,
  partyId?: string,
): readonly Connection[] {
  const leaves = (each: Connection) =>
    isOnBridge(each) && (partyId === undefined || each.partyId === partyId);
  if (!connections.some(leaves)) return connections;
  return connections.map((each) => (leaves(each) ? endedConnection(each, nowMs) : each));
}

export function isRinging(dial: Dial): boolean {
  return dial.outcome === null;
}

export function isOnBridge(connection: Connection): boolean {
  return connection.leftTimestamp === null;
}

for (const copy of [copyUsualCallRecord, copyWholeCallRecord])
  shareInstants((nothing) =>
    copy({ startedTimestamp: nothing, lastModifiedTimestamp: nothing } as Partial<CallRecord> as CallRecord),
  );
shareInstants((nothing) => newConnection("", null, nothing));
shareInstants((nothing) => newDial("direct", "", "", nothing));

/** The party whose answer was the first; undefined if none was. */
export function findAnswerer({ answeredTimestamp, connections, parties }: CallRecord): Party | undefined {
  const isFirst = ({ outcome, endedTimestamp }: Dial) =>
    outcome === "answered" && endedTimestamp === answeredTimestamp;
  // several may answer at one instant: connections are in the order in which parties join
  const joined = connections.map(({ partyId }) => parties.find(({ id }) => id === partyId));
  return joined.find((party) => party?.dials.some(isFirst));
}
