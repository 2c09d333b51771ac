import { object, text } from "../../../foundation/input-schemas.ts";
import { theWebhook } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aWebhook } from "../../guards/example.ts";
import type { Webhooks } from "../webhooks.ts";

export const removeWebhook = defineCommand({
  summary: "deletes a webhook",
  schema: object({
    /** The webhook's id. */
    webhook: text(),
  }),
  actor: theWebhook,
  describe: () => "is deleted",
  run: ({ webhooks }: { readonly webhooks: Webhooks }, { webhook }) => webhooks.remove(webhook),
  example: (before) => ({ webhook: aWebhook(before) }),
});
