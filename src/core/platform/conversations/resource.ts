import { defineResource } from "../base/define-resource.ts";
import { conversationEvents } from "./events.ts";
import { messageOperations } from "./operations.ts";

/** Conversations by text messages. */
export const conversationsResource = defineResource({
  events: conversationEvents,
  operations: messageOperations,
});
