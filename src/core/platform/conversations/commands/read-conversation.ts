import { CommandError } from "../../../foundation/errors.ts";
import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { whoeverBy } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aConversation } from "../../guards/example.ts";
import { anyConversation } from "../guards.ts";
import { usersAmong } from "../participants.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

export const readConversation = defineCommand({
  summary: "a user reads a conversation",
  schema: object({
    /** The conversation, by its id or the vendor's. */
    conversation: text(),
    /** The user who reads it, by id or e-mail address. The conversation must be assigned to them. */
    by: text(),
  }),
  guard: anyConversation,
  actor: whoeverBy,
  describe: ({ conversation }) => ({ verb: "reads", mention: { conversation } }),
  run({ directory, tables }: Needs, { by }, { id, participants }) {
    const user = directory.user(by);
    const users = usersAmong(participants).map((each) => each.id);
    if (!users.includes(user.id))
      throw new CommandError(
        "not_found",
        `conversation ${id} is not assigned to ${user.id}; assigned to: ${users.join(", ") || "nobody"}`,
      );
    tables.conversations.update(id, (draft) => {
      for (const each of draft.participants)
        if (each.type === "user" && each.id === user.id) each.unreadCount = 0;
    });
  },
  example: (before) => ({ conversation: aConversation(before), by: "alice" }),
});
