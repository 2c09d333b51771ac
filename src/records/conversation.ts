export type {
  AssignedParticipant,
  Channel,
  ConversationParticipant,
  ConversationRecord,
  ConversationStatus,
  MessageAuthor,
  MessageMedia,
  MessageRecord,
  ReceiveResult,
  SendResult,
} from "../generated/records.ts";

export const channels = ["sms", "whatsApp"] as const;
