import * as v from "valibot";
import { MAX_PARTICIPANTS } from "../../../../machines/participants.ts";
import {
  e164,
  either,
  flag,
  list,
  object,
  oneOf,
  senderNumber,
  text,
  url,
} from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import { channels } from "../../records/conversation.ts";
import { closeTimer } from "../data-actions/close-timer.ts";
import { contactOrId } from "../organisation/contact.ts";
import { passthrough } from "../passthrough/schema.ts";

/**
 * The arguments of every command with a message. Commands that send take the bodies of the API's three endpoints;
 * `problems.ts` checks what a schema cannot.
 */

const optional = v.optional;

const MAX_NAME_CHARACTERS = 100;
const MAX_LEGACY_CHARACTERS = 1_600;

/** Text of at most this many characters, counted as people count them. */
function textUpTo(characters: number) {
  return v.pipe(
    text(),
    v.check(
      (value) => [...value].length <= characters,
      (issue) => `expected at most ${characters} characters, got ${[...issue.input].length}`,
    ),
    v.metadata({ maxLength: characters }),
  );
}

/** Properties of a new conversation. Each update restarts its timers. */
const conversationEntries = {
  /**
   * How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month
   * counts 30 days, a year 365.
   */
  closeTimer: optional(closeTimer),
  /** The name of a new conversation, shown in lists, at most 100 characters. */
  conversationName: optional(textUpTo(MAX_NAME_CHARACTERS)),
  /**
   * Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing
   * ones.
   */
  passthroughParameters: optional(passthrough),
};

/** A plain URL means `{ url }`. */
const media = v.pipe(
  either(
    [
      url(),
      object({
        /** Where the file is: an https URL. */
        url: url(),
        /** The file's media type, such as `image/jpeg`. */
        mimeType: optional(text()),
      }),
    ],
    "expected an https URL or { url, mimeType }",
  ),
  v.transform((given) => (typeof given === "string" ? { url: given } : given)),
);

const words = optional(v.string((issue) => `expected text, got ${show(issue.input)}`));

const messageContent = object({
  /** The text of the message. May be left out if there is media. */
  text: words,
  /** Files of the message: https URLs, or `{ url, mimeType }`. */
  media: optional(list(media)),
  /** The user on whose behalf it is sent: an e-mail address. */
  sendAsUser: optional(text()),
});

const contactAddresses = v.pipe(
  list(e164()),
  v.minLength(1, "expected at least one phone number"),
  v.maxLength(MAX_PARTICIPANTS, `expected at most ${MAX_PARTICIPANTS} phone numbers`),
);

/** The body of `POST /conversationMessages`. */
export const sendSchema = object({
  /** The recipients, 1 to 10 numbers, E.164. Several are a group. */
  contactAddresses,
  /** The organisation's number that the message is sent from, E.164. */
  companyAddress: e164(),
  /** What the message says. */
  messageContent,
  /** The channel of the message. @default "sms" */
  channel: optional(oneOf(channels)),
  /** Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation. */
  routingAction: optional(oneOf(["assign_users", "do_not_route", "assign_owner"])),
  /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
  assignUsers: optional(list(text())),
  /** The rule by which users claim a new conversation. Ignored for an existing one. */
  claimRule: optional(text()),
  /** Whether users are notified of the message, and whether it stays unread. @default "notify_unread" */
  notificationMode: optional(oneOf(["notify_unread", "silent_unread", "silent_read"])),
  ...conversationEntries,
});

/** The body of the deprecated `POST /messages`. */
export const sendMessageSchema = object({
  /** The text of the message, at most 1600 characters. */
  body: textUpTo(MAX_LEGACY_CHARACTERS),
  /** Who sends it: a user's e-mail address, or their number, E.164. */
  from: text(),
  /** The recipient's number, E.164. */
  to: e164(),
  /** Whether the users of a new conversation are notified of the message. @default true */
  notifyUsers: optional(flag()),
  ...conversationEntries,
});

/** The body of the deprecated `POST /teamMessages`: with `contactAddress`, or with `contactAddresses` and `channel`. */
export const sendTeamMessageSchema = object({
  /** The team's number that the message is sent from, E.164. */
  companyAddress: e164(),
  /** The only recipient's number, E.164; instead of `contactAddresses`. */
  contactAddress: optional(e164()),
  /** The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`. */
  contactAddresses: optional(contactAddresses),
  /** The channel of the message: `sms`. */
  channel: optional(oneOf(["sms"])),
  /** What the message says. */
  messageContent,
  /** Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody. */
  routingAction: optional(oneOf(["assign_users", "assign_team", "do_not_route"])),
  /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
  assignUsers: optional(list(text())),
  /** The rule by which users claim a new conversation. Ignored for an existing one. */
  claimRule: optional(text()),
  /** Whether the users of a new conversation are notified of the message. @default true */
  notifyUsers: optional(flag()),
  ...conversationEntries,
});

/** An outside contact writes to one of the organisation's numbers. */
export const receiveSchema = object({
  /** The number of the contact who writes, E.164, or a short code of 3 to 8 digits, which nobody can answer. */
  from: senderNumber(),
  /** The organisation's number that they write to, E.164. */
  to: e164(),
  /** The numbers of a group's further contacts, E.164. */
  others: optional(list(e164())),
  /** The text of the message. May be left out if there is media. */
  text: words,
  /** The channel of the message. @default "sms" */
  channel: optional(oneOf(channels)),
  /** Files of the message: https URLs, or `{ url, mimeType }`. */
  media: optional(list(media)),
});

/** What is done with a contact of a conversation. */
export const conversationContactSchema = object({
  /** The conversation, by its id or the vendor's. */
  conversation: text(),
  /**
   * The outside contact: the id of a contact in a phonebook that a user of the conversation sees, or the contact
   * itself.
   */
  contact: contactOrId,
});

export type MediaInput = v.InferOutput<typeof media>;
export type SendArguments = v.InferOutput<typeof sendSchema>;
export type SendMessageArguments = v.InferOutput<typeof sendMessageSchema>;
export type SendTeamMessageArguments = v.InferOutput<typeof sendTeamMessageSchema>;
export type ReceiveArguments = v.InferOutput<typeof receiveSchema>;
