import { object, text } from "../../../foundation/input-schemas.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Phonebooks } from "../phonebooks.ts";

export const removeContact = defineCommand({
  summary: "removes a contact from a phonebook",
  schema: object({
    /** The phonebook's id, or a user's e-mail address for their personal one. */
    phonebook: text(),
    /** The contact's id. */
    contact: text(),
  }),
  actor: thePlatform,
  describe: ({ contact, phonebook }) => ({
    verb: "drops",
    mention: { contact, holder: { phonebook } },
  }),
  run: ({ phonebooks }: { readonly phonebooks: Phonebooks }, { phonebook, contact }) =>
    phonebooks.removeContact(phonebook, contact),
  example: () => ({ phonebook: "customers", contact: "jane" }),
});
