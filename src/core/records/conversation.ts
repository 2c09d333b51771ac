import type { GrowingList } from "../foundation/collections.ts";
import type { ConversationRecord, MessageRecord } from "../generated/records.ts";
import type { AllFields } from "./table.ts";

export type {
  AssignedParticipant,
  Channel,
  ConversationParticipant,
  ConversationRecord,
  MessageAuthor,
  MessageRecord,
  ReceiveResult,
  SendResult,
} from "../generated/records.ts";

export const channels = ["sms", "whatsApp"] as const;

/**
 * A version of a conversation as it is stored. Every message makes a new version, so versions share one list: with
 * lists of their own, the ten thousandth message would cost five times as much as the thousandth.
 */
export interface StoredConversation extends Omit<ConversationRecord, "messages"> {
  readonly messages: GrowingList<MessageRecord>;
}

/** The public record of each version, so that a version always gives the same object. */
const publicRecords = new WeakMap<StoredConversation, ConversationRecord>();

/** Returns the public record of a version. Its first call copies the messages. */
export function conversationRecord(conversation: StoredConversation): ConversationRecord {
  let record = publicRecords.get(conversation);
  if (record === undefined) {
    record = Object.freeze(toRecord(conversation));
    publicRecords.set(conversation, record);
  }
  return record;
}

function toRecord(conversation: StoredConversation): AllFields<ConversationRecord> {
  return {
    id: conversation.id,
    status: conversation.status,
    channel: conversation.channel,
    name: conversation.name,
    companyNumber: conversation.companyNumber,
    companyNumberOwner: conversation.companyNumberOwner,
    contactAddresses: conversation.contactAddresses,
    initiatedBy: conversation.initiatedBy,
    participants: conversation.participants,
    vendor: conversation.vendor,
    vendorConversationId: conversation.vendorConversationId,
    messages: conversation.messages.array,
    claimRule: conversation.claimRule,
    closeTimer: conversation.closeTimer,
    passthroughParameters: conversation.passthroughParameters,
    createdAt: conversation.createdAt,
    createdTimestamp: conversation.createdTimestamp,
    lastModifiedAt: conversation.lastModifiedAt,
    lastModifiedTimestamp: conversation.lastModifiedTimestamp,
    closedAt: conversation.closedAt,
    closedTimestamp: conversation.closedTimestamp,
  };
}
