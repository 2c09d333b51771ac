import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CommandError,
  type ConversationRecord,
  createSimulator,
  type PlatformEvent,
  replay,
  type Simulator,
} from "../../src/index.ts";
import { type ConversationMove, moves, organisation } from "./moves/conversations.ts";
import { fingerprint } from "./play.ts";
import { must, mustBeFrozen } from "./rules.ts";
import { always, checkDrawings } from "./support.ts";

/** What must always hold of conversations, over random messages, updates and closings. */

/** Plays a move, which may be refused; any other error is thrown. */
function play(sim: Simulator, move: ConversationMove): void {
  try {
    move.run(sim, sim);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
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

function played(
  seed: number,
  list: readonly ConversationMove[],
  after: (sim: Simulator) => void = () => {},
): Simulator {
  const sim = createSimulator({ organisation, seed });
  for (const move of list) {
    play(sim, move);
    after(sim);
  }
  return sim;
}

describe("For any messages and closings", () => {
  it("a thread has at most one open conversation, with at most ten participants and the timers of its state", () => {
    always(100, fc.tuple(fc.nat(), moves), ([seed, list]) => {
      const sim = played(seed, list, checkConversations);
      sim.runUntilIdle();
      checkConversations(sim);
      expect(sim.pending()).toEqual([]);
    });
  });

  it("messages stay in order of creation, nothing follows a close, and the run can be drawn", () => {
    always(100, fc.tuple(fc.nat(), moves), ([seed, list]) => {
      const sim = played(seed, list);
      sim.runUntilIdle();
      checkStream(sim.events);
      checkDrawings(sim);
    });
  });

  it("a replay is equal, and a fork continues like the first run", () => {
    always(50, fc.tuple(fc.nat(), moves, moves), ([seed, list, more]) => {
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

  it("a fork does not change the first run", () => {
    always(50, fc.tuple(fc.nat(), moves, moves), ([seed, list, more]) => {
      const sim = played(seed, list);
      const before = [fingerprint(sim), JSON.stringify(sim.conversations.list())];
      const fork = sim.fork();
      for (const move of more) play(fork, move);
      fork.runUntilIdle();
      expect([fingerprint(sim), JSON.stringify(sim.conversations.list())]).toEqual(before);
    });
  });
});
