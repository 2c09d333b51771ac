import { eventDataSchema, one } from "../../records/fields.ts";
import { defineEvents, ownField, sharedField } from "../base/define-events.ts";
import { received, step } from "../base/shortest.ts";
import { contact as contactRecord } from "../phonebooks/record.ts";
import { conversation as conversationRecord, message } from "./record.ts";

const conversation = one(conversationRecord, "The conversation as it was at that instant.");

/** The events of a conversation. */
export const conversationEvents = defineEvents({
  "conversation.message.created": {
    data: eventDataSchema("A message was sent or received.", {
      conversation,
      message: one(message, "The message."),
    }),
    page: "conversations",
    listedFirst: ["receiveMessage"],
    settings: ["organisation.dataActions.inboundConversations", "timing.groupMessageCreated"],
    instant: sharedField("conversation.lastModified"),
    laws: ["message of the conversation", "closed stays closed"],
    shortest: { title: "A message arrives", steps: [received] },
  },
  "conversation.inactive": {
    data: eventDataSchema("Nobody has written in a conversation for a while.", { conversation }),
    page: "conversations",
    settings: ["timing.conversationInactive"],
    instant: sharedField("conversation.lastModified"),
    laws: ["closed stays closed"],
    shortest: { title: "A conversation goes quiet", steps: [received] },
    example(sim) {
      sim.command("assignConversationContact", { conversation: "conversation-1", contact: "jane" });
      sim.advance("P2D");
    },
  },
  "conversation.closed": {
    data: eventDataSchema("A conversation is over.", { conversation }),
    page: "conversations",
    settings: [],
    instant: ownField("conversation.closed"),
    laws: ["closed stays closed"],
    shortest: {
      title: "A conversation is closed",
      steps: [received, step("closeConversation", "PT5S", { conversation: "m1" })],
    },
    example: (sim) => sim.command("closeConversation", { conversation: "conversation-1" }),
  },
  "conversation.contact_assigned": {
    data: eventDataSchema("A conversation's outside party is a known contact.", {
      conversation,
      contact: one(contactRecord, "The contact who the outside party is."),
    }),
    page: "conversations",
    settings: ["organisation.phonebooks"],
    instant: sharedField("conversation.lastModified"),
    laws: ["closed stays closed"],
    shortest: {
      title: "A conversation gets a contact",
      steps: [received, step("assignConversationContact", "PT5S", { conversation: "m1", contact: "jane" })],
    },
  },
});
