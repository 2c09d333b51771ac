import type { OrganisationInput } from "../organisation/schema.ts";
import type { CommandName } from "./core-services.ts";

/** The shortest scenarios that reach an event, which `ringback trigger` plays, and the steps that they share. */

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
export const stranger = "+6421555009";
/** The number of the contact Jane Smith, who is in a phonebook. */
export const jane = "+6421555001";
/** Alice's number. She has voicemail, and takes text messages. */
export const alice = "+6495550100";
/** Dave's number. He has no voicemail, and is the only member of a team. */
export const dave = "+6495550104";

/** An organisation with everything that follows on a call. */
export const workshop: OrganisationInput = {
  id: "workshop",
  name: "Workshop",
  features: { recording: true, transcription: true, analysis: true, tariff: true },
  numbers: [{ number: alice, owner: "alice" }],
  users: [{ id: "alice", email: "alice@acme.test", displayName: "Alice Ng", extension: "101" }],
  tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.05 }] },
};

export const step = (command: CommandName, at: string, args: ShortestStep["args"]): ShortestStep => ({
  command,
  at,
  args,
});
export const inboundStep = (from: string, to: string) => step("inbound", "PT0S", { as: "c1", from, to });
export const answeredSteps = [
  inboundStep(jane, alice),
  step("answer", "PT5S", { call: "c1", by: "alice" }),
] satisfies ShortestStep[];
export const ended = [
  inboundStep(jane, dave),
  step("answer", "PT5S", { call: "c1", by: "dave" }),
  step("hangup", "PT1M5S", { call: "c1", by: "caller" }),
];
export const endedAtWorkshop = {
  organisation: workshop,
  steps: [...answeredSteps, step("hangup", "PT1M5S", { call: "c1", by: "caller" })],
};
export const received = step("receiveMessage", "PT0S", {
  as: "m1",
  from: stranger,
  to: alice,
  text: "Are you open on Friday?",
});
export const exampleContact = { name: "Ana Lee", phoneNumbers: [stranger] };
