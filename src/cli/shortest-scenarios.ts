import type { CommandName } from "../core/platform/base/core-services.ts";
import type { EventType } from "../core/platform/declare/events.ts";
import type { OrganisationInput } from "../core/platform/organisation/schema.ts";

/** A step that plays one command. Each command stands in a scenario once, so that its name also names its step. */
export interface ShortestStep {
  readonly command: CommandName;
  /** When it is played, as a duration from the start. */
  readonly at: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A scenario of which no step can be left out. */
export interface ShortestScenario {
  readonly title: string;
  /** Default: the demo organisation. */
  readonly organisation?: OrganisationInput;
  /** In the order in which they are played. */
  readonly steps: readonly ShortestStep[];
}

/** An outside number that no phonebook has. */
const stranger = "+6421555009";
/** The number of the contact Jane Smith, who is in a phonebook. */
const jane = "+6421555001";
/** Alice's number. She has voicemail, and takes text messages. */
const alice = "+6495550100";
/** Dave's number. He has no voicemail, and is the only member of a team. */
const dave = "+6495550104";

/** An organisation with everything that follows on a call. */
const workshop: OrganisationInput = {
  id: "workshop",
  name: "Workshop",
  features: { recording: true, transcription: true, analysis: true, tariff: true },
  numbers: [{ number: alice, owner: "alice" }],
  users: [{ id: "alice", email: "alice@acme.test", displayName: "Alice Ng", extension: "101" }],
  tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.05 }] },
};

const step = (command: CommandName, at: string, args: ShortestStep["args"]): ShortestStep => ({
  command,
  at,
  args,
});
const inbound = (from: string, to: string) => step("inbound", "PT0S", { as: "c1", from, to });
const answered = [
  inbound(jane, alice),
  step("answer", "PT5S", { call: "c1", by: "alice" }),
] satisfies ShortestStep[];
const ended = [
  inbound(jane, dave),
  step("answer", "PT5S", { call: "c1", by: "dave" }),
  step("hangup", "PT1M5S", { call: "c1", by: "caller" }),
];
const endedAtWorkshop = {
  organisation: workshop,
  steps: [...answered, step("hangup", "PT1M5S", { call: "c1", by: "caller" })],
};
const received = step("receiveMessage", "PT0S", {
  as: "m1",
  from: stranger,
  to: alice,
  text: "Are you open on Friday?",
});
const newContact = { name: "Ana Lee", phoneNumbers: [stranger] };

/** For each type of event a scenario that reaches it. `ringback trigger` plays them. */
export const shortestScenarios: Readonly<Record<EventType, ShortestScenario>> = {
  "call.started": { title: "A call starts", steps: [inbound(jane, alice)] },
  "call.answered": { title: "A call is answered", steps: answered },
  "call.not_answered": { title: "Nobody answers a call", steps: [inbound(jane, dave)] },
  "call.hungup": { title: "A party leaves a call", steps: ended },
  "call.ended": { title: "An answered call ends", steps: ended },
  "call.recording.available": { title: "The recording of a call is ready", ...endedAtWorkshop },
  "call.transcript.created": { title: "A transcript of a call is ready", ...endedAtWorkshop },
  "call.transcription_completed": { title: "All transcripts of a call are ready", ...endedAtWorkshop },
  "call.tariffed": {
    title: "The cost of a call is known",
    organisation: workshop,
    steps: [inbound(jane, alice)],
  },
  "call.contact_assigned_with_add": {
    title: "A caller becomes a new contact",
    steps: [
      inbound(stranger, alice),
      step("assignContact", "PT5S", { call: "c1", by: "alice", contact: newContact }),
    ],
  },
  "call.contact_assigned_with_update": {
    title: "A caller is a known contact",
    steps: [
      inbound(jane, alice),
      step("assignContact", "PT5S", { call: "c1", by: "alice", contact: "jane" }),
    ],
  },
  "contact.shared": {
    title: "A contact is shared with a conversation",
    steps: [received, step("shareContact", "PT5S", { conversation: "m1", contact: "jane" })],
  },
  "conversation.message.created": { title: "A message arrives", steps: [received] },
  "conversation.inactive": { title: "A conversation goes quiet", steps: [received] },
  "conversation.closed": {
    title: "A conversation is closed",
    steps: [received, step("closeConversation", "PT5S", { conversation: "m1" })],
  },
  "conversation.contact_assigned": {
    title: "A conversation gets a contact",
    steps: [received, step("assignConversationContact", "PT5S", { conversation: "m1", contact: "jane" })],
  },
  "content_analysis.completed": { title: "The analysis of a call is complete", ...endedAtWorkshop },
  "user.availability.updated": {
    title: "A user asks not to be disturbed",
    steps: [step("setAvailability", "PT0S", { user: "alice", status: "busy" })],
  },
  "team.availability.updated": {
    title: "The only member of a team asks not to be disturbed",
    steps: [step("setAvailability", "PT0S", { user: "dave", status: "busy" })],
  },
  "transcript.created": { title: "A transcript is ready", ...endedAtWorkshop },
};
