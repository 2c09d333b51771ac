/* Made from the comments of the schemas by `npm run generate`. Do not edit. */
/** What the fields of an object are, by name: the sentence with its `@default`, and the fields within. */
export interface Descriptions {
  readonly [field: string]: readonly [text: string, within?: Descriptions];
}

const TeamMembership: Descriptions = {
  priority: ["The offer priority, 1 to 100; 1 is rung first. @default 1"],
};
const NewLocation: Descriptions = {
  address: ["The postal address."],
  countryIso: ["The country, by ISO 3166-1 alpha-2, such as `NZ`."],
  id: ["The location's id. @default a new one"],
  name: ["The location's name."],
  timezone: ["The IANA time zone, such as `Pacific/Auckland`."],
};
const TrunkQueueChanges: Descriptions = {
  description: ["A description; null for none."],
  displayName: ["The name, as people see it."],
  extension: ["The extension number, digits, unique in the directory."],
  ivrKey: ["The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by."],
};
const NewWebhook: Descriptions = {
  description: ["A description; null or left out for none."],
  enabled: ["Whether events are delivered to it. @default true"],
  events: ["The event types to deliver, or `*` for all; those that the dialect declares are allowed."],
  url: ["Where events are sent: an https URL at a public host, unless the option `allowLocal` is set."],
};
const NewTrunkQueue: Descriptions = {
  ...TrunkQueueChanges,
  id: ["The entry's id, unique in the directory. @default one is made"],
};
const WebhookChanges: Descriptions = {
  description: ["A description; null for none."],
  enabled: ["Whether events are delivered to it. `true` resets the count of failures to 0."],
  events: ["The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed."],
  url: ["Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set."],
};
const TrunkDeviceChanges: Descriptions = {
  ...TrunkQueueChanges,
  location: ["The place, in words; null if unknown."],
  model: ["Its model; null if unknown."],
  product: ["Its product line; null if unknown."],
};
const NewTrunkDevice: Descriptions = {
  ...TrunkDeviceChanges,
  id: ["The entry's id, unique in the directory. @default one is made"],
};
const NewContact: Descriptions = {
  emailAddresses: ["E-mail addresses."],
  firstName: ["The first name; null if unknown."],
  id: ["The contact's id. @default a new one"],
  jobTitle: ["The job title; null if unknown."],
  lastName: ["The last name; null if unknown."],
  name: ["The whole name, as people see it. @default the first and the last name"],
  phoneNumbers: ["Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation; if it cannot be read, it matches nobody."],
};
const NewContentAnalysis: Descriptions = {
  analyzer: ["The name of the analyzer."],
  content: ["What is analysed: recordings, or an agent's scorecards.", {
    agent: ["The user whose scorecards are aggregated, by id or e-mail address."],
    contentAnalysis: ["The jobs that made them, of calls that the user was on.", {
      id: ["The job's id."],
    }],
    recordings: ["The recordings, at least one.", {
      id: ["The recording's id."],
      transcriptionModel: ["The model to transcribe it with. @default the service's own"],
    }],
  }],
  passthroughParameters: ["Any plain data; the job returns it as it was given. What is no object is ignored."],
};
const NewMessage: Descriptions = {
  body: ["The text of the message, at most 1600 characters."],
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  from: ["Who sends it: a user's e-mail address, or their number, E.164."],
  notifyUsers: ["Whether the users of a new conversation are notified of the message. @default true"],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  to: ["The recipient's number, E.164."],
};
const TrunkUserChanges: Descriptions = {
  ...TrunkQueueChanges,
  department: ["The department; null if unknown."],
  jobTitle: ["The job title; null if unknown."],
  location: ["The place, in words; null if unknown."],
  manager: ["Whom they report to; null if unknown."],
  phoneNumbers: ["Their own phone numbers, E.164. @default []"],
  user: ["The user of the service whom they are associated with, by id or e-mail address, or as `GET` answers them; null if none.", {
    id: ["The user's id."],
  }],
};
const NewTrunkUser: Descriptions = {
  ...NewTrunkQueue,
  department: ["The department; null if unknown."],
  jobTitle: ["The job title; null if unknown."],
  location: ["The place, in words; null if unknown."],
  manager: ["Whom they report to; null if unknown."],
  phoneNumbers: ["Their own phone numbers, E.164. @default []"],
  user: ["The user of the service whom they are associated with, by id or e-mail address; null if none."],
};
const NewPhonebook: Descriptions = {
  contacts: ["Everything that the phonebook holds from now on. @default nothing", NewContact],
  countryIso: ["The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown."],
  id: ["The phonebook's id, or a user's e-mail address for their personal one."],
  name: ["The phonebook's name."],
};
const NewConversationMessage: Descriptions = {
  assignUsers: ["The users whom it is assigned to, by e-mail address. Required for `assign_users`."],
  claimRule: ["The rule by which users claim a new conversation. Ignored for an existing one."],
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365."],
  companyAddress: ["The organisation's number that the message is sent from, E.164."],
  contactAddresses: ["The recipients, 1 to 10 numbers, E.164. Several are a group."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  messageContent: ["What the message says.", {
    media: ["Files of the message: https URLs, or `{ url, mimeType }`.", {
      mimeType: ["The file's media type, such as `image/jpeg`."],
      url: ["Where the file is: an https URL."],
    }],
    sendAsUser: ["The user on whose behalf it is sent: an e-mail address."],
    text: ["The text of the message. May be left out if there is media."],
  }],
  notificationMode: ["Whether users are notified of the message, and whether it stays unread. @default \"notify_unread\""],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  routingAction: ["Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation."],
};
const NewTeamMessage: Descriptions = {
  assignUsers: ["The users whom it is assigned to, by e-mail address. Required for `assign_users`."],
  channel: ["The channel of the message: `sms`."],
  claimRule: ["The rule by which users claim a new conversation. Ignored for an existing one."],
  closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365."],
  companyAddress: ["The team's number that the message is sent from, E.164."],
  contactAddress: ["The only recipient's number, E.164; instead of `contactAddresses`."],
  contactAddresses: ["The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`."],
  conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
  messageContent: ["What the message says.", {
    media: ["Files of the message: https URLs, or `{ url, mimeType }`.", {
      mimeType: ["The file's media type, such as `image/jpeg`."],
      url: ["Where the file is: an https URL."],
    }],
    sendAsUser: ["The user on whose behalf it is sent: an e-mail address."],
    text: ["The text of the message. May be left out if there is media."],
  }],
  notifyUsers: ["Whether the users of a new conversation are notified of the message. @default true"],
  passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
  routingAction: ["Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody."],
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
