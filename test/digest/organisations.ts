import type { OrganisationInput, SimulatorOptions, UserBehaviour } from "../../src/index.ts";
import type { Dice } from "./dice.ts";

/** Numbers outside: the first are in phonebooks. */
export const outside = ["+6421555001", "+6421555002", "+6421555003", "+12025550147"] as const;
export const hosts = ["https://a.example.test", "https://b.example.test"] as const;
const dataActions = {
  outboundCall: "https://actions.example.test/outbound",
  teamCall: "https://actions.example.test/team",
  callInsights: "https://actions.example.test/insights",
  inboundConversations: "https://actions.example.test/conversations",
};

export function someDuration(dice: Dice): number {
  return dice.pick(dice.durations);
}

export function drawnDuration(dice: Dice) {
  const ms = someDuration(dice);
  return dice.pick([ms, ms, { fixed: ms }, { exponential: ms }, { uniform: [ms, ms + 7_000] }]);
}

export function userBehaviour(dice: Dice, endpoint: string | undefined): UserBehaviour {
  const after = drawnDuration(dice);
  return dice.partly({
    answer: dice.pick(["never", { after }, { after, endpoint }]),
    ...(dice.chance(0.3) ? { decline: { after: drawnDuration(dice) } } : {}),
    talk: drawnDuration(dice),
    wrapUp: drawnDuration(dice),
  }) as UserBehaviour;
}

export function callerBehaviour(dice: Dice) {
  return dice.partly({
    patience: drawnDuration(dice),
    talk: drawnDuration(dice),
    voicemail: dice.pick(["hangUp", { duration: drawnDuration(dice), transcript: "Please call back" }]),
  });
}

const endpoints = [
  "mobile",
  "desktop",
  "sip",
  { id: "desk", type: "sip" },
  { id: "tablet", type: "desktop", registered: false },
] as const;

const workingHours = {
  wednesday: [
    { from: "00:00", to: "00:10" },
    { from: "09:00", to: "12:00" },
  ],
  thursday: [{ from: "09:00", to: "24:00" }],
};

function usersOf(dice: Dice) {
  return Array.from({ length: 1 + dice.below(5) }, (_, index) => ({
    id: `user-${index}`,
    email: `user-${index}@org.test`,
    displayName: `User ${index}`,
    extension: String(100 + index),
    status: dice.chance(0.9) ? ("active" as const) : dice.pick(["invited", "suspended"] as const),
    voicemail: dice.chance(0.6),
    endpoints: dice.some(endpoints),
    ...(dice.chance(0.3) ? { location: "auckland" } : {}),
    ...(dice.chance(0.3) ? { mobile: `+6427000000${index}` } : {}),
    ...(dice.chance(0.3) && index > 0 ? { manager: "user-0" } : {}),
    ...(dice.chance(0.2) ? { workingHours, timezone: dice.pick(["UTC", "Pacific/Auckland"]) } : {}),
    ...(dice.chance(0.4) ? { behaviour: userBehaviour(dice, undefined) } : {}),
  }));
}

function teamsOf(dice: Dice, people: readonly ({ user: string } | { device: string })[]) {
  return Array.from({ length: dice.below(4) }, (_, index) => ({
    id: `team-${index}`,
    displayName: `Team ${index}`,
    extension: String(200 + index),
    members: dice.some(people, 0.7).map((member) => ({ ...member, priority: 1 + dice.below(3) })),
    ...dice.partly({
      timeout: dice.pick([0, 10_000, 20_000, 45_000]),
      nextOfferTimeout: dice.pick([5_000, 10_000]),
      unanswered: dice.pick([{ voicemail: true }, { team: "team-0" }, { external: outside[3] }] as const),
      voicemail: dice.chance(0.5),
      hidden: dice.chance(0.2),
    }),
  }));
}

const contact = (index: number) => ({
  id: `contact-${index}`,
  name: `Contact ${index}`,
  phoneNumbers: [outside[index] as string],
});

function trunks() {
  const entry = (kind: string, extension: string) => ({ id: `trunk-${kind}`, displayName: kind, extension });
  return [
    {
      id: "trunk",
      name: "Trunk",
      devices: [entry("device", "500")],
      queues: [entry("queue", "600")],
      users: [{ ...entry("user", "700"), user: "user-0" }],
    },
  ];
}

/** A separate list, so that a new event type does not change the drawn values. */
const eventTypes = [
  "call.answered",
  "call.not_answered",
  "call.tariffed",
  "conversation.message.created",
  "user.availability.updated",
] as const;

/** The event types that webhooks receive. */
export function someEventTypes(dice: Dice): string[] {
  return dice.chance(0.3) ? ["*"] : [dice.pick(eventTypes), "call.started", "call.ended"];
}

function organisationOf(dice: Dice): OrganisationInput {
  const users = usersOf(dice);
  const devices = ["device-0", "device-1"].slice(0, dice.below(3)).map((id, index) => ({
    id,
    displayName: `Device ${index}`,
    extension: String(300 + index),
    outboundAllowed: dice.chance(0.8),
  }));
  const people = [...users.map(({ id }) => ({ user: id })), ...devices.map(({ id }) => ({ device: id }))];
  const teams = teamsOf(dice, people);
  const owners = [...users, ...devices, ...teams].map(({ id }) => id);
  const flags = { recording: true, transcription: true, analysis: true, tariff: true, pbx: true };
  const features = dice.partly({ ...flags, excludeEmployeePhoneNumbers: dice.chance(0.2) });
  return {
    id: "org",
    features,
    users,
    devices,
    teams,
    numbers: owners.map((owner, index) => ({
      number: `+64955500${String(index).padStart(2, "0")}`,
      owner,
      sms: owner.startsWith("device") ? false : dice.chance(0.8),
    })),
    locations: [{ id: "auckland", name: "Auckland", timezone: "Pacific/Auckland" }],
    phonebooks: [
      { id: "shared", name: "Shared", contacts: [contact(0)] },
      { id: "user-0@org.test", contacts: [contact(1)] },
    ],
    dataActions: dice.partly(dataActions, 0.3),
    webhooks: dice
      .some(hosts, 0.25)
      .map((url) => ({ url: `${url}/hooks`, events: someEventTypes(dice) as ["*"] })),
    tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.1 }] },
    ...(features.pbx ? { trunks: trunks() } : {}),
  };
}

export function optionsOf(seed: number, dice: Dice): SimulatorOptions {
  return {
    seed,
    ids: dice.pick(["counter", "counter", "nanoid", "uuid"] as const),
    organisation: organisationOf(dice),
    timing: dice.chance(0.5)
      ? {}
      : dice.partly({
          ringTimeout: someDuration(dice),
          teamTimeout: someDuration(dice),
          voicemailGreeting: someDuration(dice),
          voicemailMaxMessage: someDuration(dice),
          recordingAvailable: someDuration(dice),
          transcriptCreated: someDuration(dice),
          contentAnalysisCompleted: someDuration(dice),
          callTariffed: someDuration(dice),
          conversationInactive: 600_000,
          groupMessageCreated: someDuration(dice),
          endpointTimeout: someDuration(dice),
        }),
    network: {
      unrouted: dice.pick(["accept", "accept", "refuse"] as const),
      order: dice.pick(["fifo", "fifo", "shuffled"] as const),
      ...(dice.chance(0.3) ? { latency: drawnDuration(dice) as number } : {}),
    },
    webhooks: { schedule: [0, 1_000, 60_000], failureLimit: dice.pick([0, 1, 3, 1_000]) },
    ...(dice.chance(0.1) ? { retain: dice.partly({ calls: 2, conversations: 1, requests: 10 }) } : {}),
  };
}
