import type { Moment } from "./moments.ts";

/** A contact of a phonebook. */
export interface ContactRecord {
  /** Unique in its phonebook. */
  readonly id: string;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly jobTitle: string | null;
  readonly phoneNumbers: readonly string[];
  readonly emailAddresses: readonly string[];
}

/** A phonebook without its contacts, of which there may be tens of thousands. */
export interface PhonebookHead extends Moment<"created">, Moment<"lastModified"> {
  /** For a personal phonebook, the user's e-mail address in lower case. */
  readonly id: string;
  readonly name: string;
  readonly countryIso: string | null;
}

/** Shared, or a user's own. */
export interface PhonebookRecord extends PhonebookHead {
  /** In the order in which they were added. */
  readonly contacts: readonly ContactRecord[];
}
