import * as v from "valibot";
import { eventTypes } from "../../generated/records.ts";
import {
  dateField,
  flagField,
  many,
  nullableText,
  optionalDateField,
  record,
  textField,
  whole,
} from "../../records/fields.ts";

const fields = {
  id: textField("The webhook's id."),
  url: textField("Where events are delivered."),
  description: nullableText("A description; null without one."),
  events: many(
    // the dialect may declare more
    v.pipe(v.string(), v.metadata({ enum: [...eventTypes, "*"] })),
    "The types of the events that it receives, or `*` for all; those that the dialect declares are allowed.",
  ),
  enabled: flagField("Whether events are delivered to it."),
  consecutiveFailures: whole("How many events in a row could not be delivered."),
  createdBy: nullableText("The id of the user who created it; null if nobody is named, as through the API."),
  ...dateField("created", "When the webhook was created"),
  ...dateField("lastModified", "When the webhook last changed"),
  ...optionalDateField("disabled", "When the webhook was disabled"),
};

export const webhook = record(
  { type: "WebhookRecord", component: "Webhook" },
  "A webhook: an address that events are delivered to.",
  fields,
);

export const createdWebhook = record(
  { type: "CreatedWebhook", component: "CreatedWebhook" },
  "A webhook as its creation answers it.",
  {
    ...fields,
    signingSecret: textField("The secret that deliveries are signed with. Only the creation answers it."),
  },
);
