import { CommandError } from "../../foundation/errors.ts";
import type { ContactRecord } from "../../generated/records.ts";
import type { KeptConversation } from "../../records/conversation.ts";
import { deepFreeze } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import { thePlatform } from "../declare/description.ts";
import { guarded } from "../declare/record-guards.ts";
import { command, defineService, enriched } from "../declare/service.ts";
import { contactName } from "../declare/words.ts";
import { e164Of } from "../organisation/contact-numbers.ts";
import type { FoundContact } from "../phonebooks/contacts.ts";
import { newContact, type Phonebooks } from "../phonebooks/phonebooks.ts";
import { type ConversationContactArguments, conversationContactSchema } from "./commands.ts";
import type { Conversations } from "./conversations.ts";
import { usersAmong } from "./participants.ts";
import { anyConversation, liveConversation } from "./rights.ts";

export interface Needs extends CoreServices {
  readonly phonebooks: Phonebooks;
  readonly conversations: Conversations;
}

/** Assigns contacts to a conversation, and shares contacts from it. */
export class ConversationContacts {
  constructor(private readonly world: Needs) {}

  /**
   * Assigns a contact to the outside participant with one of its numbers, or to the only one there is. No phonebook
   * changes, since contacts are managed only through the API. The conversation is not closed.
   * @throws {CommandError} `not_found`; `not_allowed` if nobody in a group has the contact's
   * number
   */
  assign({ conversation: given, contact: who }: ConversationContactArguments): void {
    const { conversations } = this.world;
    const before = conversations.find(given);
    const { id, contactAddresses, participants } = before;
    const { contact: draft, numbers: own } = this.contactOf(who, before);
    const numbers =
      contactAddresses.length === 1
        ? contactAddresses
        : contactAddresses.filter((number) => own.includes(number));
    if (numbers.length === 0)
      throw new CommandError(
        "not_allowed",
        `${draft.name} has none of the numbers of conversation ${id}: ${contactAddresses.join(", ")}`,
      );
    const contact = this.withId(draft);
    const conversation = conversations.update(id, {
      participants: participants.map((each) =>
        each.type === "external" && numbers.includes(each.phoneNumber)
          ? { ...each, displayName: contact.name }
          : each,
      ),
    });
    this.world.raise.conversationContactAssigned({ conversation, contact });
  }

  /** Shares a contact. The conversation does not change. @throws {CommandError} `not_found` */
  share({ conversation: given, contact: who }: ConversationContactArguments): void {
    const conversation = this.world.conversations.find(given);
    const contact = this.withId(this.contactOf(who, conversation).contact);
    this.world.raise.contactShared({ conversation, contact });
  }

  /** Reads the numbers of a given contact, by the organisation's country. @throws {InputError} if the reader returns no number */
  withNumbersRead({ conversation, contact }: ConversationContactArguments): ConversationContactArguments {
    if (typeof contact === "string") return { conversation, contact };
    const [read = contact] = this.world.phonebooks.numbersRead([contact], null);
    return { conversation, contact: read };
  }

  /** Finds a conversation by our id or the vendor's. @throws {CommandError} `not_found` */
  find(id: string): KeptConversation {
    return this.world.conversations.find(id);
  }

  /** Finds a contact by its id in the phonebooks that the conversation's users see, or takes the given contact. */
  private contactOf(
    given: ConversationContactArguments["contact"],
    { id, participants, contactAddresses }: KeptConversation,
  ): FoundContact {
    const { phonebooks } = this.world;
    if (typeof given !== "string") {
      const whole = { phoneNumbers: contactAddresses.slice(0, 1), ...given };
      return { contact: newContact(whole, given.id ?? ""), numbers: e164Of(whole.phoneNumbers ?? []) };
    }
    // a conversation without users sees only the shared phonebooks
    const emails = [...usersAmong(participants).map(({ email }) => email), ""];
    for (const email of emails) {
      const contact = phonebooks.contactById(given, email);
      if (contact !== undefined) return contact;
    }
    throw new CommandError(
      "not_found",
      `no phonebook that the users of conversation ${id} see has a contact "${given}": put it into one, or give { name, phoneNumbers, ... }`,
    );
  }

  /** Gives a contact an id. This comes last, since a refused command must not draw one. */
  private withId(contact: ContactRecord): ContactRecord {
    const { id } = contact;
    return deepFreeze(id === "" ? { ...contact, id: this.world.engine.ids.next("contact") } : contact);
  }
}

/** The contacts of conversations. */
export const conversationContacts = defineService({
  create: (world: Needs) => new ConversationContacts(world),
  commands: {
    assignConversationContact: guarded(
      liveConversation("assigned a contact"),
      enriched(
        (it: ConversationContacts, args) => it.withNumbersRead(args),
        command(
          conversationContactSchema,
          thePlatform,
          ({ contact, conversation }) => ({
            subject: `the contact ${contactName(contact)}`,
            verb: "is assigned to",
            mention: { conversation },
          }),
          (it: ConversationContacts, args) => it.assign(args),
        ),
      ),
    ),
    shareContact: guarded(
      anyConversation,
      command(
        conversationContactSchema,
        thePlatform,
        ({ contact, conversation }) => ({
          subject: `the contact ${contactName(contact)}`,
          verb: "is shared from",
          mention: { conversation },
        }),
        (it: ConversationContacts, args) => it.share(args),
      ),
    ),
  },
});
