import { CommandError, notFound } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { ContactRecord, PhonebookHead, PhonebookRecord } from "../../generated/records.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import { newId } from "../directory/new-id.ts";
import {
  inE164,
  listE164,
  readWritten,
  withNumbersRead,
  withPhonebooksRead,
} from "../organisation/contact-numbers.ts";
import { type ContactDetails, Contacts, type FoundContact } from "./contacts.ts";
import type {
  ContactArguments,
  PhonebookArguments,
  PutContactsArguments,
  PutPhonebooksArguments,
} from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

type PhonebookInput = NonNullable<Organisation["phonebooks"]>[number];

export interface State {
  readonly contacts: Contacts;
  /** The ids of the shared phonebooks, in order. */
  readonly shared: string[];
}

/** The records of phonebooks with their contacts. Each version is made on its first read. */
const wholeRecords = new WeakMap<PhonebookHead, PhonebookRecord>();

/** Phonebooks and their contacts, and the names of numbers. */
export class Phonebooks {
  private readonly contacts: Contacts;
  private readonly shared: string[];

  constructor(
    private readonly services: Needs,
    state: State,
  ) {
    this.contacts = state.contacts;
    this.shared = state.shared;
  }

  /** Adds the phonebooks of the organisation. */
  begin(phonebooks: readonly PhonebookInput[]): void {
    for (const phonebook of phonebooks) this.replace({ ...phonebook, id: phonebookId(phonebook.id) });
  }

  /**
   * The contact with this number: from the user's personal phonebook, otherwise from the shared ones in their order.
   * Other users' personal phonebooks are ignored.
   */
  findContactByNumber(number: string, userEmail: string | undefined): ContactRecord | undefined {
    const personal =
      userEmail === undefined ? undefined : this.contacts.find(userEmail.toLowerCase(), number);
    if (personal !== undefined) return personal;
    for (const id of this.shared) {
      const contact = this.contacts.find(id, number);
      if (contact !== undefined) return contact;
    }
    return undefined;
  }

  /** The name by which a number is known; the number itself if it is unknown, or its contact has no name. */
  findName(number: string, userEmail: string | undefined): string {
    const contact = this.findContactByNumber(number, userEmail);
    // a contact without a name is named by one of its numbers, not always by this one
    return contact === undefined || contact.phoneNumbers.includes(contact.name) ? number : contact.name;
  }

  /** A contact of the phonebook with this id, if there are both. */
  contactIn(phonebookId: string, contactId: string): ContactRecord | undefined {
    return this.contacts.get(phonebookId, contactId)?.contact;
  }

  /** The contact with this id, searched in the same order. */
  contactById(id: string, userEmail: string): FoundContact | undefined {
    for (const phonebookId of [userEmail.toLowerCase(), ...this.shared]) {
      const contact = this.contacts.get(phonebookId, id);
      if (contact !== undefined) return contact;
    }
    return undefined;
  }

  /** The first number, in E.164, of a contact in a shared phonebook; undefined if there is none. */
  firstKnownNumber(): string | undefined {
    for (const phonebook of this.shared)
      for (const { id } of this.contacts.list(phonebook)) {
        const [number] = this.contacts.get(phonebook, id)?.numbers ?? [];
        if (number !== undefined) return number;
      }
    return undefined;
  }

  /** Whether any phonebook has a contact with this number. */
  isKnown(number: string): boolean {
    return [...this.services.tables.phonebooks].some(
      ({ id }) => this.contacts.find(id, number) !== undefined,
    );
  }

  /** The contacts with this id, of all phonebooks, each with the instant of the last change of its phonebook, ms. */
  contactsById(id: string): (FoundContact & { readonly changedMs: number })[] {
    return [...this.services.tables.phonebooks].flatMap(({ id: phonebook, lastModifiedTimestamp }) => {
      const found = this.contacts.get(phonebook, id);
      return found === undefined ? [] : [{ ...found, changedMs: lastModifiedTimestamp }];
    });
  }

  /**
   * A phonebook without its contacts.
   * @throws {CommandError} `not_found` for an unknown phonebook or user, or a user without one
   */
  head(idOrEmail: string): PhonebookHead {
    const id = this.known(idOrEmail);
    const { phonebooks } = this.services.tables;
    const head = phonebooks.get(id);
    if (head !== undefined) return head;
    if (isPersonal(id)) throw new CommandError("not_found", `${id} has no personal phonebook yet: put one`);
    throw notFound("phonebook", id, phonebooks);
  }

  /** A phonebook with its contacts. @throws {CommandError} as `head` */
  get(idOrEmail: string): PhonebookRecord {
    const head = this.head(idOrEmail);
    let record = wholeRecords.get(head);
    if (record === undefined) {
      record = Object.freeze({ ...head, contacts: Object.freeze(this.contacts.list(head.id)) });
      wholeRecords.set(head, record);
    }
    return record;
  }

  /** @throws {CommandError} `not_found` */
  contact(idOrEmail: string, contactId: string): ContactRecord {
    const contact = this.findContact(idOrEmail, contactId);
    if (contact === undefined)
      throw notFound(`contact of phonebook ${idOrEmail}`, contactId, this.get(idOrEmail).contacts);
    return contact;
  }

  /** @throws {CommandError} `not_found` for an unknown phonebook */
  findContact(idOrEmail: string, contactId: string): ContactRecord | undefined {
    return this.contacts.get(this.head(idOrEmail).id, contactId)?.contact;
  }

  /** The contacts after the given one, with their places. @throws {CommandError} as `head` */
  contactsAfter(idOrEmail: string, last: Parameters<Contacts["after"]>[1]): ReturnType<Contacts["after"]> {
    return this.contacts.after(this.head(idOrEmail).id, last);
  }

  count(phonebookId: string): number {
    return this.contacts.count(phonebookId);
  }

  /**
   * Creates phonebooks or replaces whole ones: all or none.
   * @throws {CommandError} `not_found` if an id is the e-mail address of no user, `invalid_argument` for a repeated
   * id
   * @returns their ids
   */
  put({ phonebooks }: PutPhonebooksArguments): string[] {
    const known = phonebooks.map((phonebook) => ({ ...phonebook, id: this.known(phonebook.id) }));
    const problem =
      firstDuplicate(known.map(({ id }) => id)) ??
      known.map(({ contacts = [] }) => duplicateAmong(contacts)).find(Boolean);
    if (problem !== undefined)
      throw new CommandError(
        "invalid_argument",
        `putPhonebooks: the id "${problem}" comes twice: give each its own`,
      );
    for (const phonebook of known) this.replace(phonebook);
    return known.map(({ id }) => id);
  }

  /**
   * Adds contacts. Each replaces the contact with its id.
   * @throws {CommandError} `not_found`, `invalid_argument` for a repeated id
   * @returns their ids
   */
  putContacts({ phonebook, contacts }: PutContactsArguments): string[] {
    const { id } = this.head(phonebook);
    const twice = duplicateAmong(contacts);
    if (twice !== undefined)
      throw new CommandError(
        "invalid_argument",
        `putContacts: the id "${twice}" comes twice: give each its own`,
      );
    const added = this.newContacts(id, contacts);
    this.contacts.put(id, added);
    this.touch(id);
    return added.map(({ contact }) => contact.id);
  }

  /** @throws {CommandError} `not_found` */
  removeContact(phonebook: string, contactId: string): void {
    const contact = this.contact(phonebook, contactId);
    const { id } = this.head(phonebook);
    this.contacts.remove(id, contact.id);
    this.touch(id);
  }

  /** Reads the numbers of whole phonebooks. @throws {InputError} if the reader returns no number */
  phonebooksRead({ phonebooks }: PutPhonebooksArguments): PutPhonebooksArguments {
    const { countryIso, phoneNumbers } = this.services.settings;
    return { phonebooks: withPhonebooksRead(phonebooks, countryIso, phoneNumbers) };
  }

  /** Reads the numbers of contacts. @throws {InputError} if the reader returns no number, {CommandError} `not_found` */
  contactsRead({ phonebook, contacts }: PutContactsArguments): PutContactsArguments {
    return { phonebook, contacts: this.numbersRead(contacts, this.head(phonebook).countryIso) };
  }

  /**
   * Reads the numbers of contacts.
   * @param countryIso the country of their phonebook; null for that of the organisation
   * @throws {InputError} if the reader returns no number
   */
  numbersRead<C extends ContactArguments>(contacts: C[], countryIso: string | null): C[] {
    const { settings } = this.services;
    return withNumbersRead(contacts, countryIso ?? settings.countryIso, settings.phoneNumbers);
  }

  /** The id of a phonebook. @throws {CommandError} `not_found` if it is the e-mail address of no user */
  private known(idOrEmail: string): string {
    return isPersonal(idOrEmail) ? phonebookId(this.services.directory.user(idOrEmail).email) : idOrEmail;
  }

  private replace(args: PhonebookArguments): void {
    const { id, name = id, countryIso = null, contacts = [] } = args;
    const { engine, tables, settings } = this.services;
    const more = settings.profile === undefined ? {} : { description: args.description ?? null };
    const lastModified = dateFields("lastModified", engine.now);
    if (tables.phonebooks.get(id) === undefined) {
      tables.phonebooks.insert({
        id,
        name,
        countryIso,
        ...more,
        ...dateFields("created", engine.now),
        ...lastModified,
      });
      if (!isPersonal(id)) this.shared.push(id);
    } else {
      this.contacts.clear(id);
      tables.phonebooks.patch(id, { name, countryIso, ...more, ...lastModified });
    }
    this.contacts.put(id, this.newContacts(id, contacts));
  }

  /** Makes a new version of a phonebook whose contacts changed. */
  private touch(id: string): void {
    this.services.tables.phonebooks.patch(id, dateFields("lastModified", this.services.engine.now));
  }

  /** Makes contact records with ids. */
  private newContacts(phonebookId: string, inputs: readonly ContactArguments[]): FoundContact[] {
    const given = new Set(inputs.map(({ id }) => id));
    const isTaken = (id: string) => given.has(id) || this.contacts.get(phonebookId, id) !== undefined;
    return inputs.map((input) => ({
      contact: newContact(input, input.id ?? newId(this.services.engine.ids, "contact", isTaken)),
      numbers: listE164(input.phoneNumbers ?? []),
      ...(this.services.settings.profile && { details: detailsIn(phonebookId, input) }),
    }));
  }
}

export function newContact(input: ContactArguments, id: string): ContactRecord {
  const full = [input.firstName, input.lastName].filter(Boolean).join(" ");
  const phoneNumbers = (input.phoneNumbers ?? []).map(readWritten);
  return {
    id,
    name: input.name ?? (full || phoneNumbers[0] || id),
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    jobTitle: input.jobTitle ?? null,
    phoneNumbers,
    emailAddresses: input.emailAddresses ?? [],
  };
}

/** What is known of a contact besides its record. */
function detailsIn(
  phonebookId: string,
  { companyName, phoneNumbers = [] }: ContactArguments,
): ContactDetails {
  return {
    phonebookId,
    companyName: companyName ?? null,
    phoneNumbers: phoneNumbers.map((number) => ({
      label: (typeof number === "string" ? undefined : number.label) ?? null,
      numberE164: inE164(number) ?? null,
    })),
  };
}

/** Whether an id is a user's e-mail address, and so that of a personal phonebook. */
function isPersonal(id: unknown): id is string {
  return typeof id === "string" && id.includes("@");
}

/** A phonebook's id. For a personal phonebook, the user's e-mail address in lower case. */
export function phonebookId(id: string): string {
  return isPersonal(id) ? id.toLowerCase() : id;
}

function duplicateAmong(contacts: readonly ContactArguments[]): string | undefined {
  return firstDuplicate(contacts.flatMap(({ id }) => id ?? []));
}

function firstDuplicate(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}

/** Phonebooks, whose contacts give callers their names. */
export const phonebooks = defineService({
  init: (): State => ({ contacts: new Contacts(), shared: [] }),
  create: (services: Needs, state) => new Phonebooks(services, state),
  onStart: (it, organisation) => it.begin(organisation.phonebooks ?? []),
});
