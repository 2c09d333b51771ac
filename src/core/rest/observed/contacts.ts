import * as v from "valibot";
import { either, email, list, object, text } from "../../foundation/input-schemas.ts";
import { omit } from "../../foundation/values.ts";
import { contactWithoutId } from "../../platform/organisation/contact.ts";
import { phonebookEntries, phonebookMore } from "../../platform/organisation/schema.ts";
import { phonebook as phonebookSchema } from "../../records/schemas/phonebook.ts";
import { takingBack } from "../schemas.ts";

/** The bodies of requests about phonebooks, as clients of the profile `observed` send them: docs/observed.md. */

const optional = v.optional;
const nullable = v.nullable;
const described = (schema: v.GenericSchema, description: string) =>
  v.pipe(schema, v.description(description));

const label = optional(nullable(text()));

/** A phone number: with a label, as an answer has it, or as text. Read as commands take it. */
const phoneNumber = either(
  [
    v.pipe(
      object({
        label: described(label, "What the number is called, such as `mobile`."),
        value: v.pipe(text(), v.description("The number, as it is written.")),
      }),
      v.transform(({ label: given, value }) => ({
        written: value,
        label: given as string | null | undefined,
      })),
    ),
    v.pipe(
      object({
        label: described(label, "What the number is called, such as `mobile`."),
        numberRaw: v.pipe(text(), v.description("The number, as it is written.")),
        numberE164: optional(described(nullable(text()), "As an answer has it. Ignored.")),
        numberDisplay: optional(described(nullable(text()), "As an answer has it. Ignored.")),
      }),
      v.transform(({ label: given, numberRaw }) => ({
        written: numberRaw,
        label: given as string | null | undefined,
      })),
    ),
    v.pipe(text(), v.description("The number, as it is written.")),
  ],
  "expected { label, value }, or a phone number",
);

const contactObject = object({
  ...omit(contactWithoutId.entries, "phoneNumbers", "emailAddresses"),
  phoneNumbers: optional(v.pipe(list(phoneNumber), v.description("Phone numbers, each with its label."))),
  emails: optional(v.pipe(list(email()), v.description("E-mail addresses."))),
  emailAddresses: optional(v.pipe(list(email()), v.description("Another name of `emails`."))),
  phonebookId: optional(described(nullable(text()), "As an answer has it. Ignored.")),
});

/** A contact, read as commands take it. */
const contact = v.pipe(
  contactObject,
  v.transform(({ phonebookId: _, emails, emailAddresses, ...rest }) => ({
    ...rest,
    emailAddresses: emails ?? emailAddresses,
  })),
);

const countryIso = phonebookEntries.countryIso;
const country = v.pipe(countryIso, v.description("The country of local numbers, such as `NZ`."));

/** `PUT /phonebooks/{id}/contacts/{contactId}`: a contact, in a wrapper or alone. */
export const contactBody = either(
  [
    object({ contact: v.pipe(contact, v.description("The contact.")), countryIso: country }),
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
      object({ contact: v.pipe(contact, v.description("The contact.")), countryIso: country }),
      v.transform((one) => ({ contacts: [one.contact], countryIso: one.countryIso })),
    ),
    object({
      contacts: v.pipe(list(contact), v.description("The contacts.")),
      countryIso: country,
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
  contacts: optional(v.pipe(list(contact), v.description("Everything that it holds from now on."))),
};

/** A phonebook whose id may be left out. Made for each use, since the document would refer from one body to another. */
const newPhonebookBody = () =>
  takingBack(
    { id: optional(v.pipe(text(), v.description("The phonebook's id. Default: a new one."))), ...contents },
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
      phonebooks: v.pipe(
        list(newPhonebookBody()),
        v.description("The phonebooks. Each replaces the one with its id, whole."),
      ),
    }),
  ],
  "expected a phonebook, or { phonebooks }",
);
