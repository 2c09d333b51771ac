import * as v from "valibot";
import { email, emailOrNumber, list, object } from "../../foundation/input-schemas.ts";
import { flagField, record } from "../../records/fields.ts";
import type { CoreServices } from "../base/core-services.ts";
import { created, operationsWith, type Tag } from "../declare/operation.ts";
import { defineBody } from "../declare/wire-schemas.ts";
import type { Directory } from "../directory/directory.ts";
import { passthroughOfBody } from "../passthrough/schema.ts";
import type { Conversations } from "./conversations.ts";
import { sendMessageProblems, sendProblems, sendTeamMessageProblems } from "./problems.ts";
import { sentMessage } from "./record.ts";
import { sendMessageSchema, sendSchema, sendTeamMessageSchema } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly conversations: Conversations;
  readonly directory: Directory;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Messages", description: "SMS and group MMS" };

const success = record({ component: "Success" }, "What sending a message answered before.", {
  success: flagField("Always true."),
});

/** The fields of all bodies in which commands take more than clients may send. */
const forAll = {
  /**
   * Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing
   * ones.
   */
  passthroughParameters: v.optional(passthroughOfBody),
};

/** The same for the bodies that name users. Commands also take their ids. */
const forTeams = {
  ...forAll,
  /** What the message says. */
  messageContent: object({
    ...sendSchema.entries.messageContent.entries,
    /** The user on whose behalf it is sent: an e-mail address. */
    sendAsUser: v.optional(email()),
  }),
  /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
  assignUsers: v.optional(list(email())),
};

// the channel is for commands: clients of this path send SMS
const { channel: _, ...sendEntries } = sendSchema.entries;
const conversationMessageBody = object({ ...sendEntries, ...forTeams });

const messageBody = object({
  ...sendMessageSchema.entries,
  ...forAll,
  /** Who sends it: a user's e-mail address, or their number, E.164. */
  from: emailOrNumber(),
});

const teamMessageBody = object({ ...sendTeamMessageSchema.entries, ...forTeams });

/** `assign_users` needs users to assign. */
const assignUsersRule = {
  if: {
    properties: { routingAction: { const: "assign_users", description: "The users are named." } },
    required: ["routingAction"],
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: { assignUsers: { minItems: 1, description: "The users, at least one." } },
    required: ["assignUsers"],
  },
};

/** The schema of what has a field. Linters want a required field to be declared beside it. */
const having = (field: string) => ({
  required: [field],
  properties: { [field]: { description: "Not beside the other." } },
});

export const messageOperations = [
  operation({
    method: "post",
    path: "/conversationMessages",
    id: "sendConversationMessage",
    tag,
    summary: "Send an SMS or a group MMS",
    description:
      "To one contact an SMS, to several a group MMS, from a number of a user or a team. The message is added to the conversation with them, or begins one: `routingAction` then says whom it is assigned to. A new group has no `vendorMessageId` yet: `conversation.message.created` has it.",
    body: defineBody("NewConversationMessage", conversationMessageBody),
    bodyRules: assignUsersRule,
    check: ({ conversations, directory }, body) => sendProblems(directory, conversations, body),
    commands: ["sendConversationMessage"],
    answers: { 201: sentMessage },
    example: {
      body: {
        contactAddresses: ["+6421555001"],
        companyAddress: "+6495550100",
        messageContent: { text: "Your order is on its way." },
        routingAction: "assign_owner",
        closeTimer: "P1D",
      },
    },
    handle: ({ platform, body }) => created(platform.runValidated("sendConversationMessage", body)),
  }),
  operation({
    method: "post",
    path: "/messages",
    id: "sendMessage",
    tag,
    summary: "Send an SMS on behalf of a user",
    description: "`POST /conversationMessages` replaces it.",
    isDeprecated: true,
    body: defineBody("NewMessage", messageBody),
    check: ({ directory }, body) => sendMessageProblems(directory, body),
    commands: ["sendMessage"],
    answers: { 201: success },
    example: { body: { from: "alice@acme.test", to: "+6421555001", body: "On my way." } },
    handle({ platform, body }) {
      platform.runValidated("sendMessage", body);
      return created({ success: true });
    },
  }),
  operation({
    method: "post",
    path: "/teamMessages",
    id: "sendTeamMessage",
    tag,
    summary: "Send an SMS or a group MMS on behalf of a team",
    description: "`POST /conversationMessages` replaces it.",
    isDeprecated: true,
    body: defineBody("NewTeamMessage", teamMessageBody),
    bodyRules: {
      ...assignUsersRule,
      oneOf: [
        { required: ["contactAddress"], not: having("contactAddresses") },
        { required: ["contactAddresses", "channel"], not: having("contactAddress") },
      ],
    },
    check: ({ conversations, directory }, body) => sendTeamMessageProblems(directory, conversations, body),
    commands: ["sendTeamMessage"],
    answers: { 201: sentMessage },
    example: {
      body: {
        companyAddress: "+6495550200",
        contactAddress: "+6421555001",
        messageContent: { text: "We are open." },
        routingAction: "assign_team",
      },
    },
    handle: ({ platform, body }) => created(platform.runValidated("sendTeamMessage", body)),
  }),
];
