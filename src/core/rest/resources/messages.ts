import {
  sendMessageSchema,
  sendSchema,
  sendTeamMessageSchema,
} from "../../platform/conversations/schemas.ts";
import { sentMessage } from "../../records/schemas/conversation.ts";
import { flag, record } from "../../records/schemas/fields.ts";
import { created, operation, type Tag } from "../operation.ts";
import { bodyOf } from "../schemas.ts";

const tag: Tag = { name: "Messages", description: "SMS and group MMS" };

const success = record({ component: "Success" }, "What sending a message answered before.", {
  success: flag("Always true."),
});

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

/** The commands read these bodies themselves, so that one answer lists every problem. */
export const messageOperations = [
  operation({
    method: "post",
    path: "/conversationMessages",
    id: "sendConversationMessage",
    tag,
    summary: "Send an SMS or a group MMS",
    description:
      "To one contact an SMS, to several a group MMS, from a number of a user or a team. The message is added to the conversation with them, or begins one: `routingAction` then says whom it is assigned to. A new group has no `vendorMessageId` yet: `conversation.message.created` has it.",
    body: bodyOf("NewConversationMessage", sendSchema),
    bodyRules: assignUsersRule,
    isReadByCommand: true,
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
    handle: ({ platform, body }) => created(platform.command("sendConversationMessage", body)),
  }),
  operation({
    method: "post",
    path: "/messages",
    id: "sendMessage",
    tag,
    summary: "Send an SMS on behalf of a user",
    description: "`POST /conversationMessages` replaces it.",
    isDeprecated: true,
    body: bodyOf("NewMessage", sendMessageSchema),
    isReadByCommand: true,
    answers: { 201: success },
    example: { body: { from: "alice@acme.test", to: "+6421555001", body: "On my way." } },
    handle({ platform, body }) {
      platform.command("sendMessage", body);
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
    body: bodyOf("NewTeamMessage", sendTeamMessageSchema),
    bodyRules: {
      ...assignUsersRule,
      oneOf: [
        { required: ["contactAddress"], not: having("contactAddresses") },
        { required: ["contactAddresses", "channel"], not: having("contactAddress") },
      ],
    },
    isReadByCommand: true,
    answers: { 201: sentMessage },
    example: {
      body: {
        companyAddress: "+6495550200",
        contactAddress: "+6421555001",
        messageContent: { text: "We are open." },
        routingAction: "assign_team",
      },
    },
    handle: ({ platform, body }) => created(platform.command("sendTeamMessage", body)),
  }),
];
