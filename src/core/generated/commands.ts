/* Made from the commands by `npm run generate`. Do not edit. */
import type { Descriptions } from "./descriptions.ts";

/** What a command does, what its arguments are, and the type of what it returns. */
interface CommandDescription {
  readonly text: string;
  readonly fields: Descriptions;
  readonly result: string;
}

const drawnDuration: Descriptions = {
  exponential: ["The mean of an exponential distribution."],
  fixed: ["A duration that is always the same."],
  uniform: ["The shortest and the longest duration. All between them are equally likely."],
};
const contact: Descriptions = {
  companyName: ["The company that the contact works for; null if unknown. The profile `observed` shows it."],
  emailAddresses: ["E-mail addresses."],
  firstName: ["The first name; null if unknown."],
  id: ["The contact's id. @default a new one"],
  jobTitle: ["The job title; null if unknown."],
  lastName: ["The last name; null if unknown."],
  name: ["The whole name, as people see it. @default the first and the last name"],
  phoneNumbers: ["Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody.", {
    e164: ["The number in E.164, as it was read. @default `written`, if it is E.164 or can be read"],
    label: ["What the number is called, such as `mobile`, which the profile `observed` shows."],
    written: ["The number as it is written, such as `021 555 001`."],
  }],
};
const callerBehaviour: Descriptions = {
  patience: ["How long they wait before they give up, from the start of the call. An answer, also by voicemail, ends the wait.", drawnDuration],
  talk: ["How long they talk before they hang up, from the answer.", drawnDuration],
  voicemail: ["The message that they leave at the tone. Without one they hang up when voicemail takes the call.", {
    duration: ["How long the message is.", drawnDuration],
    transcript: ["What they say. @default nothing"],
  }],
};

/** The commands that anybody may give, by name. */
export const commandDescriptions: Readonly<Record<string, CommandDescription>> = {
  route: {
    text: "What endpoints answer whose URLs start with `url`, and after how long.",
    fields: {
      after: ["How long the answer takes; default: no time."],
      body: ["The body: text, or anything that becomes JSON; default: empty."],
      headers: ["The headers; default: none."],
      status: ["The status, 100 to 599; default 200."],
      url: ["The answer is for URLs that start like this. The longest matching start wins."],
    },
    result: "void",
  },
  fault: {
    text: "Endpoints whose URLs start with `url` answer a status (default 503), `refused`, `unanswered` or `timeout` instead. It can be for so many times, for so long, and after so long. `times: 0` ends the fault. `{ url, latency, loss, duplicate, reorder }` is trouble by chance, `{ path, method, status, retryAfter, times, for, after }` is for the REST API.",
    fields: {
      after: ["How long the endpoint takes to answer or refuse."],
      for: ["For how long, from now."],
      status: ["How they fail: a status; `refused` (also `refuse`); `unanswered`: they handle it, and the answer is lost; `timeout`. @default 503"],
      times: ["For how many requests; 0 ends the present fault."],
      url: ["The fault holds for URLs that start like this. The longest matching start wins."],
    },
    result: "void",
  },
  deviate: {
    text: "Lets one unusual thing happen at one place, as an item of the list `deviations` does (an old name: write `deviations`).",
    fields: {
      after: ["How much later the second of two requests arrives, or how long the answer says to wait."],
      at: ["When it happens, from the start of the run."],
      by: ["After how many others a late request arrives, 1 to 3, or which of the waiting answers comes first. @default 1"],
      is: ["What happens instead of the usual."],
      nth: ["Which of several that are alike in all of the above. @default 1"],
      number: ["Which attempt of its delivery. @default 1"],
      of: ["The type of the event, the data action (or `return`), or the timer. For others the method and path of the REST request, the dependency and what it is asked, or how long the app waits."],
      webhook: ["The webhook's id. Needed if several webhooks get the same event."],
      what: ["What it is about. `overlap` is an attempt that arrives while the one before is still being handled."],
    },
    result: "void",
  },
  conditions: {
    text: "Requests to `url` take time, get lost, come twice or are overtaken, by chance; with `url` alone nothing does (an old name: write `fault`).",
    fields: {
      duplicate: ["How likely a request is to arrive twice."],
      latency: ["How long a request takes to arrive.", drawnDuration],
      loss: ["How likely a request is to be lost on the way."],
      reorder: ["How likely a request is to be held back, so that later ones overtake it."],
      url: ["The fault holds for URLs that start like this. The longest matching start wins."],
    },
    result: "void",
  },
  putPhonebooks: {
    text: "Adds phonebooks, or replaces them whole. A user's e-mail address as `id` means their personal one.",
    fields: {
      phonebooks: ["The phonebooks. Each replaces the whole phonebook with its id.", {
        contacts: ["All contacts of the phonebook from now on. @default []", contact],
        countryIso: ["The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown."],
        description: ["What the phonebook is for; null if unknown. The profile `observed` shows it."],
        id: ["The phonebook's id, or a user's e-mail address for their personal one."],
        name: ["The phonebook's name."],
      }],
    },
    result: "string[]",
  },
  putContacts: {
    text: "Adds contacts to a phonebook, or replaces those with the same id.",
    fields: {
      contacts: ["The contacts to add. Each replaces the one with its id.", contact],
      phonebook: ["The phonebook's id, or a user's e-mail address for their personal one."],
    },
    result: "string[]",
  },
  removeContact: {
    text: "Removes a contact from a phonebook.",
    fields: {
      contact: ["The contact's id."],
      phonebook: ["The phonebook's id, or a user's e-mail address for their personal one."],
    },
    result: "void",
  },
  issueToken: {
    text: "Issues an access token for a client.",
    fields: {
      client: ["The id of the client that the token is for."],
    },
    result: "string",
  },
  expireTokens: {
    text: "Every access token that was issued so far expires.",
    fields: {
    },
    result: "void",
  },
  restFault: {
    text: "The REST API answers a status (default 503) instead, refuses, loses its answer, or answers late: see Requests and faults (an old name: write `fault`).",
    fields: {
      after: ["How long the answer takes, on the virtual clock."],
      for: ["For how long, from now on."],
      method: ["Requests with this method. @default all"],
      path: ["The path, such as `/calls`; paths under it fail too. The token endpoint and the redirect handler fail only if named."],
      retryAfter: ["The header `retry-after`, in whole seconds."],
      status: ["The status to answer; `refused` (also `refuse`): the connection is refused; `unanswered`: it is handled, and the connection breaks; `timeout`: nothing answers, and the client gives up after five minutes. With `after` and no status, the usual answer comes late. @default 503"],
      times: ["For how many requests; 0 ends the faults of this path and method."],
    },
    result: "void",
  },
  behave: {
    text: "From now on the user, or whoever has the outside `number`, acts by themselves; `answer: never` lets calls ring, `behaviour: {}` ends it.",
    fields: {
      behaviour: ["How they act from now on. An empty behaviour removes the present one.", {
        answer: ["When they answer, counted from the beginning of the ring.", {
          after: ["How long they let it ring.", drawnDuration],
          endpoint: ["The id of the endpoint to answer on, if it still rings. @default the first that rings"],
        }],
        decline: ["When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens.", {
          after: ["How long they let it ring.", drawnDuration],
          busy: ["Whether the number is engaged. Only for outside numbers. @default false"],
        }],
        talk: ["How long they talk before they hang up, from joining a call or from the answer to a call that they dialled.", drawnDuration],
        wrapUp: ["How long they stay busy after a call.", drawnDuration],
      }],
      number: ["An outside number, E.164: how whoever has it acts when they are dialled."],
      user: ["The user, by id or e-mail address. Either `user` or `number`."],
    },
    result: "void",
  },
  setAvailability: {
    text: "Sets `available`, `busy` or `offline` by hand.",
    fields: {
      reason: ["The reason in the user's own words, for others to read."],
      rule: ["Why the user is not available. @default `doNotDisturb` for `busy`, `loggedOut` for `offline`"],
      status: ["Whether calls can ring the user from now on. During a call it takes effect when the call is over."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  setEndpoint: {
    text: "Registers or unregisters an endpoint.",
    fields: {
      endpoint: ["The endpoint's id."],
      registered: ["Whether it is signed in. Only registered endpoints ring."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  setUserStatus: {
    text: "Sets `invited`, `active` or `suspended`.",
    fields: {
      status: ["The new status. Only active users are rung."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  wrapUp: {
    text: "The user stays busy for a while: after the call that they are on, or from now on.",
    fields: {
      for: ["How long they stay busy: after the present call, or from now on without one."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  setTeamMember: {
    text: "Adds a user to a team, or changes their priority, from the next offer on.",
    fields: {
      priority: ["The offer priority, 1 to 100; 1 is rung first. @default 1"],
      team: ["The team's id."],
      user: ["A user's id or e-mail address, or a device's id."],
    },
    result: "void",
  },
  removeTeamMember: {
    text: "Takes a user out of a team, from the next offer on.",
    fields: {
      team: ["The team's id."],
      user: ["A user's id or e-mail address, or a device's id."],
    },
    result: "void",
  },
  inbound: {
    text: "Someone outside dials one of the organisation's numbers.",
    fields: {
      behaviour: ["How the caller acts by themselves.", callerBehaviour],
      from: ["The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number."],
      passthroughParameters: ["Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all."],
      priority: ["The priority in a team's queue, 1 (first) to 9. @default 5"],
      to: ["One of the organisation's numbers, E.164."],
      vendorCallId: ["The vendor's id for the call. @default a new one, from the seed"],
    },
    result: "string",
  },
  outbound: {
    text: "A user or device dials an outside number.",
    fields: {
      callerId: ["The organisation's number to call from, E.164. @default the caller's first number, otherwise the organisation's first"],
      from: ["Who dials: a user's id or e-mail address, or a device's id."],
      passthroughParameters: ["Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all."],
      to: ["The outside number to call, E.164."],
    },
    result: "string",
  },
  internal: {
    text: "A user dials an extension.",
    fields: {
      from: ["Who dials: a user's id or e-mail address."],
      to: ["The extension number of a user, a team or a device."],
    },
    result: "string",
  },
  answer: {
    text: "Someone who rings answers; without `endpoint`, on the first of their endpoints that rings.",
    fields: {
      by: ["Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`."],
      call: ["The call's id."],
      endpoint: ["The id of their endpoint. @default to answer, the first that rings; to decline, all of them"],
    },
    result: "void",
  },
  decline: {
    text: "Silences one endpoint, or all of that person; `busy` is for an outside number whose line is engaged.",
    fields: {
      busy: ["Whether the line is engaged, for outside numbers. @default false"],
      by: ["Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`."],
      call: ["The call's id."],
      endpoint: ["The id of their endpoint. @default to answer, the first that rings; to decline, all of them"],
    },
    result: "void",
  },
  hangup: {
    text: "The caller gives up, or a connected party hangs up.",
    fields: {
      by: ["Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`."],
      call: ["The call's id."],
    },
    result: "void",
  },
  move: {
    text: "A connected user goes on at another endpoint.",
    fields: {
      by: ["The connected user, by id or e-mail address."],
      call: ["The call's id."],
      to: ["The id of the endpoint to move to."],
    },
    result: "void",
  },
  transfer: {
    text: "A user hands the call on to an extension, id, e-mail address or outside number.",
    fields: {
      by: ["Who transfers it: a connected user, by id or e-mail address."],
      call: ["The call's id."],
      target: ["Where the call goes: an extension, an id, an e-mail address or an outside number."],
      warm: ["Whether the user stays until they hang up. Otherwise they leave when the target begins to ring. @default false"],
    },
    result: "TransferResult",
  },
  add: {
    text: "Rings another party, who joins the call.",
    fields: {
      by: ["Who adds them: a connected user, by id or e-mail address."],
      call: ["The call's id."],
      target: ["Whom to add: an extension, an id, an e-mail address or an outside number."],
    },
    result: "TransferResult",
  },
  note: {
    text: "A user writes a note, also after the call.",
    fields: {
      by: ["The user who writes the note, by id or e-mail address."],
      call: ["The call's id."],
      text: ["The text of the note."],
    },
    result: "string",
  },
  assignContact: {
    text: "A user says who the outside party is: a contact's id, or `{ name, firstName, lastName, phoneNumbers, ... }`.",
    fields: {
      by: ["The user who assigns the contact, by id or e-mail address."],
      call: ["The call's id."],
      contact: ["The outside party: the id of a contact in a phonebook that the user sees, or the contact itself.", contact],
    },
    result: "void",
  },
  leaveVoicemail: {
    text: "A caller in voicemail speaks, from the tone (or from now) on, and hangs up at the end.",
    fields: {
      call: ["The call's id."],
      duration: ["The length of the message. It is cut at `timing.voicemailMaxMessage`."],
      transcript: ["What the caller says. @default nothing"],
    },
    result: "void",
  },
  redirect: {
    text: "Another voice application hands a call over.",
    fields: {
      extension: ["The extension number of the entry that the call is for."],
      from: ["The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number."],
      nextOfferTimeout: ["Seconds before the next tier of a team is rung, 5 to 60. A value out of range becomes the nearest bound."],
      organisationId: ["The organisation's id. @default this organisation's"],
      passthroughParameters: ["Text values whose names start with `x-`. They may also be given directly beside the other keys. At most 1000 bytes in all."],
      priority: ["The priority in a team's queue, 1 (first) to 9. A value out of range becomes 5. @default 5"],
      returnTo: ["Where an unanswered call returns to: `flow`, `taskQueue`, `postEndpoint` or `application`. Anything else is ignored."],
      returnToId: ["The id of that place. For `postEndpoint`, an https URL, which may be URL-encoded."],
      sendToVoicemail: ["`true` sends the call to voicemail without ringing; anything else rings."],
      timeout: ["Seconds to wait for an answer, 10 to 70 for users and devices, 10 to 300 for teams. A value out of range becomes the nearest bound."],
      to: ["The number that was called, E.164."],
      vendorCallId: ["The vendor's id for the call. @default a new one, from the seed"],
    },
    result: "string",
  },
  connectApplication: {
    text: "A call is connected to the organisation's application.",
    fields: {
      accountId: ["The id of the account that the call comes from."],
      extension: ["The extension number of the entry that the call is for."],
      from: ["The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number."],
      parameters: ["Passthrough parameters: text values whose names start with `x-`; at most 1000 bytes in all."],
      to: ["The number that was called, E.164."],
      vendorCallId: ["The vendor's id for the call. @default a new one, from the seed"],
    },
    result: "string",
  },
  dialLink: {
    text: "A deep link dials for a user.",
    fields: {
      callerId: ["The organisation's number to call from, E.164. @default the user's first number, otherwise the organisation's first"],
      contactNumber: ["The outside number to call, E.164; needed unless `link` says it."],
      link: ["A URL of any scheme and host whose query has `contactNumber`, `callerId` and `x-` parameters, in place of these. Other parameters are ignored."],
      passthroughParameters: ["Text values whose names start with `x-`. They may also be given directly beside the other keys. At most 1000 bytes in all."],
      user: ["The user who dials, by id or e-mail address."],
    },
    result: "DialLinkResult",
  },
  takeBack: {
    text: "A flow takes back the calls that return to its id: it redirects them (`{ extension, ... }`), hangs up, or says nothing.",
    fields: {
      hangup: ["Whether it hangs up on the caller."],
      id: ["The id of the flow, task queue or application: the `returnToId` of redirects."],
      redirect: ["Redirects the call to this extension.", {
        extension: ["The extension number of the entry that the call goes to next."],
        nextOfferTimeout: ["Seconds before the next tier of a team is rung, 5 to 60."],
        priority: ["The priority in a team's queue, 1 (first) to 9. @default 5"],
        returnTo: ["Where the call returns to if nobody answers: `flow`, `taskQueue`, `postEndpoint` or `application`."],
        returnToId: ["The id of that place."],
        sendToVoicemail: ["Whether it goes to voicemail without ringing. @default false"],
        timeout: ["Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams."],
      }],
    },
    result: "void",
  },
  takeBackCall: {
    text: "One call that has returned is taken back: the same.",
    fields: {
      call: ["The call that returned, by its id."],
      hangup: ["Whether it hangs up on the caller."],
      redirect: ["Redirects the call to this extension.", {
        extension: ["The extension number of the entry that the call goes to next."],
        nextOfferTimeout: ["Seconds before the next tier of a team is rung, 5 to 60."],
        priority: ["The priority in a team's queue, 1 (first) to 9. @default 5"],
        returnTo: ["Where the call returns to if nobody answers: `flow`, `taskQueue`, `postEndpoint` or `application`."],
        returnToId: ["The id of that place."],
        sendToVoicemail: ["Whether it goes to voicemail without ringing. @default false"],
        timeout: ["Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams."],
      }],
    },
    result: "string",
  },
  removeRecording: {
    text: "Deletes a recording.",
    fields: {
      call: ["The call's id."],
      recording: ["The recording's id."],
    },
    result: "void",
  },
  removeTranscript: {
    text: "Deletes a transcript.",
    fields: {
      transcript: ["The transcript's id."],
    },
    result: "void",
  },
  createAnalysis: {
    text: "Creates a job of content analysis.",
    fields: {
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
      passthroughParameters: ["Any plain data; the job returns it as it was given."],
    },
    result: "string",
  },
  completeAnalysis: {
    text: "Completes a job of content analysis.",
    fields: {
      analysis: ["The job's id."],
    },
    result: "void",
  },
  removeAnalysis: {
    text: "Deletes a job of content analysis.",
    fields: {
      analysis: ["The job's id."],
    },
    result: "void",
  },
  sendConversationMessage: {
    text: "Sends a message: the body of `POST /conversationMessages`, or of the deprecated `POST /messages` (`{ from, to, body }`) or `POST /teamMessages` (with `contactAddress`, `notifyUsers` or `assign_team`).",
    fields: {
      assignUsers: ["The users whom it is assigned to, by e-mail address. Required for `assign_users`."],
      channel: ["The channel of the message. @default \"sms\""],
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
    },
    result: "SendResult",
  },
  sendMessage: {
    text: "Sends a message: the body of the deprecated `POST /messages` (an old name: write `send`).",
    fields: {
      body: ["The text of the message, at most 1600 characters."],
      closeTimer: ["How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365."],
      conversationName: ["The name of a new conversation, shown in lists, at most 100 characters."],
      from: ["Who sends it: a user's e-mail address, or their number, E.164."],
      notifyUsers: ["Whether the users of a new conversation are notified of the message. @default true"],
      passthroughParameters: ["Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones."],
      to: ["The recipient's number, E.164."],
    },
    result: "SendResult",
  },
  sendTeamMessage: {
    text: "Sends a message: the body of the deprecated `POST /teamMessages` (an old name: write `send`).",
    fields: {
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
    },
    result: "SendResult",
  },
  receiveMessage: {
    text: "An incoming message, such as an SMS, from outside.",
    fields: {
      channel: ["The channel of the message. @default \"sms\""],
      from: ["The number of the contact who writes, E.164, or a short code of 3 to 8 digits, which nobody can answer."],
      media: ["Files of the message: https URLs, or `{ url, mimeType }`.", {
        mimeType: ["The file's media type, such as `image/jpeg`."],
        url: ["Where the file is: an https URL."],
      }],
      others: ["The numbers of a group's further contacts, E.164."],
      text: ["The text of the message. May be left out if there is media."],
      to: ["The organisation's number that they write to, E.164."],
    },
    result: "ReceiveResult",
  },
  closeConversation: {
    text: "Closes a conversation.",
    fields: {
      conversation: ["The conversation, by its id or the vendor's."],
    },
    result: "void",
  },
  readConversation: {
    text: "A user reads a conversation.",
    fields: {
      by: ["The user who reads it, by id or e-mail address. The conversation must be assigned to them."],
      conversation: ["The conversation, by its id or the vendor's."],
    },
    result: "void",
  },
  assignConversationContact: {
    text: "Says who the contact of a conversation is: a contact's id, or `{ name, phoneNumbers, ... }`.",
    fields: {
      contact: ["The outside contact: the id of a contact in a phonebook that a user of the conversation sees, or the contact itself.", contact],
      conversation: ["The conversation, by its id or the vendor's."],
    },
    result: "void",
  },
  shareContact: {
    text: "Shares a contact with a conversation: a contact's id, or `{ name, phoneNumbers, ... }`.",
    fields: {
      contact: ["The outside contact: the id of a contact in a phonebook that a user of the conversation sees, or the contact itself.", contact],
      conversation: ["The conversation, by its id or the vendor's."],
    },
    result: "void",
  },
  createWebhook: {
    text: "Delivers events from now on.",
    fields: {
      createdBy: ["The user who creates it, by id or e-mail address. They are notified when it is disabled. @default the first active user"],
      description: ["A description; null or left out for none."],
      enabled: ["Whether events are delivered to it. @default true"],
      events: ["The event types to deliver, or `*` for all; those that the dialect declares are allowed."],
      mode: ["`production` or `test`, which the profile `observed` shows. It changes nothing else. @default \"production\""],
      signingSecret: ["The secret with which deliveries are signed. @default a new one, from the seed"],
      url: ["Where events are sent: an https URL at a public host, unless the option `allowLocal` is set."],
    },
    result: "string",
  },
  updateWebhook: {
    text: "Changes the given fields of a webhook.",
    fields: {
      description: ["A description; null for none."],
      enabled: ["Whether events are delivered to it. `true` resets the count of failures to 0."],
      events: ["The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed."],
      mode: ["`production` or `test`, which the profile `observed` shows. It changes nothing else. @default \"production\""],
      url: ["Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set."],
      webhook: ["The webhook's id."],
    },
    result: "void",
  },
  removeWebhook: {
    text: "Deletes a webhook.",
    fields: {
      webhook: ["The webhook's id."],
    },
    result: "void",
  },
  createLocation: {
    text: "Adds a location; without `id` it gets one.",
    fields: {
      address: ["The postal address."],
      countryIso: ["The country, by ISO 3166-1 alpha-2, such as `NZ`."],
      id: ["The location's id. @default a new one"],
      name: ["The location's name."],
      timezone: ["The IANA time zone, such as `Pacific/Auckland`."],
    },
    result: "string",
  },
  addUserToLocation: {
    text: "Moves a user to a location; a user has at most one.",
    fields: {
      location: ["The location's id."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  removeUserFromLocation: {
    text: "Takes a user away from a location.",
    fields: {
      location: ["The location's id."],
      user: ["The user, by id or e-mail address."],
    },
    result: "void",
  },
  addTrunkEntry: {
    text: "Adds a `device`, `queue` or `user` to a trunk.",
    fields: {
      department: ["The department; null if unknown."],
      description: ["A description; null for none."],
      displayName: ["The name, as people see it."],
      extension: ["The extension number, digits, unique in the directory."],
      id: ["The entry's id, unique in the directory. @default a new one"],
      ivrKey: ["The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by."],
      jobTitle: ["The job title; null if unknown."],
      kind: ["The kind of entry."],
      location: ["The place, in words; null if unknown."],
      manager: ["Whom they report to; null if unknown."],
      model: ["Its model; null if unknown."],
      phoneNumbers: ["Their own phone numbers, E.164. @default []"],
      product: ["Its product line; null if unknown."],
      trunk: ["The trunk's id."],
      user: ["The user of the service whom they are associated with, by id or e-mail address; null if none."],
    },
    result: "string",
  },
  updateTrunkEntry: {
    text: "Changes the given fields of an entry of a trunk.",
    fields: {
      department: ["The department; null if unknown."],
      description: ["A description; null for none."],
      displayName: ["The name, as people see it."],
      extension: ["The extension number, digits, unique in the directory."],
      id: ["The entry's id."],
      ivrKey: ["The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by."],
      jobTitle: ["The job title; null if unknown."],
      kind: ["The kind of entry."],
      location: ["The place, in words; null if unknown."],
      manager: ["Whom they report to; null if unknown."],
      model: ["Its model; null if unknown."],
      phoneNumbers: ["Their own phone numbers, E.164. @default []"],
      product: ["Its product line; null if unknown."],
      trunk: ["The trunk's id."],
      user: ["The user of the service whom they are associated with, by id or e-mail address; null if none."],
    },
    result: "void",
  },
  removeTrunkEntry: {
    text: "Removes an entry of a trunk.",
    fields: {
      id: ["The entry's id."],
      kind: ["The kind of entry."],
      trunk: ["The trunk's id."],
    },
    result: "void",
  },
  traffic: {
    text: "Calls from outside begin at intervals, for a while.",
    fields: {
      behaviour: ["How the callers act by themselves.", callerBehaviour],
      every: ["The time between two calls.", drawnDuration],
      for: ["For how long calls begin, from now."],
      from: ["The first caller's number, E.164. The next callers' numbers count up from it."],
      priority: ["The priority in a team's queue, 1 (first) to 9. @default 5"],
      to: ["The organisation's number that is called, E.164."],
    },
    result: "void",
  },
};
