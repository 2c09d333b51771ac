import { conversationMachine } from "../../../../machines/conversation.ts";
import type { StoredConversation } from "../../records/conversation.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** Messages, and the conversations that they belong to. */
export const conversationsPart = definePart({
  tables: { conversations: () => new Table<StoredConversation>() },
  machines: {
    conversation: ownMachine({
      machine: conversationMachine,
      about: belongsTo(),
      facts: "shown elsewhere",
      timers: {
        inactivity: { subject: "nobody", verb: "wrote for a while" },
        closeTimer: { subject: "the close timer", verb: "ran out" },
      },
    }),
  },
  tasks: { "conversation: group created": { subject: "the vendor", verb: "has made the group" } },
  timing: {
    /** From the last update of a conversation to `conversation.inactive`. */
    conversationInactive: 86_400_000,
    /** From a message that begins a group to its conversation and `conversation.message.created`. */
    groupMessageCreated: 1_000,
  },
});
