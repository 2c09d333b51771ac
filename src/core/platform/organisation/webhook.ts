import * as v from "valibot";
import { flag, list, object, oneOf, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import { type EventType, eventTypes } from "../declare/events.ts";

/** What a webhook may ask for, apart from types that a dialect declares. */
export const askable: readonly (EventType | "*")[] = [...eventTypes, "*"];

/** What compiles as a type to ask for: one of ours, `*`, or any `string`, since a dialect may declare more. */
export type AskedType = EventType | "*" | (string & Record<never, never>);

/** A type to ask for, as `Asked` was inferred from what is written. The literal of a type that there is not compiles nowhere. */
type KnownType<Asked extends string> = string extends Asked
  ? Asked
  : Asked extends EventType | "*"
    ? Asked
    : EventType | "*";

/** A webhook that asks for these types. */
export interface AsksFor<Asked extends string> {
  /** The types of events that it gets; `"*"` is all. */
  readonly events: readonly KnownType<Asked>[];
}

/** A type to ask for. `webhookProblems` knows the dialect, and refuses what neither it nor the documentation names. */
const askedType = v.pipe(
  v.custom<AskedType>(
    (value) => typeof value === "string",
    (issue) => `expected one of ${askable.join(", ")}, got ${show(issue.input)}`,
  ),
  v.metadata({ enum: askable, type: "string" }),
);

const events = v.pipe(list(askedType), v.nonEmpty("expected at least one event type"));

/** The fields of a webhook that the REST API takes. `webhookProblems` checks what their schemas cannot. */
export const newWebhookEntries = {
  /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
  url: text(),
  /** The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
  events,
  /** A description; null or left out for none. */
  description: v.optional(v.nullable(text())),
  /** Whether events are delivered to it. @default true */
  enabled: v.optional(flag()),
};

/** What a webhook also has in the profile `observed`. */
export const webhookMore = {
  /** `production` or `test`, which the profile `observed` shows. It changes nothing else. @default "production" */
  mode: v.optional(oneOf(["production", "test"])),
};

/** All fields of a webhook. */
export const webhookEntries = {
  ...newWebhookEntries,
  ...webhookMore,
  /** The secret with which deliveries are signed. @default a new one, from the seed */
  signingSecret: v.optional(text()),
  /**
   * The user who creates it, by id or e-mail address. They are notified when it is disabled.
   * @default the first active user
   */
  createdBy: v.optional(text()),
};

export const createWebhookSchema = object(webhookEntries);
/** The fields of a webhook that can be changed. */
export const changedWebhookEntries = {
  /** Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set. */
  url: v.optional(text()),
  /** The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed. */
  events: v.optional(events),
  /** A description; null for none. */
  description: webhookEntries.description,
  /** Whether events are delivered to it. `true` resets the count of failures to 0. */
  enabled: webhookEntries.enabled,
};
export const updateWebhookSchema = object({
  /** The webhook's id. */
  webhook: text(),
  ...changedWebhookEntries,
  ...webhookMore,
});

export type CreateWebhookArguments = v.InferOutput<typeof createWebhookSchema>;
export type UpdateWebhookArguments = v.InferOutput<typeof updateWebhookSchema>;
