/* Made from src/core/platform/catalogue/operations.ts by `npm run generate`. Do not edit. */
import type { CommandInputs } from "./inputs.ts";
import type {
  AnalysisRecord,
  ContactRecord,
  CreatedWebhook,
  DirectoryEntry,
  EventType,
  LocationRecord,
  PhonebookRecord,
  PublicCallRecord,
  Recording,
  SendResult,
  TeamRecord,
  TranscriptRecord,
  TranscriptSegment,
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
  UserRecord,
  WebhookRecord,
} from "./records.ts";

interface NewContact {
  /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation; if it cannot be read, it matches nobody. */
  readonly phoneNumbers?: readonly string[] | undefined;
  /** The contact's id. @default a new one */
  readonly id?: string | undefined;
  /** The whole name, as people see it. @default the first and the last name */
  readonly name?: string | undefined;
  /** The first name; null if unknown. */
  readonly firstName?: string | null | undefined;
  /** The last name; null if unknown. */
  readonly lastName?: string | null | undefined;
  /** The job title; null if unknown. */
  readonly jobTitle?: string | null | undefined;
  /** E-mail addresses. */
  readonly emailAddresses?: readonly string[] | undefined;
}

interface NewContentAnalysis {
  /** Any plain data; the job returns it as it was given. What is no object is ignored. */
  readonly passthroughParameters?: Readonly<Record<string, unknown>> | undefined;
  /** The name of the analyzer. */
  readonly analyzer: string;
  /** What is analysed: recordings, or an agent's scorecards. */
  readonly content: {
    /** The recordings, at least one. */
    readonly recordings: readonly {
      /** The recording's id. */
      readonly id: string;
      /** The model to transcribe it with. @default the service's own */
      readonly transcriptionModel?: string | undefined;
    }[];
  } | {
    /** The user whose scorecards are aggregated, by id or e-mail address. */
    readonly agent: string;
    /** The jobs that made them, of calls that the user was on. */
    readonly contentAnalysis: readonly {
      /** The job's id. */
      readonly id: string;
    }[];
  };
}

interface NewConversationMessage {
  /** What the message says. */
  readonly messageContent: {
    /** The user on whose behalf it is sent: an e-mail address. */
    readonly sendAsUser?: string | undefined;
    /** The text of the message. May be left out if there is media. */
    readonly text?: string | undefined;
    /** Files of the message: https URLs, or `{ url, mimeType }`. */
    readonly media?: readonly (string | {
      /** Where the file is: an https URL. */
      readonly url: string;
      /** The file's media type, such as `image/jpeg`. */
      readonly mimeType?: string | undefined;
    })[] | undefined;
  };
  /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
  readonly assignUsers?: readonly string[] | undefined;
  /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
  readonly passthroughParameters?: Readonly<Record<string, unknown>> | undefined;
  /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
  readonly closeTimer?: string | undefined;
  /** The name of a new conversation, shown in lists, at most 100 characters. */
  readonly conversationName?: string | undefined;
  /** The recipients, 1 to 10 numbers, E.164. Several are a group. */
  readonly contactAddresses: readonly string[];
  /** The organisation's number that the message is sent from, E.164. */
  readonly companyAddress: string;
  /** Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation. */
  readonly routingAction?: "assign_owner" | "assign_users" | "do_not_route" | undefined;
  /** The rule by which users claim a new conversation. Ignored for an existing one. */
  readonly claimRule?: string | undefined;
  /** Whether users are notified of the message, and whether it stays unread. @default "notify_unread" */
  readonly notificationMode?: "notify_unread" | "silent_read" | "silent_unread" | undefined;
}

interface NewMessage {
  /** Who sends it: a user's e-mail address, or their number, E.164. */
  readonly from: string;
  /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
  readonly passthroughParameters?: Readonly<Record<string, unknown>> | undefined;
  /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
  readonly closeTimer?: string | undefined;
  /** The name of a new conversation, shown in lists, at most 100 characters. */
  readonly conversationName?: string | undefined;
  /** The text of the message, at most 1600 characters. */
  readonly body: string;
  /** The recipient's number, E.164. */
  readonly to: string;
  /** Whether the users of a new conversation are notified of the message. @default true */
  readonly notifyUsers?: boolean | undefined;
}

interface NewPhonebook {
  /** Everything that the phonebook holds from now on. @default nothing */
  readonly contacts?: readonly NewContact[] | undefined;
  /** The phonebook's name. */
  readonly name?: string | undefined;
  /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  readonly countryIso?: string | null | undefined;
  /** The phonebook's id, or a user's e-mail address for their personal one. */
  readonly id: string;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
}

interface NewTeamMessage {
  /** What the message says. */
  readonly messageContent: {
    /** The user on whose behalf it is sent: an e-mail address. */
    readonly sendAsUser?: string | undefined;
    /** The text of the message. May be left out if there is media. */
    readonly text?: string | undefined;
    /** Files of the message: https URLs, or `{ url, mimeType }`. */
    readonly media?: readonly (string | {
      /** Where the file is: an https URL. */
      readonly url: string;
      /** The file's media type, such as `image/jpeg`. */
      readonly mimeType?: string | undefined;
    })[] | undefined;
  };
  /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
  readonly assignUsers?: readonly string[] | undefined;
  /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
  readonly passthroughParameters?: Readonly<Record<string, unknown>> | undefined;
  /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
  readonly closeTimer?: string | undefined;
  /** The name of a new conversation, shown in lists, at most 100 characters. */
  readonly conversationName?: string | undefined;
  /** The team's number that the message is sent from, E.164. */
  readonly companyAddress: string;
  /** The only recipient's number, E.164; instead of `contactAddresses`. */
  readonly contactAddress?: string | undefined;
  /** The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`. */
  readonly contactAddresses?: readonly string[] | undefined;
  /** The channel of the message: `sms`. */
  readonly channel?: "sms" | undefined;
  /** Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody. */
  readonly routingAction?: "assign_team" | "assign_users" | "do_not_route" | undefined;
  /** The rule by which users claim a new conversation. Ignored for an existing one. */
  readonly claimRule?: string | undefined;
  /** Whether the users of a new conversation are notified of the message. @default true */
  readonly notifyUsers?: boolean | undefined;
}

interface NewTrunkDevice {
  /** The place, in words; null if unknown. */
  readonly location?: string | null | undefined;
  /** Its model; null if unknown. */
  readonly model?: string | null | undefined;
  /** Its product line; null if unknown. */
  readonly product?: string | null | undefined;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, digits, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  /** The entry's id, unique in the directory. @default one is made */
  readonly id?: string | undefined;
}

interface NewTrunkQueue {
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, digits, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  /** The entry's id, unique in the directory. @default one is made */
  readonly id?: string | undefined;
}

interface NewTrunkUser {
  /** The department; null if unknown. */
  readonly department?: string | null | undefined;
  /** The job title; null if unknown. */
  readonly jobTitle?: string | null | undefined;
  /** The place, in words; null if unknown. */
  readonly location?: string | null | undefined;
  /** Whom they report to; null if unknown. */
  readonly manager?: string | null | undefined;
  /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
  readonly user?: string | null | undefined;
  /** Their own phone numbers, E.164. @default [] */
  readonly phoneNumbers?: readonly string[] | undefined;
  /** The name, as people see it. */
  readonly displayName: string;
  /** The extension number, digits, unique in the directory. */
  readonly extension: string;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  /** The entry's id, unique in the directory. @default one is made */
  readonly id?: string | undefined;
}

interface NewWebhook {
  /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
  readonly url: string;
  /** The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
  readonly events: readonly (EventType | "*" | (string & Record<never, never>))[];
  /** A description; null or left out for none. */
  readonly description?: string | null | undefined;
  /** Whether events are delivered to it. @default true */
  readonly enabled?: boolean | undefined;
}

interface PhonebookContents {
  /** Everything that the phonebook holds from now on. @default nothing */
  readonly contacts?: readonly NewContact[] | undefined;
  /** The phonebook's name. */
  readonly name?: string | undefined;
  /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  readonly countryIso?: string | null | undefined;
  /** The phonebook's id, or a user's e-mail address for their personal one. */
  readonly id?: string | undefined;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
}

interface TeamMembership {
  /** The offer priority, 1 to 100; 1 is rung first. @default 1 */
  readonly priority?: number | undefined;
}

interface TrunkDeviceChanges {
  /** The place, in words; null if unknown. */
  readonly location?: string | null | undefined;
  /** Its model; null if unknown. */
  readonly model?: string | null | undefined;
  /** Its product line; null if unknown. */
  readonly product?: string | null | undefined;
  /** The name, as people see it. */
  readonly displayName?: string | undefined;
  /** The extension number, digits, unique in the directory. */
  readonly extension?: string | undefined;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
  readonly trunkId?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly vendorRedirectUrl?: unknown;
}

interface TrunkQueueChanges {
  /** The name, as people see it. */
  readonly displayName?: string | undefined;
  /** The extension number, digits, unique in the directory. */
  readonly extension?: string | undefined;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
  readonly trunkId?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly vendorRedirectUrl?: unknown;
}

interface TrunkUserChanges {
  /** The user of the service whom they are associated with, by id or e-mail address, or as `GET` answers them; null if none. */
  readonly user?: null | string | {
    /** The user's id. */
    readonly id: string;
    readonly displayName?: unknown;
    readonly email?: unknown;
  } | undefined;
  /** The department; null if unknown. */
  readonly department?: string | null | undefined;
  /** The job title; null if unknown. */
  readonly jobTitle?: string | null | undefined;
  /** The place, in words; null if unknown. */
  readonly location?: string | null | undefined;
  /** Whom they report to; null if unknown. */
  readonly manager?: string | null | undefined;
  /** Their own phone numbers, E.164. @default [] */
  readonly phoneNumbers?: readonly string[] | undefined;
  /** The name, as people see it. */
  readonly displayName?: string | undefined;
  /** The extension number, digits, unique in the directory. */
  readonly extension?: string | undefined;
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  readonly ivrKey?: string | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
  readonly trunkId?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly vendorRedirectUrl?: unknown;
}

interface WebhookChanges {
  /** Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set. */
  readonly url?: string | undefined;
  /** The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed. */
  readonly events?: readonly (EventType | "*" | (string & Record<never, never>))[] | undefined;
  /** A description; null for none. */
  readonly description?: string | null | undefined;
  /** Whether events are delivered to it. `true` resets the count of failures to 0. */
  readonly enabled?: boolean | undefined;
  readonly disabledAt?: unknown;
  readonly disabledTimestamp?: unknown;
  readonly lastModifiedAt?: unknown;
  readonly lastModifiedTimestamp?: unknown;
  readonly createdAt?: unknown;
  readonly createdTimestamp?: unknown;
  readonly id?: unknown;
  readonly consecutiveFailures?: unknown;
  readonly createdBy?: unknown;
}

/** A page of a list, its items under their name. */
type List<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & {
  /** `next` is empty when there is no further page. */
  readonly meta: { readonly next: string };
};

/** The bodies of requests, by `operationId`. */
export interface RequestBodies {
  createContentAnalysis: NewContentAnalysis;
  createLocation: CommandInputs["createLocation"];
  createTrunkDevice: NewTrunkDevice;
  createTrunkQueue: NewTrunkQueue;
  createTrunkUser: NewTrunkUser;
  createWebhook: NewWebhook;
  putContact: NewContact;
  putContacts: NewContact | readonly NewContact[] | {
    /** The contacts to add, or to replace where the id is known. */
    readonly contacts: readonly NewContact[];
  };
  putPhonebook: PhonebookContents;
  putPhonebooks: NewPhonebook | {
    /** The phonebooks. Each replaces the one with its id, whole. */
    readonly phonebooks: readonly NewPhonebook[];
  };
  putTeamMember: TeamMembership;
  sendConversationMessage: NewConversationMessage;
  sendMessage: NewMessage;
  sendTeamMessage: NewTeamMessage;
  updateTrunkDevice: TrunkDeviceChanges;
  updateTrunkQueue: TrunkQueueChanges;
  updateTrunkUser: TrunkUserChanges;
  updateWebhook: WebhookChanges;
}

/** The bodies of answers, by `operationId`; errors are `RestErrorBody`. */
export interface ResponseBodies {
  createContentAnalysis: AnalysisRecord;
  createLocation: LocationRecord;
  createTrunkDevice: TrunkDeviceRecord;
  createTrunkQueue: TrunkQueueRecord;
  createTrunkUser: TrunkUserRecord;
  createWebhook: CreatedWebhook;
  deleteContact: {
  };
  deleteContentAnalysis: {
  };
  deleteLocationUser: {
  };
  deleteRecording: {
  };
  deleteTeamMember: {
  };
  deleteTranscript: {
  };
  deleteTrunkDevice: {
  };
  deleteTrunkQueue: {
  };
  deleteTrunkUser: {
  };
  deleteWebhook: {
  };
  getCall: PublicCallRecord;
  getContact: ContactRecord;
  getContentAnalysis: AnalysisRecord;
  getDirectoryEntry: DirectoryEntry;
  getLocation: LocationRecord;
  getPhonebook: PhonebookRecord;
  getRecording: Recording;
  getTranscript: TranscriptRecord;
  getTrunkDevice: TrunkDeviceRecord;
  getTrunkQueue: TrunkQueueRecord;
  getTrunkUser: TrunkUserRecord;
  getUser: UserRecord;
  getWebhook: WebhookRecord;
  listCallContentAnalysis: List<"contentAnalysis", AnalysisRecord>;
  listCalls: List<"calls", PublicCallRecord>;
  listContacts: List<"contacts", ContactRecord>;
  listContentAnalysis: List<"contentAnalysis", AnalysisRecord>;
  listDirectory: List<"entries", DirectoryEntry>;
  listLocationUsers: List<"users", UserRecord>;
  listLocations: List<"locations", LocationRecord>;
  listPhonebooks: List<"phonebooks", {
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
    /** The contacts, in the order in which they were added; absent for `limit=0`. */
    readonly contacts?: readonly ContactRecord[];
  }>;
  listTeams: List<"teams", TeamRecord>;
  listTranscriptSegments: List<"segments", TranscriptSegment>;
  listTranscripts: List<"transcripts", TranscriptRecord>;
  listTrunkDevices: List<"trunkDevices", TrunkDeviceRecord>;
  listTrunkQueues: List<"trunkQueues", TrunkQueueRecord>;
  listTrunkUsers: List<"trunkUsers", TrunkUserRecord>;
  listTrunks: List<"trunks", TrunkRecord>;
  listUsers: List<"users", UserRecord>;
  listWebhooks: List<"webhooks", WebhookRecord>;
  putContact: ContactRecord;
  putContacts: List<"contacts", ContactRecord>;
  putLocationUser: UserRecord;
  putPhonebook: PhonebookRecord;
  putPhonebooks: List<"phonebooks", PhonebookRecord>;
  putTeamMember: TeamRecord;
  sendConversationMessage: SendResult;
  sendMessage: {
    /** Always true. */
    readonly success: boolean;
  };
  sendTeamMessage: SendResult;
  updateTrunkDevice: TrunkDeviceRecord;
  updateTrunkQueue: TrunkQueueRecord;
  updateTrunkUser: TrunkUserRecord;
  updateWebhook: WebhookRecord;
}
