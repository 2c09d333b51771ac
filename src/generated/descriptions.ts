/* Made by `npm run generate` from the comments of the schemas. Do not edit: change them. */
/** What the fields of an object are, by name: the sentence, and the fields within. */
export interface Descriptions {
  readonly [field: string]: readonly [text: string, within?: Descriptions];
}

const TeamMembership: Descriptions = {
  priority: ["The offer priority, 1 to 100; 1 is rung first. Default 1."],
};
const NewLocation: Descriptions = {
  name: ["The location's name."],
  address: ["The postal address."],
  countryIso: ["The country, by ISO 3166-1 alpha-2, such as `NZ`."],
  timezone: ["The IANA time zone, such as `Pacific/Auckland`."],
  id: ["The location's id; default: a new one."],
};
const TrunkQueueChanges: Descriptions = {
  displayName: ["The name, as people see it."],
  extension: ["The extension number, digits, unique in the directory."],
  ivrKey: ["The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by."],
  description: ["A description; null for none."],
};
const NewWebhook: Descriptions = {
  url: ["Where events are sent: an https URL at a public host, unless the option `allowLocal` is set."],
  events: ["The event types to deliver, or `*` for all."],
  description: ["A description; null or left out for none."],
  enabled: ["Whether events are delivered to it; default true."],
};
const NewTrunkQueue: Descriptions = {
  ...TrunkQueueChanges,
  id: ["The entry's id, unique in the directory; default: one is made."],
};
const WebhookChanges: Descriptions = {
  url: ["Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set."],
  events: ["The event types to deliver from the next event on, or `*` for all."],
  description: ["A description; null for none."],
  enabled: ["Whether events are delivered to it. `true` resets the count of failures to 0."],
};
const NewContact: Descriptions = {
  name: ["The whole name, as people see it; default: the first and the last name."],
  firstName: ["The first name; null if unknown."],
  lastName: ["The last name; null if unknown."],
  jobTitle: ["The job title; null if unknown."],
  phoneNumbers: ["Phone numbers, E.164. A caller with one of them is shown by the contact's name."],
  emailAddresses: ["E-mail addresses."],
  id: ["The contact's id; default: a new one."],
};
const TrunkDeviceChanges: Descriptions = {
  ...TrunkQueueChanges,
  location: ["The place, in words; null if unknown."],
  model: ["Its model; null if unknown."],
  product: ["Its product line; null if unknown."],
};
const NewTrunkDevice: Descriptions = {
  ...TrunkDeviceChanges,
  id: ["The entry's id, unique in the directory; default: one is made."],
};
const NewContentAnalysis: Descriptions = {
  analyzer: ["The name of the analyzer."],
  content: ["What is analysed: recordings, or an agent's scorecards.", {
    recordings: ["The recordings.", {
      id: ["The recording's id."],
      transcriptionModel: ["The model to transcribe it with; default: the service's own."],
    }],
    agent: ["The user whose scorecards are aggregated, by id or e-mail address."],
    contentAnalysis: ["The jobs that made them.", {
      id: ["The job's id."],
    }],
  }],
  passthroughParameters: ["Any plain data; the job returns it as it was given."],
};
const NewMessage: Descriptions = {
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  body: ["The text of the message, at most 1600 characters."],
  from: ["Who sends it: a user's e-mail address, or their number, E.164."],
  to: ["The recipient's number, E.164."],
  notifyUsers: ["Whether the users of a new conversation are notified of the message; default true."],
};
const TrunkUserChanges: Descriptions = {
  ...TrunkQueueChanges,
  department: ["The department; null if unknown."],
  jobTitle: ["The job title; null if unknown."],
  location: ["The place, in words; null if unknown."],
  manager: ["Whom they report to; null if unknown."],
  user: ["The user of the service whom they are associated with, by id or e-mail address; null if none."],
  phoneNumbers: ["Their own phone numbers, E.164; default: none."],
};
const NewPhonebook: Descriptions = {
  contacts: ["Everything that the phonebook holds from now on; default: nothing.", NewContact],
  name: ["The phonebook's name."],
  countryIso: ["The country of its numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown."],
  id: ["The phonebook's id, or a user's e-mail address for their personal one."],
};
const NewTrunkUser: Descriptions = {
  ...TrunkUserChanges,
  id: ["The entry's id, unique in the directory; default: one is made."],
};
const NewConversationMessage: Descriptions = {
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  contactAddresses: ["The recipients, 1 to 10 numbers, E.164. Several are a group."],
  companyAddress: ["The organisation's number that the message is sent from, E.164."],
  messageContent: ["What the message says.", {
    text: ["The text of the message. May be left out if there is media."],
    media: ["Files of the message: https URLs, or `{ url, mimeType }`.", {
      url: ["Where the file is: an https URL."],
      mimeType: ["The file's media type, such as `image/jpeg`."],
    }],
    sendAsUser: ["The user on whose behalf it is sent: an e-mail address."],
  }],
  channel: ["The channel of the message; default `sms`."],
  routingAction: ["Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation."],
  assignUsers: ["The users whom it is assigned to, by e-mail address. Required for `assign_users`."],
  claimRule: ["The rule by which users claim a new conversation. Ignored for an existing one."],
  notificationMode: ["Whether users are notified of the message, and whether it stays unread; default `notify_unread`."],
};
const NewTeamMessage: Descriptions = {
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  companyAddress: ["The team's number that the message is sent from, E.164."],
  contactAddress: ["The only recipient's number, E.164; instead of `contactAddresses`."],
  contactAddresses: ["The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`."],
  channel: ["The channel of the message: `sms`."],
  messageContent: ["What the message says.", {
    text: ["The text of the message. May be left out if there is media."],
    media: ["Files of the message: https URLs, or `{ url, mimeType }`.", {
      url: ["Where the file is: an https URL."],
      mimeType: ["The file's media type, such as `image/jpeg`."],
    }],
    sendAsUser: ["The user on whose behalf it is sent: an e-mail address."],
  }],
  routingAction: ["Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody."],
  assignUsers: ["The users whom it is assigned to, by e-mail address. Required for `assign_users`."],
  claimRule: ["The rule by which users claim a new conversation. Ignored for an existing one."],
  notifyUsers: ["Whether the users of a new conversation are notified of the message; default true."],
};

/** What the fields of each request's body are, by `operationId`. */
export const bodyDescriptions: Readonly<Record<string, Descriptions>> = {
  putTeamMember: TeamMembership,
  createLocation: NewLocation,
  putPhonebooks: {
    ...NewPhonebook,
    phonebooks: ["The phonebooks. Each replaces the one with its id, whole.", NewPhonebook],
  },
  putPhonebook: NewPhonebook,
  putContacts: {
    ...NewContact,
    contacts: ["The contacts to add, or to replace where the id is known.", NewContact],
  },
  putContact: NewContact,
  createTrunkDevice: NewTrunkDevice,
  updateTrunkDevice: TrunkDeviceChanges,
  createTrunkQueue: NewTrunkQueue,
  updateTrunkQueue: TrunkQueueChanges,
  createTrunkUser: NewTrunkUser,
  updateTrunkUser: TrunkUserChanges,
  createContentAnalysis: NewContentAnalysis,
  sendConversationMessage: NewConversationMessage,
  sendMessage: NewMessage,
  sendTeamMessage: NewTeamMessage,
  createWebhook: NewWebhook,
  updateWebhook: WebhookChanges,
};
