import { thePlatform } from "../../declare/description.ts";
import { counted } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Phonebooks } from "../phonebooks.ts";
import { putPhonebooksSchema } from "../schemas.ts";

export interface Needs {
  readonly phonebooks: Phonebooks;
}

export const putPhonebooks = defineCommand({
  summary:
    "adds phonebooks, or replaces them whole. A user's e-mail address as `id` means their personal one",
  schema: putPhonebooksSchema,
  actor: thePlatform,
  describe({ phonebooks }) {
    const [first, ...more] = phonebooks;
    if (first === undefined || more.length > 0) return `takes ${counted(phonebooks.length, "phonebook")}`;
    return { verb: "takes", mention: { phonebook: first.id, name: first.name } };
  },
  enrich: ({ phonebooks }: Needs, args) => phonebooks.phonebooksRead(args),
  run: ({ phonebooks }: Needs, args) => phonebooks.put(args),
  example: () => ({ phonebooks: [{ id: "partners" }] }),
});
