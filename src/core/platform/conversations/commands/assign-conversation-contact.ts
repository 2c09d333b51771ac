import { CommandError } from "../../../foundation/errors.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aConversation, aCustomer } from "../../guards/example.ts";
import type { Conversations } from "../conversations.ts";
import { findConversationContact, type Needs, withId } from "../find-contact.ts";
import { liveConversation } from "../guards.ts";
import { conversationContactSchema } from "../schemas.ts";
import { contactWords } from "../words.ts";

/**
 * Assigns a contact to the outside participant with one of its numbers, or to the only one there is. No phonebook
 * changes, since contacts are managed only through the API. The conversation is not closed.
 */
export const assignConversationContact = defineCommand({
  summary: "says who the contact of a conversation is: a contact's id, or `{ name, phoneNumbers, ... }`",
  schema: conversationContactSchema,
  guard: liveConversation("assigned a contact"),
  actor: thePlatform,
  describe: ({ contact, conversation }) => ({
    subject: contactWords(contact, conversation),
    verb: "is assigned to",
    mention: { conversation },
  }),
  /** Reads the numbers of a given contact, by the organisation's country. */
  enrich({ phonebooks }: Needs, { conversation, contact }) {
    if (typeof contact === "string") return { conversation, contact };
    const [read = contact] = phonebooks.numbersRead([contact], null);
    return { conversation, contact: read };
  },
  run(services: Needs & { readonly conversations: Conversations }, { contact: given }, before) {
    const { conversations, raise, tables } = services;
    const { id, contactAddresses } = before;
    const { contact: draft, numbers: own } = findConversationContact(services, given, before);
    const numbers =
      contactAddresses.length === 1
        ? contactAddresses
        : contactAddresses.filter((number) => own.includes(number));
    if (numbers.length === 0)
      throw new CommandError(
        "not_allowed",
        `${draft.name} has none of the numbers of conversation ${id}: ${contactAddresses.join(", ")}`,
      );
    const contact = withId(services, draft);
    tables.conversations.update(id, (draft) => {
      for (const each of draft.participants)
        if (each.type === "external" && numbers.includes(each.phoneNumber)) each.displayName = contact.name;
    });
    const conversation = conversations.update(id, {});
    raise.conversationContactAssigned({ conversation, contact });
  },
  example: (before) => ({
    conversation: aConversation(before),
    contact: { name: "Jo", phoneNumbers: [aCustomer] },
  }),
});
