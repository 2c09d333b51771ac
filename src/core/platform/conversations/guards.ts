import { CommandError } from "../../foundation/errors.ts";
import type { StoredConversation } from "../../records/conversation.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import type { Conversations } from "./conversations.ts";

type OnConversation = RecordGuard<
  { readonly conversations: Conversations },
  { readonly conversation: string },
  StoredConversation
>;

/** Any conversation. */
export const anyConversation: OnConversation = {
  recordKind: "conversation",
  find: ({ conversations }, { conversation }) => conversations.find(conversation),
  refusal: () => undefined,
};

/**
 * A conversation that is not closed.
 * @param what what a closed one cannot be, such as `closed again`
 */
export const liveConversation = (what: string): OnConversation => ({
  ...anyConversation,
  refusal: ({ id, status }) =>
    status === "closed"
      ? new CommandError(
          "conversation_closed",
          `conversation ${id} is closed and cannot be ${what}: the next message begins another`,
        )
      : undefined,
});
