import { thePlatform } from "../../declare/description.ts";
import { counted } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Phonebooks } from "../phonebooks.ts";
import { putContactsSchema } from "../schemas.ts";

export interface Needs {
  readonly phonebooks: Phonebooks;
}

export const putContacts = defineCommand({
  summary: "adds contacts to a phonebook, or replaces those with the same id",
  schema: putContactsSchema,
  actor: thePlatform,
  describe: ({ contacts, phonebook }) => ({
    verb: `takes ${counted(contacts.length, "contact")} into`,
    mention: { phonebook },
  }),
  enrich: ({ phonebooks }: Needs, args) => phonebooks.contactsRead(args),
  run: ({ phonebooks }: Needs, args) => phonebooks.putContacts(args),
  example: () => ({ phonebook: "customers", contacts: [{ name: "Jo", phoneNumbers: ["+6421555009"] }] }),
});
