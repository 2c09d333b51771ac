import * as v from "valibot";
import { blockedWords, reasonWords } from "../../../../machines/call.ts";
import {
  absentable,
  anyOf,
  casesOf,
  createdDateField,
  dateField,
  decimal,
  deprecated,
  flagField,
  many,
  nullable,
  nullableText,
  nullableWhole,
  one,
  oneOfField,
  optionalDateField,
  passthroughParameters,
  record,
  startsAs,
  startsAsGiven,
  textField,
  texts,
  whole,
} from "../../records/fields.ts";
import type { CauseDeclaration } from "../base/define-events.ts";
import { endOfRings, endOfVoicemail, workingHours } from "../base/timers.ts";
import { entryReference, location, userReference } from "../directory/record.ts";

export const callStatus = oneOfField(
  { type: "CallStatus" },
  "Where a call stands: `started`, `offered`, `accepted`, `ended` in that order; or how it closed otherwise. `missed` and `abandoned` are for inbound calls, `unanswered` and `blocked` for those that someone inside dialled.",
  ["started", "offered", "accepted", "ended", "missed", "unanswered", "abandoned", "blocked"],
);

export const outcomeStatus = oneOfField({ type: "OutcomeStatus" }, "How a call ended.", [
  "answered",
  "missed",
  "abandoned",
  "unanswered",
  "blocked",
]);

export const callOutcomeReason = oneOfField(
  { type: "CallOutcomeReason" },
  "Why a call ended as it did. `callerHungUp` is for `abandoned`, `dataAction` and `notAllowed` are for `blocked`, the others for `missed` and `unanswered`.",
  [
    ...(Object.keys(reasonWords) as (keyof typeof reasonWords)[]),
    ...(Object.keys(blockedWords) as (keyof typeof blockedWords)[]),
  ],
);

export const callOutcome = record({ type: "CallOutcome" }, "How a call ended, and why.", {
  status: one(outcomeStatus, "How the call ended."),
  reason: nullable(callOutcomeReason, "Why it ended so; null for an answered call."),
});

/** Why an endpoint is rung, and the settings that decide whether it is. */
export const dialReasons = {
  direct: {
    settings: ["organisation.numbers", "timing.ringTimeout"],
  },
  teamOffer: {
    listedFirst: [...endOfRings, ...endOfVoicemail, ...workingHours],
    settings: [
      "organisation.teams.members",
      "organisation.teams.nextOfferTimeout",
      "organisation.teams.timeout",
      "organisation.teams.unanswered",
    ],
  },
  redirect: {
    settings: ["timing.ringTimeout"],
  },
  transfer: { settings: ["timing.ringTimeout"] },
  conference: { settings: ["timing.ringTimeout"] },
  outbound: {
    settings: ["organisation.dataActions.outboundCall", "timing.ringTimeout"],
  },
} as const satisfies Readonly<Record<string, CauseDeclaration>>;

export const dialReason = oneOfField(
  { type: "DialReason" },
  "Why an endpoint was rung.",
  Object.keys(dialReasons) as (keyof typeof dialReasons)[],
);

export const dialOutcome = oneOfField({ type: "DialOutcome" }, "How the ringing of one endpoint ended.", [
  "answered",
  "answeredElsewhere",
  "timeout",
  "declined",
  "withdrawn",
  "failed",
]);

export const dial = record({ type: "Dial", component: "Dial" }, "One ringing of one endpoint.", {
  reason: one(dialReason, "Why the endpoint was rung."),
  endpoint: textField("The endpoint that rang, by its id."),
  ...dateField("started", "When it began to ring"),
  ...optionalDateField("ended", "When it stopped ringing"),
  outcome: nullable(dialOutcome, "How the ringing ended; null while it rings."),
  vendorCallIds: texts("The vendor's ids of the call legs that rang it."),
});

export const partyTariff = record({ type: "PartyTariff" }, "What an outside party's time on the call cost.", {
  currency: textField("The currency of the amount, such as `NZD`."),
  prefix: textField("The start of the number that the price is for, such as `+64`."),
  perMinute: decimal("The price of a minute."),
  duration: whole("The time on the bridge that it is for, ms."),
  amount: decimal("What that time cost."),
});

export const party = record({ type: "Party", component: "Party" }, "Someone on a call, or rung for it.", {
  id: textField("The party's id, unique in its call."),
  type: v.pipe(
    v.picklist(["external", "user", "device", "voicemail"]),
    v.description("Whether it is someone outside, a user, a device or a voicemail."),
  ),
  isInternal: flagField("Whether it belongs to the organisation."),
  displayName: textField("The name, as people see it; the number of someone unknown."),
  entryId: absentable(textField("Who a user or device party is in the directory; absent for the others.")),
  phoneNumber: nullableText(
    "The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it.",
  ),
  extension: nullableText("The extension number; null for someone outside and for a voicemail."),
  email: nullableText("The user's e-mail address; null for others."),
  timezone: absentable(textField("The user's IANA time zone; absent for others.")),
  manager: absentable(
    nullable(userReference, "Whom the user reports to, null if unknown; absent for others."),
  ),
  location: absentable(nullable(location, "Where the user works, null if unknown; absent for others.")),
  tariff: nullable(partyTariff, "What the party's time on the call cost; null until known."),
  dials: many(dial, "Each ringing of each of its endpoints, oldest first."),
});

const ofSomeoneElse = { timezone: "absent", manager: "absent", location: "absent" } as const;
casesOf.set(party, {
  by: "type",
  fields: {
    external: {
      isInternal: v.literal(false),
      entryId: "absent",
      extension: v.null(),
      email: v.null(),
      ...ofSomeoneElse,
    },
    user: {
      isInternal: v.literal(true),
      entryId: v.string(),
      phoneNumber: v.null(),
      extension: v.string(),
      email: v.string(),
      timezone: v.string(),
      manager: v.nullable(userReference),
      location: v.nullable(location),
    },
    device: {
      isInternal: v.literal(true),
      entryId: v.string(),
      phoneNumber: v.null(),
      extension: v.string(),
      email: v.null(),
      ...ofSomeoneElse,
    },
    voicemail: {
      isInternal: v.literal(true),
      entryId: "absent",
      phoneNumber: v.null(),
      extension: v.null(),
      email: v.null(),
      ...ofSomeoneElse,
    },
  },
});

export const connection = record({ type: "Connection" }, "A party's time on the bridge at one endpoint.", {
  partyId: textField("The party, by its id in the call."),
  endpoint: nullableText("The endpoint, by its id; null for parties that have no endpoints of ours."),
  ...dateField("joined", "When the party joined the bridge"),
  ...optionalDateField("left", "When the party left the bridge"),
});

export const assignedUser = record(
  { type: "AssignedUser" },
  "The user who answered a call: what a call says of them.",
  {
    id: textField("The user's id."),
    type: textField("Always `user`."),
    displayName: textField("The user's name, as people see it."),
    firstName: nullableText("The first name; null if unknown."),
    lastName: nullableText("The last name; null if unknown."),
    extension: textField("The user's extension number."),
    email: nullableText("The user's e-mail address."),
    manager: nullable(userReference, "Whom the user reports to; null if unknown."),
    location: nullable(location, "Where the user works; null if unknown."),
  },
);

export const recording = record({ type: "Recording", component: "Recording" }, "A recording of a call.", {
  id: textField("The recording's id."),
  callId: textField("The call that it is of."),
  fileSize: whole("The size of the file, bytes."),
  mimeType: textField("The media type of the file, such as `audio/mpeg`."),
  channels: whole("How many audio channels it has."),
  transcript: nullableText("The id of its transcript; null until there is one."),
});

export const callTariff = record({ type: "CallTariff" }, "What a call cost, with `features.tariff`.", {
  currency: textField("The currency of the amount, such as `NZD`."),
  amount: decimal("What the call cost in all."),
});

export const voicemailMessage = record({ type: "VoicemailMessage" }, "The message that a caller left.", {
  id: textField("The message's id."),
  duration: whole("How long it is: whole seconds, rounded down."),
  durationText: textField("The same in words, such as `1m 5s`."),
  recordingUrl: textField("Where the recording is."),
  ...dateField("recordingUrlExpires", "When that URL expires"),
  transcription: nullableText("What was said; null without transcription."),
});

export const callNote = record({ type: "CallNote" }, "What someone wrote about a call.", {
  id: textField("The note's id."),
  text: textField("What they wrote."),
  author: v.pipe(
    v.strictObject({
      userId: textField("The author's user id."),
      email: textField("The author's e-mail address."),
      displayName: textField("The author's name, as people see it."),
    }),
    v.description("Who wrote it."),
  ),
  ...dateField("created", "When it was written"),
});

export const callSummary = record(
  { type: "CallSummary" },
  "A call in words, as an activity in a list would show it.",
  {
    header: textField("Who called whom."),
    contactNumberDescription: textField("Who the outside party is."),
    companyNumberDescription: textField("Whose company number was used."),
    outcome: textField("How the call ended, or its status until then."),
  },
);

const oldNumbers = "`contactNumber` and `companyNumber` replace it.";

const callFields = {
  direction: v.pipe(
    v.picklist(["inbound", "outbound"]),
    v.description("Whether the call came in or was dialled by somebody inside."),
  ),
  isInternal: flagField(
    "Whether it is between internal users only, so far: false once someone outside joins.",
  ),
  isConference: startsAs(
    false,
    flagField("Whether three or more parties were on the bridge at the same time, a voicemail not counted."),
  ),
  status: startsAs("started", one(callStatus, "Where the call stands.")),
  outcome: nullable(callOutcome, "How the call ended; null until it closes."),
  contactNumber: startsAsGiven(
    nullableText(
      "The outside party's number, whoever called: E.164 or a short code; null if the caller withheld it; an extension in an internal call.",
    ),
  ),
  companyNumber: textField(
    "The company number used, E.164: the number called, or the caller id of an outbound call. In a call that began between internal users, the extension of whoever dialled.",
  ),
  initiator: startsAsGiven(
    deprecated(
      oldNumbers,
      nullableText(
        "The number that called: E.164, or a short code; null if it was withheld; an extension in a call that began between internal users.",
      ),
    ),
  ),
  recipient: deprecated(
    oldNumbers,
    textField("The number that was called, E.164; an extension in an internal call."),
  ),
  ...createdDateField("started", "When the call began"),
  ...optionalDateField("answered", "When somebody first answered"),
  ...optionalDateField("ended", "When the call closed"),
  ...createdDateField("lastModified", "When the record last changed"),
  duration: nullableWhole("From start to end, ms; null until the call closes."),
  durationText: nullableText("The same in words, such as `2m 5s`; null until the call closes."),
  waitTime: nullableWhole(
    "From start to answer, or the whole duration if nobody answered, ms; null until known.",
  ),
  waitTimeText: nullableText("The same in words, such as `45s`; null until known."),
  vendor: textField("The vendor that carries the call."),
  vendorCallId: textField("The vendor's id for the call."),
  directoryTarget: absentable(
    one(
      entryReference,
      "Whom the caller called first. Inbound calls only; absent before `call.answered` and `call.not_answered`.",
    ),
  ),
  assignedCallGroup: absentable(
    nullable(
      entryReference,
      "The last team that the call was for, null if none. Inbound calls only; absent before `call.answered` and `call.not_answered`.",
    ),
  ),
  assignedUser: nullable(assignedUser, "Who answered; null if no user did."),
  parties: startsAsGiven(
    many(party, "Everyone who was on the call or rung for it, in the order in which they came."),
  ),
  connections: many(connection, "Who was on the bridge from when to when."),
  recordings: many(recording, "Recordings of the call; made with `features.recording`."),
  voicemail: nullable(voicemailMessage, "The message that the caller left; null without one."),
  notes: many(callNote, "What people wrote about the call, oldest first."),
  summary: one(callSummary, "The call in words."),
  tariff: nullable(callTariff, "What the call cost; null until known, and without `features.tariff`."),
  passthroughParameters,
};

const id = textField("The call's id.");

export const call = record(
  { type: "PublicCallRecord", component: "Call" },
  "A call. Durations are milliseconds unless a field says otherwise.",
  { id, ...callFields },
);

export const eventCall = record(
  { type: "CallRecord", component: "EventCall" },
  "A call as events have it. Durations are milliseconds unless a field says otherwise.",
  {
    id,
    organisationId: textField(
      "The organisation. In event data only: `sim.calls` and the REST API leave it out.",
    ),
    ...callFields,
  },
);

record(
  { type: "CallInsightsRecord" },
  "What the Call Insights data action answered about a call: what people are shown of it.",
  {
    callId: textField("The call."),
    origin: textField(
      "When it was asked: `<service>.precall` as the call began to ring, `<service>.callhistory` once it was over.",
    ),
    cards: many(
      v.unknown(),
      "The cards, in the order in which people see them: first those that the preferences name, then those of the preferred context source.",
    ),
    preferences: v.pipe(
      v.unknown(),
      v.description(
        "The preferences, as they were answered: `contextSource`, the preferred context source, and `cardOrder`, the ids or titles of cards in their order; null without any.",
      ),
    ),
    problems: many(textField("The key, and why it is not followed."), "Preferences that cannot be followed."),
    shownTo: many(
      textField("The id of a user."),
      "Who was shown the cards, in that order: whoever is rung for the call, or inside and on it when the answer comes. Empty for those of the call history.",
    ),
    ...dateField("created", "When the answer came"),
  },
);

record({ type: "ReturnRecord" }, "An unanswered call that went back to where it came from.", {
  callId: textField("The call."),
  vendorCallId: textField("The vendor's id for the call."),
  returnTo: v.pipe(
    v.picklist(["flow", "taskQueue", "postEndpoint", "application"]),
    v.description("The kind of place that it went back to."),
  ),
  returnToId: textField("Where it went back to: an id, or a URL for `postEndpoint`."),
  returnReason: textField("Why it was not answered."),
  takenBack: v.pipe(
    v.nullable(v.picklist(["redirect", "hangup"])),
    v.description("What the flow did that took the call back; null if it said nothing, or nothing took it."),
  ),
  nextCallId: nullableText("The call that it went on as; null if it was not redirected again."),
  ...dateField("created", "When it went back"),
});

// no schema refers to it: commands name its type as their result
record({ type: "TransferResult" }, "What a transfer or an addition came to.", {
  unreachable: absentable(
    textField(
      "Why the target could not be rung, such as `Carol Diaz is busy`; absent if it rings, and for teams.",
    ),
  ),
});

export const dialPad = record(
  { type: "DialPad" },
  "A dial pad that a dial link opened instead of making a call, because its parameters were too long.",
  {
    dialPad: v.pipe(
      v.strictObject({
        contactNumber: textField("The number to dial."),
        callerId: nullableText("The caller id to dial with; null if the link named none."),
      }),
      v.description("What the dial pad is filled with."),
    ),
  },
);

anyOf(
  { type: "DialLinkResult" },
  "What a dial link came to: a call, or a dial pad because its parameters were too long.",
  [v.strictObject({ callId: textField("The call.") }), dialPad],
);
