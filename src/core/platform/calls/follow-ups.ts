import { CommandError } from "../../foundation/errors.ts";
import { show } from "../../foundation/instants.ts";
import type { ContactRecord, Participant } from "../../generated/records.ts";
import type { CallNote, CallRecord } from "../../records/call.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { UserRecord } from "../../records/directory.ts";
import { deepFreeze } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { whoeverBy } from "../declare/description.ts";
import { guarded, type RecordGuard } from "../declare/record-guards.ts";
import { command, defineService } from "../declare/service.ts";
import { contactName } from "../declare/words.ts";
import type { Directory } from "../directory/directory.ts";
import { newContact, type Phonebooks } from "../phonebooks/phonebooks.ts";
import {
  type AssignContactArguments,
  assignContactSchema,
  type NoteArguments,
  noteSchema,
} from "./commands.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly phonebooks: Phonebooks;
  readonly callRecords: CallRecords;
}

import { withContactName } from "../call-record/summary.ts";

/** Notes and contacts that people add to a call, during it or at any time after it. */
export class FollowUps {
  constructor(private readonly world: Needs) {}

  /** @throws {CommandError} `not_found` for a call that is not kept */
  find(callId: string): CallRecord {
    return this.world.callRecords.find(callId);
  }

  /**
   * A user writes a note. This changes `modified` and emits no event. Rules: docs/fidelity.md#notes-and-contacts.
   * @throws {CommandError} `not_found` if the call is not kept, or `by` is not a user
   * @returns the note's id
   */
  note({ call: callId, by, text }: NoteArguments): string {
    const { callRecords, directory, engine } = this.world;
    const call = callRecords.find(callId);
    const { id: userId, email, displayName } = directory.user(by);
    const id = engine.ids.next("note");
    const note: CallNote = {
      id,
      text,
      author: { userId, email, displayName },
      ...dateFields("created", engine.now),
    };
    callRecords.change(callId, { notes: [...call.notes, note] });
    return id;
  }

  /**
   * A user assigns a contact to the outside party. The party and the summary take the contact's name. No phonebook
   * changes, since contacts are managed only through the API.
   * @throws {CommandError} `not_found`; `not_allowed` for a call within the organisation
   */
  assignContact({ call: callId, contact: given, by }: AssignContactArguments): void {
    const { callRecords, directory } = this.world;
    const call = callRecords.find(callId);
    const user = directory.user(by);
    const wasKnown = this.isKnown(call, user);
    const contact = this.contactOf(given, call, user);
    const changed = callRecords.change(callId, {
      parties: call.parties.map((party) =>
        party.phoneNumber === call.contactNumber ? { ...party, displayName: contact.name } : party,
      ),
      summary: withContactName(call, contact.name),
    });
    const participants = deepFreeze(participantsOf(changed));
    this.world.raise.callContactAssigned({ call: changed, contact, participants, wasKnown });
  }

  /** Whether the call already shows a contact's name, or would show one to this user. */
  private isKnown(call: CallRecord, user: UserRecord): boolean {
    const { contactNumber, summary } = call;
    const isNamed =
      summary.contactNumberDescription !== contactNumber ||
      call.parties.some(
        (party) => party.phoneNumber === contactNumber && party.displayName !== contactNumber,
      );
    return isNamed || this.world.phonebooks.contactOf(contactNumber, user.email) !== undefined;
  }

  private contactOf(
    given: AssignContactArguments["contact"],
    call: CallRecord,
    user: UserRecord,
  ): ContactRecord {
    const { engine, phonebooks } = this.world;
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
}

/** The people among a call's parties, each once. Someone who returned to the call has two parties. */
function participantsOf(call: CallRecord): Participant[] {
  const people = new Map<string, Participant>();
  for (const { type, entryId, phoneNumber, displayName, email } of call.parties) {
    if (type === "user" && entryId !== undefined && email !== null)
      people.set(entryId, { type, id: entryId, displayName, email });
    else if (type === "external" && phoneNumber !== null)
      people.set(phoneNumber, { type, phoneNumber, displayName });
  }
  return [...people.values()];
}

/** The right to add something to a call that is kept, while it goes on or later. */
const anyCall: RecordGuard<FollowUps, { readonly call: string }, CallRecord> = {
  on: "follow-ups of a call",
  find: (it, { call }) => it.find(call),
  refusal: () => undefined,
};
/** The right to give the outside party a name. */
const callToName: typeof anyCall = {
  ...anyCall,
  refusal: ({ id, contactNumber, isInternal }) => {
    if (contactNumber === null)
      return new CommandError(
        "not_allowed",
        `the caller of call ${id} withheld the number: there is none to name`,
      );
    return isInternal
      ? new CommandError("not_allowed", `call ${id} is internal: it has no outside number to name`)
      : undefined;
  },
};

/** Notes and contacts of calls. */
export const followUps = defineService({
  create: (world: Needs) => new FollowUps(world),
  commands: {
    note: guarded(
      anyCall,
      command(
        noteSchema,
        whoeverBy,
        ({ text }) => `notes ${show(text)}`,
        (it: FollowUps, args) => it.note(args),
      ),
    ),
    assignContact: guarded(
      callToName,
      command(
        assignContactSchema,
        whoeverBy,
        ({ contact }) => `assigns the contact ${contactName(contact)}`,
        (it: FollowUps, args) => it.assignContact(args),
      ),
    ),
  },
});
