import type { EntryReference, LocationRecord } from "./directory.ts";
import type { Moment, OptionalMoment } from "./moments.ts";
import type { Participant } from "./participant.ts";

export const channels = ["sms", "whatsApp"] as const;
/** The way a message goes. */
export type Channel = (typeof channels)[number];

/** Where a conversation stands: `open` → `inactive` → `open` …, and at last `closed`. */
export type ConversationStatus = "open" | "inactive" | "closed";

type User = Extract<Participant, { type: "user" }>;

/** A user whom a conversation is assigned to. */
export interface AssignedParticipant extends User {
  readonly location: LocationRecord | null;
  /** Messages that this user has not read. */
  readonly unreadCount: number;
}

/** A user whom the conversation is assigned to, or an outside contact. */
export type ConversationParticipant = AssignedParticipant | Extract<Participant, { type: "external" }>;

/** Who wrote a message. What the API sends without `sendAsUser` comes from whose number it is. */
export type MessageAuthor =
  | Participant
  | { readonly type: "team"; readonly id: string; readonly displayName: string };

/** A picture or a file of a message. */
export interface MessageMedia {
  readonly id: string;
  readonly url: string;
  /** Null if whoever sent it did not say. */
  readonly mimeType: string | null;
  /** Where the vendor keeps it. */
  readonly vendorResourceUrl: string;
}

/** A message of a conversation. */
export interface MessageRecord extends Moment<"created"> {
  readonly id: string;
  readonly author: MessageAuthor;
  readonly direction: "inbound" | "outbound";
  /** The text; empty for one that is media alone. */
  readonly content: string;
  readonly vendorMessageId: string;
  readonly isApiCreated: boolean;
  readonly media: readonly MessageMedia[];
}

/** The conversation record. */
export interface ConversationRecord
  extends Moment<"created">,
    Moment<"lastModified">,
    OptionalMoment<"closed"> {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly channel: Channel;
  /** The initial name; null without one. */
  readonly name: string | null;
  readonly companyNumber: string;
  /** The user or the team whose number it is. */
  readonly companyNumberOwner: EntryReference;
  /** The contacts' numbers, in the order in which they were given; several are a group. */
  readonly contactAddresses: readonly string[];
  /** The author of the first message. */
  readonly initiatedBy: MessageAuthor;
  /** The contacts, then the users: ten at most. */
  readonly participants: readonly ConversationParticipant[];
  readonly vendor: string;
  readonly vendorConversationId: string;
  /** Oldest first. */
  readonly messages: readonly MessageRecord[];
  readonly claimRule: string | null;
  /** ISO 8601; null: it does not close by itself. */
  readonly closeTimer: string | null;
  readonly passthroughParameters: Readonly<Record<string, string>>;
}
