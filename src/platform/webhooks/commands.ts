import * as v from "valibot";
import { flag, list, object, oneOf, text } from "../../engine/input.ts";
import { eventTypes } from "../events.ts";

const events = v.pipe(list(oneOf([...eventTypes, "*"])), v.nonEmpty("expected at least one event type"));

/** What is wrong with a URL beside its shape is checked by `webhook-url.ts`. */
export const webhookEntries = {
  /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
  url: text(),
  /** The event types that it is sent, or `*` for all. */
  events,
  /** What it is for, in words; null or left out: nothing is said. */
  description: v.optional(v.nullable(text())),
  /** Whether it is sent events; default true. */
  enabled: v.optional(flag()),
  /** What deliveries are signed with; default: one of its own, from the seed. */
  signingSecret: v.optional(text()),
  /** The user who creates it, by id or e-mail address, and is told when it is disabled; default: the first active user. */
  createdBy: v.optional(text()),
};

export const createWebhookSchema = object(webhookEntries);
export const updateWebhookSchema = object({
  /** The webhook's id. */
  webhook: text(),
  /** Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set. */
  url: v.optional(text()),
  /** The event types that it is sent from the next event on, or `*` for all. */
  events: v.optional(events),
  /** What it is for, in words; null: nothing is said. */
  description: webhookEntries.description,
  /** Whether it is sent events. `true` sets the count of failures to 0. */
  enabled: webhookEntries.enabled,
});
export const removeWebhookSchema = object({
  /** The webhook's id. */
  webhook: text(),
});

export type CreateWebhookArguments = v.InferOutput<typeof createWebhookSchema>;
export type UpdateWebhookArguments = v.InferOutput<typeof updateWebhookSchema>;
export type RemoveWebhookArguments = v.InferOutput<typeof removeWebhookSchema>;
