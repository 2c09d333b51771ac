import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aConversation } from "../../guards/example.ts";
import { liveConversation } from "../guards.ts";

export const closeConversation = defineCommand({
  summary: "closes a conversation",
  schema: object({
    /** The conversation, by its id or the vendor's. */
    conversation: text(),
  }),
  guard: liveConversation("closed again"),
  actor: thePlatform,
  describe: ({ conversation }) => ({ subject: { conversation }, verb: "is closed" }),
  run: ({ machines }: CoreServices, _args, { id }) => machines.send("conversation", id, { type: "CLOSE" }),
  example: (before) => ({ conversation: aConversation(before) }),
});
