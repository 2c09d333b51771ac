import type {
  AnalysisRecord,
  ContactRecord,
  CreatedWebhook,
  DirectoryEntry,
  LocationRecord,
  PhonebookHead,
  PhonebookRecord,
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
} from "../generated/records.ts";
import type { CommandInput } from "../platform/base.ts";
import type { PublicCallRecord } from "../platform/calls/call-handle.ts";
import type { TrunkKind } from "../records/trunk.ts";

/** What the token endpoint answers. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
}

/** A page of a list, its items under their name. */
type List<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & {
  /** `next` is empty when there is no further page. */
  readonly meta: { readonly next: string };
};

type Contact = CommandInput<"putContacts">["contacts"][number];
type Phonebook = CommandInput<"putPhonebooks">["phonebooks"][number];

/** A trunk entry without what its path says. */
type TrunkBody<Command extends "addTrunkEntry" | "updateTrunkEntry", Kind extends TrunkKind> = Omit<
  Extract<CommandInput<Command>, { kind: Kind }>,
  "trunk" | "kind" | (Command extends "updateTrunkEntry" ? "id" : never)
>;

/** The bodies of requests, by `operationId`. */
export interface RequestBodies {
  createContentAnalysis: CommandInput<"createAnalysis">;
  createLocation: CommandInput<"createLocation">;
  createTrunkDevice: TrunkBody<"addTrunkEntry", "device">;
  createTrunkQueue: TrunkBody<"addTrunkEntry", "queue">;
  createTrunkUser: TrunkBody<"addTrunkEntry", "user">;
  createWebhook: Omit<CommandInput<"createWebhook">, "createdBy" | "signingSecret">;
  putContact: Contact;
  putContacts:
    | Contact
    | readonly Contact[]
    | {
        /** The contacts to add, or to replace where the id is known. */
        readonly contacts: readonly Contact[];
      };
  putPhonebook: Partial<Phonebook>;
  putPhonebooks:
    | Phonebook
    | {
        /** The phonebooks. Each replaces the one with its id, whole. */
        readonly phonebooks: readonly Phonebook[];
      };
  putTeamMember: Pick<CommandInput<"setTeamMember">, "priority">;
  sendConversationMessage: CommandInput<"sendConversationMessage">;
  sendMessage: CommandInput<"sendMessage">;
  sendTeamMessage: CommandInput<"sendTeamMessage">;
  updateTrunkDevice: TrunkBody<"updateTrunkEntry", "device">;
  updateTrunkQueue: TrunkBody<"updateTrunkEntry", "queue">;
  updateTrunkUser: TrunkBody<"updateTrunkEntry", "user">;
  updateWebhook: Omit<CommandInput<"updateWebhook">, "webhook">;
}

/** The bodies of answers, by `operationId`; errors are `RestErrorBody`. */
export interface ResponseBodies {
  createContentAnalysis: AnalysisRecord;
  createLocation: LocationRecord;
  createTrunkDevice: TrunkDeviceRecord;
  createTrunkQueue: TrunkQueueRecord;
  createTrunkUser: TrunkUserRecord;
  createWebhook: CreatedWebhook;
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
  /** Without contacts for `limit=0`. */
  listPhonebooks: List<"phonebooks", PhonebookHead & Partial<Pick<PhonebookRecord, "contacts">>>;
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
  sendMessage: { readonly success: boolean };
  sendTeamMessage: SendResult;
  updateTrunkDevice: TrunkDeviceRecord;
  updateTrunkQueue: TrunkQueueRecord;
  updateTrunkUser: TrunkUserRecord;
  updateWebhook: WebhookRecord;
}
