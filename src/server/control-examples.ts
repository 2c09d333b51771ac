import type { CommandInput, CommandName } from "../core/platform/base/core-services.ts";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import type { OrganisationInput } from "../core/platform/organisation/schema.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

type Examples = { readonly [Name in CommandName]: (sim: Simulator) => CommandInput<Name> };

const api = "https://crm.example.test/";
const customer = "+6421555001";
const aliceNumber = "+6495550100";

/**
 * One example of each command, for the document of the control plane: what happens before it, and its arguments. A new
 * command without an example is a type error. `test/core/platform/every-command.test.ts` plays each.
 */
export const commandExamples: Examples = {
  // the network and the REST API
  route: () => ({ url: api, status: 204 }),
  fault: () => ({ url: api, status: 503, times: 2 }),
  deviate: (sim) => {
    sim.webhooks.create({ url: api, events: ["*"] });
    return { what: "attempt", at: "PT0S", of: "call.started", webhook: "webhook-1", is: "lost" };
  },
  conditions: () => ({ url: api, loss: 0.5 }),
  issueToken: (sim) => ({ client: sim.credentials.clientId }),
  expireTokens: () => ({}),
  restFault: () => ({ status: 503, times: 1 }),
  restAsked: () => ({ method: "POST", path: "/messages" }),
  restServed: () => ({ method: "GET", path: "/users", body: "", status: 200, answer: "{}" }),
  createWebhook: () => ({ url: api, events: ["call.ended"] }),
  updateWebhook: (sim) => ({ webhook: webhook(sim), enabled: false }),
  removeWebhook: (sim) => ({ webhook: webhook(sim) }),

  // people and the directory
  behave: () => ({ user: "alice", behaviour: { answer: { after: "PT3S" } } }),
  setAvailability: () => ({ user: "alice", status: "busy" }),
  setEndpoint: () => ({ user: "alice", endpoint: "mobile", registered: false }),
  setUserStatus: () => ({ user: "alice", status: "suspended" }),
  wrapUp: () => ({ user: "alice", for: "PT30S" }),
  setTeamMember: () => ({ team: "sales", user: "alice", priority: 1 }),
  removeTeamMember: () => ({ team: "sales", user: "bob" }),
  putPhonebooks: () => ({ phonebooks: [{ id: "partners" }] }),
  putContacts: () => ({ phonebook: "customers", contacts: [{ name: "Jo", phoneNumbers: ["+6421555009"] }] }),
  removeContact: () => ({ phonebook: "customers", contact: "jane" }),
  createLocation: () => ({ name: "Wellington" }),
  addUserToLocation: () => ({ location: "london", user: "carol" }),
  removeUserFromLocation: () => ({ location: "london", user: "dave" }),
  addTrunkEntry: () => ({ trunk: "pbx", kind: "queue", displayName: "Repairs", extension: "400" }),
  updateTrunkEntry: () => ({ trunk: "pbx", kind: "device", id: "gate", displayName: "Back gate" }),
  removeTrunkEntry: () => ({ trunk: "pbx", kind: "device", id: "gate" }),

  // calls
  inbound: () => ({ from: customer, to: aliceNumber }),
  outbound: () => ({ from: "alice", to: customer }),
  internal: () => ({ from: "alice", to: "102" }),
  takeBack: () => ({ id: "FW1", redirect: { extension: "102" } }),
  takeBackCall: (sim) => {
    const way = { extension: "101", returnTo: "flow", returnToId: "FW1" };
    const { id } = sim.calls.redirect(way, { from: customer, to: "+6495559999" });
    sim.advance("PT30S");
    return { call: id, redirect: { extension: "102" } };
  },
  redirect: () => ({ from: customer, to: "+6495559999", extension: "101" }),
  connectApplication: () => ({ from: customer, to: "+6495559999", extension: "101", accountId: "AC1" }),
  dialLink: () => ({ user: "alice", contactNumber: customer }),
  traffic: () => ({ to: aliceNumber, every: "PT1M", for: "PT5M" }),
  answer: (sim) => ({ call: ringing(sim), by: "alice" }),
  decline: (sim) => ({ call: ringing(sim), by: "alice" }),
  hangup: (sim) => ({ call: ringing(sim), by: "caller" }),
  move: (sim) => ({ call: answered(sim), by: "alice", to: "mobile" }),
  transfer: (sim) => ({ call: answered(sim), by: "alice", target: "102" }),
  add: (sim) => ({ call: answered(sim), by: "alice", target: "102" }),
  note: (sim) => ({ call: ringing(sim), by: "alice", text: "Wants a quote" }),
  assignContact: (sim) => ({
    call: ringing(sim),
    by: "alice",
    contact: { name: "Jo", phoneNumbers: [customer] },
  }),
  leaveVoicemail: (sim) => {
    const call = ringing(sim);
    sim.advance("PT30S");
    return { call, duration: "PT10S" };
  },
  removeRecording: (sim) => ({ call: recorded(sim), recording: recordingOf(sim) }),
  removeTranscript: (sim) => {
    recorded(sim);
    return { transcript: sim.transcripts.list()[0]?.id ?? "" };
  },

  // content analysis
  createAnalysis: (sim) => analysisOf(sim),
  completeAnalysis: (sim) => ({ analysis: sim.command("createAnalysis", analysisOf(sim)) }),
  removeAnalysis: (sim) => ({ analysis: sim.command("createAnalysis", analysisOf(sim)) }),

  // conversations
  sendConversationMessage: () => ({
    companyAddress: aliceNumber,
    contactAddresses: [customer],
    messageContent: { text: "Hello" },
    routingAction: "assign_owner",
  }),
  sendMessage: () => ({ from: aliceNumber, to: customer, body: "Hello" }),
  sendTeamMessage: () => ({
    companyAddress: "+6495550200",
    contactAddress: customer,
    messageContent: { text: "Hello" },
  }),
  receiveMessage: () => ({ from: customer, to: aliceNumber, text: "Hello" }),
  closeConversation: (sim) => ({ conversation: conversation(sim) }),
  readConversation: (sim) => ({ conversation: conversation(sim), by: "alice" }),
  assignConversationContact: (sim) => ({
    conversation: conversation(sim),
    contact: { name: "Jo", phoneNumbers: [customer] },
  }),
  shareContact: (sim) => ({ conversation: conversation(sim), contact: "jane" }),
};

const ringing = (sim: Simulator) => sim.calls.inbound({ from: customer, to: aliceNumber }).id;

function answered(sim: Simulator): string {
  const id = ringing(sim);
  sim.calls.get(id).answer("alice", { endpoint: "desktop" });
  return id;
}

/** A call with a recording and a transcript. */
function recorded(sim: Simulator): string {
  const id = answered(sim);
  sim.advance("PT30S");
  sim.calls.get(id).hangup("caller");
  sim.runUntilIdle();
  return id;
}

const recordingOf = (sim: Simulator) => sim.calls.list()[0]?.record.recordings[0]?.id ?? "";
const webhook = (sim: Simulator) => sim.webhooks.create({ url: api, events: ["*"] }).id;

function analysisOf(sim: Simulator): CommandInput<"createAnalysis"> {
  if (sim.calls.list().length === 0) recorded(sim);
  return { analyzer: "summary", content: { recordings: [{ id: recordingOf(sim) }] } };
}

function conversation(sim: Simulator): string {
  sim.conversations.receive({ from: customer, to: aliceNumber, text: "Hello" });
  return sim.conversations.list()[0]?.id ?? "";
}

/** The organisation that the examples are of: the demo's, with recording and a trunk. */
export const exampleOrganisation = {
  ...demoOrganisation,
  features: { recording: true, transcription: true, pbx: true },
  trunks: [{ id: "pbx", name: "PBX", devices: [{ id: "gate", displayName: "Gate", extension: "401" }] }],
} satisfies OrganisationInput;
