import type { Area } from "./row.ts";

export const conversations: Area = {
  title: "Conversations",
  sections: [
    {
      title: "Which conversation",
      text: "A message joins the open conversation of its company number, contacts and channel, or begins one.",
      rows: [
        {
          rule: "One conversation for a company number, a set of contacts and a channel, until it is closed; then the next message begins another",
          whose: "specified for numbers, the channel ours",
          proof: [
            "core/platform/conversations: joins the conversation of the same contact and number",
            "core/platform/conversations: begins another conversation with %s",
          ],
        },
        {
          rule: "A new group begins 1 s later (`timing.groupMessageCreated`), without `vendorMessageId` in the answer; what comes meanwhile follows it",
          whose: "specified in kind",
          proof: [
            "core/platform/conversations: is answered without a vendorMessageId and begins a second later",
            "core/platform/conversations: keeps messages sent and received meanwhile in order",
          ],
        },
        {
          rule: "An assigned contact gives the outside participant its name; nothing is put into a phonebook",
          whose: "ours",
          proof: [
            "core/platform/conversations: that is assigned names the outside participant and emits an event",
          ],
        },
        {
          rule: '`conversationName: ""` is refused: leave it out for none',
          whose: "ours",
          proof: ["core/platform/silent-rules: with an empty conversationName is refused"],
        },
      ],
    },
    {
      title: "Inactive and closed",
      rows: [
        {
          rule: "Inactive after 24 h without an update (`timing.conversationInactive`), open again at the next",
          whose: "ours",
          proof: [
            "core/platform/conversation-timers: becomes inactive a day after its last update, and open again at the next update",
          ],
        },
        {
          rule: "`closeTimer` from `PT600S` to `P180D`, started again by every update; a later message's replaces it",
          whose: "specified, replacing ours",
          proof: [
            "core/platform/conversation-timers: of %s closes the conversation at the exact millisecond",
            "core/platform/conversation-timers: restarts at %s",
            "core/platform/conversation-timers: takes the length given by a later message",
          ],
        },
        {
          rule: "In a duration, a month counts 30 days and a year 365: `P6M` is the longest close timer in months, and no year fits",
          whose: "ours",
          proof: ["core/rest/wire: takes and refuses, as its row says: %s"],
        },
        {
          rule: "Messages in both directions and an assigned contact are updates; reading, or sharing a contact, is not",
          whose: "ours",
          proof: [
            "core/platform/conversation-timers: restarts at %s",
            "core/platform/conversation-timers: keeps running while %s",
          ],
        },
        {
          rule: "If the close timer is as long as the time to inactivity, the conversation closes without `conversation.inactive`",
          whose: "ours",
          proof: [
            "core/platform/conversation-timers: as long as the time to inactivity closes the conversation without an inactive phase",
          ],
        },
        {
          rule: "`retain.conversations` drops the oldest closed conversations. A command that names one is refused with `not_found`",
          whose: "ours",
          proof: ["core/simulator/retain: keeps the newest closed conversations and all open ones"],
        },
        {
          rule: "`retain.conversations` also bounds conversations that nothing ends: of the inactive ones without a close timer, the longest inactive is dropped, without an event. The next message of its thread begins another conversation",
          whose: "ours",
          proof: [
            "core/simulator/retain: keeps as many inactive ones, and drops the longest inactive without an event",
            "core/simulator/retain: lets the next message of a dropped one begin another",
          ],
        },
        {
          rule: "A closed conversation cannot be assigned a contact or closed again (`conversation_closed`); a contact can be shared from it",
          whose: "ours",
          proof: [
            "core/platform/conversation-timers: that is closed cannot be %s",
            "core/platform/conversations: can be shared from a closed conversation",
          ],
        },
        {
          rule: "`initiatedBy` and `companyNumberOwner` are null for conversations that began before 2023-01-01T00:00:00Z",
          whose: "specified as a cut-over in 2023, the day ours",
          proof: [
            "core/platform/conversations: begun before 2023 has neither author nor owner, from that instant on both",
          ],
        },
        {
          rule: "Fields of the record that are not shown: `status`, `companyNumber`, `contactAddresses`, `claimRule`, `closeTimer`, `unreadCount` of participants, `direction` and `content` of messages, and the date pairs",
          whose: "ours",
          proof: ["core/platform/conversations: begins a conversation with all known fields"],
        },
        {
          rule: "Months and years in a duration count 30 and 365 days, in `closeTimer` as everywhere: `P6M` is the longest in months",
          whose: "ours",
          proof: ["core/platform/silent-rules: of months and years counts 30 and 365 days"],
        },
      ],
    },
    {
      title: "Who takes part",
      text: "A conversation has at most 10 participants.",
      rows: [
        {
          rule: "With so many contacts that no user fits (ten), a message and the command that opens a conversation are refused with 400 on `contactAddresses` (`others` for messages from outside), except with `do_not_route`. An existing conversation may go on",
          whose: "ours",
          proof: [
            "core/platform/full-conversations: is refused for ten contacts, which leave no room for a user: %s",
            "core/platform/full-conversations: may go to ten contacts with do_not_route, and the conversation goes on",
          ],
        },
        {
          rule: "At most ten participants, the contacts counted: owners' users first, then `assignUsers` in order, the rest left out silently",
          whose: "specified; that contacts count is ours",
          proof: [
            "core/platform/conversations: assign_owner assigns the owner's users, then the listed ones, without duplicates",
            "core/platform/conversations: silently drops participants beyond ten",
            "core/platform/conversations: counts each contact of a group as one of the ten",
          ],
        },
        {
          rule: "A routing action may add users to an existing conversation, but removes none; `claimRule` and `conversationName` are for new ones",
          whose: "specified for `claimRule`, the rest ours",
          proof: [
            "core/platform/conversations: adds users to an existing conversation and removes none",
            "core/platform/conversations: names a new conversation, but not an existing one",
          ],
        },
        {
          rule: "`routingAction` is required for a new conversation; `POST /teamMessages` takes `assign_team` without one",
          whose: "ours",
          proof: [
            "core/platform/conversation-arguments: needs no routing action if the conversation exists or is being created",
            "core/platform/conversation-arguments: needs a routing action again once the conversation is closed",
            "core/platform/conversations: given %s assigns %j",
          ],
        },
        {
          rule: "`assignUsers` may name a suspended or invited user, who takes part and is notified like any other",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: may be assigned to a suspended user, who takes part and is notified",
          ],
        },
      ],
    },
    {
      title: "Who is told",
      rows: [
        {
          rule: "By default every assigned user is notified and has the message unread, also the one in whose name the API sent it",
          whose: "ours",
          proof: [
            "core/platform/conversations: notifies its assigned users and is unread by them",
            "core/platform/conversations: of %s leaves %i messages unread",
          ],
        },
        {
          rule: "`silent_read` counts as read, unless a user has something unread",
          whose: "specified",
          proof: [
            "core/platform/conversations: of silent_read leaves a message unread while another one is unread",
            "core/platform/conversations: of silent_read leaves a message unread by everyone while one user has unread messages",
          ],
        },
        {
          rule: "`notifyUsers: false` notifies only users who were assigned before; in a new conversation, nobody",
          whose: "specified",
          proof: [
            "core/platform/conversations: with notifyUsers false notifies the users of an existing conversation only",
          ],
        },
      ],
    },
    {
      title: "Messages",
      rows: [
        {
          rule: "A message has one to ten contacts; several are a group, by SMS only",
          whose: "ours",
          proof: ["core/platform/conversation-arguments: lists every problem exactly once"],
        },
        {
          rule: "`POST /teamMessages` with `contactAddresses` needs `channel`; exactly one of `contactAddress` and `contactAddresses`",
          whose: "specified by its shapes",
          proof: ["core/platform/conversation-arguments: lists every problem exactly once"],
        },
        {
          rule: "`POST /messages` by e-mail address sends from the user's first number with messages",
          whose: "ours",
          proof: [
            "core/platform/conversations: sends from the user's first number with messages, and assigns the user",
          ],
        },
        {
          rule: "The author of what the API sends is `sendAsUser`, else the user or team whose number it is",
          whose: "ours",
          proof: [
            "core/platform/conversations: is sent by the team that owns the number",
            "core/platform/conversations: is sent by the user in sendAsUser",
          ],
        },
        {
          rule: "Numbers send and receive, on every channel, with `sms: true`; a device's never do",
          whose: "ours",
          proof: ["core/platform/conversations: is refused by a number %s and changes nothing"],
        },
        {
          rule: "From outside: `sim.conversations.receive({ ..., others })`, where `others` are the further contacts of a group",
          whose: "ours",
          proof: [
            "core/platform/conversations: of a group joins the group's conversation, whichever contact writes",
          ],
        },
        {
          rule: "`media` has a `vendorResourceUrl` if the organisation has a vendor account of its own (`vendorAccount: own`, the default), and not with `service`",
          whose: "ours",
          proof: [
            "core/platform/conversations: may consist of media only",
            "core/platform/dial-link-urls: %s: media of messages say where the vendor keeps them: %j",
          ],
        },
        {
          rule: "An error names everything that is wrong with a message, one detail a field. Unknown keys are refused",
          whose: "ours",
          proof: ["core/platform/conversation-arguments: lists every problem exactly once"],
        },
        {
          rule: "The 1,600 characters of a text and the 100 of a name are code points: an emoji is one, or as many as it is made of",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: has at most 1,600 characters and a name 100, counted by code point",
          ],
        },
        {
          rule: "`STOP` and the like are messages like any other: nobody is taken off a list, and what is sent afterwards goes out",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: of STOP is one like any other: what is sent afterwards goes out",
          ],
        },
      ],
    },
  ],
};
