import { conversationRecord, type StoredConversation } from "../../records/conversation.ts";
import type { Services } from "../catalogue/services.ts";
import { type DomainEventReactions, type FactReactions, publish, publishLater } from "./reaction.ts";

const conversationNow = (p: Services, { recordId }: { readonly recordId: string }) =>
  payloadOf(p.tables.conversations.mustGet(recordId));
/** The payload with the conversation as it is now, made on its first read. */
const payloadOf = (conversation: StoredConversation) => () => ({
  conversation: conversationRecord(conversation),
});

/** What follows from the machine of a conversation. */
export const conversationFactReactions: Pick<FactReactions, "conversation"> = {
  conversation: {
    joined: [(p, { recordId }, { participant }) => p.conversations.joined(recordId, participant)],
    inactive: [
      (p, { recordId }) => p.conversations.inactive(recordId),
      publishLater("conversation.inactive", conversationNow),
      (p, { recordId }) => p.conversations.rest(recordId),
    ],
    closed: [
      (p, { recordId }) => p.conversations.closed(recordId),
      publishLater("conversation.closed", conversationNow),
      (p, { recordId }) => p.conversations.finish(recordId),
    ],
  },
};

/** What follows from messages, and from contacts of a conversation. */
export const conversationReactions = {
  messageAdded: [
    publishLater("conversation.message.created", (_p, { conversation, message }) => () => ({
      conversation: conversationRecord(conversation),
      message,
    })),
  ],
  conversationContactAssigned: [
    publishLater("conversation.contact_assigned", (_p, { conversation, contact }) => () => ({
      conversation: conversationRecord(conversation),
      contact,
    })),
  ],
  contactShared: [
    publish("contact.shared", (_p, { contact, conversation: { participants, channel } }) => ({
      contact,
      participants,
      channel,
    })),
  ],
} satisfies Partial<DomainEventReactions>;
