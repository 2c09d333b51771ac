import * as v from "valibot";
import { list, object, text } from "../../foundation/input-schemas.ts";
import { contactWithoutId as contact } from "../organisation/contact.ts";
import { phonebookEntries, phonebookMore } from "../organisation/schema.ts";

const phonebook = object({
  ...phonebookEntries,
  ...phonebookMore,
  /** All contacts of the phonebook from now on. @default [] */
  contacts: v.optional(list(contact)),
});

export const putPhonebooksSchema = object({
  /** The phonebooks. Each replaces the whole phonebook with its id. */
  phonebooks: list(phonebook),
});
export const putContactsSchema = object({
  /** The phonebook's id, or a user's e-mail address for their personal one. */
  phonebook: text(),
  /** The contacts to add. Each replaces the one with its id. */
  contacts: list(contact),
});

export type PhonebookArguments = v.InferOutput<typeof phonebook>;
export type ContactArguments = v.InferOutput<typeof contact>;
export type ContactFields = v.InferInput<typeof contact>;
export type PutPhonebooksArguments = v.InferOutput<typeof putPhonebooksSchema>;
export type PutContactsArguments = v.InferOutput<typeof putContactsSchema>;
