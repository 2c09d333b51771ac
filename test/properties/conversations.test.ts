import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CommandError,
  type ConversationRecord,
  createSimulator,
  type OrganisationInput,
  type PlatformEvent,
  replay,
  type Simulator,
} from "../../src/index.ts";
import { passthroughs } from "./arbitraries.ts";
import { fingerprint, pickFrom } from "./play.ts";
import { must, mustBeFrozen } from "./rules.ts";
import { always, typesIn } from "./support.ts";

/** What must always hold of conversations, over random messages, updates and closings. */

const contacts = ["+6421555001", "+6421555002", "+6421555003"] as const;
const [ownNumber, teamNumber] = ["+6495550100", "+6495550200"] as const;
const users = Array.from({ length: 12 }, (_, index) => ({
  id: `user-${index}`,
  email: `user-${index}@example.test`,
  displayName: `User ${index}`,
  extension: String(100 + index),
}));
const emails = [...users.map(({ email }) => email), "nobody@example.test"];

const organisation: OrganisationInput = {
  id: "org",
  users,
  teams: [
    {
      id: "team",
      displayName: "Team",
      extension: "200",
      members: users.slice(2).map(({ id }) => ({ user: id })),
    },
  ],
  numbers: [
    { number: ownNumber, owner: "user-0", sms: true },
    { number: teamNumber, owner: "team", sms: true },
  ],
};

const someContacts = fc.uniqueArray(fc.constantFrom(...contacts), { minLength: 1, maxLength: 3 });
const closeTimer = fc.option(fc.constantFrom("PT600S", "PT601S", "P1D", "P180D", "PT599S"), {
  nil: undefined,
});
const number = fc.constantFrom(ownNumber, teamNumber);
const channel = fc.constantFrom(undefined, "sms" as const, "whatsApp" as const);

const options = { passthroughParameters: passthroughs, closeTimer };

const sending = fc.record({
  move: fc.constant("send" as const),
  body: fc.record({
    companyAddress: number,
    contactAddresses: someContacts,
    messageContent: fc.record({ text: fc.constantFrom("Hello", "Hi") }),
    channel,
    routingAction: fc.constantFrom(undefined, "assign_users", "assign_owner", "assign_owner", "do_not_route"),
    assignUsers: fc.option(fc.array(fc.constantFrom(...emails), { maxLength: 4 }), { nil: undefined }),
    notificationMode: fc.constantFrom(undefined, "silent_unread", "silent_read"),
    ...options,
  }),
});

const sendingLegacy = fc.record({
  move: fc.constant("sendMessage" as const),
  body: fc.record({
    from: fc.constantFrom(ownNumber, "user-0", "user-1"),
    to: fc.constantFrom(...contacts),
    body: fc.constant("Hello"),
    ...options,
  }),
});

const sendingForTeam = fc.record({
  move: fc.constant("sendTeamMessage" as const),
  body: fc.record({
    companyAddress: number,
    contactAddresses: someContacts,
    channel: fc.constant("sms" as const),
    messageContent: fc.constant({ text: "Hello" }),
    ...options,
  }),
});

const receiving = fc.record({
  move: fc.constant("receive" as const),
  to: number,
  from: someContacts,
  channel,
});

const acting = fc.record({
  move: fc.constantFrom("close" as const, "assignContact" as const, "read" as const),
  pick: fc.nat({ max: 100 }),
});

const waiting = fc.oneof(
  fc.record({
    move: fc.constant("advance" as const),
    ms: fc.constantFrom(0, 1, 500, 1_000, 599_999, 600_000, 600_001, 86_400_000),
  }),
  fc.record({ move: fc.constant("step" as const) }),
);

const moves = fc.array(
  fc.oneof(sending, sendingLegacy, sendingForTeam, receiving, receiving, acting, waiting),
  {
    maxLength: 40,
    size: "max",
  },
);
type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

function spellOut(sim: Simulator, move: Move): void {
  const { conversations } = sim;
  switch (move.move) {
    case "send":
      conversations.send(move.body as never);
      return;
    case "sendMessage":
      conversations.sendMessage(move.body as never);
      return;
    case "sendTeamMessage":
      conversations.sendTeamMessage(move.body as never);
      return;
    case "receive": {
      const [from = "", ...others] = move.from;
      conversations.receive({ from, others, to: move.to, text: "Hi", channel: move.channel });
      return;
    }
    case "advance":
      sim.advance(move.ms);
      return;
    case "step":
      sim.step();
      return;
    default:
      actOn(sim, move.move, pickFrom(conversations.list(), move.pick)?.id ?? "conversation-1");
  }
}

function actOn({ conversations }: Simulator, move: "close" | "assignContact" | "read", id: string): void {
  if (move === "close") conversations.close(id);
  else if (move === "read") conversations.read(id, "user-0");
  else conversations.assignContact(id, { name: "Somebody", phoneNumbers: [contacts[0]] });
}

/** Plays a move. Returns the code if it was refused; any other error comes through. */
function play(sim: Simulator, move: Move): string | undefined {
  try {
    spellOut(sim, move);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.code;
    throw error;
  }
}

const keyOf = ({ channel, companyNumber, contactAddresses }: ConversationRecord) =>
  [channel, companyNumber, ...contactAddresses.toSorted()].join(" ");

function checkConversations(sim: Simulator): void {
  const list = sim.conversations.list();
  const open = list.filter(({ status }) => status !== "closed").map(keyOf);
  must(new Set(open).size === open.length, () => `two conversations are open for one of ${open}`);
  const scheduled = new Map<string, string[]>();
  for (const { recordId, purpose } of sim.pending())
    scheduled.set(recordId, [...(scheduled.get(recordId) ?? []), purpose.replace("conversation: ", "")]);
  for (const conversation of list) {
    checkRecord(conversation);
    const { id, status, closeTimer: timer } = conversation;
    const timers = [...(status === "open" ? ["inactivity"] : []), ...(timer === null ? [] : ["closeTimer"])];
    expect((scheduled.get(id) ?? []).sort()).toEqual(status === "closed" ? [] : timers.sort());
  }
}

function checkRecord(conversation: ConversationRecord): void {
  const { id, participants, messages, passthroughParameters, contactAddresses } = conversation;
  must(participants.length <= 10, () => `${id} has ${participants.length} participants`);
  const ids = participants.map((each) => (each.type === "user" ? each.id : each.phoneNumber));
  must(new Set(ids).size === ids.length, () => `${id} has someone twice: ${ids}`);
  expect(ids.slice(0, contactAddresses.length)).toEqual(contactAddresses);
  const times = messages.map(({ createdTimestamp }) => createdTimestamp);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  must(messages.length > 0, () => `${id} has no messages`);
  const bytes = Object.entries(passthroughParameters).map(([name, value]) => Buffer.byteLength(name + value));
  must(bytes.reduce((sum, each) => sum + each, 0) <= 1000, () => `${id} has too many parameters`);
  for (const each of participants)
    if (each.type === "user")
      must(each.unreadCount <= messages.length, () => `${id}: more unread than messages`);
  mustBeFrozen(conversation);
}

/** Each event is the next version of its conversation: one more message, or none, and no event after the close. */
function checkStream(events: readonly PlatformEvent[]): void {
  const last = new Map<string, ConversationRecord>();
  for (const { type, data, createdTimestamp } of events) {
    if (!("conversation" in data)) continue;
    const { conversation } = data;
    const before = last.get(conversation.id);
    must(before?.status !== "closed", () => `${type} of ${conversation.id}, which is closed`);
    const messages = before?.messages ?? [];
    const added = type === "conversation.message.created" ? [(data as { message: unknown }).message] : [];
    expect(conversation.messages).toEqual([...messages, ...added]);
    must(conversation.lastModifiedTimestamp === createdTimestamp, () => `${type}: lastModified is not now`);
    last.set(conversation.id, conversation);
  }
}

function played(seed: number, list: readonly Move[], after: (sim: Simulator) => void = () => {}): Simulator {
  const sim = createSimulator({ organisation, seed });
  for (const move of list) {
    play(sim, move);
    after(sim);
  }
  return sim;
}

describe("Whatever is written and closed", () => {
  it("at most one conversation of a thread is open, with ten participants at most, and timers that fit", () => {
    always(200, fc.tuple(fc.nat(), moves), ([seed, list]) => {
      const sim = played(seed, list, checkConversations);
      sim.runUntilIdle();
      checkConversations(sim);
      expect(sim.pending()).toEqual([]);
    });
  });

  it("messages keep the order in which they were created, and nothing follows a close", () => {
    always(200, fc.tuple(fc.nat(), moves), ([seed, list]) => {
      const sim = played(seed, list);
      sim.runUntilIdle();
      checkStream(sim.events);
    });
  });

  it("a replay is the same, and a fork goes on as the first does", () => {
    always(100, fc.tuple(fc.nat(), moves, moves), ([seed, list, more]) => {
      const sim = played(seed, list);
      const fork = sim.fork();
      for (const move of more) {
        play(sim, move);
        play(fork, move);
      }
      for (const each of [fork, replay(JSON.stringify(sim.journal()))]) {
        expect(fingerprint(each)).toBe(fingerprint(sim));
        expect(each.conversations.list()).toEqual(sim.conversations.list());
      }
    });
  });

  it("a fork leaves the first one as it was", () => {
    always(100, fc.tuple(fc.nat(), moves, moves), ([seed, list, more]) => {
      const sim = played(seed, list);
      const before = [fingerprint(sim), JSON.stringify(sim.conversations.list())];
      const fork = sim.fork();
      for (const move of more) play(fork, move);
      fork.runUntilIdle();
      expect([fingerprint(sim), JSON.stringify(sim.conversations.list())]).toEqual(before);
    });
  });

  it("the run can be told as a timeline and as a diagram", () => {
    always(50, fc.tuple(fc.nat(), moves), ([seed, list]) => {
      const sim = played(seed, list);
      const types = sim.events.map(({ type }) => type);
      for (const drawn of [sim.events.toTimeline(), sim.events.toMermaid()])
        expect(typesIn(drawn)).toEqual(types);
    });
  });
});

describe("The runs that all of this is tried on", () => {
  it("reach every event, every status, ten participants, groups and every refusal", () => {
    const seen = new Set<string>();
    // a seed of its own: this is about the generators, and must not fail by bad luck
    for (const list of fc.sample(moves, { numRuns: 300, seed: 1 })) {
      const sim = createSimulator({ organisation });
      for (const move of list) {
        seen.add(play(sim, move) ?? "done");
        for (const { status, participants, contactAddresses } of sim.conversations.list()) {
          seen.add(status);
          if (participants.length === 10) seen.add("ten");
          if (contactAddresses.length > 1) seen.add("group");
        }
      }
      for (const { type } of sim.events) seen.add(type);
    }
    expect([...seen].sort()).toEqual(
      [
        ...["conversation.message.created", "conversation.inactive", "conversation.closed"],
        ...["conversation.contact_assigned", "open", "inactive", "closed", "ten", "group", "done"],
        ...["conversation_closed", "invalid_argument", "not_found", "not_allowed"],
      ].sort(),
    );
  });
});
