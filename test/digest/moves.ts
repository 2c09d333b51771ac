import { commands } from "../../src/core/platform/catalogue/commands.ts";
import { possibleCommands } from "../../src/core/platform/catalogue/possible-commands.ts";
import type { CallHandle, CommandName } from "../../src/index.ts";
import {
  callerBehaviour,
  drawnDuration,
  hosts,
  someDuration,
  someEventTypes,
  userBehaviour,
} from "./organisations.ts";
import type { World } from "./world.ts";

type Moves = Record<string, (world: World) => void>;

const connected = ({ record: { parties, connections } }: CallHandle) =>
  parties.filter(({ id }) => connections.some((each) => each.partyId === id && each.leftAt === null));

/** What someone does on a live call. If nobody can do anything, usually a call begins instead. */
function onCall(name: string, world: World, by: (call: CallHandle) => string[], more: object = {}): void {
  const all = world.live().flatMap((call) => by(call).map((who) => ({ call: call.id, by: who })));
  const one = world.dice.pick(all);
  if (one === undefined && world.dice.chance(0.9)) inbound(world);
  else world.ask(name, { ...(one ?? { call: world.call(), by: world.someone() }), ...more });
}

const talking = (call: CallHandle) =>
  connected(call).map(({ entryId, phoneNumber }) => entryId ?? phoneNumber ?? "caller");

/** The users on an answered call: they may transfer it. */
const handling = (call: CallHandle) =>
  connected(call).flatMap(({ type, entryId }) => (type === "user" && entryId !== undefined ? [entryId] : []));

const target = (world: World) =>
  world.dice.pick([world.someone(), world.extension(), world.outside(), world.team()]);

function whereItRings(name: string, world: World, more: object = {}): void {
  const all = world
    .live()
    .flatMap((call) =>
      call
        .ringing()
        .map(({ endpoint, ...who }) => ({ call: call.id, by: Object.values(who)[0] as string, endpoint })),
    );
  const one = world.dice.pick(all);
  if (one === undefined) onCall(name, world, () => [], more);
  else {
    const { endpoint, ...rest } = one;
    world.ask(name, { ...rest, ...(world.dice.chance(0.5) ? { endpoint } : {}), ...more });
  }
}

function inbound(world: World, to = world.number()): void {
  world.ask("inbound", {
    from: world.outside(),
    to,
    ...world.dice.partly({
      passthroughParameters: world.passthrough(),
      priority: 1 + world.dice.below(9),
      behaviour: callerBehaviour(world.dice),
    }),
  });
}

export const calls: Moves = {
  inbound: (world) => inbound(world),
  outbound: (world) =>
    world.ask("outbound", {
      from: world.someone(),
      to: world.outside(),
      ...world.dice.partly({ callerId: world.number(), passthroughParameters: world.passthrough() }, 0.2),
    }),
  internal: (world) => world.ask("internal", { from: world.user(), to: world.extension() }),
  answer: (world) => whereItRings("answer", world),
  decline: (world) => whereItRings("decline", world, world.dice.chance(0.2) ? { busy: true } : {}),
  hangup: (world) => onCall("hangup", world, (call) => ["caller", ...talking(call)]),
  move: (world) =>
    onCall("move", world, handling, { to: world.dice.pick(["mobile", "desktop", "sip", "desk"]) }),
  leaveVoicemail: (world) => {
    const isInVoicemail = (call: CallHandle) => connected(call).some(({ type }) => type === "voicemail");
    const one = world.dice.pick(world.live().filter(isInVoicemail));
    if (one === undefined && world.dice.chance(0.9)) inbound(world);
    else
      world.ask("leaveVoicemail", {
        call: one?.id ?? world.call(),
        duration: someDuration(world.dice),
        ...(world.dice.chance(0.5) ? { transcript: "Hello. Please call back." } : {}),
      });
  },
};

/** The moves that most calls need to make progress. */
export const answers: Moves = { answer: (world) => whereItRings("answer", world) };

export const transfers: Moves = {
  transfer: (world) =>
    onCall("transfer", world, handling, { target: target(world), warm: world.dice.chance(0.5) }),
  add: (world) => onCall("add", world, handling, { target: target(world) }),
};

export const redirects: Moves = {
  redirect: (world) =>
    world.ask("redirect", {
      extension: world.extension(),
      from: world.outside(),
      to: "+6495559999",
      ...world.dice.partly({
        timeout: world.dice.pick(["10", 12, 0, "soon"]),
        nextOfferTimeout: world.dice.pick(["5", 7, 0]),
        priority: world.dice.pick(["1", 9, "high"]),
        sendToVoicemail: world.dice.pick([true, "false"]),
        "x-ticket": "4711",
      }),
      ...world.dice.pick([
        {},
        { returnTo: "flow", returnToId: "FW1" },
        { returnTo: "taskQueue", returnToId: "WQ1" },
        { returnTo: "postEndpoint", returnToId: `${hosts[0]}/return` },
        { returnTo: "nowhere", returnToId: "1" },
      ]),
    }),
  connectApplication: (world) =>
    world.ask("connectApplication", {
      extension: world.extension(),
      accountId: "AC1",
      parameters: { "x-a": "b", c: "d" },
      from: world.outside(),
      to: "+6495559999",
    }),
  dialLink: (world) =>
    world.ask("dialLink", {
      user: world.user(),
      contactNumber: world.outside(),
      "x-link": "1".repeat(world.dice.pick([1, 1, 1_000])),
    }),
};

export const wrapUps: Moves = {
  wrapUp: (world) =>
    world.ask("wrapUp", { user: world.user(), for: world.dice.pick([0, 1, 5_000, "PT30S", "PT5M"]) }),
};

export const people: Moves = {
  setAvailability: (world) => {
    const status = world.dice.pick(["available", "busy", "offline"]);
    const why = { rule: world.dice.pick(["doNotDisturb", "outOfHours", "loggedOut"]), reason: "lunch" };
    const isWhyWelcome = status !== "available" || world.dice.chance(0.1);
    world.ask("setAvailability", {
      user: world.user(),
      status,
      ...(isWhyWelcome ? world.dice.partly(why) : {}),
    });
  },
  setEndpoint: (world) =>
    world.ask("setEndpoint", {
      user: world.user(),
      endpoint: world.dice.pick(["mobile", "desktop", "sip", "desk", "tablet"]),
      registered: world.dice.chance(0.6),
    }),
  setUserStatus: (world) =>
    world.ask("setUserStatus", {
      user: world.user(),
      status: world.dice.pick(["active", "active", "suspended", "invited"]),
    }),
  behave: (world) =>
    world.ask("behave", { user: world.user(), behaviour: userBehaviour(world.dice, "desktop") }),
  setTeamMember: (world) =>
    world.ask("setTeamMember", {
      team: world.team(),
      user: world.someone(),
      priority: 1 + world.dice.below(3),
    }),
  removeTeamMember: (world) => world.ask("removeTeamMember", { team: world.team(), user: world.someone() }),
};

/** The moves that fill the queues of teams. */
export const teams: Moves = {
  callTeam: (world) => {
    const numbers = world.sim.teams.list().flatMap(({ record }) => record.phoneNumbers);
    inbound(world, world.dice.pick(numbers));
  },
  decline: (world) => whereItRings("decline", world),
  removeMember: (world) => {
    const [first] = world.dice.pick(world.sim.teams.list())?.record.teamMembers ?? [];
    world.ask("removeTeamMember", { team: world.team(), user: first?.id ?? world.someone() });
  },
};

export const traffic: Moves = {
  traffic: (world) =>
    world.ask("traffic", {
      to: world.number(),
      every: world.dice.pick([5_000, { exponential: 8_000 }, { uniform: [1_000, 10_000] }]),
      for: world.dice.pick([0, 10_000, 40_000]),
      ...world.dice.partly({ behaviour: callerBehaviour(world.dice), from: "+6421900001", priority: 3 }),
    }),
};

const anyContact = (world: World) =>
  world.dice.pick([
    "contact-0",
    "contact-1",
    { name: "Ann", phoneNumbers: [world.outside()] },
    { firstName: "Bo", lastName: "Li", emailAddresses: ["bo@customer.test"] },
  ]);

const recordings = (world: World) =>
  world.sim.calls
    .list()
    .flatMap(({ id, record }) =>
      record.recordings.map((recording) => ({ call: id, recording: recording.id })),
    );

export const followUps: Moves = {
  note: (world) => world.ask("note", { call: world.call(), by: world.user(), text: "Called back" }),
  assignContact: (world) =>
    world.ask("assignContact", { call: world.call(), contact: anyContact(world), by: world.user() }),
  removeRecording: (world) => {
    const one = world.dice.pick(recordings(world));
    if (one !== undefined) world.ask("removeRecording", one);
  },
  removeTranscript: (world) => {
    const one = world.dice.pick(world.sim.transcripts.list());
    if (one !== undefined) world.ask("removeTranscript", { transcript: one.id });
  },
  createAnalysis: (world) => {
    const jobs = world.dice.some(world.sim.analysis.list()).map(({ id }) => ({ id }));
    const of = world.dice.some(recordings(world)).map(({ recording }) => ({ id: recording }));
    const content = world.dice.pick([{ recordings: of }, { agent: world.user(), contentAnalysis: jobs }]);
    world.ask("createAnalysis", { analyzer: "scorecard", content, passthroughParameters: { any: [1] } });
  },
  completeAnalysis: (world) =>
    world.ask("completeAnalysis", { analysis: world.dice.pick(world.sim.analysis.list())?.id ?? "none" }),
  removeAnalysis: (world) =>
    world.ask("removeAnalysis", { analysis: world.dice.pick(world.sim.analysis.list())?.id ?? "none" }),
};

const someContacts = (world: World) => {
  const first = world.outside();
  return [...new Set([first, ...(world.dice.chance(0.4) ? [world.outside(), world.outside()] : [])])];
};

const messageContent = (world: World) => ({
  text: world.dice.pick(["Hello", "Are you there?", ""]),
  ...world.dice.partly({ media: ["https://media.example.test/1.png"], sendAsUser: "user-0@org.test" }, 0.2),
});

const thread = (world: World) =>
  world.dice.partly(
    {
      closeTimer: world.dice.pick(["PT600S", "P1D", "PT10S"]),
      conversationName: "Order",
      passthroughParameters: world.passthrough(),
    },
    0.3,
  );

const emails = (world: World) => world.dice.some(world.sim.users.list()).map(({ record }) => record.email);

export const conversations: Moves = {
  sendConversationMessage: (world) =>
    world.ask("sendConversationMessage", {
      contactAddresses: someContacts(world),
      companyAddress: world.number(),
      messageContent: messageContent(world),
      routingAction: world.dice.pick(["assign_users", "do_not_route", "assign_owner"]),
      ...world.dice.partly({
        channel: world.dice.pick(["sms", "whatsApp"]),
        assignUsers: emails(world),
        claimRule: "first",
        notificationMode: world.dice.pick(["notify_unread", "silent_unread", "silent_read"]),
      }),
      ...thread(world),
    }),
  sendMessage: (world) =>
    world.ask("sendMessage", {
      body: "Hi",
      from: world.dice.pick(["user-0@org.test", world.number()]),
      to: world.outside(),
      ...(world.dice.chance(0.3) ? { notifyUsers: true } : {}),
      ...thread(world),
    }),
  sendTeamMessage: (world) =>
    world.ask("sendTeamMessage", {
      companyAddress: world.number(),
      ...(world.dice.chance(0.5)
        ? { contactAddress: world.outside() }
        : { contactAddresses: someContacts(world), channel: "sms" }),
      messageContent: messageContent(world),
      ...world.dice.partly({ routingAction: "assign_team", notifyUsers: true }),
      ...thread(world),
    }),
  receiveMessage: (world) => {
    const [from, ...others] = someContacts(world);
    world.ask("receiveMessage", {
      from,
      to: world.number(),
      text: "Hi there",
      ...world.dice.partly({ channel: world.dice.pick(["sms", "whatsApp"]), others }, 0.6),
      ...world.dice.partly({ media: ["https://media.example.test/2.png"] }, 0.2),
    });
  },
  closeConversation: (world) => world.ask("closeConversation", { conversation: world.conversation() }),
  readConversation: (world) =>
    world.ask("readConversation", { conversation: world.conversation(), by: world.user() }),
  assignConversationContact: (world) =>
    world.ask("assignConversationContact", {
      conversation: world.conversation(),
      contact: anyContact(world),
    }),
  shareContact: (world) =>
    world.ask("shareContact", { conversation: world.conversation(), contact: anyContact(world) }),
};

const prefix = (world: World) =>
  world.dice.pick([...hosts, "https://", "https://actions.example.test/"] as const);

export const network: Moves = {
  route: (world) =>
    world.ask("route", {
      url: prefix(world),
      status: world.dice.pick([200, 200, 200, 204, 404, 500]),
      body: world.dice.pick([
        { action: "allow", passthroughParameters: { "x-said": "1" }, priority: 2, displayName: "VIP" },
        { action: "block", claimRule: "any", closeTimer: "PT600S" },
        { cards: [], passthroughParameters: "x-said=2" },
        "not JSON",
      ]),
      ...(world.dice.chance(0.4) ? { after: someDuration(world.dice) } : {}),
    }),
  fault: (world) =>
    world.ask("fault", {
      url: prefix(world),
      ...world.dice.partly({
        status: world.dice.pick([400, 408, 500, 503, "refuse", "timeout"]),
        times: world.dice.below(4),
        for: someDuration(world.dice),
        after: someDuration(world.dice),
      }),
    }),
  conditions: (world) => {
    const chance = () => world.dice.pick([0, 0.3, 1]);
    const conditions = {
      latency: drawnDuration(world.dice),
      loss: chance(),
      duplicate: chance(),
      reorder: chance(),
    };
    world.ask("conditions", { url: prefix(world), ...world.dice.partly(conditions) });
  },
  createWebhook: (world) =>
    world.ask("createWebhook", {
      url: `${world.dice.pick(hosts)}/more`,
      events: someEventTypes(world.dice),
      ...world.dice.partly({ description: "More", enabled: world.dice.chance(0.7), signingSecret: "s3cret" }),
    }),
  updateWebhook: (world) =>
    world.ask("updateWebhook", {
      webhook: world.webhook(),
      ...world.dice.partly({
        enabled: world.dice.chance(0.6),
        events: someEventTypes(world.dice),
        url: `${hosts[1]}/x`,
      }),
    }),
  removeWebhook: (world) => world.ask("removeWebhook", { webhook: world.webhook() }),
  issueToken: (world) => world.ask("issueToken", { client: "org-client" }),
};

const trunkEntry = (world: World) => {
  const kind = world.dice.pick(["device", "queue", "user"] as const);
  const fields = {
    displayName: `New ${kind}`,
    extension: String(800 + world.dice.below(5)),
    description: "New",
  };
  return { kind, fields };
};

export const directory: Moves = {
  createLocation: (world) =>
    world.ask("createLocation", {
      name: "Wellington",
      ...world.dice.partly({ id: "wellington", countryIso: "NZ" }),
    }),
  addUserToLocation: (world) =>
    world.ask("addUserToLocation", {
      location: world.dice.pick(["auckland", "wellington"]),
      user: world.user(),
    }),
  removeUserFromLocation: (world) =>
    world.ask("removeUserFromLocation", {
      location: world.dice.pick(["auckland", "wellington"]),
      user: world.user(),
    }),
  putPhonebooks: (world) =>
    world.ask("putPhonebooks", {
      phonebooks: [{ id: world.dice.pick(["shared", "more"]), name: "Put", contacts: [{ name: "Cy" }] }],
    }),
  putContacts: (world) =>
    world.ask("putContacts", {
      phonebook: world.dice.pick(["shared", "user-0@org.test", "more"]),
      contacts: [{ id: world.dice.pick(["contact-0", "new"]), name: "Di", phoneNumbers: [world.outside()] }],
    }),
  removeContact: (world) =>
    world.ask("removeContact", { phonebook: "shared", contact: world.dice.pick(["contact-0", "new"]) }),
  addTrunkEntry: (world) => {
    const { kind, fields } = trunkEntry(world);
    world.ask("addTrunkEntry", { trunk: "trunk", kind, ...fields });
  },
  updateTrunkEntry: (world) => {
    const { kind, fields } = trunkEntry(world);
    world.ask("updateTrunkEntry", {
      trunk: "trunk",
      kind,
      id: `trunk-${kind}`,
      ...world.dice.partly(fields),
    });
  },
  removeTrunkEntry: (world) => {
    const { kind } = trunkEntry(world);
    world.ask("removeTrunkEntry", { trunk: "trunk", kind, id: `trunk-${kind}` });
  },
};

export const time: Moves = {
  advance: (world) => {
    const ms = world.dice.pick([0, 1, 1_000, 1_000, 4_000, 5_000, 5_000, 20_000, 30_000, -1]);
    world.tell(`advance ${ms}`, () => world.sim.advance(ms));
  },
  advanceToTimer: (world) => {
    const due = world.dice.pick(world.sim.pending().slice(0, 4))?.dueTimestamp ?? world.sim.timestamp;
    world.tell(`advanceTo ${due}`, () => world.sim.advanceTo(due));
  },
  step: (world) => world.tell("step", () => world.sim.step()),
};

/** A move for a command without one above: with arguments with which it is possible now, otherwise its example. */
export function moveOf(name: CommandName): (world: World) => void {
  return (world) => {
    const one = world.dice.pick(possibleCommands(world.sim.services).filter((each) => each.name === name));
    if (one === undefined)
      world.tell(`the example of ${name}`, () => world.ask(name, { ...commands[name].example(world.sim) }));
    else world.ask(name, one.args);
  };
}
