import { describe, expect, test } from "vitest";
import { createSimulator, type JournalDocument, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

const transcribing = { ...office, features: { transcription: true } };

/** A simulator after an answered call that moved, a voicemail, and while a third call rings. */
function busyAfternoon(): Simulator {
  const sim = createSimulator({
    organisation: transcribing,
    seed: "afternoon",
    start: "2026-03-01T13:00:00+13:00",
    timing: { voicemailGreeting: "PT4S" },
  });
  const first = sim.calls.inbound({ from: caller, to: dial.alice, passthroughParameters: "x-order=4%202" });
  sim.advance("PT6S");
  first.answer("alice", { endpoint: "desktop" });
  first.move("alice", { to: "mobile" });
  const second = sim.calls.inbound({ from: "+6421555002", to: dial.bob });
  second.decline("bob@acme.test");
  second.leaveVoicemail({ duration: { seconds: 20 }, transcript: "Call me" });
  sim.advance("PT1M");
  first.hangup("caller");
  sim.users.get("dan").setEndpoint("mobile", { registered: false });
  sim.users.get("carol").setAvailability("busy", { reason: "Lunch" });
  sim.calls.inbound({ from: caller, to: dial.alice });
  sim.advance("PT10S");
  return sim;
}

describe("journal", () => {
  test("survives JSON.stringify and JSON.parse", () => {
    const journal = busyAfternoon().journal();
    expect(JSON.parse(JSON.stringify(journal))).toEqual(journal);
    expect(journal.entries.map(({ command }) => command)).toEqual([
      "inbound",
      "answer",
      "move",
      "inbound",
      "decline",
      "leaveVoicemail",
      "hangup",
      "setEndpoint",
      "setAvailability",
      "inbound",
    ]);
  });

  test("is a copy: changes do not affect the next journal", () => {
    const sim = busyAfternoon();
    const journal = sim.journal() as unknown as { entries: unknown[]; options: { seed: unknown } };
    journal.entries.length = 0;
    journal.options.seed = "another";
    expect(sim.journal().entries).toHaveLength(10);
    expect(sim.journal().options.seed).toBe("afternoon");
  });

  test("has no entry for a refused command", () => {
    const sim = createSimulator({ organisation: office });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(() => call.answer("bob")).toThrow();
    expect(() => sim.calls.inbound({ from: caller, to: "+6490000000" })).toThrow();
    expect(sim.journal().entries.map(({ command }) => command)).toEqual(["inbound"]);
  });

  test("has an entry for a command whose listeners threw", () => {
    const sim = createSimulator({ organisation: office });
    sim.on("call.started", () => {
      throw new Error("broken");
    });
    expect(() => sim.calls.inbound({ from: caller, to: dial.alice })).toThrow("broken");
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });
});

describe("replay", () => {
  test("restores events, timers, notifications and records from a journal", () => {
    const sim = busyAfternoon();
    const again = replay(sim.journal());
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(stateOf(again)).toEqual(stateOf(sim));
  });

  test("accepts the journal's JSON text", () => {
    const sim = busyAfternoon();
    expect(stateOf(replay(JSON.stringify(sim.journal())))).toEqual(stateOf(sim));
  });

  test("returns a simulator that continues like the first", () => {
    const sim = busyAfternoon();
    const again = replay(sim.journal());
    for (const each of [sim, again]) {
      each.calls.inbound({ from: caller, to: dial.carol });
      each.runUntilIdle();
    }
    expect(stateOf(again)).toEqual(stateOf(sim));
  });

  test("repeats the listeners' commands without the listeners, in order with the timers", () => {
    const sim = createSimulator({ organisation: office });
    sim.on("call.not_answered", ({ data }) => {
      if (data.call.companyNumber === dial.alice) sim.calls.inbound({ from: caller, to: dial.carol });
    });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.calls.inbound({ from: caller, to: dial.bob });
    sim.advance("PT2M");
    expect(stream(sim).slice(2, 5)).toEqual([
      "30000 call.not_answered",
      "30000 call.started",
      "30000 call.not_answered",
    ]);
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("places a command between two timers of one instant, where step() had stopped", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    const second = sim.calls.inbound({ from: caller, to: dial.carol });
    sim.step();
    second.answer("carol");
    sim.advance("PT1M");
    const again = replay(sim.journal());
    expect(stream(again).slice(2, 4)).toEqual(["30000 call.not_answered", "30000 call.answered"]);
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("stops between two timers of one instant, like the first run", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.runUntil("call.not_answered");
    const again = replay(sim.journal());
    expect(stateOf(again)).toEqual(stateOf(sim));
    expect(again.pending()).toHaveLength(1);
  });

  test("ends at the first run's instant, even if time passed after the last command", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT1H");
    expect(replay(sim.journal()).timestamp).toBe(startMs + 3_600_000);
  });

  test("equals a replay of its own journal", () => {
    const journal = busyAfternoon().journal();
    expect(replay(journal).journal()).toEqual(journal);
  });
});

describe("an invalid journal", () => {
  const good = JSON.parse(JSON.stringify(busyAfternoon().journal())) as JournalDocument & {
    entries: Record<string, unknown>[];
  };
  const withEntry = (index: number, change: object) => ({
    ...good,
    entries: good.entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
  });

  test.each([
    ["text that is not JSON", "{", "journal: expected JSON: "],
    ["a number", 5, "journal: expected an object { ringback, options, entries, end, ... }, got 5"],
    ["another version", { ...good, ringback: 2 }, "journal.ringback: expected a journal of version 1"],
    ["no end", { ...good, end: undefined }, "journal.end: expected an object { atMs, step }, got nothing"],
    ["an unknown key", { ...good, extra: 1 }, "journal.extra: unknown key"],
    ["options that are none", { ...good, options: null }, "journal.options: expected the options"],
    [
      "a wrong option",
      { ...good, options: { ...good.options, ids: "serial" } },
      "journal.options.ids: expected one of",
    ],
    [
      "a wrong duration",
      { ...good, options: { ...good.options, timing: { ringTimeout: "soon" } } },
      "journal.options.timing.ringTimeout: expected a duration",
    ],
    [
      "a wrong organisation",
      { ...good, options: { ...good.options, organisation: { id: "acme", users: [{}] } } },
      "journal.options.organisation.users[0].id: missing",
    ],
    [
      "entries that are no list",
      { ...good, entries: "none" },
      'journal.entries: expected a list, got "none"',
    ],
    [
      "an instant of no entry",
      withEntry(1, { atMs: 0.5 }),
      "journal.entries[1].atMs: expected a whole number",
    ],
    [
      "an unknown command",
      withEntry(1, { command: "explode" }),
      'journal.entries[1].command: no command is named "explode"',
    ],
    [
      "a command of every object",
      withEntry(1, { command: "toString" }),
      'journal.entries[1].command: no command is named "toString"',
    ],
    ["wrong arguments", withEntry(1, { args: { by: "alice" } }), "journal.entries[1]: answer: call: missing"],
    [
      "a command that is refused",
      withEntry(1, { command: "hangup", args: { call: "none", by: "alice" } }),
      'journal.entries[1]: no call is known as "none"; known: ',
    ],
    [
      "an entry before the last",
      withEntry(3, { atMs: good.end.atMs - 86_400_000 }),
      "journal.entries[3]: the run does not reach ",
    ],
    [
      "an entry that skips a timer",
      withEntry(4, { atMs: good.end.atMs + 86_400_000 }),
      "journal.entries[4]: the run does not reach ",
    ],
    [
      "an end after more timers than there are",
      { ...good, end: { ...good.end, step: 99 } },
      "journal.end: the run does not reach ",
    ],
  ])("is rejected with an InputError at the position of %s", (_what, journal, message) => {
    const error = thrownBy(() => replay(journal as never));
    expect(error).toMatchObject({ name: "InputError" });
    expect((error as Error).message).toContain(message);
  });
});
