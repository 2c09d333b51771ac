import * as v from "valibot";
import { either, email, list, object, text } from "../../foundation/input-schemas.ts";
import { omit } from "../../foundation/values.ts";
import { contactNumber } from "./contact-numbers.ts";

const nullable = v.nullable;
const optional = v.optional;

/** The fields of a contact without its id. */
export const contactEntries = {
  /** The whole name, as people see it. @default the first and the last name */
  name: optional(text()),
  /** The first name; null if unknown. */
  firstName: optional(nullable(text())),
  /** The last name; null if unknown. */
  lastName: optional(nullable(text())),
  /** The job title; null if unknown. */
  jobTitle: optional(nullable(text())),
  /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
  companyName: optional(nullable(text())),
  /**
   * Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the
   * country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody.
   */
  phoneNumbers: optional(list(contactNumber)),
  /** E-mail addresses. */
  emailAddresses: optional(list(email())),
};

/** A contact whose id may be left out. */
export const contactWithoutId = object({
  /** The contact's id. @default a new one */
  id: optional(text()),
  ...contactEntries,
});

/** The same as clients of the REST API send it: they know no number that was read. */
export const contactOfClient = object({
  ...omit(contactWithoutId.entries, "companyName"),
  /**
   * Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the
   * country of the phonebook, else of the organisation; if it cannot be read, it matches nobody.
   */
  phoneNumbers: optional(list(text())),
});

/** The id of a contact in a phonebook that a user sees, or the contact itself, with at least one name. */
export const contactOrId = either(
  [
    text(),
    v.pipe(
      contactWithoutId,
      v.check(
        ({ name, firstName, lastName }) => Boolean(name ?? firstName ?? lastName),
        "expected a name, a firstName or a lastName",
      ),
    ),
  ],
  "expected the id of a contact, or { name, phoneNumbers, ... }",
);
export type ContactOrId = v.InferOutput<typeof contactOrId>;
