import { theNewWebhook } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { anEndpoint } from "../../guards/example.ts";
import { createWebhookSchema } from "../../organisation/webhook.ts";
import { webhookProblems } from "../../organisation/webhook-problems.ts";
import type { Webhooks } from "../webhooks.ts";

export interface Needs {
  readonly webhooks: Webhooks;
}

export const createWebhook = defineCommand({
  summary: "delivers events from now on; `as` names the webhook",
  makes: "webhook",
  schema: createWebhookSchema,
  actor: theNewWebhook,
  describe: ({ url, events }) => ({ verb: "asks for", detail: events.join(", "), aside: url }),
  validate: ({ webhooks }: Needs, wellFormed) => webhookProblems(webhooks, wellFormed),
  run: ({ webhooks }: Needs, args) => webhooks.create(args),
  example: () => ({ url: anEndpoint, events: ["call.ended"] }),
});
