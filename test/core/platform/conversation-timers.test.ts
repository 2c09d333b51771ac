import { describe, expect, test } from "vitest";
import { CommandError, replay, type Simulator } from "../../../src/index.ts";
import { startMs, stateOf, stream, thrownBy } from "../../helpers.ts";
import { jane, line, newShop, receive, send } from "./conversation-helpers.ts";

const day = 86_400_000;

/** The instants, from the start, at which a conversation was closed. */
const closings = (sim: Simulator) =>
  sim.events.ofType("conversation.closed").map((event) => event.createdTimestamp - startMs);

describe("the close timer", () => {
  test.each([
    ["PT600S", 600_000],
    ["PT10M", 600_000],
    ["PT600.001S", 600_001],
    ["P180D", 180 * day],
    ["P1DT1S", day + 1_000],
  ])("of %s closes the conversation at the exact millisecond", (closeTimer, ms) => {
    const sim = newShop();
    send(sim, { closeTimer });
    sim.advance(ms - 1);
    expect(sim.conversations.get("conversation-1")).toMatchObject({ closedAt: null, closeTimer });
    sim.advance(1);
    expect(sim.conversations.get("conversation-1")).toMatchObject({
      status: "closed",
      closedTimestamp: startMs + ms,
    });
    expect(closings(sim)).toEqual([ms]);
    expect(sim.pending()).toEqual([]);
  });

  const updates: [string, (sim: Simulator) => unknown][] = [
    ["a message from the contact", (sim) => receive(sim)],
    ["a message by /conversationMessages", (sim) => send(sim)],
    ["a silent message", (sim) => send(sim, { notificationMode: "silent_read" })],
    [
      "a message by /messages",
      (sim) => sim.conversations.sendMessage({ from: line.ann, to: jane, body: "?" }),
    ],
    ["an assigned contact", (sim) => sim.conversations.assignContact("conversation-1", "jane")],
  ];
  test.each(updates)("restarts at %s", (_, update) => {
    const sim = newShop();
    send(sim, { closeTimer: "PT20M" });
    sim.advance("PT19M");
    update(sim);
    sim.advance("PT19M59.999S");
    expect(closings(sim)).toEqual([]);
    sim.advance(1);
    expect(closings(sim)).toEqual([39 * 60_000]);
  });

  test("restarts at a message by /teamMessages", () => {
    const sim = newShop();
    const message = { companyAddress: line.desk, contactAddress: jane, messageContent: { text: "Hello" } };
    sim.conversations.sendTeamMessage({ ...message, closeTimer: "PT20M" });
    sim.advance("PT19M");
    sim.conversations.sendTeamMessage(message);
    sim.runUntil("conversation.closed");
    expect(closings(sim)).toEqual([39 * 60_000]);
  });

  test("takes the length given by a later message", () => {
    const sim = newShop();
    send(sim, { closeTimer: "PT20M" });
    send(sim, { closeTimer: "PT10M" });
    sim.runUntil("conversation.closed");
    expect(closings(sim)).toEqual([600_000]);
  });

  test("can be set by a later message", () => {
    const sim = newShop();
    receive(sim);
    expect(sim.conversations.get("conversation-1").closeTimer).toBeNull();
    send(sim, { closeTimer: "PT10M" });
    expect(sim.conversations.get("conversation-1").closeTimer).toBe("PT10M");
    sim.runUntil("conversation.closed");
    expect(closings(sim)).toEqual([600_000]);
  });

  test.each([
    ["reading", (sim: Simulator) => sim.conversations.read("conversation-1", "ann")],
    ["sharing a contact", (sim: Simulator) => sim.conversations.shareContact("conversation-1", "jane")],
  ])("keeps running while %s", (_, act) => {
    const sim = newShop();
    send(sim, { closeTimer: "PT10M" });
    sim.advance("PT5M");
    act(sim);
    sim.runUntil("conversation.closed");
    expect(closings(sim)).toEqual([600_000]);
  });

  test("keeps running while the conversation is inactive", () => {
    const sim = newShop();
    send(sim, { closeTimer: "PT36H" });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 conversation.message.created",
      `${day} conversation.inactive`,
      `${1.5 * day} conversation.closed`,
    ]);
  });

  test("as long as the time to inactivity closes the conversation without an inactive phase", () => {
    const sim = newShop();
    send(sim, { closeTimer: "P1D" });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 conversation.message.created", `${day} conversation.closed`]);
  });

  test("is absent by default: the conversation becomes inactive and stays so", () => {
    const sim = newShop();
    receive(sim);
    sim.runUntilIdle();
    expect(sim.conversations.get("conversation-1").status).toBe("inactive");
    expect(closings(sim)).toEqual([]);
  });
});

describe("a conversation", () => {
  test("becomes inactive a day after its last update, and open again at the next update", () => {
    const sim = newShop();
    receive(sim);
    sim.advance("PT23H59M59.999S");
    receive(sim);
    sim.advance(day - 1);
    expect(sim.conversations.get("conversation-1").status).toBe("open");
    sim.advance(1);
    expect(sim.conversations.get("conversation-1").status).toBe("inactive");
    expect(send(sim).hasExistingConversation).toBe(true);
    expect(sim.conversations.get("conversation-1").status).toBe("open");
  });

  test("is opened again by assigning a contact", () => {
    const sim = newShop();
    receive(sim);
    sim.advance(day);
    sim.conversations.assignContact("conversation-1", "jane");
    expect(sim.conversations.get("conversation-1").status).toBe("open");
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe(`${2 * day} conversation.inactive`);
  });

  test("becomes inactive after timing.conversationInactive", () => {
    const sim = newShop({ timing: { conversationInactive: "PT1H" } });
    receive(sim);
    sim.runUntilIdle();
    expect(stream(sim).at(-1)).toBe("3600000 conversation.inactive");
  });

  test.each([
    ["open", 0],
    ["inactive", day],
  ])("that is %s can be closed by hand and leaves nothing scheduled", (status, ms) => {
    const sim = newShop();
    send(sim, { closeTimer: "P3D" });
    sim.advance(ms);
    expect(sim.conversations.get("conversation-1").status).toBe(status);
    sim.conversations.close("conversation-1");
    expect(sim.conversations.get("conversation-1")).toMatchObject({
      status: "closed",
      closedTimestamp: startMs + ms,
      lastModifiedTimestamp: startMs + ms,
    });
    expect(closings(sim)).toEqual([ms]);
    expect(sim.pending()).toEqual([]);
  });

  test.each([
    ["the contact's next message", (sim: Simulator) => receive(sim)],
    ["the next message to the contact", (sim: Simulator) => send(sim)],
  ])("that is closed is not opened again by %s; a new one begins", (_, next) => {
    const sim = newShop();
    receive(sim);
    sim.conversations.close("conversation-1");
    const closed = sim.conversations.get("conversation-1");
    expect(next(sim).hasExistingConversation).toBe(false);
    expect(sim.conversations.get("conversation-1")).toBe(closed);
    expect(sim.conversations.list().map(({ id, status }) => `${id} ${status}`)).toEqual([
      "conversation-1 closed",
      "conversation-2 open",
    ]);
  });

  test.each([
    ["closed again", (sim: Simulator) => sim.conversations.close("conversation-1")],
    ["assigned a contact", (sim: Simulator) => sim.conversations.assignContact("conversation-1", "jane")],
  ])("that is closed cannot be %s", (_, act) => {
    const sim = newShop();
    receive(sim);
    sim.conversations.close("conversation-1");
    const before = stateOf(sim);
    const error = thrownBy(() => act(sim));
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({ code: "conversation_closed" });
    expect(stateOf(sim)).toEqual(before);
  });
});

describe("a fork and a replay", () => {
  test("continue with the same timers and with a group that is being created", () => {
    const sim = newShop();
    send(sim, { closeTimer: "PT10M" });
    sim.advance("PT9M");
    send(sim, { contactAddresses: [jane, "+6421555002"] });
    const fork = sim.fork();
    for (const each of [sim, fork]) {
      each.advance("PT0.5S");
      receive(each);
      each.runUntilIdle();
    }
    expect(stateOf(fork)).toEqual(stateOf(sim));
    expect(stateOf(replay(sim.journal()))).toEqual(stateOf(sim));
    expect(sim.conversations.list()).toHaveLength(2);
  });

  test("leave the first run unchanged", () => {
    const sim = newShop();
    send(sim, { contactAddresses: [jane, "+6421555002"] });
    receive(sim);
    const before = stateOf(sim);
    const fork = sim.fork();
    send(fork, { contactAddresses: [jane, "+6421555002"] });
    fork.conversations.close("conversation-2");
    fork.runUntilIdle();
    expect(stateOf(sim)).toEqual(before);
    sim.advance("PT1S");
    expect(sim.conversations.get("conversation-1").messages).toHaveLength(1);
    expect(fork.conversations.get("conversation-1").messages).toHaveLength(2);
  });
});
