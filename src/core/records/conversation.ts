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
export interface KeptConversation extends Omit<ConversationRecord, "messages"> {
  readonly messages: GrowingList<MessageRecord>;
}

/** The public record of each version, so that a version always gives the same object. */
const recordsRead = new WeakMap<KeptConversation, ConversationRecord>();

/** Returns the public record of a version. The first call copies its messages. */
export function conversationRecord(kept: KeptConversation): ConversationRecord {
  let record = recordsRead.get(kept);
  if (record === undefined) {
    record = Object.freeze(toRecord(kept));
    recordsRead.set(kept, record);
  }
  return record;
}

function toRecord(kept: KeptConversation): AllFields<ConversationRecord> {
  return {
    id: kept.id,
    status: kept.status,
    channel: kept.channel,
    name: kept.name,
    companyNumber: kept.companyNumber,
    companyNumberOwner: kept.companyNumberOwner,
    contactAddresses: kept.contactAddresses,
    initiatedBy: kept.initiatedBy,
    participants: kept.participants,
    vendor: kept.vendor,
    vendorConversationId: kept.vendorConversationId,
    messages: kept.messages.array,
    claimRule: kept.claimRule,
    closeTimer: kept.closeTimer,
    passthroughParameters: kept.passthroughParameters,
    createdAt: kept.createdAt,
    createdTimestamp: kept.createdTimestamp,
    lastModifiedAt: kept.lastModifiedAt,
    lastModifiedTimestamp: kept.lastModifiedTimestamp,
    closedAt: kept.closedAt,
    closedTimestamp: kept.closedTimestamp,
  };
}
