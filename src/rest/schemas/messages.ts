import * as v from "valibot";
import type { SendResult } from "../../platform/conversations/conversations.ts";
import type { ConversationRecord, MessageRecord } from "../../records/conversation.ts";
import {
  integer,
  moment,
  named,
  nullableText,
  optionalMoment,
  passthroughParameters,
  text,
  texts,
} from "./common.ts";
import { entryReferenceSchema, locationSchema } from "./directory.ts";

type Describes<T> = v.GenericSchema<unknown, T>;

const user = { type: v.literal("user"), id: text, displayName: text, email: text };
const external = v.strictObject({ type: v.literal("external"), phoneNumber: text, displayName: text });
const team = v.strictObject({ type: v.literal("team"), id: text, displayName: text });

/** Who takes part in a call or shares a contact. */
export const participantSchema = named("Participant", v.union([v.strictObject(user), external]));

const conversationParticipant = named(
  "ConversationParticipant",
  v.union([
    v.strictObject({ ...user, location: v.nullable(locationSchema), unreadCount: integer }),
    external,
  ]),
);

/** Participants of a call, or of a conversation. */
export const sharedWithSchema = v.array(v.union([participantSchema, conversationParticipant]));

const author = named("MessageAuthor", v.union([v.strictObject(user), external, team]));

export const messageSchema = named(
  "Message",
  v.strictObject({
    id: text,
    author,
    direction: v.picklist(["inbound", "outbound"]),
    content: text,
    vendorMessageId: text,
    isApiCreated: v.boolean(),
    media: v.array(v.strictObject({ id: text, url: text, mimeType: nullableText, vendorResourceUrl: text })),
    ...moment("created"),
  }),
) satisfies Describes<MessageRecord>;

export const conversationSchema = named(
  "Conversation",
  v.strictObject({
    id: text,
    status: v.picklist(["open", "inactive", "closed"]),
    channel: v.picklist(["sms", "whatsApp"]),
    name: nullableText,
    companyNumber: text,
    companyNumberOwner: entryReferenceSchema,
    contactAddresses: texts,
    initiatedBy: author,
    participants: v.array(conversationParticipant),
    vendor: text,
    vendorConversationId: text,
    messages: v.array(messageSchema),
    claimRule: nullableText,
    closeTimer: nullableText,
    passthroughParameters,
    ...moment("created"),
    ...moment("lastModified"),
    ...optionalMoment("closed"),
  }),
) satisfies Describes<ConversationRecord>;

export const sentSchema = named(
  "SentMessage",
  v.strictObject({
    hasExistingConversation: v.boolean(),
    vendor: text,
    vendorConversationId: text,
    vendorMessageId: v.optional(text),
  }),
) satisfies Describes<SendResult>;
