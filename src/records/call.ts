import { durationText } from "../engine/instants.ts";
import type { EntryReference, LocationRecord, ManagerReference } from "./directory.ts";
import { type Moment, moment, noMoment, type OptionalMoment } from "./moments.ts";

/** Where a call stands: `started` → `offered` → `accepted` → `ended`; or closed as one of the other three. */
export type CallStatus = "started" | "offered" | "accepted" | "ended" | "missed" | "abandoned" | "blocked";

/** How a call came to its end. */
export type OutcomeStatus = "answered" | "missed" | "abandoned" | "unanswered" | "blocked";

/** How a call came to its end, and why where that is not plain. */
export interface CallOutcome {
  readonly status: OutcomeStatus;
  readonly reason: string | null;
}

/** Why an endpoint was rung. */
export type DialReason = "direct" | "teamOffer" | "redirect" | "transfer" | "conference" | "outbound";
/** How the ringing of one endpoint ended. */
export type DialOutcome = "answered" | "answeredElsewhere" | "timeout" | "declined" | "withdrawn" | "failed";

/** One ringing of one endpoint. */
export interface Dial extends Moment<"started">, OptionalMoment<"ended"> {
  readonly reason: DialReason;
  readonly endpoint: string;
  /** Null while it rings. */
  readonly outcome: DialOutcome | null;
  readonly vendorCallIds: readonly string[];
}

/** Someone on a call, or rung for it. */
export interface Party {
  readonly id: string;
  readonly type: "external" | "user" | "device" | "voicemail";
  readonly isInternal: boolean;
  readonly displayName: string;
  /** Who a user or device party is; absent for the others. */
  readonly entryId?: string;
  readonly phoneNumber?: string;
  readonly extension?: string;
  readonly email?: string;
  /** IANA zone; users only. */
  readonly timezone?: string;
  readonly manager?: ManagerReference | null;
  readonly location?: LocationRecord | null;
  readonly tariff: PartyTariff | null;
  readonly dials: readonly Dial[];
}

/** A party's time on the bridge at one endpoint. */
export interface Connection extends Moment<"joined">, OptionalMoment<"left"> {
  readonly partyId: string;
  /** Null for parties that have no endpoints of ours. */
  readonly endpoint: string | null;
}

/** The user who answered a call, or whom it is for: what a call says of them. */
export interface AssignedUser extends Omit<EntryReference, "overriddenDisplayName"> {
  readonly manager: ManagerReference | null;
  readonly location: LocationRecord | null;
}

/** A recording of a call. */
export interface Recording {
  readonly id: string;
  readonly callId: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly mimeType: string;
  readonly channels: number;
  /** The transcript's id, once there is one. */
  readonly transcript: string | null;
}

/** What an outside party's time on the call cost. */
export interface PartyTariff {
  readonly currency: string;
  /** The start of the number that the price is for. */
  readonly prefix: string;
  readonly perMinute: number;
  /** Milliseconds on the bridge. */
  readonly duration: number;
  readonly amount: number;
}

/** What a call cost, with `features.tariff`. */
export interface CallTariff {
  readonly currency: string;
  readonly amount: number;
}

/** The message that a caller left. */
export interface VoicemailMessage {
  readonly id: string;
  /** Whole seconds, rounded down. */
  readonly duration: number;
  readonly durationText: string;
  readonly recordingUrl: string;
  readonly recordingUrlExpiresTimestamp: number;
  readonly transcription: string | null;
}

/** What someone wrote about a call. */
export interface CallNote extends Moment<"created"> {
  readonly id: string;
  readonly text: string;
  readonly author: { readonly userId: string; readonly email: string; readonly displayName: string };
}

/** A call in words, as an activity in a list would show it. */
export interface CallSummary {
  readonly header: string;
  readonly contactNumberDescription: string;
  readonly companyNumberDescription: string;
  readonly outcome: string;
}

/** The call record. Durations are milliseconds unless a field says otherwise. */
export interface CallRecord
  extends Moment<"started">,
    OptionalMoment<"answered">,
    OptionalMoment<"ended">,
    Moment<"lastModified"> {
  readonly id: string;
  /** In event data only: the records that `sim.calls` hands out leave it out. */
  readonly organisationId: string;
  readonly direction: "inbound" | "outbound";
  /** Between internal users only, so far: false from when someone outside joins. */
  readonly isInternal: boolean;
  /** Three or more parties were ever connected. */
  readonly isConference: boolean;
  readonly status: CallStatus;
  /** Null until the call closes. */
  readonly outcome: CallOutcome | null;
  readonly contactNumber: string;
  readonly companyNumber: string;
  /** @deprecated `contactNumber` and `companyNumber` replace it. */
  readonly initiator: string;
  /** @deprecated `contactNumber` and `companyNumber` replace it. */
  readonly recipient: string;
  /** From start to end; null until the call closes. */
  readonly duration: number | null;
  readonly durationText: string | null;
  /** From start to answer, or the whole duration if nobody answered; null until known. */
  readonly waitTime: number | null;
  readonly waitTimeText: string | null;
  readonly vendor: string;
  readonly vendorCallId: string;
  /** Inbound only; absent before `call.answered` / `call.not_answered`. */
  readonly directoryTarget?: EntryReference;
  /** Inbound only; the last team the call was for; absent before `call.answered` / `call.not_answered`. */
  readonly assignedCallGroup?: EntryReference | null;
  /** Who answered. */
  readonly assignedUser: AssignedUser | null;
  readonly parties: readonly Party[];
  readonly connections: readonly Connection[];
  readonly recordings: readonly Recording[];
  readonly voicemail: VoicemailMessage | null;
  /** In the order in which they were written. */
  readonly notes: readonly CallNote[];
  readonly summary: CallSummary;
  readonly tariff: CallTariff | null;
  readonly passthroughParameters: Readonly<Record<string, string>>;
}

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
