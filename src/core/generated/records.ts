/* Made from each record.ts of src/core/platform by `npm run generate`. Do not edit. */

/** Scorecards of one agent to aggregate: those of other content analysis jobs. */
export interface AggregatedContent {
  /** The agent whose scorecards they are. */
  readonly agent: UserReference;
  /** The content analyses to aggregate. */
  readonly contentAnalysis: readonly {
    /** The content analysis's id. */
    readonly id: string;
  }[];
}

/** Something that an analysis found. */
export interface AnalysisArtifact {
  /** What kind of finding it is, such as `summary`. */
  readonly type: string;
  /** The finding in words. */
  readonly content: string;
  /** What the analysis took. */
  readonly usage: {
    /** Tokens that the model read. */
    readonly inputTokens: number;
    /** Tokens that the model wrote. */
    readonly outputTokens: number;
  };
}

/** Recordings to analyse. */
export interface AnalysisContent {
  /** The recordings. */
  readonly recordings: readonly {
    /** The recording's id. */
    readonly id: string;
    /** The model to transcribe it with; null for the default. */
    readonly transcriptionModel: string | null;
  }[];
}

/** A content analysis job. */
export interface AnalysisRecord {
  /** The job's id. */
  readonly id: string;
  /** The name of the analyzer that does it. */
  readonly analyzer: string;
  /** Whether it is done. */
  readonly status: "pending" | "completed";
  /** The call that the service made it for; null for jobs made through the API. */
  readonly callId: string | null;
  /** What had the service make the job; null for jobs made through the API. */
  readonly request: {
    /** What the job was made from. */
    readonly source: {
      /** Always `call`. */
      readonly type: "call";
      /** The call's id. */
      readonly id: string;
    };
  } | null;
  /** What is analysed: recordings, or the scorecards of one agent. */
  readonly content: AnalysisContent | AggregatedContent;
  /** What was found; empty until it is done. */
  readonly artifacts: readonly AnalysisArtifact[];
  /** As submitted; those of the call for a job that the service made. */
  readonly passthroughParameters: Readonly<Record<string, unknown>>;
  /** When the job was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the job was made, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the job was done, ISO 8601 in UTC; null until then. */
  readonly completedAt: string | null;
  /** When the job was done, ms since the Unix epoch; null until then. */
  readonly completedTimestamp: number | null;
}

/** A user whom a conversation is assigned to. */
export interface AssignedParticipant {
  /** A user of the directory. */
  readonly type: "user";
  /** The user's id. */
  readonly id: string;
  /** The user's name, as people see it. */
  readonly displayName: string;
  /** The user's e-mail address. */
  readonly email: string;
  /** Where the user works; null if unknown. */
  readonly location: LocationRecord | null;
  /** How many messages this user has not read. */
  readonly unreadCount: number;
}

/** The user who answered a call: what a call says of them. */
export interface AssignedUser {
  /** The user's id. */
  readonly id: string;
  /** Always `user`. */
  readonly type: string;
  /** The user's name, as people see it. */
  readonly displayName: string;
  /** The first name; null if unknown. */
  readonly firstName: string | null;
  /** The last name; null if unknown. */
  readonly lastName: string | null;
  /** The user's extension number. */
  readonly extension: string;
  /** The user's e-mail address. */
  readonly email: string | null;
  /** Whom the user reports to; null if unknown. */
  readonly manager: UserReference | null;
  /** Where the user works; null if unknown. */
  readonly location: LocationRecord | null;
}

/** Whether a user can be called, since when, and why not. */
export interface Availability {
  /** Whether the user can be called. */
  readonly status: AvailabilityStatus;
  /** When the status last changed, ISO 8601 in UTC. */
  readonly statusAt: string;
  /** When the status last changed, ms since the Unix epoch. */
  readonly statusTimestamp: number;
  /** The same in words, for people to read. */
  readonly availabilitySummary: string;
  /** The rule by which the user is not available; null while available, or when no rule applies. */
  readonly notAvailableRule: NotAvailableRule | null;
  /** Why, as whoever set it wrote, or `wrapUp` after a call; null if nobody said. */
  readonly notAvailableReason: string | null;
  /** The call that keeps the user busy; null unless busy on a call. */
  readonly callId: string | null;
  /** The vendor that carries that call; null unless busy on a call. */
  readonly vendor: string | null;
  /** The vendor's id of that call's parent; null unless busy on a call. */
  readonly vendorCallId: string | null;
}

/** Whether a user can be called. */
export type AvailabilityStatus = "available" | "busy" | "offline";

/** What the Call Insights data action answered about a call: what people are shown of it. */
export interface CallInsightsRecord {
  /** The call. */
  readonly callId: string;
  /** When it was asked: `<service>.precall` as the call began to ring, `<service>.callhistory` once it was over. */
  readonly origin: string;
  /** The cards, in the order in which people see them: first those that the preferences name, then those of the preferred context source. */
  readonly cards: readonly unknown[];
  /** The preferences, as they were answered: `contextSource`, the preferred context source, and `cardOrder`, the ids or titles of cards in their order; null without any. */
  readonly preferences: unknown;
  /** Preferences that cannot be followed. */
  readonly problems: readonly string[];
  /** Who was shown the cards, in that order: whoever is rung for the call, or inside and on it when the answer comes. Empty for those of the call history. */
  readonly shownTo: readonly string[];
  /** When the answer came, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the answer came, ms since the Unix epoch. */
  readonly createdTimestamp: number;
}

/** What someone wrote about a call. */
export interface CallNote {
  /** The note's id. */
  readonly id: string;
  /** What they wrote. */
  readonly text: string;
  /** Who wrote it. */
  readonly author: {
    /** The author's user id. */
    readonly userId: string;
    /** The author's e-mail address. */
    readonly email: string;
    /** The author's name, as people see it. */
    readonly displayName: string;
  };
  /** When it was written, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it was written, ms since the Unix epoch. */
  readonly createdTimestamp: number;
}

/** How a call ended, and why. */
export interface CallOutcome {
  /** How the call ended. */
  readonly status: OutcomeStatus;
  /** Why it ended so; null for an answered call. */
  readonly reason: CallOutcomeReason | null;
}

/** Why a call ended as it did. `callerHungUp` is for `abandoned`, `dataAction` and `notAllowed` are for `blocked`, the others for `missed` and `unanswered`. */
export type CallOutcomeReason = "timeout" | "declined" | "rejected" | "cancelled" | "busy" | "noAvailableMembers" | "unavailable" | "sentToVoicemail" | "voicemail" | "callerHungUp" | "dataAction" | "notAllowed";

/** A call as events have it. Durations are milliseconds unless a field says otherwise. */
export interface CallRecord {
  /** The call's id. */
  readonly id: string;
  /** The organisation. In event data only: `sim.calls` and the REST API leave it out. */
  readonly organisationId: string;
  /** Whether the call came in or was dialled by somebody inside. */
  readonly direction: "inbound" | "outbound";
  /** Whether it is between internal users only, so far: false once someone outside joins. */
  readonly isInternal: boolean;
  /** Whether three or more parties were on the bridge at the same time, a voicemail not counted. */
  readonly isConference: boolean;
  /** Where the call stands. */
  readonly status: CallStatus;
  /** How the call ended; null until it closes. */
  readonly outcome: CallOutcome | null;
  /** The outside party's number, whoever called: E.164 or a short code; null if the caller withheld it; an extension in an internal call. */
  readonly contactNumber: string | null;
  /** The company number used, E.164: the number called, or the caller id of an outbound call. In a call that began between internal users, the extension of whoever dialled. */
  readonly companyNumber: string;
  /** The number that called: E.164, or a short code; null if it was withheld; an extension in a call that began between internal users. */
  readonly initiator: string | null;
  /** The number that was called, E.164; an extension in an internal call. */
  readonly recipient: string;
  /** When the call began, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** When the call began, ms since the Unix epoch. */
  readonly startedTimestamp: number;
  /** When somebody first answered, ISO 8601 in UTC; null until then. */
  readonly answeredAt: string | null;
  /** When somebody first answered, ms since the Unix epoch; null until then. */
  readonly answeredTimestamp: number | null;
  /** When the call closed, ISO 8601 in UTC; null until then. */
  readonly endedAt: string | null;
  /** When the call closed, ms since the Unix epoch; null until then. */
  readonly endedTimestamp: number | null;
  /** When the record last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the record last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** From start to end, ms; null until the call closes. */
  readonly duration: number | null;
  /** The same in words, such as `2m 5s`; null until the call closes. */
  readonly durationText: string | null;
  /** From start to answer, or the whole duration if nobody answered, ms; null until known. */
  readonly waitTime: number | null;
  /** The same in words, such as `45s`; null until known. */
  readonly waitTimeText: string | null;
  /** The vendor that carries the call. */
  readonly vendor: string;
  /** The vendor's id for the call. */
  readonly vendorCallId: string;
  /** Whom the caller called first. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
  readonly directoryTarget?: EntryReference;
  /** The last team that the call was for, null if none. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
  readonly assignedCallGroup?: EntryReference | null;
  /** Who answered; null if no user did. */
  readonly assignedUser: AssignedUser | null;
  /** Everyone who was on the call or rung for it, in the order in which they came. */
  readonly parties: readonly Party[];
  /** Who was on the bridge from when to when. */
  readonly connections: readonly Connection[];
  /** Recordings of the call; made with `features.recording`. */
  readonly recordings: readonly Recording[];
  /** The message that the caller left; null without one. */
  readonly voicemail: VoicemailMessage | null;
  /** What people wrote about the call, oldest first. */
  readonly notes: readonly CallNote[];
  /** The call in words. */
  readonly summary: CallSummary;
  /** What the call cost; null until known, and without `features.tariff`. */
  readonly tariff: CallTariff | null;
  /** What a customer's own systems sent along: names that begin with `x-`, each with a text. */
  readonly passthroughParameters: Readonly<Record<string, string>>;
}

/** Where a call stands: `started`, `offered`, `accepted`, `ended` in that order; or how it closed otherwise. `missed` and `abandoned` are for inbound calls, `unanswered` and `blocked` for those that someone inside dialled. */
export type CallStatus = "started" | "offered" | "accepted" | "ended" | "missed" | "unanswered" | "abandoned" | "blocked";

/** A call in words, as an activity in a list would show it. */
export interface CallSummary {
  /** Who called whom. */
  readonly header: string;
  /** Who the outside party is. */
  readonly contactNumberDescription: string;
  /** Whose company number was used. */
  readonly companyNumberDescription: string;
  /** How the call ended, or its status until then. */
  readonly outcome: string;
}

/** What a call cost, with `features.tariff`. */
export interface CallTariff {
  /** The currency of the amount, such as `NZD`. */
  readonly currency: string;
  /** What the call cost in all. */
  readonly amount: number;
}

/** The channel of a message. */
export type Channel = "sms" | "whatsApp";

/** A party's time on the bridge at one endpoint. */
export interface Connection {
  /** The party, by its id in the call. */
  readonly partyId: string;
  /** The endpoint, by its id; null for parties that have no endpoints of ours. */
  readonly endpoint: string | null;
  /** When the party joined the bridge, ISO 8601 in UTC. */
  readonly joinedAt: string;
  /** When the party joined the bridge, ms since the Unix epoch. */
  readonly joinedTimestamp: number;
  /** When the party left the bridge, ISO 8601 in UTC; null until then. */
  readonly leftAt: string | null;
  /** When the party left the bridge, ms since the Unix epoch; null until then. */
  readonly leftTimestamp: number | null;
}

/** A contact of a phonebook. */
export interface ContactRecord {
  /** The contact's id, unique in its phonebook. */
  readonly id: string;
  /** The name, as people see it. */
  readonly name: string;
  /** The first name; null if unknown. */
  readonly firstName: string | null;
  /** The last name; null if unknown. */
  readonly lastName: string | null;
  /** The job title; null if unknown. */
  readonly jobTitle: string | null;
  /** The phone numbers as they were given: E.164, or as people of the country write them. */
  readonly phoneNumbers: readonly string[];
  /** The e-mail addresses. */
  readonly emailAddresses: readonly string[];
}

/** A user whom the conversation is assigned to, or an outside contact. */
export type ConversationParticipant = AssignedParticipant | {
  /** Someone outside. */
  readonly type: "external";
  /** The phone number, E.164. */
  readonly phoneNumber: string;
  /** The name of a known contact, else the number. */
  readonly displayName: string;
};

/** A conversation: messages between a company number and one or more contacts. */
export interface ConversationRecord {
  /** The conversation's id. */
  readonly id: string;
  /** Where the conversation stands. */
  readonly status: ConversationStatus;
  /** The channel of its messages. */
  readonly channel: Channel;
  /** The initial name; null without one. */
  readonly name: string | null;
  /** The company number, E.164. */
  readonly companyNumber: string;
  /** The user or the team whose number it is; null for a conversation from before 2023. */
  readonly companyNumberOwner: EntryReference | null;
  /** The contacts' numbers, E.164, in the order in which they were given. Several are a group. */
  readonly contactAddresses: readonly string[];
  /** The author of the first message; null for a conversation from before 2023. */
  readonly initiatedBy: MessageAuthor | null;
  /** The contacts, then the users: ten at most. */
  readonly participants: readonly ConversationParticipant[];
  /** The vendor that carries the messages. */
  readonly vendor: string;
  /** The vendor's id for the conversation. */
  readonly vendorConversationId: string;
  /** The messages, oldest first. */
  readonly messages: readonly MessageRecord[];
  /** The claim rule that it was created with; null without one. */
  readonly claimRule: string | null;
  /** How long after the last update it closes, ISO 8601; null if it does not close by itself. */
  readonly closeTimer: string | null;
  /** What a customer's own systems sent along: names that begin with `x-`, each with a text. */
  readonly passthroughParameters: Readonly<Record<string, string>>;
  /** When the conversation began, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the conversation began, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the conversation last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the conversation last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** When the conversation closed, ISO 8601 in UTC; null until then. */
  readonly closedAt: string | null;
  /** When the conversation closed, ms since the Unix epoch; null until then. */
  readonly closedTimestamp: number | null;
}

/** Where a conversation stands: `open`, `inactive` when nobody has written for a while, `open` again, and at last `closed`. */
export type ConversationStatus = "open" | "inactive" | "closed";

/** A webhook as its creation answers it. */
export interface CreatedWebhook {
  /** The webhook's id. */
  readonly id: string;
  /** Where events are delivered. */
  readonly url: string;
  /** A description; null without one. */
  readonly description: string | null;
  /** The types of the events that it receives, or `*` for all; those that the dialect declares are allowed. */
  readonly events: readonly string[];
  /** Whether events are delivered to it. */
  readonly enabled: boolean;
  /** How many events in a row could not be delivered. */
  readonly consecutiveFailures: number;
  /** The id of the user who created it; null if nobody is named, as through the API. */
  readonly createdBy: string | null;
  /** When the webhook was created, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the webhook was created, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the webhook last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the webhook last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** When the webhook was disabled, ISO 8601 in UTC; null until then. */
  readonly disabledAt: string | null;
  /** When the webhook was disabled, ms since the Unix epoch; null until then. */
  readonly disabledTimestamp: number | null;
  /** The secret that deliveries are signed with. Only the creation answers it. */
  readonly signingSecret: string;
}

/** A device of the directory, such as the phone in the lobby. */
export interface DeviceRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The SIP address; null if unknown. */
  readonly sipAddress: string | null;
  /** Whether it may dial outside numbers. */
  readonly isOutboundAllowed: boolean;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
}

/** One ringing of one endpoint. */
export interface Dial {
  /** Why the endpoint was rung. */
  readonly reason: DialReason;
  /** The endpoint that rang, by its id. */
  readonly endpoint: string;
  /** When it began to ring, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** When it began to ring, ms since the Unix epoch. */
  readonly startedTimestamp: number;
  /** When it stopped ringing, ISO 8601 in UTC; null until then. */
  readonly endedAt: string | null;
  /** When it stopped ringing, ms since the Unix epoch; null until then. */
  readonly endedTimestamp: number | null;
  /** How the ringing ended; null while it rings. */
  readonly outcome: DialOutcome | null;
  /** The vendor's ids of the call legs that rang it. */
  readonly vendorCallIds: readonly string[];
}

/** What a dial link came to: a call, or a dial pad because its parameters were too long. */
export type DialLinkResult = {
  /** The call. */
  readonly callId: string;
} | DialPad;

/** How the ringing of one endpoint ended. */
export type DialOutcome = "answered" | "answeredElsewhere" | "timeout" | "declined" | "withdrawn" | "failed";

/** A dial pad that a dial link opened instead of making a call, because its parameters were too long. */
export interface DialPad {
  /** What the dial pad is filled with. */
  readonly dialPad: {
    /** The number to dial. */
    readonly contactNumber: string;
    /** The caller id to dial with; null if the link named none. */
    readonly callerId: string | null;
  };
}

/** Why an endpoint was rung. */
export type DialReason = "direct" | "teamOffer" | "redirect" | "transfer" | "conference" | "outbound";

/** Any entry of the directory: something that has an extension. */
export type DirectoryEntry = UserRecord | TeamRecord | DeviceRecord | TrunkDeviceRecord | TrunkQueueRecord | TrunkUserRecord;

/** An endpoint of a user or a device: an app or a phone that rings. */
export interface EndpointRecord {
  /** The endpoint's id, unique for its user. */
  readonly id: string;
  /** Whether it is a mobile app, a desktop app or a SIP phone. */
  readonly type: "mobile" | "desktop" | "sip";
  /** Whether it is signed in. Only registered endpoints ring. */
  readonly registered: boolean;
}

/** How a user, a team or a device is named inside another record. */
export interface EntryReference {
  /** The entry's id. */
  readonly id: string;
  /** The kind of entry: `user`, `team` or `device`. */
  readonly type: string;
  /** The entry's name, as people see it. */
  readonly displayName: string;
  /** The entry's extension number. */
  readonly extension: string;
  /** The user's e-mail address; null for teams and devices. */
  readonly email: string | null;
  /** The name that a Team Call data action gave the team for this call; absent without one. */
  readonly overriddenDisplayName?: string;
}

/** A location of the organisation. */
export interface LocationRecord {
  /** The location's id. */
  readonly id: string;
  /** The location's name. */
  readonly name: string;
  /** The postal address; null if unknown. */
  readonly address: string | null;
  /** The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  readonly countryIso: string | null;
  /** The IANA time zone, such as `Pacific/Auckland`; null if unknown. */
  readonly timezone: string | null;
}

/** Who wrote a message. What the API sends without `sendAsUser` comes from the user or team whose number it is. */
export type MessageAuthor = {
  /** A user of the directory. */
  readonly type: "user";
  /** The user's id. */
  readonly id: string;
  /** The user's name, as people see it. */
  readonly displayName: string;
  /** The user's e-mail address. */
  readonly email: string;
} | {
  /** Someone outside. */
  readonly type: "external";
  /** The phone number, E.164. */
  readonly phoneNumber: string;
  /** The name of a known contact, else the number. */
  readonly displayName: string;
} | {
  /** A team of the directory. */
  readonly type: "team";
  /** The team's id. */
  readonly id: string;
  /** The team's name, as people see it. */
  readonly displayName: string;
};

/** A picture or a file of a message. */
export interface MessageMedia {
  /** The file's id. */
  readonly id: string;
  /** Where the file is. */
  readonly url: string;
  /** Its media type; null if the sender did not say. */
  readonly mimeType: string | null;
  /** Where the vendor keeps it; present only for an organisation with a vendor account of its own. */
  readonly vendorResourceUrl?: string;
}

/** A message of a conversation. */
export interface MessageRecord {
  /** The message's id. */
  readonly id: string;
  /** Who wrote it. */
  readonly author: MessageAuthor;
  /** Whether it came in or was sent. */
  readonly direction: "inbound" | "outbound";
  /** The text; empty for a message that is media alone. */
  readonly content: string;
  /** The vendor's id for the message. */
  readonly vendorMessageId: string;
  /** Whether it was sent through the API. */
  readonly isApiCreated: boolean;
  /** Pictures and files that came with it. */
  readonly media: readonly MessageMedia[];
  /** When it was written, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it was written, ms since the Unix epoch. */
  readonly createdTimestamp: number;
}

/** The rule by which a user is not available. */
export type NotAvailableRule = "busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut" | "ringing";

/** How a call ended. */
export type OutcomeStatus = "answered" | "missed" | "abandoned" | "unanswered" | "blocked";

/** Someone who takes part in a call or a conversation: a user, or someone outside. */
export type Participant = {
  /** A user of the directory. */
  readonly type: "user";
  /** The user's id. */
  readonly id: string;
  /** The user's name, as people see it. */
  readonly displayName: string;
  /** The user's e-mail address. */
  readonly email: string;
} | {
  /** Someone outside. */
  readonly type: "external";
  /** The phone number, E.164. */
  readonly phoneNumber: string;
  /** The name of a known contact, else the number. */
  readonly displayName: string;
};

/** Someone on a call, or rung for it. */
export type Party = ExternalParty | UserParty | DeviceParty | VoicemailParty;

interface ExternalParty {
  /** The party's id, unique in its call. */
  readonly id: string;
  /** Whether it is someone outside, a user, a device or a voicemail. */
  readonly type: "external";
  /** Whether it belongs to the organisation. */
  readonly isInternal: false;
  /** The name, as people see it; the number of someone unknown. */
  readonly displayName: string;
  /** Who a user or device party is in the directory; absent for the others. */
  readonly entryId?: undefined;
  /** The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it. */
  readonly phoneNumber: string | null;
  /** The extension number; null for someone outside and for a voicemail. */
  readonly extension: null;
  /** The user's e-mail address; null for others. */
  readonly email: null;
  /** The user's IANA time zone; absent for others. */
  readonly timezone?: undefined;
  /** Whom the user reports to, null if unknown; absent for others. */
  readonly manager?: undefined;
  /** Where the user works, null if unknown; absent for others. */
  readonly location?: undefined;
  /** What the party's time on the call cost; null until known. */
  readonly tariff: PartyTariff | null;
  /** Each ringing of each of its endpoints, oldest first. */
  readonly dials: readonly Dial[];
}

interface UserParty {
  /** The party's id, unique in its call. */
  readonly id: string;
  /** Whether it is someone outside, a user, a device or a voicemail. */
  readonly type: "user";
  /** Whether it belongs to the organisation. */
  readonly isInternal: true;
  /** The name, as people see it; the number of someone unknown. */
  readonly displayName: string;
  /** Who a user or device party is in the directory; absent for the others. */
  readonly entryId: string;
  /** The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it. */
  readonly phoneNumber: null;
  /** The extension number; null for someone outside and for a voicemail. */
  readonly extension: string;
  /** The user's e-mail address; null for others. */
  readonly email: string;
  /** The user's IANA time zone; absent for others. */
  readonly timezone: string;
  /** Whom the user reports to, null if unknown; absent for others. */
  readonly manager: UserReference | null;
  /** Where the user works, null if unknown; absent for others. */
  readonly location: LocationRecord | null;
  /** What the party's time on the call cost; null until known. */
  readonly tariff: PartyTariff | null;
  /** Each ringing of each of its endpoints, oldest first. */
  readonly dials: readonly Dial[];
}

interface DeviceParty {
  /** The party's id, unique in its call. */
  readonly id: string;
  /** Whether it is someone outside, a user, a device or a voicemail. */
  readonly type: "device";
  /** Whether it belongs to the organisation. */
  readonly isInternal: true;
  /** The name, as people see it; the number of someone unknown. */
  readonly displayName: string;
  /** Who a user or device party is in the directory; absent for the others. */
  readonly entryId: string;
  /** The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it. */
  readonly phoneNumber: null;
  /** The extension number; null for someone outside and for a voicemail. */
  readonly extension: string;
  /** The user's e-mail address; null for others. */
  readonly email: null;
  /** The user's IANA time zone; absent for others. */
  readonly timezone?: undefined;
  /** Whom the user reports to, null if unknown; absent for others. */
  readonly manager?: undefined;
  /** Where the user works, null if unknown; absent for others. */
  readonly location?: undefined;
  /** What the party's time on the call cost; null until known. */
  readonly tariff: PartyTariff | null;
  /** Each ringing of each of its endpoints, oldest first. */
  readonly dials: readonly Dial[];
}

interface VoicemailParty {
  /** The party's id, unique in its call. */
  readonly id: string;
  /** Whether it is someone outside, a user, a device or a voicemail. */
  readonly type: "voicemail";
  /** Whether it belongs to the organisation. */
  readonly isInternal: true;
  /** The name, as people see it; the number of someone unknown. */
  readonly displayName: string;
  /** Who a user or device party is in the directory; absent for the others. */
  readonly entryId?: undefined;
  /** The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it. */
  readonly phoneNumber: null;
  /** The extension number; null for someone outside and for a voicemail. */
  readonly extension: null;
  /** The user's e-mail address; null for others. */
  readonly email: null;
  /** The user's IANA time zone; absent for others. */
  readonly timezone?: undefined;
  /** Whom the user reports to, null if unknown; absent for others. */
  readonly manager?: undefined;
  /** Where the user works, null if unknown; absent for others. */
  readonly location?: undefined;
  /** What the party's time on the call cost; null until known. */
  readonly tariff: PartyTariff | null;
  /** Each ringing of each of its endpoints, oldest first. */
  readonly dials: readonly Dial[];
}

/** What an outside party's time on the call cost. */
export interface PartyTariff {
  /** The currency of the amount, such as `NZD`. */
  readonly currency: string;
  /** The start of the number that the price is for, such as `+64`. */
  readonly prefix: string;
  /** The price of a minute. */
  readonly perMinute: number;
  /** The time on the bridge that it is for, ms. */
  readonly duration: number;
  /** What that time cost. */
  readonly amount: number;
}

/** A phonebook without its contacts, of which there may be tens of thousands. */
export interface PhonebookHead {
  /** The phonebook's id; for a personal phonebook, the user's e-mail address in lower case. */
  readonly id: string;
  /** The phonebook's name. */
  readonly name: string;
  /** The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  readonly countryIso: string | null;
  /** When the phonebook was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the phonebook was made, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the phonebook or a contact of it last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the phonebook or a contact of it last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
}

/** A phonebook: shared, or a user's own. */
export interface PhonebookRecord {
  /** The phonebook's id; for a personal phonebook, the user's e-mail address in lower case. */
  readonly id: string;
  /** The phonebook's name. */
  readonly name: string;
  /** The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  readonly countryIso: string | null;
  /** When the phonebook was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the phonebook was made, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the phonebook or a contact of it last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the phonebook or a contact of it last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** The contacts, in the order in which they were added. */
  readonly contacts: readonly ContactRecord[];
}

/** A call. Durations are milliseconds unless a field says otherwise. */
export interface PublicCallRecord {
  /** The call's id. */
  readonly id: string;
  /** Whether the call came in or was dialled by somebody inside. */
  readonly direction: "inbound" | "outbound";
  /** Whether it is between internal users only, so far: false once someone outside joins. */
  readonly isInternal: boolean;
  /** Whether three or more parties were on the bridge at the same time, a voicemail not counted. */
  readonly isConference: boolean;
  /** Where the call stands. */
  readonly status: CallStatus;
  /** How the call ended; null until it closes. */
  readonly outcome: CallOutcome | null;
  /** The outside party's number, whoever called: E.164 or a short code; null if the caller withheld it; an extension in an internal call. */
  readonly contactNumber: string | null;
  /** The company number used, E.164: the number called, or the caller id of an outbound call. In a call that began between internal users, the extension of whoever dialled. */
  readonly companyNumber: string;
  /** The number that called: E.164, or a short code; null if it was withheld; an extension in a call that began between internal users. */
  readonly initiator: string | null;
  /** The number that was called, E.164; an extension in an internal call. */
  readonly recipient: string;
  /** When the call began, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** When the call began, ms since the Unix epoch. */
  readonly startedTimestamp: number;
  /** When somebody first answered, ISO 8601 in UTC; null until then. */
  readonly answeredAt: string | null;
  /** When somebody first answered, ms since the Unix epoch; null until then. */
  readonly answeredTimestamp: number | null;
  /** When the call closed, ISO 8601 in UTC; null until then. */
  readonly endedAt: string | null;
  /** When the call closed, ms since the Unix epoch; null until then. */
  readonly endedTimestamp: number | null;
  /** When the record last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the record last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** From start to end, ms; null until the call closes. */
  readonly duration: number | null;
  /** The same in words, such as `2m 5s`; null until the call closes. */
  readonly durationText: string | null;
  /** From start to answer, or the whole duration if nobody answered, ms; null until known. */
  readonly waitTime: number | null;
  /** The same in words, such as `45s`; null until known. */
  readonly waitTimeText: string | null;
  /** The vendor that carries the call. */
  readonly vendor: string;
  /** The vendor's id for the call. */
  readonly vendorCallId: string;
  /** Whom the caller called first. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
  readonly directoryTarget?: EntryReference;
  /** The last team that the call was for, null if none. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
  readonly assignedCallGroup?: EntryReference | null;
  /** Who answered; null if no user did. */
  readonly assignedUser: AssignedUser | null;
  /** Everyone who was on the call or rung for it, in the order in which they came. */
  readonly parties: readonly Party[];
  /** Who was on the bridge from when to when. */
  readonly connections: readonly Connection[];
  /** Recordings of the call; made with `features.recording`. */
  readonly recordings: readonly Recording[];
  /** The message that the caller left; null without one. */
  readonly voicemail: VoicemailMessage | null;
  /** What people wrote about the call, oldest first. */
  readonly notes: readonly CallNote[];
  /** The call in words. */
  readonly summary: CallSummary;
  /** What the call cost; null until known, and without `features.tariff`. */
  readonly tariff: CallTariff | null;
  /** What a customer's own systems sent along: names that begin with `x-`, each with a text. */
  readonly passthroughParameters: Readonly<Record<string, string>>;
}

/** What receiving a message returns. */
export interface ReceiveResult {
  /** The conversation that the message belongs to. */
  readonly conversationId: string;
  /** The message's id. */
  readonly messageId: string;
  /** Whether the message was added to a conversation that was there. */
  readonly hasExistingConversation: boolean;
}

/** A recording of a call. */
export interface Recording {
  /** The recording's id. */
  readonly id: string;
  /** The call that it is of. */
  readonly callId: string;
  /** The size of the file, bytes. */
  readonly fileSize: number;
  /** The media type of the file, such as `audio/mpeg`. */
  readonly mimeType: string;
  /** How many audio channels it has. */
  readonly channels: number;
  /** The id of its transcript; null until there is one. */
  readonly transcript: string | null;
}

/** An unanswered call that went back to where it came from. */
export interface ReturnRecord {
  /** The call. */
  readonly callId: string;
  /** The vendor's id for the call. */
  readonly vendorCallId: string;
  /** The kind of place that it went back to. */
  readonly returnTo: "flow" | "taskQueue" | "postEndpoint" | "application";
  /** Where it went back to: an id, or a URL for `postEndpoint`. */
  readonly returnToId: string;
  /** Why it was not answered. */
  readonly returnReason: string;
  /** What the flow did that took the call back; null if it said nothing, or nothing took it. */
  readonly takenBack: "redirect" | "hangup" | null;
  /** The call that it went on as; null if it was not redirected again. */
  readonly nextCallId: string | null;
  /** When it went back, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it went back, ms since the Unix epoch. */
  readonly createdTimestamp: number;
}

/** What sending a message answers. */
export interface SendResult {
  /** Whether the message was added to a conversation that was there. */
  readonly hasExistingConversation: boolean;
  /** The vendor that carries the message. */
  readonly vendor: string;
  /** The vendor's id for the conversation. */
  readonly vendorConversationId: string;
  /** The vendor's id for the message; absent for one that begins a group: `conversation.message.created` has it. */
  readonly vendorMessageId?: string;
}

/** A device in a team: the device, with the offer priority. */
export interface TeamDevice {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The SIP address; null if unknown. */
  readonly sipAddress: string | null;
  /** Whether it may dial outside numbers. */
  readonly isOutboundAllowed: boolean;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
  /** The offer priority: 1 is rung first. */
  readonly priority: number;
  /** Whether the device is free: not on a call. */
  readonly isAvailable: boolean;
}

/** A user or a device in a team, with its offer priority. */
export type TeamMember = TeamUser | TeamDevice;

/** A team of the directory. */
export interface TeamRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** Whether listings of the directory leave the team out unless asked for hidden teams. */
  readonly isHidden: boolean;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
  /** The members, in the order in which they joined. */
  readonly teamMembers: readonly TeamMember[];
  /** Whether anyone in the team can be called. */
  readonly availability: {
    /** `available` if a member is, else `busy`. */
    readonly status: "available" | "busy";
    /** How many members there are. */
    readonly totalMembers: number;
    /** How many of them are available. */
    readonly totalAvailable: number;
    /** The same in words, for people to read. */
    readonly availabilitySummary: string;
  };
}

/** A user in a team: the user, with the offer priority. */
export interface TeamUser {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The e-mail address, unique in the directory. */
  readonly email: string;
  /** The first name; null if unknown. */
  readonly firstName: string | null;
  /** The last name; null if unknown. */
  readonly lastName: string | null;
  /** Whether the user takes part. Only active users are rung. */
  readonly status: "invited" | "active" | "suspended";
  /** The IANA time zone of the working hours, such as `Pacific/Auckland`. */
  readonly timezone: string;
  /** The job title; null if unknown. */
  readonly jobTitle: string | null;
  /** Whom the user reports to; null if unknown. */
  readonly manager: UserReference | null;
  /** Where the user works; null if unknown. */
  readonly location: LocationRecord | null;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
  /** The mobile number, E.164; absent without one, and with `features.excludeEmployeePhoneNumbers`. */
  readonly mobile?: string;
  /** The names of the licenses that the user has. */
  readonly licenses: readonly string[];
  /** Whether an endpoint of the user is registered. */
  readonly loginStatus: "loggedIn" | "loggedOut";
  /** Whether the user comes from the customer's own directory. */
  readonly isDirectorySynced: boolean;
  /** The release channel that the desktop app is enrolled in. */
  readonly desktopEnrolledReleaseChannel: string;
  /** Whether unanswered calls go to a voicemail. */
  readonly hasVoicemail: boolean;
  /** The apps and phones that ring for the user. */
  readonly endpoints: readonly EndpointRecord[];
  /** The teams that the user is in, in the order of the organisation's teams. */
  readonly teams: readonly EntryReference[];
  /** Whether the user can be called, since when, and why not. */
  readonly availability: Availability;
  /** The call that keeps the user busy; null unless busy on a call. */
  readonly callId: string | null;
  /** The vendor that carries that call; null unless busy on a call. */
  readonly vendor: string | null;
  /** The vendor's id of that call's parent; null unless busy on a call. */
  readonly vendorCallId: string | null;
  /** The offer priority: 1 is rung first. */
  readonly priority: number;
}

/** What was said in a recording. Its segments are read separately. */
export interface TranscriptRecord {
  /** The transcript's id. */
  readonly id: string;
  /** The call that it is of. */
  readonly callId: string;
  /** The recording that it is of. */
  readonly recordingId: string;
  /** What was said, one line a segment: `JOIN Alice Ng`, or the words. */
  readonly text: string;
  /** When it was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it was made, ms since the Unix epoch. */
  readonly createdTimestamp: number;
}

/** One stretch of a transcript. */
export interface TranscriptSegment {
  /** Whether someone joined, left or spoke. */
  readonly type: "JOIN" | "LEAVE" | "SPEECH";
  /** Who joined, left or spoke. */
  readonly speaker: string;
  /** What they said; empty for who joined or left. */
  readonly text: string;
  /** When it begins, ms from the start of the recording. */
  readonly startOffset: number;
  /** When it ends, ms from the start of the recording. */
  readonly endOffset: number;
}

/** What a transfer or an addition came to. */
export interface TransferResult {
  /** Why the target could not be rung, such as `Carol Diaz is busy`; absent if it rings, and for teams. */
  readonly unreachable?: string;
}

/** A device behind a trunk. */
export interface TrunkDeviceRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The trunk that the entry belongs to. */
  readonly trunkId: string;
  /** A description; null without one. */
  readonly description: string | null;
  /** When the entry was added, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the entry was added, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the entry last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the entry last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** Where it stands; null if unknown. */
  readonly location: string | null;
  /** Its model; null if unknown. */
  readonly model: string | null;
  /** Its product line; null if unknown. */
  readonly product: string | null;
}

/** A queue behind a trunk. */
export interface TrunkQueueRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The trunk that the entry belongs to. */
  readonly trunkId: string;
  /** A description; null without one. */
  readonly description: string | null;
  /** When the entry was added, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the entry was added, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the entry last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the entry last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
}

/** A SIP trunk to another phone system. Trunks are made in the account portal only, so here in the organisation only. */
export interface TrunkRecord {
  /** The trunk's id. */
  readonly id: string;
  /** The trunk's name. */
  readonly name: string;
}

/** A user behind a trunk. */
export interface TrunkUserRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The trunk that the entry belongs to. */
  readonly trunkId: string;
  /** A description; null without one. */
  readonly description: string | null;
  /** When the entry was added, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the entry was added, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the entry last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the entry last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** The department; null if unknown. */
  readonly department: string | null;
  /** The job title; null if unknown. */
  readonly jobTitle: string | null;
  /** Where they work; null if unknown. */
  readonly location: string | null;
  /** Whom they report to; null if unknown. */
  readonly manager: string | null;
  /** The user of the service that they are; null if none. */
  readonly user: UserReference | null;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
}

/** A user of the directory. */
export interface UserRecord {
  /** The entry's id. */
  readonly id: string;
  /** The directory type, as `dialect.directoryTypes` names it. */
  readonly type: string;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu; absent without one. */
  readonly ivrKey?: string;
  /** Where a call can be redirected to, to reach this entry. */
  readonly vendorRedirectUrl: string;
  /** The e-mail address, unique in the directory. */
  readonly email: string;
  /** The first name; null if unknown. */
  readonly firstName: string | null;
  /** The last name; null if unknown. */
  readonly lastName: string | null;
  /** Whether the user takes part. Only active users are rung. */
  readonly status: "invited" | "active" | "suspended";
  /** The IANA time zone of the working hours, such as `Pacific/Auckland`. */
  readonly timezone: string;
  /** The job title; null if unknown. */
  readonly jobTitle: string | null;
  /** Whom the user reports to; null if unknown. */
  readonly manager: UserReference | null;
  /** Where the user works; null if unknown. */
  readonly location: LocationRecord | null;
  /** The entry's own phone numbers, E.164. */
  readonly phoneNumbers: readonly string[];
  /** The mobile number, E.164; absent without one, and with `features.excludeEmployeePhoneNumbers`. */
  readonly mobile?: string;
  /** The names of the licenses that the user has. */
  readonly licenses: readonly string[];
  /** Whether an endpoint of the user is registered. */
  readonly loginStatus: "loggedIn" | "loggedOut";
  /** Whether the user comes from the customer's own directory. */
  readonly isDirectorySynced: boolean;
  /** The release channel that the desktop app is enrolled in. */
  readonly desktopEnrolledReleaseChannel: string;
  /** Whether unanswered calls go to a voicemail. */
  readonly hasVoicemail: boolean;
  /** The apps and phones that ring for the user. */
  readonly endpoints: readonly EndpointRecord[];
  /** The teams that the user is in, in the order of the organisation's teams. */
  readonly teams: readonly EntryReference[];
  /** Whether the user can be called, since when, and why not. */
  readonly availability: Availability;
  /** The call that keeps the user busy; null unless busy on a call. */
  readonly callId: string | null;
  /** The vendor that carries that call; null unless busy on a call. */
  readonly vendor: string | null;
  /** The vendor's id of that call's parent; null unless busy on a call. */
  readonly vendorCallId: string | null;
}

/** How a user is named in the record of another entry, for example as its manager. */
export interface UserReference {
  /** The user's id. */
  readonly id: string;
  /** The user's name, as people see it. */
  readonly displayName: string;
  /** The user's e-mail address. */
  readonly email: string;
}

/** The message that a caller left. */
export interface VoicemailMessage {
  /** The message's id. */
  readonly id: string;
  /** How long it is: whole seconds, rounded down. */
  readonly duration: number;
  /** The same in words, such as `1m 5s`. */
  readonly durationText: string;
  /** Where the recording is. */
  readonly recordingUrl: string;
  /** When that URL expires, ISO 8601 in UTC. */
  readonly recordingUrlExpiresAt: string;
  /** When that URL expires, ms since the Unix epoch. */
  readonly recordingUrlExpiresTimestamp: number;
  /** What was said; null without transcription. */
  readonly transcription: string | null;
}

/** A webhook: an address that events are delivered to. */
export interface WebhookRecord {
  /** The webhook's id. */
  readonly id: string;
  /** Where events are delivered. */
  readonly url: string;
  /** A description; null without one. */
  readonly description: string | null;
  /** The types of the events that it receives, or `*` for all; those that the dialect declares are allowed. */
  readonly events: readonly string[];
  /** Whether events are delivered to it. */
  readonly enabled: boolean;
  /** How many events in a row could not be delivered. */
  readonly consecutiveFailures: number;
  /** The id of the user who created it; null if nobody is named, as through the API. */
  readonly createdBy: string | null;
  /** When the webhook was created, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the webhook was created, ms since the Unix epoch. */
  readonly createdTimestamp: number;
  /** When the webhook last changed, ISO 8601 in UTC. */
  readonly lastModifiedAt: string;
  /** When the webhook last changed, ms since the Unix epoch. */
  readonly lastModifiedTimestamp: number;
  /** When the webhook was disabled, ISO 8601 in UTC; null until then. */
  readonly disabledAt: string | null;
  /** When the webhook was disabled, ms since the Unix epoch; null until then. */
  readonly disabledTimestamp: number | null;
}

/** Every record and every part of one, by name: `Records["call"]` is `CallRecord`, `Records["callSummary"]` its summary. */
export interface Records {
  /** Scorecards of one agent to aggregate: those of other content analysis jobs. */
  aggregatedContent: AggregatedContent;
  /** Something that an analysis found. */
  analysisArtifact: AnalysisArtifact;
  /** Recordings to analyse. */
  analysisContent: AnalysisContent;
  /** A content analysis job. */
  analysis: AnalysisRecord;
  /** A user whom a conversation is assigned to. */
  assignedParticipant: AssignedParticipant;
  /** The user who answered a call: what a call says of them. */
  assignedUser: AssignedUser;
  /** Whether a user can be called, since when, and why not. */
  availability: Availability;
  /** Whether a user can be called. */
  availabilityStatus: AvailabilityStatus;
  /** What the Call Insights data action answered about a call: what people are shown of it. */
  callInsights: CallInsightsRecord;
  /** What someone wrote about a call. */
  callNote: CallNote;
  /** How a call ended, and why. */
  callOutcome: CallOutcome;
  /** Why a call ended as it did. `callerHungUp` is for `abandoned`, `dataAction` and `notAllowed` are for `blocked`, the others for `missed` and `unanswered`. */
  callOutcomeReason: CallOutcomeReason;
  /** A call as events have it. Durations are milliseconds unless a field says otherwise. */
  call: CallRecord;
  /** Where a call stands: `started`, `offered`, `accepted`, `ended` in that order; or how it closed otherwise. `missed` and `abandoned` are for inbound calls, `unanswered` and `blocked` for those that someone inside dialled. */
  callStatus: CallStatus;
  /** A call in words, as an activity in a list would show it. */
  callSummary: CallSummary;
  /** What a call cost, with `features.tariff`. */
  callTariff: CallTariff;
  /** The channel of a message. */
  channel: Channel;
  /** A party's time on the bridge at one endpoint. */
  connection: Connection;
  /** A contact of a phonebook. */
  contact: ContactRecord;
  /** A user whom the conversation is assigned to, or an outside contact. */
  conversationParticipant: ConversationParticipant;
  /** A conversation: messages between a company number and one or more contacts. */
  conversation: ConversationRecord;
  /** Where a conversation stands: `open`, `inactive` when nobody has written for a while, `open` again, and at last `closed`. */
  conversationStatus: ConversationStatus;
  /** A webhook as its creation answers it. */
  createdWebhook: CreatedWebhook;
  /** A device of the directory, such as the phone in the lobby. */
  device: DeviceRecord;
  /** One ringing of one endpoint. */
  dial: Dial;
  /** What a dial link came to: a call, or a dial pad because its parameters were too long. */
  dialLinkResult: DialLinkResult;
  /** How the ringing of one endpoint ended. */
  dialOutcome: DialOutcome;
  /** A dial pad that a dial link opened instead of making a call, because its parameters were too long. */
  dialPad: DialPad;
  /** Why an endpoint was rung. */
  dialReason: DialReason;
  /** Any entry of the directory: something that has an extension. */
  directoryEntry: DirectoryEntry;
  /** An endpoint of a user or a device: an app or a phone that rings. */
  endpoint: EndpointRecord;
  /** How a user, a team or a device is named inside another record. */
  entryReference: EntryReference;
  /** A location of the organisation. */
  location: LocationRecord;
  /** Who wrote a message. What the API sends without `sendAsUser` comes from the user or team whose number it is. */
  messageAuthor: MessageAuthor;
  /** A picture or a file of a message. */
  messageMedia: MessageMedia;
  /** A message of a conversation. */
  message: MessageRecord;
  /** The rule by which a user is not available. */
  notAvailableRule: NotAvailableRule;
  /** How a call ended. */
  outcomeStatus: OutcomeStatus;
  /** Someone who takes part in a call or a conversation: a user, or someone outside. */
  participant: Participant;
  /** Someone on a call, or rung for it. */
  party: Party;
  /** What an outside party's time on the call cost. */
  partyTariff: PartyTariff;
  /** A phonebook without its contacts, of which there may be tens of thousands. */
  phonebookHead: PhonebookHead;
  /** A phonebook: shared, or a user's own. */
  phonebook: PhonebookRecord;
  /** A call. Durations are milliseconds unless a field says otherwise. */
  publicCall: PublicCallRecord;
  /** What receiving a message returns. */
  receiveResult: ReceiveResult;
  /** A recording of a call. */
  recording: Recording;
  /** An unanswered call that went back to where it came from. */
  return: ReturnRecord;
  /** What sending a message answers. */
  sendResult: SendResult;
  /** A device in a team: the device, with the offer priority. */
  teamDevice: TeamDevice;
  /** A user or a device in a team, with its offer priority. */
  teamMember: TeamMember;
  /** A team of the directory. */
  team: TeamRecord;
  /** A user in a team: the user, with the offer priority. */
  teamUser: TeamUser;
  /** What was said in a recording. Its segments are read separately. */
  transcript: TranscriptRecord;
  /** One stretch of a transcript. */
  transcriptSegment: TranscriptSegment;
  /** What a transfer or an addition came to. */
  transferResult: TransferResult;
  /** A device behind a trunk. */
  trunkDevice: TrunkDeviceRecord;
  /** A queue behind a trunk. */
  trunkQueue: TrunkQueueRecord;
  /** A SIP trunk to another phone system. Trunks are made in the account portal only, so here in the organisation only. */
  trunk: TrunkRecord;
  /** A user behind a trunk. */
  trunkUser: TrunkUserRecord;
  /** A user of the directory. */
  user: UserRecord;
  /** How a user is named in the record of another entry, for example as its manager. */
  userReference: UserReference;
  /** The message that a caller left. */
  voicemailMessage: VoicemailMessage;
  /** A webhook: an address that events are delivered to. */
  webhook: WebhookRecord;
}

/** What each event carries in `data`: records as they were at that instant. */
export interface EventData {
  /** A call begins. */
  "call.started": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
  };
  /** Somebody answers a call, the first to do so. */
  "call.answered": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
  };
  /** Nobody answers a call, and no further offer will be made. */
  "call.not_answered": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
  };
  /** A party leaves a call. */
  "call.hungup": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The party that left. */
    readonly party: Party;
  };
  /** A call that anyone joined, or that was blocked, is over. */
  "call.ended": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
  };
  /** A recording of a call is ready. */
  "call.recording.available": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The recording. */
    readonly recording: Recording;
  };
  /** A transcript of a call's recording is ready. */
  "call.transcript.created": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The transcript. */
    readonly transcript: TranscriptRecord;
  };
  /** All transcripts of a call are ready. */
  "call.transcription_completed": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The transcripts of the call. */
    readonly transcripts: readonly TranscriptRecord[];
  };
  /** The cost of a call is known. */
  "call.tariffed": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
  };
  /** A call's outside party was made a new contact. */
  "call.contact_assigned_with_add": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The contact who the outside party is. */
    readonly contact: ContactRecord;
  };
  /** A call's outside party is a known contact. */
  "call.contact_assigned_with_update": {
    /** The call as it was at that instant. */
    readonly call: CallRecord;
    /** The contact who the outside party is. */
    readonly contact: ContactRecord;
  };
  /** A contact is shared with those who take part in a call or a conversation. */
  "contact.shared": {
    /** The contact. */
    readonly contact: ContactRecord;
    /** Those who take part in the call or the conversation. */
    readonly participants: readonly (Participant | ConversationParticipant)[];
    /** `call`, or the channel of a conversation. */
    readonly channel: string;
  };
  /** A message was sent or received. */
  "conversation.message.created": {
    /** The conversation as it was at that instant. */
    readonly conversation: ConversationRecord;
    /** The message. */
    readonly message: MessageRecord;
  };
  /** Nobody has written in a conversation for a while. */
  "conversation.inactive": {
    /** The conversation as it was at that instant. */
    readonly conversation: ConversationRecord;
  };
  /** A conversation is over. */
  "conversation.closed": {
    /** The conversation as it was at that instant. */
    readonly conversation: ConversationRecord;
  };
  /** A conversation's outside party is a known contact. */
  "conversation.contact_assigned": {
    /** The conversation as it was at that instant. */
    readonly conversation: ConversationRecord;
    /** The contact who the outside party is. */
    readonly contact: ContactRecord;
  };
  /** A content analysis job is done. */
  "content_analysis.completed": {
    /** The job with what it found. */
    readonly contentAnalysis: AnalysisRecord;
  };
  /** The availability of a user changed. */
  "user.availability.updated": {
    /** The user as they are from that instant on. */
    readonly user: UserRecord;
  };
  /** The availability of a team's members changed. */
  "team.availability.updated": {
    /** The team as it is from that instant on. */
    readonly team: TeamRecord;
  };
  /** A transcript is ready. */
  "transcript.created": {
    /** The transcript. */
    readonly transcript: TranscriptRecord;
  };
}

/** The types of the events that there are. */
export type EventType = keyof EventData;

/** Every type of event that is simulated. */
export const eventTypes: readonly EventType[] = [
  "call.started",
  "call.answered",
  "call.not_answered",
  "call.hungup",
  "call.ended",
  "call.recording.available",
  "call.transcript.created",
  "call.transcription_completed",
  "call.tariffed",
  "call.contact_assigned_with_add",
  "call.contact_assigned_with_update",
  "contact.shared",
  "conversation.message.created",
  "conversation.inactive",
  "conversation.closed",
  "conversation.contact_assigned",
  "content_analysis.completed",
  "user.availability.updated",
  "team.availability.updated",
  "transcript.created",
];

/** Makes the pair of fields of each date/time: written out, so that each is an object literal of one shape. */
export const datePairs = {
  answered: <A, T>(answeredAt: A, answeredTimestamp: T) => ({ answeredAt, answeredTimestamp }),
  closed: <A, T>(closedAt: A, closedTimestamp: T) => ({ closedAt, closedTimestamp }),
  completed: <A, T>(completedAt: A, completedTimestamp: T) => ({ completedAt, completedTimestamp }),
  created: <A, T>(createdAt: A, createdTimestamp: T) => ({ createdAt, createdTimestamp }),
  disabled: <A, T>(disabledAt: A, disabledTimestamp: T) => ({ disabledAt, disabledTimestamp }),
  ended: <A, T>(endedAt: A, endedTimestamp: T) => ({ endedAt, endedTimestamp }),
  joined: <A, T>(joinedAt: A, joinedTimestamp: T) => ({ joinedAt, joinedTimestamp }),
  lastModified: <A, T>(lastModifiedAt: A, lastModifiedTimestamp: T) => ({ lastModifiedAt, lastModifiedTimestamp }),
  left: <A, T>(leftAt: A, leftTimestamp: T) => ({ leftAt, leftTimestamp }),
  recordingUrlExpires: <A, T>(recordingUrlExpiresAt: A, recordingUrlExpiresTimestamp: T) => ({ recordingUrlExpiresAt, recordingUrlExpiresTimestamp }),
  started: <A, T>(startedAt: A, startedTimestamp: T) => ({ startedAt, startedTimestamp }),
  status: <A, T>(statusAt: A, statusTimestamp: T) => ({ statusAt, statusTimestamp }),
};

const none: readonly never[] = Object.freeze([]);

/** What a new record is made with; its other fields begin as the schema says. */
export type NewCallRecord = Pick<CallRecord, "id" | "organisationId" | "direction" | "isInternal" | "contactNumber" | "companyNumber" | "initiator" | "recipient" | "vendor" | "vendorCallId" | "parties" | "summary" | "passthroughParameters">;

/** A new record. The instant at which it is made is not in `of`, where it would get a box of its own. */
export const newCallRecord = (of: NewCallRecord, nowAt: string, nowTimestamp: number): { -readonly [Key in keyof Required<Omit<CallRecord, "directoryTarget" | "assignedCallGroup">>]: Omit<CallRecord, "directoryTarget" | "assignedCallGroup">[Key] } => ({
  id: of.id,
  organisationId: of.organisationId,
  direction: of.direction,
  isInternal: of.isInternal,
  isConference: false,
  status: "started",
  outcome: null,
  contactNumber: of.contactNumber,
  companyNumber: of.companyNumber,
  initiator: of.initiator,
  recipient: of.recipient,
  startedAt: nowAt,
  startedTimestamp: nowTimestamp,
  answeredAt: null,
  answeredTimestamp: null,
  endedAt: null,
  endedTimestamp: null,
  lastModifiedAt: nowAt,
  lastModifiedTimestamp: nowTimestamp,
  duration: null,
  durationText: null,
  waitTime: null,
  waitTimeText: null,
  vendor: of.vendor,
  vendorCallId: of.vendorCallId,
  assignedUser: null,
  parties: of.parties,
  connections: none,
  recordings: none,
  voicemail: null,
  notes: none,
  summary: of.summary,
  tariff: null,
  passthroughParameters: of.passthroughParameters,
});

/** The copy of a record that has none of the fields that may be absent. */
export const copyUsualCallRecord = (of: CallRecord): { -readonly [Key in keyof Required<Omit<CallRecord, "directoryTarget" | "assignedCallGroup">>]: Omit<CallRecord, "directoryTarget" | "assignedCallGroup">[Key] } => ({
  id: of.id,
  organisationId: of.organisationId,
  direction: of.direction,
  isInternal: of.isInternal,
  isConference: of.isConference,
  status: of.status,
  outcome: of.outcome,
  contactNumber: of.contactNumber,
  companyNumber: of.companyNumber,
  initiator: of.initiator,
  recipient: of.recipient,
  startedAt: of.startedAt,
  startedTimestamp: of.startedTimestamp,
  answeredAt: of.answeredAt,
  answeredTimestamp: of.answeredTimestamp,
  endedAt: of.endedAt,
  endedTimestamp: of.endedTimestamp,
  lastModifiedAt: of.lastModifiedAt,
  lastModifiedTimestamp: of.lastModifiedTimestamp,
  duration: of.duration,
  durationText: of.durationText,
  waitTime: of.waitTime,
  waitTimeText: of.waitTimeText,
  vendor: of.vendor,
  vendorCallId: of.vendorCallId,
  assignedUser: of.assignedUser,
  parties: of.parties,
  connections: of.connections,
  recordings: of.recordings,
  voicemail: of.voicemail,
  notes: of.notes,
  summary: of.summary,
  tariff: of.tariff,
  passthroughParameters: of.passthroughParameters,
});

/** The copy of one that has them. */
export const copyWholeCallRecord = (of: CallRecord): { -readonly [Key in keyof Required<CallRecord>]: CallRecord[Key] } => ({
  id: of.id,
  organisationId: of.organisationId,
  direction: of.direction,
  isInternal: of.isInternal,
  isConference: of.isConference,
  status: of.status,
  outcome: of.outcome,
  contactNumber: of.contactNumber,
  companyNumber: of.companyNumber,
  initiator: of.initiator,
  recipient: of.recipient,
  startedAt: of.startedAt,
  startedTimestamp: of.startedTimestamp,
  answeredAt: of.answeredAt,
  answeredTimestamp: of.answeredTimestamp,
  endedAt: of.endedAt,
  endedTimestamp: of.endedTimestamp,
  lastModifiedAt: of.lastModifiedAt,
  lastModifiedTimestamp: of.lastModifiedTimestamp,
  duration: of.duration,
  durationText: of.durationText,
  waitTime: of.waitTime,
  waitTimeText: of.waitTimeText,
  vendor: of.vendor,
  vendorCallId: of.vendorCallId,
  assignedUser: of.assignedUser,
  parties: of.parties,
  connections: of.connections,
  recordings: of.recordings,
  voicemail: of.voicemail,
  notes: of.notes,
  summary: of.summary,
  tariff: of.tariff,
  passthroughParameters: of.passthroughParameters,
  directoryTarget: of.directoryTarget,
  assignedCallGroup: of.assignedCallGroup,
});
