import type { Table } from "../../records/table.ts";
import type { ContactInput, PhonebookInput } from "../organisation/schema.ts";

export interface ContactRecord {
  readonly id: string;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly jobTitle: string | null;
  readonly phoneNumbers: readonly string[];
  readonly emailAddresses: readonly string[];
}

export interface PhonebookRecord {
  /** For a personal phonebook, the user's e-mail address. */
  readonly id: string;
  readonly name: string;
  readonly countryIso: string | null;
  readonly contacts: readonly ContactRecord[];
}

export function newPhonebook(input: PhonebookInput): PhonebookRecord {
  return {
    id: input.id.includes("@") ? input.id.toLowerCase() : input.id,
    name: input.name ?? input.id,
    countryIso: input.countryIso ?? null,
    contacts: (input.contacts ?? []).map(newContact),
  };
}

export function newContact(input: ContactInput): ContactRecord {
  const full = [input.firstName, input.lastName].filter(Boolean).join(" ");
  return {
    id: input.id,
    name: input.name ?? (full || input.id),
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    jobTitle: input.jobTitle ?? null,
    phoneNumbers: input.phoneNumbers ?? [],
    emailAddresses: input.emailAddresses ?? [],
  };
}

/**
 * Contacts by number of each version of a phonebook: made on the first look-up, gone with the record. A memo of a pure
 * function, so simulators and their forks may share it.
 */
const indices = new WeakMap<PhonebookRecord, ReadonlyMap<string, ContactRecord>>();

/** Finds who a number belongs to. */
export class Phonebooks {
  constructor(private readonly table: Table<PhonebookRecord>) {}

  /**
   * The contact with this number: in the personal phonebook of the user first, then in the shared ones in their
   * order. Other users' personal phonebooks are not looked at.
   */
  contactOf(number: string, userEmail: string | undefined): ContactRecord | undefined {
    const personal = userEmail === undefined ? undefined : this.find(userEmail.toLowerCase(), number);
    if (personal !== undefined) return personal;
    for (const phonebook of this.table) {
      if (phonebook.id.includes("@")) continue;
      const contact = indexOf(phonebook).get(number);
      if (contact !== undefined) return contact;
    }
    return undefined;
  }

  /** The contact with this id, in the same phonebooks in the same order. */
  contactById(id: string, userEmail: string): ContactRecord | undefined {
    const shared = [...this.table].filter((phonebook) => !phonebook.id.includes("@"));
    return [this.table.get(userEmail.toLowerCase()), ...shared]
      .flatMap((phonebook) => phonebook?.contacts ?? [])
      .find((contact) => contact.id === id);
  }

  private find(phonebookId: string, number: string): ContactRecord | undefined {
    const phonebook = this.table.get(phonebookId);
    return phonebook === undefined ? undefined : indexOf(phonebook).get(number);
  }
}

function indexOf(phonebook: PhonebookRecord): ReadonlyMap<string, ContactRecord> {
  let index = indices.get(phonebook);
  if (index === undefined) {
    // reversed, so that of two contacts with one number the first is found
    const pairs = phonebook.contacts.flatMap((contact) =>
      contact.phoneNumbers.map((number) => [number, contact] as const),
    );
    index = new Map(pairs.reverse());
    indices.set(phonebook, index);
  }
  return index;
}
