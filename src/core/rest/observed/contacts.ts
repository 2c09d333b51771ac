import * as v from "valibot";
import { either, email, list, object, text } from "../../foundation/input-schemas.ts";
import { omit } from "../../foundation/values.ts";
import { takingBack } from "../../platform/declare/wire-schemas.ts";
import { contactWithoutId } from "../../platform/organisation/contact.ts";
import { phonebookEntries, phonebookMore } from "../../platform/organisation/schema.ts";
import { phonebook as phonebookSchema } from "../../platform/phonebooks/record.ts";

/** The bodies of requests about phonebooks, as clients of the profile `observed` send them: docs/observed.md. */

const optional = v.optional;
const nullable = v.nullable;
const described = <Output>(schema: v.GenericSchema<unknown, Output>, description: string) =>
  v.pipe(schema, v.description(description));

const label = described(optional(nullable(text())), "What the number is called, such as `mobile`.");
const written = described(text(), "The number, as it is written.");
const ignored = described(optional(nullable(text())), "As an answer has it. Ignored.");

/** A phone number: with a label, as an answer has it, or as text. Read as commands take it. */
const phoneNumber = either(
  [
    v.pipe(
      object({ label, value: written }),
      v.transform((given) => ({ written: given.value, label: given.label })),
    ),
    v.pipe(
      object({ label, numberRaw: written, numberE164: ignored, numberDisplay: ignored }),
      v.transform((given) => ({ written: given.numberRaw, label: given.label })),
    ),
    written,
  ],
  "expected { label, value }, or a phone number",
);

const contactObject = object({
  ...omit(contactWithoutId.entries, "phoneNumbers", "emailAddresses"),
  phoneNumbers: optional(described(list(phoneNumber), "Phone numbers, each with its label.")),
  emails: optional(described(list(email()), "E-mail addresses.")),
  emailAddresses: optional(described(list(email()), "Another name of `emails`.")),
  phonebookId: ignored,
});

/** A contact, read as commands take it. */
const contact = v.pipe(
  contactObject,
  v.transform(({ phonebookId: _, emails, emailAddresses, ...rest }) => ({
    ...rest,
    emailAddresses: emails ?? emailAddresses,
  })),
);

const oneContact = {
  contact: described(contact, "The contact."),
  countryIso: described(phonebookEntries.countryIso, "The country of local numbers, such as `NZ`."),
};

/** `PUT /phonebooks/{id}/contacts/{contactId}`: a contact, in a wrapper or alone. */
export const contactBody = either(
  [
    object(oneContact),
    v.pipe(
      contact,
      v.transform((alone) => ({ contact: alone, countryIso: undefined })),
    ),
  ],
  "expected { contact, countryIso }, or a contact",
);

/** `PUT /phonebooks/{id}/contacts`: one contact in a wrapper, or several. Read as a list. */
export const contactsBody = either(
  [
    v.pipe(
      object(oneContact),
      v.transform((one) => ({ contacts: [one.contact], countryIso: one.countryIso })),
    ),
    object({
      contacts: described(list(contact), "The contacts."),
      countryIso: oneContact.countryIso,
    }),
    v.pipe(
      contact,
      v.transform((one) => ({ contacts: [one], countryIso: undefined })),
    ),
  ],
  "expected { contact, countryIso }, { contacts }, or a contact",
);

const contents = {
  ...omit(phonebookEntries, "id"),
  ...phonebookMore,
  contacts: optional(described(list(contact), "Everything that it holds from now on.")),
};

/** A phonebook whose id may be left out. Made for each use, since the document would refer from one body to another. */
const newPhonebookBody = () =>
  takingBack(
    { id: optional(described(text(), "The phonebook's id. Default: a new one.")), ...contents },
    phonebookSchema,
  );

/** `PUT /phonebooks/{id}` */
export const phonebookBody = newPhonebookBody();

/** `PUT /phonebooks`: one, or several. Read as a list. */
export const phonebooksBody = either(
  [
    v.pipe(
      newPhonebookBody(),
      v.transform((one) => ({ phonebooks: [one] })),
    ),
    object({
      phonebooks: described(
        list(newPhonebookBody()),
        "The phonebooks. Each replaces the one with its id, whole.",
      ),
    }),
  ],
  "expected a phonebook, or { phonebooks }",
);
