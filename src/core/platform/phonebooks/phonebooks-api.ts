import type { ContactRecord, PhonebookRecord } from "../../generated/records.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import { type RecordHandle, recordHandle } from "../directory/record-handle.ts";
import type { Phonebooks } from "./phonebooks.ts";
import type { ContactFields } from "./schemas.ts";

export interface Needs extends CoreServices {
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
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Returns one phonebook.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @throws {CommandError} `not_found` for an unknown phonebook or user, or a user without one
   * @example
   * sim.phonebooks.get("customers").record.name; // => "Customers"
   * sim.phonebooks.get("alice@acme.test").record.name; // => "Alice's own"
   */
  get(idOrEmail: string): PhonebookHandle {
    const { phonebooks } = this.#services;
    return recordHandle(phonebooks.head(idOrEmail).id, (id) => phonebooks.get(id));
  }

  /**
   * All phonebooks, in the order in which they were created.
   * @param options.excludeEmpty leaves out those without contacts; default false
   * @example
   * sim.phonebooks.put("leads", { name: "Leads" });
   * sim.phonebooks.list({ excludeEmpty: true }).some(({ id }) => id === "leads"); // => false
   */
  list({ excludeEmpty = false }: { readonly excludeEmpty?: boolean } = {}): PhonebookHandle[] {
    return [...this.#services.tables.phonebooks]
      .filter(({ id }) => !excludeEmpty || this.#services.phonebooks.count(id) > 0)
      .map(({ id }) => this.get(id));
  }

  /**
   * Creates a phonebook or replaces a whole one. Omitted fields are as in a new phonebook. Contacts without an id get
   * one.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param phonebook the phonebook without its id
   * @throws {CommandError} `not_found` if the id is the e-mail address of no user, `invalid_argument` for a repeated
   * id
   * @example
   * const contacts = [{ name: "Ann Lee", phoneNumbers: ["+6421555009"] }];
   * sim.phonebooks.put("leads", { name: "Leads", contacts });
   * const call = sim.calls.inbound({ from: "+6421555009", to: "+6495550100" });
   * call.record.parties[0]?.displayName; // => "Ann Lee"
   */
  put(idOrEmail: string, phonebook: Omit<PhonebookFields, "id"> = {}): PhonebookHandle {
    const [put] = this.replace([{ ...phonebook, id: idOrEmail }]);
    return put as PhonebookHandle;
  }

  /**
   * Like `put`, for several phonebooks: all or none.
   * @param phonebooks the phonebooks, each with its id
   * @example
   * const handles = sim.phonebooks.replace([{ id: "leads", name: "Leads" }, { id: "press", name: "Press" }]);
   * handles.map(({ id }) => id); // => ["leads", "press"]
   */
  replace(phonebooks: readonly PhonebookFields[]): PhonebookHandle[] {
    const ids = this.#services.command("putPhonebooks", {
      // from JavaScript, it may be no list, which the command refuses
      phonebooks: Array.isArray(phonebooks) ? [...phonebooks] : phonebooks,
    });
    return ids.map((id) => this.get(id));
  }

  /**
   * A phonebook's contacts, in the order in which they were added.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @throws {CommandError} `not_found`
   * @example
   * sim.phonebooks.contacts("customers").map(({ id }) => id); // => ["jane", "kiwi-freight"]
   */
  contacts(idOrEmail: string): readonly ContactRecord[] {
    return this.#services.phonebooks.get(idOrEmail).contacts;
  }

  /**
   * Returns one contact.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param contactId the contact's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.phonebooks.contact("customers", "jane").emailAddresses; // => ["jane@customer.test"]
   */
  contact(idOrEmail: string, contactId: string): ContactRecord {
    return this.#services.phonebooks.contact(idOrEmail, contactId);
  }

  /**
   * Adds one or more contacts: all or none. Each replaces the contact with its id; without an id it gets one.
   * @param idOrEmail the phonebook's id, or a user's e-mail address for their personal one
   * @param contacts one contact or several
   * @throws {CommandError} `not_found`, `invalid_argument` for a repeated id
   * @example
   * sim.phonebooks.putContacts("customers", { id: "ann", name: "Ann", phoneNumbers: ["+6421555009"] });
   * sim.phonebooks.contact("customers", "ann").phoneNumbers; // => ["+6421555009"]
   */
  putContacts(idOrEmail: string, contacts: ContactFields | readonly ContactFields[]): ContactRecord[] {
    const ids = this.#services.command("putContacts", {
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
   * @example
   * sim.phonebooks.removeContact("customers", "jane");
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.record.parties[0]?.displayName; // => "+6421555001"
   */
  removeContact(idOrEmail: string, contactId: string): void {
    this.#services.command("removeContact", { phonebook: idOrEmail, contact: contactId });
  }
}
