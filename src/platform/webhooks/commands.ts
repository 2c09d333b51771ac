import * as v from "valibot";
import { flag, list, object, oneOf, text } from "../../engine/input.ts";
import { eventTypes } from "../events.ts";

const events = v.pipe(list(oneOf([...eventTypes, "*"])), v.nonEmpty("expected at least one event type"));

/** What is wrong with a URL beside its shape is checked by `webhook-url.ts`. */
export const webhookEntries = {
  url: text(),
  /** Event types, or `*` for all. */
  events,
  description: v.optional(v.nullable(text())),
  enabled: v.optional(flag()),
  /** What deliveries are signed with; default: one of its own, from the seed. */
  signingSecret: v.optional(text()),
  /** The user who creates it, by id or e-mail address, and is told when it is disabled; default: the first active user. */
  createdBy: v.optional(text()),
};

export const createWebhookSchema = object(webhookEntries);
export const updateWebhookSchema = object({
  webhook: text(),
  url: v.optional(text()),
  events: v.optional(events),
  description: webhookEntries.description,
  enabled: webhookEntries.enabled,
});
export const removeWebhookSchema = object({ webhook: text() });

export type CreateWebhookArguments = v.InferOutput<typeof createWebhookSchema>;
export type UpdateWebhookArguments = v.InferOutput<typeof updateWebhookSchema>;
export type RemoveWebhookArguments = v.InferOutput<typeof removeWebhookSchema>;
