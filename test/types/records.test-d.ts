import type { GenericSchema, InferOutput } from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import type { DeepReadonly } from "../../src/core/foundation/deep-readonly.ts";
import type { contentAnalysis } from "../../src/core/platform/analysis/record.ts";
import type { eventCall, party } from "../../src/core/platform/calls/record.ts";
import type { eventData } from "../../src/core/platform/catalogue/events.ts";
import type { conversation } from "../../src/core/platform/conversations/record.ts";
import type { directoryEntry, team, user } from "../../src/core/platform/directory/record.ts";
import type { phonebook } from "../../src/core/platform/phonebooks/record.ts";
import type { webhook } from "../../src/core/platform/webhooks/record.ts";
import type {
  AnalysisRecord,
  Availability,
  CallNote,
  CallOutcomeReason,
  CallRecord,
  ContactRecord,
  ConversationParticipant,
  ConversationRecord,
  DeviceRecord,
  Dial,
  DirectoryEntry,
  EventData,
  EventType,
  LocationRecord,
  LoggedEvent,
  MessageRecord,
  Participant,
  Party,
  PhonebookRecord,
  PlatformEvent,
  Recording,
  Records,
  ReturnRecord,
  TeamMember,
  TeamRecord,
  TranscriptRecord,
  TranscriptSegment,
  TrunkEntryHandle,
  TrunkRecord,
  UserRecord,
  VoicemailMessage,
  WebhookRecord,
} from "../../src/index.ts";

// parts without a name of their own
type AggregatedContent = Records["aggregatedContent"];
type AnalysisArtifact = Records["analysisArtifact"];
type AnalysisContent = Records["analysisContent"];
type AssignedParticipant = Records["assignedParticipant"];
type AssignedUser = Records["assignedUser"];
type AvailabilityStatus = Records["availabilityStatus"];
type CallInsightsRecord = Records["callInsights"];
type CallOutcome = Records["callOutcome"];
type CallStatus = Records["callStatus"];
type CallSummary = Records["callSummary"];
type CallTariff = Records["callTariff"];
type Channel = Records["channel"];
type Connection = Records["connection"];
type ConversationStatus = Records["conversationStatus"];
type DialOutcome = Records["dialOutcome"];
type DialReason = Records["dialReason"];
type EndpointRecord = Records["endpoint"];
type EntryReference = Records["entryReference"];
type MessageAuthor = Records["messageAuthor"];
type MessageMedia = Records["messageMedia"];
type NotAvailableRule = Records["notAvailableRule"];
type OutcomeStatus = Records["outcomeStatus"];
type PartyTariff = Records["partyTariff"];
type TeamDevice = Records["teamDevice"];
type TeamUser = Records["teamUser"];
type TrunkDeviceRecord = Records["trunkDevice"];
type TrunkQueueRecord = Records["trunkQueue"];
type TrunkUserRecord = Records["trunkUser"];
type UserReference = Records["userReference"];

/** Type-checked, never run: the fields of records, in events and elsewhere. */

/** The keys that may be absent. */
type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T];

describe("a call's record", () => {
  test("says where the call stands, and how it came to its end", () => {
    expectTypeOf<CallStatus>().toEqualTypeOf<
      "started" | "offered" | "accepted" | "ended" | "missed" | "unanswered" | "abandoned" | "blocked"
    >();
    expectTypeOf<CallRecord["status"]>().toEqualTypeOf<CallStatus>();
    expectTypeOf<CallRecord["outcome"]>().toEqualTypeOf<CallOutcome | null>();
    expectTypeOf<CallOutcome["status"]>().toEqualTypeOf<OutcomeStatus>();
    expectTypeOf<OutcomeStatus>().toEqualTypeOf<
      "answered" | "missed" | "abandoned" | "unanswered" | "blocked"
    >();
    expectTypeOf<CallOutcome["reason"]>().toEqualTypeOf<CallOutcomeReason | null>();
    // @ts-expect-error reasons are a closed list
    "engaged" satisfies CallOutcomeReason;
    // @ts-expect-error a status is not an outcome: an accepted call has come to no end
    "accepted" satisfies OutcomeStatus;
  });

  test("has each instant as a pair of text and number; optional ones may be null", () => {
    expectTypeOf<CallRecord["startedTimestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<CallRecord["startedAt"]>().toEqualTypeOf<string>();
    expectTypeOf<CallRecord["endedAt"]>().toEqualTypeOf<string | null>();
    expectTypeOf<CallRecord["endedTimestamp"]>().toEqualTypeOf<number | null>();
    expectTypeOf<CallRecord["lastModifiedTimestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<CallRecord["duration"]>().toEqualTypeOf<number | null>();
  });

  test("makes only directoryTarget and assignedCallGroup optional", () => {
    expectTypeOf<OptionalKeys<CallRecord>>().toEqualTypeOf<"directoryTarget" | "assignedCallGroup">();
    expectTypeOf<CallRecord["directoryTarget"]>().toEqualTypeOf<EntryReference | undefined>();
    expectTypeOf<CallRecord["assignedUser"]>().toEqualTypeOf<AssignedUser | null>();
    expectTypeOf<AssignedUser>().toExtend<EntryReference>();
    expectTypeOf<AssignedUser["manager"]>().toEqualTypeOf<UserReference | null>();
    expectTypeOf<AssignedUser["location"]>().toEqualTypeOf<LocationRecord | null>();
  });

  test("has parties, dials and connections", () => {
    expectTypeOf<CallRecord["parties"]>().toEqualTypeOf<readonly Party[]>();
    expectTypeOf<Party["type"]>().toEqualTypeOf<"external" | "user" | "device" | "voicemail">();
    expectTypeOf<Party["phoneNumber"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Party["dials"]>().toEqualTypeOf<readonly Dial[]>();
    expectTypeOf<Dial["reason"]>().toEqualTypeOf<DialReason>();
    "teamOffer" satisfies DialReason;
    // @ts-expect-error reasons are a closed list
    "engaged" satisfies DialReason;
    expectTypeOf<Dial["outcome"]>().toEqualTypeOf<DialOutcome | null>();
    expectTypeOf<DialOutcome>().toEqualTypeOf<
      "answered" | "answeredElsewhere" | "timeout" | "declined" | "withdrawn" | "failed"
    >();
    expectTypeOf<CallRecord["connections"]>().toEqualTypeOf<readonly Connection[]>();
    expectTypeOf<Connection["joinedTimestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<Connection["leftTimestamp"]>().toEqualTypeOf<number | null>();
    expectTypeOf<Connection["endpoint"]>().toEqualTypeOf<string | null>();
  });

  test("has recordings, a voicemail, notes, a summary and a tariff", () => {
    expectTypeOf<CallRecord["recordings"]>().toEqualTypeOf<readonly Recording[]>();
    expectTypeOf<CallRecord["voicemail"]>().toEqualTypeOf<VoicemailMessage | null>();
    expectTypeOf<VoicemailMessage["transcription"]>().toEqualTypeOf<string | null>();
    expectTypeOf<VoicemailMessage["duration"]>().toEqualTypeOf<number>();
    expectTypeOf<CallNote["author"]["userId"]>().toEqualTypeOf<string>();
    expectTypeOf<CallRecord["summary"]>().toEqualTypeOf<CallSummary>();
    expectTypeOf<keyof CallSummary>().toEqualTypeOf<
      "header" | "contactNumberDescription" | "companyNumberDescription" | "outcome"
    >();
    expectTypeOf<CallRecord["tariff"]>().toEqualTypeOf<CallTariff | null>();
    expectTypeOf<CallTariff>().toEqualTypeOf<{ readonly currency: string; readonly amount: number }>();
    expectTypeOf<Party["tariff"]>().toEqualTypeOf<PartyTariff | null>();
    expectTypeOf<PartyTariff["perMinute"]>().toEqualTypeOf<number>();
  });

  test("lists unanswered redirects with their destination", () => {
    expectTypeOf<ReturnRecord["returnTo"]>().toEqualTypeOf<
      "flow" | "taskQueue" | "postEndpoint" | "application"
    >();
    expectTypeOf<ReturnRecord["createdTimestamp"]>().toEqualTypeOf<number>();
  });
});

describe("the content of a call", () => {
  test("is a transcript, whose segments are joins, leaves and speech", () => {
    expectTypeOf<Recording["transcript"]>().toEqualTypeOf<string | null>();
    expectTypeOf<TranscriptRecord["text"]>().toEqualTypeOf<string>();
    expectTypeOf<TranscriptSegment["type"]>().toEqualTypeOf<"JOIN" | "LEAVE" | "SPEECH">();
    expectTypeOf<TranscriptSegment["startOffset"]>().toEqualTypeOf<number>();
  });

  test("is analysed by jobs on recordings or on an agent's scorecards", () => {
    expectTypeOf<AnalysisRecord["status"]>().toEqualTypeOf<"pending" | "completed">();
    expectTypeOf<AnalysisRecord["completedAt"]>().toEqualTypeOf<string | null>();
    expectTypeOf<AnalysisRecord["content"]>().toEqualTypeOf<AnalysisContent | AggregatedContent>();
    expectTypeOf<AnalysisContent["recordings"][number]["transcriptionModel"]>().toEqualTypeOf<
      string | null
    >();
    expectTypeOf<AggregatedContent["agent"]>().toEqualTypeOf<UserReference>();
    const content = {} as AnalysisRecord["content"];
    if ("agent" in content) expectTypeOf(content).toEqualTypeOf<AggregatedContent>();
    else expectTypeOf(content).toEqualTypeOf<AnalysisContent>();
    expectTypeOf<AnalysisRecord["artifacts"]>().toEqualTypeOf<readonly AnalysisArtifact[]>();
    expectTypeOf<AnalysisArtifact["usage"]["inputTokens"]>().toEqualTypeOf<number>();
  });
});

describe("the directory", () => {
  test("has users with endpoints and availability", () => {
    expectTypeOf<UserRecord["endpoints"]>().toEqualTypeOf<readonly EndpointRecord[]>();
    expectTypeOf<EndpointRecord["type"]>().toEqualTypeOf<"mobile" | "desktop" | "sip">();
    expectTypeOf<UserRecord["availability"]>().toEqualTypeOf<Availability>();
    expectTypeOf<Availability["status"]>().toEqualTypeOf<AvailabilityStatus>();
    expectTypeOf<AvailabilityStatus>().toEqualTypeOf<"available" | "busy" | "offline">();
    expectTypeOf<Availability["notAvailableRule"]>().toEqualTypeOf<NotAvailableRule | null>();
    expectTypeOf<NotAvailableRule>().toEqualTypeOf<
      "busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut" | "ringing"
    >();
    expectTypeOf<Availability["statusTimestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<keyof UserReference>().toEqualTypeOf<"id" | "displayName" | "email">();
  });

  test("has teams, whose members have a priority", () => {
    expectTypeOf<TeamRecord["teamMembers"]>().toEqualTypeOf<readonly TeamMember[]>();
    expectTypeOf<TeamMember["priority"]>().toEqualTypeOf<number>();
    expectTypeOf<TeamMember>().toEqualTypeOf<TeamUser | TeamDevice>();
    expectTypeOf<Omit<TeamUser, "priority">>().toEqualTypeOf<Omit<UserRecord, never>>();
    expectTypeOf<Omit<TeamDevice, "priority" | "isAvailable">>().toEqualTypeOf<Omit<DeviceRecord, never>>();
    expectTypeOf<CallInsightsRecord["cards"]>().toEqualTypeOf<readonly unknown[]>();
    expectTypeOf<CallInsightsRecord["shownTo" | "problems"]>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<UserRecord["teams"]>().toEqualTypeOf<readonly EntryReference[]>();
    expectTypeOf<TeamRecord["availability"]["status"]>().toEqualTypeOf<"available" | "busy">();
  });

  test("has trunk entries of three kinds", () => {
    expectTypeOf<TrunkEntryHandle["record"]>().toEqualTypeOf<
      TrunkDeviceRecord | TrunkQueueRecord | TrunkUserRecord
    >();
    expectTypeOf<TrunkEntryHandle<"queue">["record"]>().toEqualTypeOf<TrunkQueueRecord>();
    expectTypeOf<TrunkUserRecord["user"]>().toEqualTypeOf<UserReference | null>();
    expectTypeOf<TrunkDeviceRecord["model"]>().toEqualTypeOf<string | null>();
    expectTypeOf<keyof TrunkRecord>().toEqualTypeOf<"id" | "name">();
    // @ts-expect-error a queue has no model
    expectTypeOf<TrunkQueueRecord["model"]>();
  });

  test("has an extension for every entry", () => {
    expectTypeOf<DirectoryEntry["extension"]>().toEqualTypeOf<string>();
    expectTypeOf<DirectoryEntry>().toEqualTypeOf<
      UserRecord | TeamRecord | DeviceRecord | TrunkEntryHandle["record"]
    >();
    const entry = {} as DirectoryEntry;
    if ("teamMembers" in entry) expectTypeOf(entry).toEqualTypeOf<TeamRecord>();
    // @ts-expect-error not every entry has an e-mail address
    entry.email;
  });

  test("references entries with a nullable e-mail address", () => {
    expectTypeOf<EntryReference["email"]>().toEqualTypeOf<string | null>();
    expectTypeOf<OptionalKeys<EntryReference>>().toEqualTypeOf<"overriddenDisplayName">();
  });

  test("has contacts whose fields may be null except the name", () => {
    expectTypeOf<PhonebookRecord["contacts"]>().toEqualTypeOf<readonly ContactRecord[]>();
    expectTypeOf<ContactRecord["name"]>().toEqualTypeOf<string>();
    expectTypeOf<ContactRecord["lastName"]>().toEqualTypeOf<string | null>();
    expectTypeOf<ContactRecord["phoneNumbers"]>().toEqualTypeOf<readonly string[]>();
  });
});

describe("a conversation's record", () => {
  test("has a status, a channel and timers", () => {
    expectTypeOf<ConversationRecord["status"]>().toEqualTypeOf<ConversationStatus>();
    expectTypeOf<ConversationStatus>().toEqualTypeOf<"open" | "inactive" | "closed">();
    expectTypeOf<ConversationRecord["channel"]>().toEqualTypeOf<Channel>();
    expectTypeOf<Channel>().toEqualTypeOf<"sms" | "whatsApp">();
    expectTypeOf<ConversationRecord["closeTimer"]>().toEqualTypeOf<string | null>();
    expectTypeOf<ConversationRecord["closedAt"]>().toEqualTypeOf<string | null>();
  });

  test("narrows participants by type", () => {
    expectTypeOf<ConversationRecord["participants"]>().toEqualTypeOf<readonly ConversationParticipant[]>();
    const participant = {} as ConversationParticipant;
    if (participant.type === "user") {
      expectTypeOf(participant).toEqualTypeOf<AssignedParticipant>();
      expectTypeOf(participant.unreadCount).toEqualTypeOf<number>();
    } else expectTypeOf(participant.phoneNumber).toEqualTypeOf<string>();
    // @ts-expect-error an outside contact has read nothing
    participant.unreadCount;
    expectTypeOf<Participant["type"]>().toEqualTypeOf<"user" | "external">();
  });

  test("has messages with media and an author, who may be a team", () => {
    expectTypeOf<MessageRecord["author"]>().toEqualTypeOf<MessageAuthor>();
    expectTypeOf<MessageAuthor["type"]>().toEqualTypeOf<"user" | "external" | "team">();
    expectTypeOf<Extract<MessageAuthor, { type: "team" }>>().toHaveProperty("id");
    expectTypeOf<MessageRecord["direction"]>().toEqualTypeOf<"inbound" | "outbound">();
    expectTypeOf<MessageRecord["media"]>().toEqualTypeOf<readonly MessageMedia[]>();
    expectTypeOf<MessageMedia["mimeType"]>().toEqualTypeOf<string | null>();
  });
});

test("a webhook's record has no secret", () => {
  expectTypeOf<WebhookRecord>().not.toHaveProperty("signingSecret");
  expectTypeOf<WebhookRecord["disabledAt"]>().toEqualTypeOf<string | null>();
});

test("every event has a timestamp and its own type of data", () => {
  expectTypeOf<PlatformEvent>().toExtend<LoggedEvent>();
  expectTypeOf<LoggedEvent["data"]>().toEqualTypeOf<unknown>();
  expectTypeOf<PlatformEvent<"call.ended">>().toEqualTypeOf<
    LoggedEvent<"call.ended", { readonly call: CallRecord }>
  >();
  expectTypeOf<LoggedEvent["createdTimestamp"]>().toEqualTypeOf<number>();
});

describe("the types generated from the records' schemas", () => {
  type Raw<Schema extends GenericSchema> = DeepReadonly<InferOutput<Schema>>;
  /** The schema of a party says all of its types at once. */
  type Told<T> =
    T extends Raw<typeof party>
      ? Party
      : T extends readonly (infer Each)[]
        ? readonly Told<Each>[]
        : T extends object
          ? { [Key in keyof T]: Told<T[Key]> }
          : T;
  type Of<Schema extends GenericSchema> = Told<Raw<Schema>>;

  test("tell parties apart by their type", () => {
    expectTypeOf<Party>().toExtend<Raw<typeof party>>();
    const nameOf = (each: Party) => {
      if (each.type === "user") {
        expectTypeOf(each.entryId).toEqualTypeOf<string>();
        expectTypeOf(each.email).toEqualTypeOf<string>();
        return each.timezone.toUpperCase();
      }
      if (each.type === "device") return each.extension.toUpperCase();
      expectTypeOf(each.entryId).toEqualTypeOf<undefined>();
      return each.type === "external" ? each.phoneNumber?.slice(1) : each.displayName;
    };
    expectTypeOf(nameOf).returns.toEqualTypeOf<string | undefined>();
    expectTypeOf<Party["type"]>().toEqualTypeOf<"external" | "user" | "device" | "voicemail">();
    expectTypeOf<Party["entryId"]>().toEqualTypeOf<string | undefined>();
  });

  test("equal the schemas", () => {
    expectTypeOf<Of<typeof eventCall>>().toExtend<CallRecord>();
    expectTypeOf<CallRecord>().toExtend<Of<typeof eventCall>>();
    expectTypeOf<Of<typeof user>>().toExtend<UserRecord>();
    expectTypeOf<UserRecord>().toExtend<Of<typeof user>>();
    expectTypeOf<Of<typeof team>>().toExtend<TeamRecord>();
    expectTypeOf<TeamRecord>().toExtend<Of<typeof team>>();
    expectTypeOf<Of<typeof directoryEntry>>().toExtend<DirectoryEntry>();
    expectTypeOf<DirectoryEntry>().toExtend<Of<typeof directoryEntry>>();
    expectTypeOf<Of<typeof conversation>>().toExtend<ConversationRecord>();
    expectTypeOf<ConversationRecord>().toExtend<Of<typeof conversation>>();
    expectTypeOf<Of<typeof contentAnalysis>>().toExtend<AnalysisRecord>();
    expectTypeOf<AnalysisRecord>().toExtend<Of<typeof contentAnalysis>>();
    expectTypeOf<Of<typeof phonebook>>().toExtend<PhonebookRecord>();
    expectTypeOf<PhonebookRecord>().toExtend<Of<typeof phonebook>>();
    expectTypeOf<Of<typeof webhook>>().toExtend<WebhookRecord>();
    expectTypeOf<WebhookRecord>().toExtend<Of<typeof webhook>>();
  });

  test("equal the schemas of event data", () => {
    type Data = { [Type in EventType]: Of<(typeof eventData)[Type]> };
    expectTypeOf<Data>().toExtend<EventData>();
    expectTypeOf<EventData>().toExtend<Data>();
  });
});
