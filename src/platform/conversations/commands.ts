import * as v from "valibot";
import { e164, either, flag, list, object, oneOf, text, url } from "../../engine/input.ts";
import { show } from "../../engine/instants.ts";
import { channels } from "../../records/conversation.ts";
import { closeTimer } from "../data-actions/close-timer.ts";
import { passthrough } from "../passthrough/schema.ts";
import { contactOrId as contact } from "../phonebooks/contact-schema.ts";

/**
 * The arguments of every command on conversations. Those that send are the bodies of the API's three endpoints; what
 * is wrong with them beside their shape is in `problems.ts`. `conversation` is an id of ours or of the vendor.
 */

const optional = v.optional;

/** The contacts and the users of a conversation. Rules: docs/fidelity.md#who-takes-part. */
export const MAX_PARTICIPANTS = 10;
const MAX_NAME_CHARACTERS = 100;
const MAX_LEGACY_CHARACTERS = 1_600;

/** Text of at most so many characters, as people count them. */
function textUpTo(characters: number) {
  return v.pipe(
    text(),
    v.check(
      (value) => [...value].length <= characters,
      (issue) => `expected at most ${characters} characters, got ${[...issue.input].length}`,
    ),
  );
}

/** What a new conversation may be given, and what every update restarts. */
const conversationEntries = {
  closeTimer: optional(closeTimer),
  conversationName: optional(textUpTo(MAX_NAME_CHARACTERS)),
  passthroughParameters: optional(passthrough),
};

/** A URL alone stands for `{ url }`. */
const media = v.pipe(
  either(
    [url(), object({ url: url(), mimeType: optional(text()) })],
    "expected an https URL or { url, mimeType }",
  ),
  v.transform((given) => (typeof given === "string" ? { url: given } : given)),
);

const words = optional(v.string((issue) => `expected text, got ${show(issue.input)}`));

const messageContent = object({
  /** May be left out beside media. */
  text: words,
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
  contactAddresses,
  companyAddress: e164(),
  messageContent,
  channel: optional(oneOf(channels)),
  /** Required for a new conversation. */
  routingAction: optional(oneOf(["assign_users", "do_not_route", "assign_owner"])),
  /** E-mail addresses. */
  assignUsers: optional(list(text())),
  claimRule: optional(text()),
  notificationMode: optional(oneOf(["notify_unread", "silent_unread", "silent_read"])),
  ...conversationEntries,
});

/** The body of the deprecated `POST /messages`. */
export const sendMessageSchema = object({
  body: textUpTo(MAX_LEGACY_CHARACTERS),
  /** A user's e-mail address, or their number. */
  from: text(),
  to: e164(),
  notifyUsers: optional(flag()),
  ...conversationEntries,
});

/** The body of the deprecated `POST /teamMessages`: with `contactAddress`, or with `contactAddresses` and `channel`. */
export const sendTeamMessageSchema = object({
  companyAddress: e164(),
  contactAddress: optional(e164()),
  contactAddresses: optional(contactAddresses),
  channel: optional(oneOf(["sms"])),
  messageContent,
  routingAction: optional(oneOf(["assign_users", "assign_team", "do_not_route"])),
  assignUsers: optional(list(text())),
  claimRule: optional(text()),
  notifyUsers: optional(flag()),
  ...conversationEntries,
});

/** An outside contact writes to one of the organisation's numbers. */
export const receiveSchema = object({
  from: e164(),
  to: e164(),
  /** The further contacts of a group. */
  others: optional(list(e164())),
  /** May be left out beside media. */
  text: words,
  channel: optional(oneOf(channels)),
  media: optional(list(media)),
});

export const closeConversationSchema = object({ conversation: text() });
/** `by` is a user whom it is assigned to. */
export const readConversationSchema = object({ conversation: text(), by: text() });

/** `contact` is in a phonebook that a user of the conversation sees. */
export const conversationContactSchema = object({
  conversation: text(),
  contact,
});

export type MediaInput = v.InferOutput<typeof media>;
export type SendArguments = v.InferOutput<typeof sendSchema>;
export type SendMessageArguments = v.InferOutput<typeof sendMessageSchema>;
export type SendTeamMessageArguments = v.InferOutput<typeof sendTeamMessageSchema>;
export type ReceiveArguments = v.InferOutput<typeof receiveSchema>;
export type CloseConversationArguments = v.InferOutput<typeof closeConversationSchema>;
export type ReadConversationArguments = v.InferOutput<typeof readConversationSchema>;
export type ConversationContactArguments = v.InferOutput<typeof conversationContactSchema>;
