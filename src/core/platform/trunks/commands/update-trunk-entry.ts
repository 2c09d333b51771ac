import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { updateTrunkEntrySchema } from "../schemas.ts";
import type { Trunks } from "../trunks.ts";

export const updateTrunkEntry = defineCommand({
  summary: "changes the given fields of an entry of a trunk",
  schema: updateTrunkEntrySchema,
  actor: thePlatform,
  describe: ({ id, trunk }) => ({ verb: "changes", mention: { entry: id, trunk } }),
  run: ({ trunks }: { readonly trunks: Trunks }, args) => trunks.update(args),
  example: () => ({ trunk: "pbx", kind: "device" as const, id: "gate", displayName: "Back gate" }),
});
