import { isRecord } from "../../core/foundation/values.ts";
import { isEqual } from "../read/shapes.ts";

/**
 * Compares the body of a captured event with that of the run's event, where the platform's rules decide the value. What is
 * not compared is in `notCompared`, with the reason. A field that one of them lacks is drift.
 */

/** A field in which a captured event and the run's event differ. */
export interface BodyDifference {
  /** The path in the event's data, such as `call.outcome.status`. */
  readonly path: string;
  /** What the capture has. */
  readonly got: unknown;
  /** What the run sends. */
  readonly sent: unknown;
}

/** How a field is compared. */
type How =
  /** Both have the same value. */
  | "value"
  /** Both have the same instant or time span, give or take the tolerance. */
  | "time"
  /** Both name the same thing: an id of the capture has one id of the run. */
  | "identity"
  /** Both name the same party of the call: by one id each, or by who the party is. */
  | "party"
  /** Both are null or empty, or neither is. */
  | "presence"
  | Fields
  | ListOf;

interface ListOf {
  readonly list: How;
  /** The key that says which items belong together; default: their order. */
  readonly key?: string;
  /** Whether the number of items may differ; then nothing of them is compared. */
  readonly isOpen?: true;
}

interface Fields {
  readonly [name: string]: How;
}

const entry: How = { id: "value" };
const availability: How = { status: "value", notAvailableRule: "value", callId: "identity" };
const dial: How = {
  reason: "value",
  outcome: "value",
  startedTimestamp: "time",
  endedTimestamp: "time",
};
const party: How = {
  type: "value",
  entryId: "value",
  phoneNumber: "value",
  // as many as the party has endpoints, which a capture may not name
  dials: { list: dial, isOpen: true },
};
const connection: How = {
  partyId: "party",
  joinedTimestamp: "time",
  leftTimestamp: "time",
};

/** What is compared in the data of events. A record that is in neither list is compared by whether it is null or empty. */
export const compared: Fields = {
  call: {
    id: "identity",
    status: "value",
    outcome: { status: "value", reason: "value" },
    direction: "value",
    isInternal: "value",
    isConference: "value",
    contactNumber: "value",
    companyNumber: "value",
    initiator: "value",
    recipient: "value",
    startedTimestamp: "time",
    answeredTimestamp: "time",
    endedTimestamp: "time",
    duration: "time",
    waitTime: "time",
    assignedUser: entry,
    assignedCallGroup: entry,
    directoryTarget: entry,
    parties: { list: party },
    connections: { list: connection },
    recordings: "presence",
    voicemail: "presence",
    notes: "presence",
    tariff: "presence",
    passthroughParameters: "value",
  },
  party,
  user: { id: "value", availability },
  team: {
    id: "value",
    availability: { status: "value", totalMembers: "value", totalAvailable: "value" },
    teamMembers: { list: { id: "value", availability }, key: "id" },
  },
  conversation: {
    id: "identity",
    status: "value",
    channel: "value",
    companyNumber: "value",
    companyNumberOwner: entry,
    participants: { list: { type: "value", id: "value", phoneNumber: "value" } },
    messages: { list: { id: "identity" } },
  },
  message: { id: "identity", author: { type: "value", phoneNumber: "value" } },
  contact: { phoneNumbers: "value" },
};

/**
 * What is not compared in the data of events, by the reason. `record.field` where other records' fields of that name are
 * compared. `test/capture/compared-fields.test.ts` names each field that is in neither list.
 */
export const notCompared: Readonly<Record<string, readonly string[]>> = {
  "text for people": [
    ...["displayName", "overriddenDisplayName", "firstName", "lastName", "name", "jobTitle", "content"],
    ...["summary", "availabilitySummary", "notAvailableReason", "durationText", "waitTimeText"],
  ],
  "a vendor's": ["vendor", "vendorCallId", "vendorCallIds", "vendorConversationId", "vendorMessageId"],
  "another field says it too": [
    ...[
      "organisationId",
      "startedAt",
      "answeredAt",
      "endedAt",
      "joinedAt",
      "leftAt",
      "closedAt",
      "createdAt",
    ],
    ...[
      "lastModifiedAt",
      "statusAt",
      "parties.isInternal",
      "party.isInternal",
      "user.callId",
      "teamMembers.callId",
    ],
    ...[
      "messages.author",
      "messages.direction",
      "media",
      "isApiCreated",
      "data.participants",
      "data.recording",
    ],
  ],
  "the event's own time says it": [
    "lastModifiedTimestamp",
    "statusTimestamp",
    "closedTimestamp",
    "createdTimestamp",
  ],
  "the organisation's, which an import can only guess": [
    ...[
      "extension",
      "email",
      "manager",
      "location",
      "timezone",
      "ivrKey",
      "user.status",
      "teamMembers.status",
    ],
    ...[
      "user.phoneNumbers",
      "team.phoneNumbers",
      "teamMembers.phoneNumbers",
      "mobile",
      "licenses",
      "loginStatus",
    ],
    ...[
      "isDirectorySynced",
      "desktopEnrolledReleaseChannel",
      "hasVoicemail",
      "endpoints",
      "teams",
      "isHidden",
    ],
    ...["priority", "sipAddress", "isOutboundAllowed", "isAvailable", "endpoint", "emailAddresses"],
  ],
  "a kind in the dialect's words": [
    ...["directoryTarget.type", "assignedCallGroup.type", "assignedUser.type", "companyNumberOwner.type"],
    ...["user.type", "team.type", "teamMembers.type", "data.channel"],
  ],
  "an id that the run makes anew": ["parties.id", "party.id", "contact.id", "author.id"],
  "a price": ["parties.tariff", "party.tariff"],
  "where it lives": ["vendorRedirectUrl"],
  "how a conversation is routed, which its events do not decide": [
    ...["contactAddresses", "initiatedBy", "unreadCount", "claimRule", "closeTimer", "message.direction"],
    "conversation.passthroughParameters",
  ],
};

const left = new Set(Object.values(notCompared).flat());
/** Whether a key of an event's data is not compared. */
export const isNotCompared = (name: string) => left.has(`data.${name}`);

type Body = Readonly<Record<string, unknown>>;

/** Compares bodies of one capture with those of one run. */
export class BodyMatcher {
  /** The run's id of each of the capture's. */
  private readonly ids = new Map<string, string>();
  private found: BodyDifference[] = [];
  /** The parties of the run's call. */
  private parties: readonly Body[] = [];

  /** @param toleranceMs how far apart two instants may be */
  constructor(private readonly toleranceMs: number) {}

  /** The differences between the data of a captured event and of the run's. */
  compare(captured: Body, sent: Body): readonly BodyDifference[] {
    this.found = [];
    this.parties = isRecord(sent.call) ? (sent.call.parties as readonly Body[]) : [];
    const others = Object.keys(sent).filter((name) => !Object.hasOwn(compared, name) && !isNotCompared(name));
    const presences = Object.fromEntries(others.map((name) => [name, "presence" as const]));
    this.compareFields(captured, sent, { ...compared, ...presences }, "");
    return this.found;
  }

  private compareFields(captured: Body, sent: Body, fields: Fields, path: string): void {
    for (const [name, how] of Object.entries(fields))
      if (Object.hasOwn(captured, name) && Object.hasOwn(sent, name))
        this.compareValue(captured[name], sent[name], how, path === "" ? name : `${path}.${name}`);
  }

  private compareValue(got: unknown, sent: unknown, how: How, path: string): void {
    // what is undefined was of a type that the schema does not know
    if (got === undefined || got === sent) return;
    if (typeof how === "string") {
      if (!this.isSame(got, sent, how)) this.found.push({ path, got, sent });
    } else if (isList(how)) this.compareLists(got, sent, how, path);
    else if (isRecord(got) && isRecord(sent)) this.compareFields(got, sent, how, path);
    else this.found.push({ path, got: kindOf(got), sent: kindOf(sent) });
  }

  private isSame(got: unknown, sent: unknown, how: Extract<How, string>): boolean {
    if (how === "presence") return isPresent(got) === isPresent(sent);
    if (how === "time" && typeof got === "number" && typeof sent === "number")
      return Math.abs(got - sent) <= this.toleranceMs;
    if (how === "party" && this.parties.some((each) => each.id === sent && isNamedBy(each, got))) return true;
    if ((how === "identity" || how === "party") && typeof got === "string" && typeof sent === "string") {
      const known = this.ids.get(got) ?? sent;
      this.ids.set(got, known);
      return known === sent;
    }
    return isEqual(got, sent);
  }

  private compareLists(got: unknown, sent: unknown, { list, key, isOpen }: ListOf, path: string): void {
    if (!Array.isArray(got) || !Array.isArray(sent)) return;
    if (got.length !== sent.length) {
      if (isOpen !== true) this.found.push({ path, got: got.length, sent: sent.length });
      return;
    }
    for (const [index, each] of got.entries()) {
      const other =
        key === undefined ? sent[index] : sent.find((one) => readKey(one, key) === readKey(each, key));
      this.compareValue(each, other, list, `${path}[]`);
    }
  }
}

/** Whether a party is the user, the device or the number with this id, as some platforms name parties. */
function isNamedBy({ entryId, phoneNumber }: Body, id: unknown): boolean {
  return id !== null && (id === entryId || id === phoneNumber);
}

function isList(how: Fields | ListOf): how is ListOf {
  return Object.hasOwn(how, "list");
}

function readKey(item: unknown, key: string): unknown {
  return isRecord(item) ? item[key] : undefined;
}

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

/** A record in one word, since its fields may be many. */
function kindOf(value: unknown): unknown {
  return isRecord(value) ? (value.id ?? "an object") : value;
}
