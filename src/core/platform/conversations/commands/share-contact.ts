import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aConversation } from "../../guards/example.ts";
import { findConversationContact, type Needs, withId } from "../find-contact.ts";
import { anyConversation } from "../guards.ts";
import { conversationContactSchema } from "../schemas.ts";
import { contactWords } from "../words.ts";

/** Shares a contact. The conversation does not change. */
export const shareContact = defineCommand({
  summary: "shares a contact with a conversation: a contact's id, or `{ name, phoneNumbers, ... }`",
  schema: conversationContactSchema,
  guard: anyConversation,
  actor: thePlatform,
  describe: ({ contact, conversation }) => ({
    subject: contactWords(contact, conversation),
    verb: "is shared from",
    mention: { conversation },
  }),
  run(services: Needs, { contact: who }, conversation) {
    const contact = withId(services, findConversationContact(services, who, conversation).contact);
    services.raise.contactShared({ conversation, contact });
  },
  example: (before) => ({ conversation: aConversation(before), contact: "jane" }),
});
