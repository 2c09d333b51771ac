import * as v from "valibot";
import { eventTypes } from "../../platform/events.ts";
import type { ContactRecord, PhonebookRecord } from "../../records/phonebook.ts";
import type { WebhookRecord } from "../../records/webhook.ts";
import { integer, moment, named, nullableText, optionalMoment, text, texts } from "./common.ts";

type Describes<T> = v.GenericSchema<unknown, T>;

export const contactSchema = named(
  "Contact",
  v.strictObject({
    id: text,
    name: text,
    firstName: nullableText,
    lastName: nullableText,
    jobTitle: nullableText,
    phoneNumbers: texts,
    emailAddresses: texts,
  }),
) satisfies Describes<ContactRecord>;

const phonebook = {
  id: text,
  name: text,
  countryIso: nullableText,
  ...moment("created"),
  ...moment("lastModified"),
};

export const phonebookSchema = named(
  "Phonebook",
  v.strictObject({ ...phonebook, contacts: v.array(contactSchema) }),
) satisfies Describes<PhonebookRecord>;

/** As the list has it: without contacts for `limit=0`. */
export const listedPhonebookSchema = named(
  "ListedPhonebook",
  v.strictObject({ ...phonebook, contacts: v.optional(v.array(contactSchema)) }),
);

const webhook = {
  id: text,
  url: text,
  description: nullableText,
  events: v.array(v.picklist([...eventTypes, "*"])),
  enabled: v.boolean(),
  consecutiveFailures: integer,
  ...moment("created"),
  ...moment("lastModified"),
  ...optionalMoment("disabled"),
};

export const webhookSchema = named("Webhook", v.strictObject(webhook)) satisfies Describes<WebhookRecord>;

/** Only from its creation. */
export const createdWebhookSchema = named(
  "CreatedWebhook",
  v.strictObject({ ...webhook, signingSecret: text }),
);
