import * as v from "valibot";
import { e164, either, email, list, object, text } from "../../engine/input.ts";

const nullable = v.nullable;
const optional = v.optional;

/** What a contact has beside its id. */
export const contactEntries = {
  name: optional(text()),
  firstName: optional(nullable(text())),
  lastName: optional(nullable(text())),
  jobTitle: optional(nullable(text())),
  phoneNumbers: optional(list(e164())),
  emailAddresses: optional(list(email())),
};

/** A contact whose id is made if it has none. */
export const contactWithoutId = object({ id: optional(text()), ...contactEntries });

/** The id of a contact in a phonebook that a user sees, or the contact itself, by some name. */
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
