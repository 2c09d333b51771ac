import { CommandError } from "../../foundation/errors.ts";
import type { ContactRecord } from "../../generated/records.ts";
import type { ConversationParticipant, StoredConversation } from "../../records/conversation.ts";
import { deepFreeze } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { ContactOrId } from "../organisation/contact.ts";
import { listE164 } from "../organisation/contact-numbers.ts";
import type { FoundContact } from "../phonebooks/contacts.ts";
import { newContact, type Phonebooks } from "../phonebooks/phonebooks.ts";
import { usersAmong } from "./participants.ts";

export interface Needs extends CoreServices {
  readonly phonebooks: Phonebooks;
}

/** Finds a contact by its id in the phonebooks that the conversation's users see, or takes the given contact. */
export function findConversationContact(
  { phonebooks }: Needs,
  given: ContactOrId,
  { id, participants, contactAddresses }: StoredConversation,
): FoundContact {
  if (typeof given !== "string") {
    const whole = { phoneNumbers: contactAddresses.slice(0, 1), ...given };
    return { contact: newContact(whole, given.id ?? ""), numbers: listE164(whole.phoneNumbers ?? []) };
  }
  const contact = contactSeenBy(participants, given, phonebooks);
  if (contact !== undefined) return contact;
  throw new CommandError(
    "not_found",
    `no phonebook that the users of conversation ${id} see has a contact "${given}": put it into one, or give { name, phoneNumbers, ... }`,
  );
}

/** Finds a contact by its id in the phonebooks that the users of a conversation see. */
export function contactSeenBy(
  participants: readonly ConversationParticipant[],
  id: string,
  phonebooks: Phonebooks,
): FoundContact | undefined {
  // a conversation without users sees only the shared phonebooks
  const emails = [...usersAmong(participants).map(({ email }) => email), ""];
  for (const email of emails) {
    const contact = phonebooks.contactById(id, email);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** Gives a contact an id. Call it after all checks: a refused command must not draw an id. */
export function withId({ engine }: CoreServices, contact: ContactRecord): ContactRecord {
  const { id } = contact;
  return deepFreeze(id === "" ? { ...contact, id: engine.ids.next("contact") } : contact);
}
