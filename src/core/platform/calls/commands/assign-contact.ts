import { CommandError } from "../../../foundation/errors.ts";
import { object, text } from "../../../foundation/input-schemas.ts";
import type { ContactRecord, Participant } from "../../../generated/records.ts";
import type { CallRecord } from "../../../records/call.ts";
import type { UserRecord } from "../../../records/directory.ts";
import { deepFreeze } from "../../../records/table.ts";
import type { CoreServices } from "../../base/core-services.ts";
import type { CallRecords } from "../../call-record/call-records.ts";
import { withContactName } from "../../call-record/summary.ts";
import { whoeverBy } from "../../declare/description.ts";
import { contactName } from "../../declare/words.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer, ringingCall } from "../../guards/example.ts";
import { type ContactOrId, contactOrId } from "../../organisation/contact.ts";
import { newContact, type Phonebooks } from "../../phonebooks/phonebooks.ts";
import { callToName } from "../kept-call.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly directory: Directory;
  readonly phonebooks: Phonebooks;
}

/**
 * A user assigns a contact to the outside party. The party and the summary take the contact's name. No phonebook
 * changes, since contacts are managed only through the API.
 */
export const assignContact = defineCommand({
  summary:
    "a user says who the outside party is: a contact's id, or `{ name, firstName, lastName, phoneNumbers, ... }`",
  schema: object({
    /** The call's id. */
    call: text(),
    /** The outside party: the id of a contact in a phonebook that the user sees, or the contact itself. */
    contact: contactOrId,
    /** The user who assigns the contact, by id or e-mail address. */
    by: text(),
  }),
  guard: callToName,
  actor: whoeverBy,
  describe: ({ contact, by }) =>
    typeof contact === "string"
      ? { verb: "assigns", mention: { contact, holder: { user: by } } }
      : `assigns the contact ${contactName(contact)}`,
  run(services: Needs, { contact: given, by }, call) {
    const { callRecords, directory, raise } = services;
    const user = directory.user(by);
    const wasKnown = isKnown(services, call, user);
    const contact = chooseContact(services, given, call, user);
    const changed = callRecords.edit(call.id, (draft) => {
      for (const party of draft.parties)
        if (party.phoneNumber === call.contactNumber) party.displayName = contact.name;
      draft.summary = withContactName(call, contact.name);
    });
    const participants = deepFreeze(listParticipants(changed));
    raise.callContactAssigned({ call: changed, contact, participants, wasKnown });
  },
  example: (before) => ({
    call: ringingCall(before),
    by: "alice",
    contact: { name: "Jo", phoneNumbers: [aCustomer] },
  }),
});

/** Whether the call already shows a contact's name, or would show one to this user. */
function isKnown({ phonebooks }: Needs, call: CallRecord, user: UserRecord): boolean {
  const { contactNumber, summary } = call;
  const isNamed =
    summary.contactNumberDescription !== contactNumber ||
    call.parties.some((party) => party.phoneNumber === contactNumber && party.displayName !== contactNumber);
  return isNamed || phonebooks.findContactByNumber(contactNumber, user.email) !== undefined;
}

function chooseContact(
  { engine, phonebooks }: Needs,
  given: ContactOrId,
  call: CallRecord,
  user: UserRecord,
): ContactRecord {
  if (typeof given !== "string") {
    const numbers = call.contactNumber === null ? [] : [call.contactNumber];
    const id = given.id ?? engine.ids.next("contact");
    return deepFreeze(newContact({ phoneNumbers: numbers, ...given }, id));
  }
  const found = phonebooks.contactById(given, user.email);
  if (found === undefined)
    throw new CommandError(
      "not_found",
      `no phonebook that ${user.id} sees has a contact "${given}": put it into one, or give { name, phoneNumbers, ... }`,
    );
  return found.contact;
}

/** The people among a call's parties, each once. Someone who returned to the call has two parties. */
function listParticipants(call: CallRecord): Participant[] {
  const people = new Map<string, Participant>();
  for (const { type, entryId, phoneNumber, displayName, email } of call.parties) {
    if (type === "user" && entryId !== undefined && email !== null)
      people.set(entryId, { type, id: entryId, displayName, email });
    else if (type === "external" && phoneNumber !== null)
      people.set(phoneNumber, { type, phoneNumber, displayName });
  }
  return [...people.values()];
}
