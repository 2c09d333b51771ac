import { ForkableMap } from "../../foundation/collections.ts";
import type { ContactRecord } from "../../generated/records.ts";
import { deepFreeze } from "../../records/table.ts";

/** What is known of a contact besides its record. */
export interface ContactDetails {
  /** The phonebook that it is in; null for the contact of a call or a conversation alone. */
  readonly phonebookId: string | null;
  /** The company that it works for; null if unknown. */
  readonly companyName: string | null;
  /** What each of its phone numbers is called, and the number in E.164; null if unknown. */
  readonly phoneNumbers: readonly { readonly label: string | null; readonly numberE164: string | null }[];
}

/** The details of each version of a contact, also of one that an event still shows. */
const detailsByContact = new WeakMap<ContactRecord, ContactDetails>();

/** What is known of a contact besides its record; undefined if nothing was kept. */
export function detailsOf(contact: ContactRecord): ContactDetails | undefined {
  return detailsByContact.get(contact);
}

/**
 * A contact and its place in the phonebook. Of two contacts with one number, the one that was added first is found.
 */
interface PlacedContact {
  readonly contact: ContactRecord;
  /** What else is known of it. Kept only in a profile that shows it. */
  readonly details?: ContactDetails | undefined;
  /** Its numbers that find it, E.164. */
  readonly numbers: readonly string[];
  readonly place: number;
}

/** A contact, and the numbers that find it, E.164. */
export type FoundContact = Omit<PlacedContact, "place">;

/**
 * The contacts of all phonebooks, by id and by number. Both indices change contact by contact, so adding one, finding
 * one and forking cost the same for tens of thousands as for a few.
 */
export class Contacts {
  constructor(
    private readonly byId = new ForkableMap<string, PlacedContact>(),
    /** Contacts by number, in the order of their places. */
    private readonly byNumber = new ForkableMap<string, readonly PlacedContact[]>(),
    /** Ids by phonebook, in the order of their places. */
    private readonly ids = new ForkableMap<string, readonly string[]>(),
  ) {}

  get(phonebookId: string, id: string): FoundContact | undefined {
    return this.byId.get(makeKey(phonebookId, id));
  }

  /** Finds the contact with a number. */
  find(phonebookId: string, number: string): ContactRecord | undefined {
    return this.byNumber.get(makeKey(phonebookId, number))?.[0]?.contact;
  }

  list(phonebookId: string): ContactRecord[] {
    return this.idsOf(phonebookId).map((id) => this.mustGet(phonebookId, id).contact);
  }

  /** The contacts after the last one that was read. If another contact now has its place, that one is included. */
  *after(
    phonebookId: string,
    last: { readonly place: number; readonly id: string } | undefined,
  ): IterableIterator<readonly [place: number, contact: ContactRecord]> {
    const ids = this.idsOf(phonebookId);
    for (let index = this.firstFrom(phonebookId, ids, last?.place ?? 0); index < ids.length; index++) {
      const { contact, place } = this.mustGet(phonebookId, ids[index] as string);
      if (place !== last?.place || contact.id !== last.id) yield [place, contact];
    }
  }

  count(phonebookId: string): number {
    return this.idsOf(phonebookId).length;
  }

  /** Adds contacts at the end. An existing one is replaced in its place. */
  put(phonebookId: string, contacts: readonly FoundContact[]): void {
    const ids = this.idsOf(phonebookId);
    const last = ids.at(-1);
    let nextPlace = last === undefined ? 0 : this.mustGet(phonebookId, last).place + 1;
    const added: string[] = [];
    for (const { contact, numbers, details } of contacts) {
      const before = this.byId.get(makeKey(phonebookId, contact.id));
      if (before === undefined) added.push(contact.id);
      else this.removeNumbers(phonebookId, before);
      this.place(phonebookId, {
        contact: deepFreeze(contact),
        numbers: deepFreeze(numbers),
        ...(details && { details }),
        place: before?.place ?? nextPlace++,
      });
    }
    if (added.length > 0) this.ids.set(phonebookId, ids.concat(added));
  }

  remove(phonebookId: string, id: string): void {
    this.removeNumbers(phonebookId, this.mustGet(phonebookId, id));
    this.byId.delete(makeKey(phonebookId, id));
    this.ids.set(
      phonebookId,
      this.idsOf(phonebookId).filter((each) => each !== id),
    );
  }

  clear(phonebookId: string): void {
    for (const id of this.idsOf(phonebookId)) {
      for (const number of this.mustGet(phonebookId, id).numbers)
        this.byNumber.delete(makeKey(phonebookId, number));
      this.byId.delete(makeKey(phonebookId, id));
    }
    this.ids.delete(phonebookId);
  }

  fork(): Contacts {
    return new Contacts(this.byId.fork(), this.byNumber.fork(), this.ids.fork());
  }

  /** The contacts and both indices, for `load`. */
  save() {
    return { byId: this.byId.save(), byNumber: this.byNumber.save(), ids: this.ids.save() };
  }

  /** @returns what was saved */
  load({ byId, byNumber, ids }: ReturnType<Contacts["save"]>): Contacts {
    for (const placed of byId.values()) rememberDetails(placed);
    return new Contacts(this.byId.load(byId), this.byNumber.load(byNumber), this.ids.load(ids));
  }

  private place(phonebookId: string, placed: PlacedContact): void {
    this.byId.set(makeKey(phonebookId, placed.contact.id), placed);
    rememberDetails(placed);
    for (const number of new Set(placed.numbers)) {
      const key = makeKey(phonebookId, number);
      const sharing = this.byNumber.get(key) ?? [];
      const at = sharing.findLastIndex((each) => each.place < placed.place) + 1;
      this.byNumber.set(key, sharing.toSpliced(at, 0, placed));
    }
  }

  private removeNumbers(phonebookId: string, { contact, numbers }: PlacedContact): void {
    for (const number of numbers) {
      const key = makeKey(phonebookId, number);
      const others = (this.byNumber.get(key) ?? []).filter((each) => each.contact.id !== contact.id);
      if (others.length > 0) this.byNumber.set(key, others);
      else this.byNumber.delete(key);
    }
  }

  /** The index of the first contact at a place or after it. */
  private firstFrom(phonebookId: string, ids: readonly string[], place: number): number {
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.mustGet(phonebookId, ids[middle] as string).place < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private idsOf(phonebookId: string): readonly string[] {
    return this.ids.get(phonebookId) ?? [];
  }

  private mustGet(phonebookId: string, id: string): PlacedContact {
    const placed = this.byId.get(makeKey(phonebookId, id));
    if (placed === undefined) throw new Error(`phonebook ${phonebookId} has no contact ${id}`);
    return placed;
  }
}

function rememberDetails({ contact, details }: PlacedContact): void {
  if (details !== undefined) detailsByContact.set(contact, details);
}

/** Joins two texts to one key. The length keeps different pairs apart. */
function makeKey(phonebookId: string, name: string): string {
  return `${phonebookId.length}:${phonebookId}${name}`;
}
