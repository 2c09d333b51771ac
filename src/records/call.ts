import { durationText } from "../engine/instants.ts";
import type { CallRecord, Connection, Dial, DialOutcome, Party } from "../generated/records.ts";
import { moment, noMoment } from "./moments.ts";

export type {
  AssignedUser,
  CallInsightsRecord,
  CallNote,
  CallOutcome,
  CallRecord,
  CallStatus,
  CallSummary,
  CallTariff,
  Connection,
  Dial,
  DialOutcome,
  DialReason,
  OutcomeStatus,
  Party,
  PartyTariff,
  Recording,
  VoicemailMessage,
} from "../generated/records.ts";

/** A new call, the one who dialled its only party. */
export function newCall(
  fields: Pick<
    CallRecord,
    | "id"
    | "organisationId"
    | "direction"
    | "isInternal"
    | "contactNumber"
    | "companyNumber"
    | "vendor"
    | "vendorCallId"
    | "passthroughParameters"
    | "summary"
  > & { readonly caller: Party; readonly nowMs: number },
): CallRecord {
  const { id, organisationId, caller, nowMs, direction, contactNumber, companyNumber } = fields;
  const isInbound = direction === "inbound";
  return {
    id,
    organisationId,
    direction,
    isInternal: fields.isInternal,
    isConference: false,
    status: "started",
    outcome: null,
    contactNumber,
    companyNumber,
    initiator: isInbound ? contactNumber : companyNumber,
    recipient: isInbound ? companyNumber : contactNumber,
    ...moment("started", nowMs),
    ...noMoment("answered"),
    ...noMoment("ended"),
    ...moment("lastModified", nowMs),
    duration: null,
    durationText: null,
    waitTime: null,
    waitTimeText: null,
    vendor: fields.vendor,
    vendorCallId: fields.vendorCallId,
    assignedUser: null,
    parties: [caller],
    connections: [],
    recordings: [],
    voicemail: null,
    notes: [],
    summary: fields.summary,
    tariff: null,
    passthroughParameters: fields.passthroughParameters,
  };
}

/** The fields that follow from the answer. */
export function answeredFields(call: CallRecord, nowMs: number): Partial<CallRecord> {
  const waitMs = nowMs - call.startedTimestamp;
  return { waitTime: waitMs, waitTimeText: durationText(waitMs), ...moment("answered", nowMs) };
}

/** The fields that follow from the end. An unanswered call waited for its whole duration. */
export function endedFields(call: CallRecord, nowMs: number): Partial<CallRecord> {
  const duration = nowMs - call.startedTimestamp;
  const text = durationText(duration);
  const wait = call.waitTime === null ? { waitTime: duration, waitTimeText: text } : {};
  return { duration, durationText: text, ...wait, ...moment("ended", nowMs) };
}

/** The parties, with those dials of one that ring and that `outcomeOf` has an outcome for ended. */
export function endDials(
  parties: readonly Party[],
  partyId: string,
  outcomeOf: (endpoint: string) => DialOutcome | undefined,
  nowMs: number,
): Party[] {
  const ended = moment("ended", nowMs);
  return parties.map((party) => {
    if (party.id !== partyId) return party;
    const dials = party.dials.map((dial) => {
      const outcome = isRinging(dial) ? outcomeOf(dial.endpoint) : undefined;
      return outcome === undefined ? dial : { ...dial, ...ended, outcome };
    });
    return { ...party, dials };
  });
}

/** The connection of a party that comes onto the bridge. */
export function newConnection(partyId: string, endpoint: string | null, nowMs: number): Connection {
  return { partyId, endpoint, ...moment("joined", nowMs), ...noMoment("left") };
}

/** Whether somebody inside dialled an extension, which the call has for its `contactNumber` to the end. */
export function isToExtension({ contactNumber }: Pick<CallRecord, "contactNumber">): boolean {
  return !contactNumber.startsWith("+");
}

/** Whether three or more parties were ever connected: a voicemail is one too. */
export function isConference(connections: readonly Connection[]): boolean {
  return new Set(connections.map((each) => each.partyId)).size > 2;
}

/** The connections, with those of one party (or of all) that are on the bridge ended. */
export function endConnections(
  connections: readonly Connection[],
  nowMs: number,
  partyId?: string,
): readonly Connection[] {
  const leaves = (each: Connection) =>
    isOnBridge(each) && (partyId === undefined || each.partyId === partyId);
  if (!connections.some(leaves)) return connections;
  const left = moment("left", nowMs);
  return connections.map((each) => (leaves(each) ? { ...each, ...left } : each));
}

export function isRinging(dial: Dial): boolean {
  return dial.outcome === null;
}

export function isOnBridge(connection: Connection): boolean {
  return connection.leftTimestamp === null;
}
