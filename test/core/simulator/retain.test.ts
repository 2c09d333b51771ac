import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator, type SimulatorOptions } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { caller, dial, office, startMs, thrownBy } from "../../helpers.ts";

const newSimulator = (retain: SimulatorOptions["retain"], organisation = office) =>
  createSimulator({ organisation, ids: "counter", retain });

const toAlice = { from: caller, to: dial.alice };

describe("retain.events", () => {
  test("keeps the newest events", () => {
    const sim = newSimulator({ events: 2 });
    sim.calls.inbound(toAlice).answer("alice");
    expect(sim.events.map(({ type }) => type)).toEqual(["call.answered", "user.availability.updated"]);
    expect(sim.events.toJSONL().split("\n")).toHaveLength(3);
  });

  test("keeps none with 0, and listeners still receive all", () => {
    const sim = newSimulator({ events: 0 });
    const heard: string[] = [];
    sim.on("*", (type) => heard.push(type));
    sim.calls.inbound(toAlice).answer("alice");
    expect(sim.events).toHaveLength(0);
    expect(heard).toEqual(["call.started", "call.answered", "user.availability.updated"]);
  });

  test("returns the kept events since a mark", () => {
    const sim = newSimulator({ events: 2 });
    const mark = sim.events.mark();
    sim.calls.inbound(toAlice).answer("alice");
    const later = sim.events.mark();
    sim.calls.inbound({ from: caller, to: dial.carol });
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual([
      "user.availability.updated",
      "call.started",
    ]);
    expect(sim.events.since(later).map(({ type }) => type)).toEqual(["call.started"]);
  });

  test("does not hide an event from runUntil that is dropped within its step", () => {
    const sim = newSimulator({ events: 1 });
    sim.calls.inbound({ from: caller, to: dial.bob }).decline("bob");
    sim.calls.live()[0]?.leaveVoicemail({ duration: "PT10S" });
    expect(sim.runUntil("call.hungup").createdTimestamp).toBe(startMs + 15_000);
  });

  test("applies to forks and replays", () => {
    const sim = newSimulator({ events: 2 });
    sim.calls.inbound(toAlice).answer("alice");
    for (const again of [sim.fork(), replay(sim.journal())]) {
      expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
      again.calls.live()[0]?.hangup("alice");
      expect(again.events.map(({ type }) => type)).toEqual(["call.hungup", "call.ended"]);
    }
    expect(sim.events).toHaveLength(2);
  });
});

describe("retain.calls", () => {
  test("keeps the newest closed calls and all open ones", () => {
    const sim = newSimulator({ calls: 1 });
    const live = sim.calls.inbound({ from: caller, to: dial.carol });
    const [first, second, third] = [1, 2, 3].map(() => {
      const call = sim.calls.inbound(toAlice);
      call.hangup("caller");
      return call;
    });
    expect(sim.calls.list().map(({ id }) => id)).toEqual([live.id, third?.id]);
    expect(sim.calls.live().map(({ id }) => id)).toEqual([live.id]);
    for (const gone of [first, second])
      expect(() => sim.calls.get(gone?.id ?? "")).toThrow(`no call is known as "${gone?.id}"; known: call-`);
  });

  test("makes handles of dropped calls throw a CommandError", () => {
    const sim = newSimulator({ calls: 0 });
    const call = sim.calls.inbound(toAlice);
    call.hangup("caller");
    const gone = { name: "CommandError", code: "not_found" };
    expect(thrownBy(() => call.record)).toMatchObject(gone);
    expect(thrownBy(() => call.status)).toMatchObject(gone);
    expect(thrownBy(() => call.ringing())).toMatchObject(gone);
    expect(thrownBy(() => call.hangup("caller"))).toMatchObject(gone);
  });

  test.each([
    ["without a transcript", false, ["call.recording.available"]],
    [
      "with a transcript",
      true,
      [
        "call.recording.available",
        "call.transcript.created",
        "transcript.created",
        "call.transcription_completed",
      ],
    ],
  ])("keeps a call until its recording exists, %s", (_how, transcription, types) => {
    const sim = createSimulator({
      organisation: { ...office, features: { transcription } },
      retain: { calls: 0 },
    });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT10S" });
    const ended = sim.runUntil("call.ended");
    const mark = sim.events.mark();
    expect(call.record.outcome).toEqual(ended.data.call.outcome);
    sim.runUntilIdle();
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual(types);
    expect(sim.calls.list()).toEqual([]);
  });

  test("never creates a transcript before its recording, whatever the timing", () => {
    const sim = createSimulator({
      organisation: { ...office, features: { transcription: true } },
      timing: { recordingAvailable: "PT10S", transcriptCreated: "PT1S" },
      retain: { calls: 0 },
    });
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT10S" });
    sim.runUntil("call.ended");
    const mark = sim.events.mark();
    sim.runUntilIdle();
    expect(sim.events.since(mark)[0]?.type).toBe("call.recording.available");
    expect(sim.calls.list()).toEqual([]);
  });
});

describe("retain.journal: false", () => {
  test.each([
    ["journal()", (sim: ReturnType<typeof newSimulator>) => sim.journal()],
    ["at() of an earlier moment", (sim: ReturnType<typeof newSimulator>) => sim.at(startMs)],
    ["toTimeline()", (sim: ReturnType<typeof newSimulator>) => sim.events.toTimeline()],
    ["toMermaid()", (sim: ReturnType<typeof newSimulator>) => sim.events.toMermaid()],
  ])("makes %s throw a CommandError with the reason", (_what, act) => {
    const sim = newSimulator({ journal: false });
    sim.calls.inbound(toAlice);
    sim.advance("PT1M");
    expect(thrownBy(() => act(sim))).toMatchObject({ name: "CommandError", code: "not_allowed" });
    expect(() => act(sim)).toThrow("needs the journal, which `retain: { journal: false }` switches off");
  });

  test("does not affect events and forks", () => {
    const sims = [newSimulator({ journal: false }), newSimulator({})];
    for (const sim of sims) {
      sim.calls.inbound(toAlice).answer("alice");
      sim.advance("PT1M");
    }
    expect(sims[0]?.events.toJSONL()).toBe(sims[1]?.events.toJSONL());
    expect(sims[0]?.fork().events.toJSONL()).toBe(sims[1]?.events.toJSONL());
  });
});

test.each([
  [{ events: -1 }, "retain.events: expected a whole number from 0"],
  [{ calls: 1.5 }, "retain.calls: expected a whole number from 0"],
  [{ journal: "no" }, 'retain.journal: expected true or false, got "no"'],
  [{ everything: true }, "retain.everything: unknown key, expected one of: events, calls, "],
  [{ conversations: -1 }, "retain.conversations: expected a whole number from 0"],
  [{ analyses: "all" }, "retain.analyses: expected a whole number from 0"],
  [{ notifications: 0.5 }, "retain.notifications: expected a whole number from 0"],
])("%j is rejected", (retain, message) => {
  expect(() => newSimulator(retain as never)).toThrow(message);
});

describe("retain.requests", () => {
  const url = "https://crm.acme.test/hooks";

  test("keeps the newest finished requests, and as many deliveries", () => {
    const sim = createSimulator({ retain: { requests: 3 } });
    const hook = sim.webhooks.create({ url, events: ["user.availability.updated"] });
    for (let index = 0; index < 10; index++)
      sim.users.get("alice").setAvailability(index % 2 === 0 ? "busy" : "available");
    expect(sim.network.requests).toHaveLength(10);
    sim.advance(0);
    const kept = sim.events.ofType("user.availability.updated").slice(-3);
    expect(sim.network.requests).toHaveLength(3);
    expect(sim.webhooks.deliveries(hook.id).map(({ event }) => event)).toEqual(kept);
  });

  test.each(["lost", "never", "refused", "outage", "rejected"] as const)(
    "drops requests that are %s",
    (is) => {
      const sim = createSimulator({ retain: { requests: 0 } });
      sim.webhooks.create({ url, events: ["user.availability.updated"] });
      sim.command("deviate", { what: "attempt", at: 0, of: "user.availability.updated", is });
      sim.users.get("alice").setAvailability("busy");
      sim.users.get("alice").setAvailability("available");
      sim.runUntilIdle();
      expect(sim.network.requests).toEqual([]);
    },
  );

  test("keeps requests in flight, even if their sender no longer waits", () => {
    const sim = createSimulator({ retain: { requests: 0 } });
    sim.webhooks.create({ url, events: ["user.availability.updated"] });
    let arrivals = 0;
    sim.network.route(url, () => {
      arrivals++;
      return 200;
    });
    sim.network.conditions(url, { latency: "PT20S" });
    sim.users.get("alice").setAvailability("busy");
    sim.advance("PT10S");
    expect(sim.network.requests).toMatchObject([{ failure: "timeout" }]);
    sim.advance("PT10S");
    expect(arrivals).toBe(1);
    expect(sim.network.requests).toEqual([]);
  });
});

describe("retain.conversations", () => {
  const to = "+6495550100"; // of the demo organisation
  const writing = (retain: SimulatorOptions["retain"]) => {
    const sim = createSimulator({ ids: "counter", retain });
    for (const from of ["+6421555001", "+6421555002", "+6421555003", "+6421555004"])
      sim.conversations.receive({ from, to, text: "Hi" });
    return sim;
  };
  const idsOf = (sim: ReturnType<typeof createSimulator>) => sim.conversations.list().map(({ id }) => id);

  test("keeps the newest closed conversations and all open ones", () => {
    const sim = writing({ conversations: 1 });
    for (const id of ["conversation-3", "conversation-1", "conversation-4"]) sim.conversations.close(id);
    expect(idsOf(sim)).toEqual(["conversation-2", "conversation-4"]);
    for (const gone of ["conversation-3", "vendor-conversation-3"])
      expect(thrownBy(() => sim.conversations.get(gone))).toMatchObject({ code: "not_found" });
    expect(sim.conversations.get("vendor-conversation-4").status).toBe("closed");
  });

  test("keeps none with 0, and the next message begins another", () => {
    const sim = writing({ conversations: 0 });
    sim.on("conversation.message.created", ({ data }) => sim.conversations.close(data.conversation.id));
    const message = {
      companyAddress: to,
      contactAddresses: ["+6421555001"],
      messageContent: { text: "Yes" },
    };
    expect(sim.conversations.send(message)).toMatchObject({ vendorConversationId: "vendor-conversation-1" });
    expect(idsOf(sim)).toEqual(["conversation-2", "conversation-3", "conversation-4"]);
    expect(sim.events.at(-1)).toMatchObject({
      type: "conversation.closed",
      data: { conversation: { id: "conversation-1", messages: [{ content: "Hi" }, { content: "Yes" }] } },
    });
    expect(sim.conversations.receive({ from: "+6421555001", to, text: "Hi" })).toMatchObject({
      hasExistingConversation: false,
    });
  });

  test("applies to forks and replays", () => {
    const sim = writing({ conversations: 1 });
    sim.conversations.close("conversation-1");
    for (const again of [sim.fork(), replay(sim.journal())]) {
      again.conversations.close("conversation-2");
      expect(idsOf(again)).toEqual(["conversation-2", "conversation-3", "conversation-4"]);
    }
    expect(idsOf(sim)).toHaveLength(4);
  });
});

describe("retain.conversations, of those without a close timer", () => {
  const to = "+6495550100"; // of the demo organisation
  const numbers = ["+6421555001", "+6421555002", "+6421555003"];
  /** Three contacts write, a second after one another, and hear nothing for an hour. */
  const written = (retain: SimulatorOptions["retain"]) => {
    const sim = createSimulator({ ids: "counter", retain, timing: { conversationInactive: "PT10M" } });
    for (const from of numbers) {
      sim.conversations.receive({ from, to, text: "Hi" });
      sim.advance("PT1S");
    }
    sim.advance("PT1H");
    return sim;
  };
  const write = (sim: Simulator, from: string | undefined = numbers[0]) =>
    sim.conversations.receive({ from: String(from), to, text: "Again" });
  const statesOf = (sim: Simulator) => sim.conversations.list().map(({ id, status }) => `${id} ${status}`);

  test("keeps as many inactive ones, and drops the longest inactive without an event", () => {
    const sim = written({ conversations: 2 });
    expect(statesOf(sim)).toEqual(["conversation-2 inactive", "conversation-3 inactive"]);
    expect(sim.events.ofType("conversation.inactive")).toHaveLength(3);
    expect(sim.events.ofType("conversation.closed")).toEqual([]);
    for (const gone of ["conversation-1", "vendor-conversation-1"])
      expect(thrownBy(() => sim.conversations.close(gone))).toMatchObject({ code: "not_found" });
  });

  test("lets the next message of a dropped one begin another", () => {
    const sim = written({ conversations: 2 });
    expect(write(sim)).toMatchObject({ hasExistingConversation: false, conversationId: "conversation-4" });
    expect(write(sim, numbers[1])).toMatchObject({ hasExistingConversation: true });
  });

  test("counts from the last time that a conversation became inactive", () => {
    const sim = written({ conversations: 3 });
    write(sim);
    sim.advance("PT1H");
    write(sim, "+6421555009");
    sim.advance("PT1H");
    expect(statesOf(sim)).toEqual([1, 3, 4].map((number) => `conversation-${number} inactive`));
  });

  test("counts neither open ones, nor those with a close timer, nor closed ones", () => {
    const sim = written({ conversations: 2 });
    sim.conversations.close("conversation-2");
    sim.conversations.assignContact("conversation-3", "jane");
    const contactAddresses = ["+6421555009"];
    sim.conversations.send({
      ...{ companyAddress: to, contactAddresses, closeTimer: "P1D" },
      messageContent: { text: "For a day" },
      routingAction: "do_not_route",
    });
    sim.advance("PT1H");
    write(sim);
    expect(statesOf(sim)).toEqual([
      "conversation-2 closed",
      "conversation-3 inactive",
      "conversation-4 inactive",
      "conversation-5 open",
    ]);
  });

  test("keeps none with 0: the event still says that it became inactive", () => {
    const sim = written({ conversations: 0 });
    expect(statesOf(sim)).toEqual([]);
    expect(sim.events.ofType("conversation.inactive").map(({ data }) => data.conversation.id)).toEqual(
      [1, 2, 3].map((number) => `conversation-${number}`),
    );
    expect(sim.pending()).toEqual([]);
  });

  test("applies to forks, replays, journals with a snapshot and pages", () => {
    const sim = written({ conversations: 2 });
    const fork = sim.fork();
    const again = replay(sim.journal());
    const compacted = replay(sim.fork().compact() ?? "");
    for (const each of [sim, fork, again, compacted]) {
      expect(write(each)).toMatchObject({ conversationId: "conversation-4" });
      each.advance("PT1H");
      expect(statesOf(each)).toEqual(["conversation-3 inactive", "conversation-4 inactive"]);
    }
    const page = Recording.from(again.journal());
    expect(statesOf(page.simulator)).toEqual(statesOf(again));
    expect(page.simulator.events.toJSONL()).toBe(again.events.toJSONL());
    expect(again.events.toTimeline()).toContain("Again");
  });
});

describe("retain.analyses", () => {
  const analysing = (retain: SimulatorOptions["retain"]) => {
    const organisation = { ...office, features: { recording: true } };
    const sim = createSimulator({ organisation, ids: "counter", retain });
    const call = sim.calls.inbound(toAlice);
    call.answer("alice");
    call.hangup("caller");
    sim.runUntil("call.recording.available");
    for (let index = 0; index < 4; index++)
      sim.analysis.create({ analyzer: "sentiment", content: { recordings: [{ id: "recording-1" }] } });
    return sim;
  };
  const idsOf = (sim: ReturnType<typeof createSimulator>) => sim.analysis.list().map(({ id }) => id);

  test("keeps the newest completed jobs and all pending ones", () => {
    const sim = analysing({ analyses: 1 });
    for (const id of ["analysis-3", "analysis-1", "analysis-4"]) sim.analysis.complete(id);
    expect(idsOf(sim)).toEqual(["analysis-2", "analysis-4"]);
    expect(thrownBy(() => sim.analysis.get("analysis-1"))).toMatchObject({ code: "not_found" });
  });

  test("works after a job was removed by command, also in forks and replays", () => {
    const sim = analysing({ analyses: 1 });
    sim.analysis.complete("analysis-1");
    sim.analysis.remove("analysis-1");
    sim.analysis.remove("analysis-2");
    sim.analysis.complete("analysis-3");
    for (const again of [sim.fork(), replay(sim.journal())]) {
      again.analysis.complete("analysis-4");
      expect(idsOf(again)).toEqual(["analysis-4"]);
    }
    expect(idsOf(sim)).toEqual(["analysis-3", "analysis-4"]);
  });

  test("keeps a call's jobs as long as the call", () => {
    const sim = createSimulator({
      organisation: { ...office, features: { recording: true, analysis: true } },
      retain: { analyses: 0 },
    });
    const call = sim.calls.inbound(toAlice);
    call.answer("alice");
    sim.advance("PT10S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(sim.analysis.list()).toMatchObject([{ callId: call.id, status: "completed" }]);
  });
});

describe("retain.notifications", () => {
  test("keeps the newest, also in forks and replays", () => {
    const sim = newSimulator({ notifications: 2 });
    const miss = (given: typeof sim) => given.calls.inbound(toAlice).hangup("caller");
    for (let index = 0; index < 5; index++) miss(sim);
    const kept = ["notification-4", "notification-5"];
    expect(sim.notifications.map(({ id }) => id)).toEqual(kept);
    for (const again of [sim.fork(), replay(sim.journal())]) {
      expect(again.notifications.map(({ id }) => id)).toEqual(kept);
      miss(again);
      expect(again.notifications.map(({ id }) => id)).toEqual(["notification-5", "notification-6"]);
    }
    expect(sim.notifications.map(({ id }) => id)).toEqual(kept);
  });
});
