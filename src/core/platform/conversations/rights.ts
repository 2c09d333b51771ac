import { CommandError } from "../../foundation/errors.ts";
import type { KeptConversation } from "../../records/conversation.ts";
import type { RecordGuard } from "../declare/record-guards.ts";

/** Where a right finds the conversation that a command names. */
export interface FindsConversation {
  find(id: string): KeptConversation;
}
type OnConversation = RecordGuard<FindsConversation, { readonly conversation: string }, KeptConversation>;

/** The right to do something with any conversation. */
export const anyConversation: OnConversation = {
  on: "conversation",
  find: (it, { conversation }) => it.find(conversation),
  refusal: () => undefined,
};

/**
 * The right to do something with a conversation that is not closed.
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
