import * as v from "valibot";
import { list, object, text } from "../../engine/input.ts";
import { phonebookEntries } from "../organisation/schema.ts";
import { contactWithoutId as contact } from "./contact-schema.ts";

const phonebook = object({ ...phonebookEntries, contacts: v.optional(list(contact)) });

export const putPhonebooksSchema = object({ phonebooks: list(phonebook) });
/** `phonebook` is an id, or a user's e-mail address for their personal one. */
export const putContactsSchema = object({ phonebook: text(), contacts: list(contact) });
export const removeContactSchema = object({ phonebook: text(), contact: text() });

export type PhonebookArguments = v.InferOutput<typeof phonebook>;
export type ContactArguments = v.InferOutput<typeof contact>;
export type ContactFields = v.InferInput<typeof contact>;
export type PutPhonebooksArguments = v.InferOutput<typeof putPhonebooksSchema>;
export type PutContactsArguments = v.InferOutput<typeof putContactsSchema>;
export type RemoveContactArguments = v.InferOutput<typeof removeContactSchema>;
