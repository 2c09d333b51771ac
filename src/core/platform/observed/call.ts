import type {
  AssignedUser,
  CallRecord,
  Connection,
  Dial,
  Party,
  PublicCallRecord,
} from "../../generated/records.ts";
import { writeLocation, writeReference } from "./directory.ts";
import { asNumber, roughTime, writtenNumber } from "./texts.ts";

/** Calls in the shape that public bodies have: docs/observed.md. */

/** What stands in place of a withheld number. */
const WITHHELD = "ANONYMOUS";

type Call = PublicCallRecord & Partial<Pick<CallRecord, "organisationId">>;

export function writeCall(call: Call) {
  const { connections: _, assignedUser, parties, directoryTarget, assignedCallGroup, ...rest } = call;
  const user = assignedUser === null ? null : writeAssignedUser(assignedUser);
  const written = {
    ...rest,
    contactNumber: call.contactNumber ?? WITHHELD,
    initiator: writeInitiator(call),
    durationText: call.duration === null ? null : roughTime(call.duration),
    waitTimeText: call.waitTime === null ? null : roughTime(call.waitTime),
    ...(directoryTarget === undefined ? {} : { directoryTarget: writeReference(directoryTarget) }),
    ...(assignedCallGroup === undefined
      ? {}
      : { assignedCallGroup: assignedCallGroup && writeReference(assignedCallGroup) }),
    assignedUser: user,
    user,
    assignedContact: writeAssignedContact(call),
    parties: parties.map((party) => writeParty(party, call)),
    voicemail: writeVoicemail(call),
    highlights: [],
    forms: [],
  };
  return call.endedAt === null ? withoutNulls(written) : written;
}

/** Who began a call: the user or device who dialled, else the number that called. */
function writeInitiator({ direction, initiator, parties }: Call): string {
  const dialled = direction === "outbound" ? parties[0]?.entryId : undefined;
  return dialled ?? initiator ?? WITHHELD;
}

function writeAssignedUser({ id, displayName: _, location, extension, ...rest }: AssignedUser) {
  return { userId: id, ...rest, extension: asNumber(extension), location: writeLocation(location) };
}

/** Who the outside party is, once that is known: then the party has a name instead of its number. */
function writeAssignedContact({ contactNumber, parties }: Call) {
  const party = parties.find(({ type, phoneNumber }) => type === "external" && phoneNumber === contactNumber);
  if (contactNumber === null || party === undefined || party.displayName === contactNumber) return null;
  const { numberE164, numberDisplay } = writtenNumber(contactNumber);
  return {
    name: party.displayName,
    phoneNumbers: [{ label: null, numberRaw: contactNumber, numberE164, numberDisplay }],
  };
}

/** @param call the call of the party, which has the party's connections */
export function writeParty(party: Party, call: Call) {
  const { displayName, type, extension, location, tariff, dials, ...rest } = party;
  const answered = dials.find(({ outcome }) => outcome === "answered");
  const vendorCallId = answered?.vendorCallIds[0] ?? call.vendorCallId;
  const isLive = call.endedAt === null;
  return {
    ...rest,
    type: type === "external" ? "phone" : type,
    displayValue: displayName,
    extension: type === "user" && extension !== null ? asNumber(extension) : extension,
    ...(location === undefined ? {} : { location: writeLocation(location) }),
    ...(tariff === null && isLive ? {} : { tariff }),
    dials: dials.map(writeDial),
    connections: call.connections
      .filter(({ partyId }) => partyId === party.id)
      .map((connection) => ({ ...writeConnection(connection), vendorCallId })),
  };
}

/** A dial says when it began, and neither when nor how it ended. */
function writeDial({ reason, endpoint, startedAt, startedTimestamp, vendorCallIds }: Dial) {
  return {
    reason: reason === "direct" ? "directDial" : reason,
    endpoint,
    dialAt: startedAt,
    dialTimestamp: startedTimestamp,
    vendorCallIds,
  };
}

function writeConnection({ partyId: _, leftAt, leftTimestamp, ...rest }: Connection) {
  return leftAt === null ? rest : { ...rest, leftAt, leftTimestamp };
}

/** The platform reads the words of a message without a mistake, so it is as sure as it can be. */
const SURE = 1;

function writeVoicemail({ voicemail }: Call) {
  if (voicemail === null) return null;
  const { duration, transcription } = voicemail;
  return {
    ...voicemail,
    durationText: roughTime(duration * 1_000),
    transcriptionConfidence: transcription === null ? null : SURE,
  };
}

/** What a live call does not have yet is absent. */
function withoutNulls(call: object): object {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== null));
}
