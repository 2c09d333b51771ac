import type { ContactRecord, PhonebookRecord } from "../../generated/records.ts";
import type { Base, CommandInput } from "../base.ts";
import { type RecordHandle, recordHandle } from "../directory/record-handle.ts";
import type { ContactFields } from "./commands.ts";
import type { Phonebooks } from "./phonebooks.ts";

export interface Needs extends Base {
  readonly phonebooks: Phonebooks;
}

/** One phonebook, as `sim.phonebooks.get` gives it. */
export type PhonebookHandle = RecordHandle<PhonebookRecord>;
type PhonebookFields = CommandInput<"putPhonebooks">["phonebooks"][number];

/**
 * `sim.phonebooks`. A phonebook whose id is a user's e-mail address is that user's personal one. A caller is shown by
 * the contact that exists when the call begins.
 */
export class PhonebooksApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /**
   * Returns one phonebook.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @throws {CommandError} `not_found` for an unknown phonebook or user, or a user without one
   */
  get(idOrEmail: string): PhonebookHandle {
    const { phonebooks } = this.#world;
    return recordHandle(phonebooks.head(idOrEmail).id, (id) => phonebooks.get(id));
  }

  /**
   * All phonebooks, in the order in which they were created.
   * @param options.excludeEmpty leaves out those without contacts; default false
   */
  list({ excludeEmpty = false }: { readonly excludeEmpty?: boolean } = {}): PhonebookHandle[] {
    return [...this.#world.tables.phonebooks]
      .filter(({ id }) => !excludeEmpty || this.#world.phonebooks.count(id) > 0)
      .map(({ id }) => this.get(id));
  }

  /**
   * Creates a phonebook or replaces a whole one. Omitted fields are as in a new phonebook. Contacts without an id get
   * one.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param phonebook the phonebook without its id
   * @throws {CommandError} `not_found` if the id is the e-mail address of no user, `invalid_argument` for a repeated
   * id
   */
  put(idOrEmail: string, phonebook: Omit<PhonebookFields, "id"> = {}): PhonebookHandle {
    const [put] = this.replace([{ ...phonebook, id: idOrEmail }]);
    return put as PhonebookHandle;
  }

  /**
   * Like `put`, for several phonebooks: all or none.
   * @param phonebooks the phonebooks, each with its id
   */
  replace(phonebooks: readonly PhonebookFields[]): PhonebookHandle[] {
    const ids = this.#world.command("putPhonebooks", { phonebooks: [...phonebooks] });
    return ids.map((id) => this.get(id));
  }

  /**
   * A phonebook's contacts, in the order in which they were added.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @throws {CommandError} `not_found`
   */
  contacts(idOrEmail: string): readonly ContactRecord[] {
    return this.#world.phonebooks.get(idOrEmail).contacts;
  }

  /**
   * Returns one contact.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param contactId the contact's id
   * @throws {CommandError} `not_found`
   */
  contact(idOrEmail: string, contactId: string): ContactRecord {
    return this.#world.phonebooks.contact(idOrEmail, contactId);
  }

  /**
   * Adds one or more contacts: all or none. Each replaces the contact with its id; without an id it gets one.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param contacts one contact or several
   * @throws {CommandError} `not_found`, `invalid_argument` for a repeated id
   */
  putContacts(idOrEmail: string, contacts: ContactFields | readonly ContactFields[]): ContactRecord[] {
    const ids = this.#world.command("putContacts", {
      phonebook: idOrEmail,
      contacts: [contacts].flat() as ContactFields[],
    });
    return ids.map((id) => this.contact(idOrEmail, id));
  }

  /**
   * Removes one contact.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param contactId the contact's id
   * @throws {CommandError} `not_found`
   */
  removeContact(idOrEmail: string, contactId: string): void {
    this.#world.command("removeContact", { phonebook: idOrEmail, contact: contactId });
  }
}
