import { show } from "../../../foundation/show.ts";
import { theWebhook } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aWebhook } from "../../guards/example.ts";
import { updateWebhookSchema } from "../../organisation/webhook.ts";
import { webhookProblems } from "../../organisation/webhook-problems.ts";
import type { Webhooks } from "../webhooks.ts";

export interface Needs {
  readonly webhooks: Webhooks;
}

export const updateWebhook = defineCommand({
  summary: "changes the given fields of a webhook",
  schema: updateWebhookSchema,
  actor: theWebhook,
  describe({ webhook: _, ...changes }) {
    const texts = Object.entries(changes).flatMap(([key, value]) =>
      value === undefined ? [] : [changeText(key, value)],
    );
    return texts.join(", ") || "stays as it is";
  },
  validate: ({ webhooks }: Needs, wellFormed) => webhookProblems(webhooks, wellFormed),
  run: ({ webhooks }: Needs, args) => webhooks.update(args),
  example: (before) => ({ webhook: aWebhook(before), enabled: false }),
});

function changeText(key: string, value: NonNullable<unknown> | null): string {
  if (key === "enabled") return value === true ? "is enabled" : "is disabled";
  if (key === "events") return `asks for ${(value as string[]).join(", ")}`;
  return key === "url" ? `moves to ${value}` : `has the description ${show(value)}`;
}
