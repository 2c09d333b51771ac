import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { addTrunkEntrySchema } from "../schemas.ts";
import type { Trunks } from "../trunks.ts";

export const addTrunkEntry = defineCommand({
  summary: "adds a `device`, `queue` or `user` to a trunk",
  schema: addTrunkEntrySchema,
  actor: thePlatform,
  describe: ({ displayName, extension, trunk }) => ({
    verb: `adds ${displayName} (${extension}) to`,
    mention: { trunk },
  }),
  run: ({ trunks }: { readonly trunks: Trunks }, args) => trunks.add(args),
  example: () => ({ trunk: "pbx", kind: "queue" as const, displayName: "Repairs", extension: "400" }),
});
