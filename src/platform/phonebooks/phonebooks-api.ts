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
 * `sim.phonebooks`. A phonebook is known by its id; with a user's e-mail address for an id it is that user's personal
 * one. Callers are known by the contacts there are when a call begins.
 */
export class PhonebooksApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /** @throws {CommandError} `not_found` for an unknown phonebook or user, or a user who has none yet */
  get(idOrEmail: string): PhonebookHandle {
    const { phonebooks } = this.#world;
    return recordHandle(phonebooks.head(idOrEmail).id, (id) => phonebooks.get(id));
  }

  /**
   * In the order in which they were made.
   * @param options.excludeEmpty leaves out those without contacts
   */
  list({ excludeEmpty = false }: { readonly excludeEmpty?: boolean } = {}): PhonebookHandle[] {
    return [...this.#world.tables.phonebooks]
      .filter(({ id }) => !excludeEmpty || this.#world.phonebooks.count(id) > 0)
      .map(({ id }) => this.get(id));
  }

  /**
   * Makes a phonebook, or replaces it whole: what is left out is as in a new one. Contacts without an id get one.
   * @throws {CommandError} `not_found` for the e-mail address of no user, `invalid_argument` for ids that come twice
   */
  put(idOrEmail: string, phonebook: Omit<PhonebookFields, "id"> = {}): PhonebookHandle {
    const [put] = this.replace([{ ...phonebook, id: idOrEmail }]);
    return put as PhonebookHandle;
  }

  /** As `put`, of several: all or none. */
  replace(phonebooks: readonly PhonebookFields[]): PhonebookHandle[] {
    const ids = this.#world.command("putPhonebooks", { phonebooks: [...phonebooks] });
    return ids.map((id) => this.get(id));
  }

  /** In the order in which they were added. @throws {CommandError} `not_found` */
  contacts(idOrEmail: string): readonly ContactRecord[] {
    return this.#world.phonebooks.get(idOrEmail).contacts;
  }

  /** @throws {CommandError} `not_found` */
  contact(idOrEmail: string, contactId: string): ContactRecord {
    return this.#world.phonebooks.contact(idOrEmail, contactId);
  }

  /**
   * Adds contacts, one or many, or replaces those that have the same id; without an id they get one. All or none.
   * @throws {CommandError} `not_found`, `invalid_argument` for ids that come twice
   */
  putContacts(idOrEmail: string, contacts: ContactFields | readonly ContactFields[]): ContactRecord[] {
    const ids = this.#world.command("putContacts", {
      phonebook: idOrEmail,
      contacts: [contacts].flat() as ContactFields[],
    });
    return ids.map((id) => this.contact(idOrEmail, id));
  }

  /** @throws {CommandError} `not_found` */
  removeContact(idOrEmail: string, contactId: string): void {
    this.#world.command("removeContact", { phonebook: idOrEmail, contact: contactId });
  }
}
