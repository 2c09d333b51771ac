import * as v from "valibot";
import {
  absentable,
  anyOf,
  dateField,
  flagField,
  many,
  nullable,
  nullableText,
  one,
  oneOfField,
  optionalDateField,
  passthroughParameters,
  record,
  startsAsGiven,
  textField,
  texts,
  whole,
} from "../../records/fields.ts";
import { entryReference, location } from "../directory/record.ts";

export const channel = oneOfField({ type: "Channel" }, "The channel of a message.", ["sms", "whatsApp"]);

export const conversationStatus = oneOfField(
  { type: "ConversationStatus" },
  "Where a conversation stands: `open`, `inactive` when nobody has written for a while, `open` again, and at last `closed`.",
  ["open", "inactive", "closed"],
);

const userFields = {
  type: v.pipe(v.literal("user"), v.description("A user of the directory.")),
  id: textField("The user's id."),
  displayName: textField("The user's name, as people see it."),
  email: textField("The user's e-mail address."),
};
const user = v.strictObject(userFields);
const external = v.strictObject({
  type: v.pipe(v.literal("external"), v.description("Someone outside.")),
  phoneNumber: textField("The phone number, E.164."),
  displayName: textField("The name of a known contact, else the number."),
});
const team = v.strictObject({
  type: v.pipe(v.literal("team"), v.description("A team of the directory.")),
  id: textField("The team's id."),
  displayName: textField("The team's name, as people see it."),
});

export const participant = anyOf(
  { type: "Participant", component: "Participant" },
  "Someone who takes part in a call or a conversation: a user, or someone outside.",
  [user, external],
);

export const assignedParticipant = record(
  { type: "AssignedParticipant" },
  "A user whom a conversation is assigned to.",
  {
    ...userFields,
    location: nullable(location, "Where the user works; null if unknown."),
    unreadCount: whole("How many messages this user has not read."),
  },
);

export const conversationParticipant = anyOf(
  { type: "ConversationParticipant", component: "ConversationParticipant" },
  "A user whom the conversation is assigned to, or an outside contact.",
  [assignedParticipant, external],
);

export const messageAuthor = anyOf(
  { type: "MessageAuthor", component: "MessageAuthor" },
  "Who wrote a message. What the API sends without `sendAsUser` comes from the user or team whose number it is.",
  [user, external, team],
);

export const messageMedia = record({ type: "MessageMedia" }, "A picture or a file of a message.", {
  id: textField("The file's id."),
  url: textField("Where the file is."),
  mimeType: nullableText("Its media type; null if the sender did not say."),
  vendorResourceUrl: absentable(
    textField(
      "Where the vendor keeps it; present only for an organisation with a vendor account of its own.",
    ),
  ),
});

export const message = record(
  { type: "MessageRecord", component: "Message" },
  "A message of a conversation.",
  {
    id: textField("The message's id."),
    author: one(messageAuthor, "Who wrote it."),
    direction: v.pipe(v.picklist(["inbound", "outbound"]), v.description("Whether it came in or was sent.")),
    content: textField("The text; empty for a message that is media alone."),
    vendorMessageId: textField("The vendor's id for the message."),
    isApiCreated: flagField("Whether it was sent through the API."),
    media: many(messageMedia, "Pictures and files that came with it."),
    ...dateField("created", "When it was written"),
  },
);

export const conversation = record(
  { type: "ConversationRecord", component: "Conversation" },
  "A conversation: messages between a company number and one or more contacts.",
  {
    id: textField("The conversation's id."),
    status: one(conversationStatus, "Where the conversation stands."),
    channel: one(channel, "The channel of its messages."),
    name: nullableText("The initial name; null without one."),
    companyNumber: textField("The company number, E.164."),
    companyNumberOwner: startsAsGiven(
      nullable(
        entryReference,
        "The user or the team whose number it is; null for a conversation from before 2023.",
      ),
    ),
    contactAddresses: texts(
      "The contacts' numbers, E.164, in the order in which they were given. Several are a group.",
    ),
    initiatedBy: startsAsGiven(
      nullable(messageAuthor, "The author of the first message; null for a conversation from before 2023."),
    ),
    participants: many(conversationParticipant, "The contacts, then the users: ten at most."),
    vendor: textField("The vendor that carries the messages."),
    vendorConversationId: textField("The vendor's id for the conversation."),
    messages: many(message, "The messages, oldest first."),
    claimRule: nullableText("The claim rule that it was created with; null without one."),
    closeTimer: nullableText(
      "How long after the last update it closes, ISO 8601; null if it does not close by itself.",
    ),
    passthroughParameters,
    ...dateField("created", "When the conversation began"),
    ...dateField("lastModified", "When the conversation last changed"),
    ...optionalDateField("closed", "When the conversation closed"),
  },
);

export const sentMessage = record(
  { type: "SendResult", component: "SentMessage" },
  "What sending a message answers.",
  {
    hasExistingConversation: flagField("Whether the message was added to a conversation that was there."),
    vendor: textField("The vendor that carries the message."),
    vendorConversationId: textField("The vendor's id for the conversation."),
    vendorMessageId: absentable(
      textField(
        "The vendor's id for the message; absent for one that begins a group: `conversation.message.created` has it.",
      ),
    ),
  },
);

record({ type: "ReceiveResult" }, "What receiving a message returns.", {
  conversationId: textField("The conversation that the message belongs to."),
  messageId: textField("The message's id."),
  hasExistingConversation: flagField("Whether the message was added to a conversation that was there."),
});
