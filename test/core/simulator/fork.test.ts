import { describe, expect, test } from "vitest";
import { createSimulator, InputError, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

/** A simulator in which one call was answered at 5 s and another rings until 40 s. */
function midway(): Simulator {
  const sim = createSimulator({ organisation: { ...office, features: { transcription: true } }, seed: 7 });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  sim.advance("PT5S");
  call.answer("bob");
  sim.advance("PT5S");
  sim.calls.inbound({ from: "+6421555002", to: dial.alice });
  sim.advance("PT10S");
  return sim;
}

/** What happens next in the tests below: the ringing call times out, the other ends. */
function finish(sim: Simulator): void {
  sim.advance("PT1M");
  sim.calls.live()[0]?.hangup("caller");
  sim.runUntilIdle();
}

describe("fork", () => {
  test("returns a simulator in the same state", () => {
    const sim = midway();
    expect(stateOf(sim.fork())).toEqual(stateOf(sim));
  });

  test("continues like the first: same timers, same further ids", () => {
    const sim = midway();
    const fork = sim.fork();
    finish(sim);
    sim.calls.inbound({ from: caller, to: dial.carol });
    finish(fork);
    fork.calls.inbound({ from: caller, to: dial.carol });
    expect(stateOf(fork)).toEqual(stateOf(sim));
  });

  test.each(["nanoid", "counter", "uuid"] as const)("continues the first one's sequence of %s ids", (ids) => {
    const sim = createSimulator({ organisation: office, ids });
    sim.calls.inbound({ from: caller, to: dial.alice });
    const fork = sim.fork();
    const next = fork.calls.inbound({ from: caller, to: dial.alice });
    expect(next.id).not.toBe(sim.calls.list()[0]?.id);
    expect(next.id).toBe(sim.calls.inbound({ from: caller, to: dial.alice }).id);
  });

  test("leaves the first one unchanged, whatever the fork does", () => {
    const sim = midway();
    const before = stateOf(sim);
    const fork = sim.fork();
    fork.users.get("carol").setAvailability("busy");
    fork.users.get("alice").setEndpoint("desktop", { registered: false });
    fork.users.get("dan").setStatus("suspended");
    fork.locations.addUser(fork.locations.create({ name: "London" }).id, "alice");
    fork.phonebooks.put("customers", { contacts: [{ name: "Jane", phoneNumbers: [caller] }] });
    finish(fork);
    expect(stateOf(sim)).toEqual(before);
  });

  test("leaves the fork unchanged, whatever the first one does, to its end", () => {
    const sim = midway();
    const fork = sim.fork();
    const before = stateOf(fork);
    sim.users.get("carol").setAvailability("busy");
    finish(sim);
    sim.dispose();
    expect(stateOf(fork)).toEqual(before);
    finish(fork);
    expect(fork.calls.live()).toEqual([]);
  });

  test("makes an independent fork of a fork", () => {
    const first = midway();
    const second = first.fork();
    second.calls.inbound({ from: caller, to: dial.carol });
    const third = second.fork();
    third.users.get("dan").setAvailability("offline");
    finish(third);
    expect(second.users.get("dan").record.availability.status).toBe("available");
    expect(first.calls.list()).toHaveLength(2);
    expect(second.calls.list()).toHaveLength(3);
    expect(stateOf(replay(third.journal()))).toEqual(stateOf(third));
  });

  test("separates timers: one cancelled in one still runs in the other", () => {
    const sim = midway();
    const fork = sim.fork();
    fork.calls.live()[1]?.hangup("caller");
    expect(fork.pending()).toEqual([]);
    expect(sim.pending()).toMatchObject([{ purpose: "ring: ringTimeout", dueTimestamp: startMs + 40_000 }]);
  });

  test("does not copy the first one's listeners", () => {
    const sim = midway();
    const heard: string[] = [];
    sim.on("*", (type) => heard.push(type));
    finish(sim.fork());
    expect(heard).toEqual([]);
  });

  test("has a journal of the whole run, including the time before the fork", () => {
    const fork = midway().fork();
    finish(fork);
    expect(stateOf(replay(fork.journal()))).toEqual(stateOf(fork));
  });

  test("accepts marks of the first one's stream", () => {
    const sim = midway();
    const mark = sim.events.mark();
    const fork = sim.fork();
    fork.advance("PT1M");
    expect(fork.events.since(mark).map(({ type }) => type)).toEqual(["call.not_answered"]);
  });
});

describe("at", () => {
  test.each([0, 4_999, 5_000, 9_999, 10_000, 39_999, 40_000, 80_000])(
    "equals, at %i ms after the start, a fresh run stopped there",
    (offsetMs) => {
      const sim = midway();
      finish(sim);
      const fresh = createSimulator({
        organisation: { ...office, features: { transcription: true } },
        seed: 7,
      });
      const script: [number, () => void][] = [
        [0, () => void fresh.calls.inbound({ from: caller, to: dial.bob })],
        [5_000, () => fresh.calls.list()[0]?.answer("bob")],
        [10_000, () => void fresh.calls.inbound({ from: "+6421555002", to: dial.alice })],
        [80_000, () => fresh.calls.live()[0]?.hangup("caller")],
      ];
      for (const [atMs, act] of script.filter(([atMs]) => atMs <= offsetMs)) {
        fresh.advanceTo(startMs + atMs);
        act();
      }
      fresh.advanceTo(startMs + offsetMs);
      expect(stateOf(sim.at(startMs + offsetMs))).toEqual(stateOf(fresh));
    },
  );

  test("leaves the simulator unchanged", () => {
    const sim = midway();
    const before = stateOf(sim);
    sim.at(startMs + 5_000).runUntilIdle();
    expect(stateOf(sim)).toEqual(before);
  });

  test("returns a fork at the current instant, with its timers still due", () => {
    const sim = midway();
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.runUntil("call.not_answered");
    expect(stateOf(sim.at(sim.timestamp))).toEqual(stateOf(sim));
  });

  test("accepts an instant in any form", () => {
    expect(stream(midway().at("2026-07-01T00:00:04Z"))).toEqual(["0 call.started"]);
  });

  test("has what follows at once from a command of that instant", () => {
    const sim = createSimulator({
      organisation: {
        id: "acme",
        teams: [{ id: "empty", displayName: "Empty", extension: "200", timeout: 0, members: [] }],
        numbers: [{ number: "+6495550100", owner: "empty" }],
      },
    });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT1S");
    expect(stream(sim.at(startMs))).toEqual(stream(sim));
    expect(stream(sim)).toContain("0 call.not_answered");
  });

  test.each([
    ["the future", startMs + 20_001, "2026-07-01T00:00:20.001Z"],
    ["before the start", startMs - 1, "2026-06-30T23:59:59.999Z"],
  ])("throws an InputError for an instant in %s", (_when, instant, got) => {
    const error = thrownBy(() => midway().at(instant));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      `at: expected an instant from 2026-07-01T00:00:00.000Z to 2026-07-01T00:00:20.000Z, got ${got}`,
    );
  });

  test("throws an InputError for an invalid instant", () => {
    expect(() => midway().at("yesterday")).toThrow(/^at: expected an instant \(ISO 8601/);
  });

  test("works on a fork, for a moment before it was forked", () => {
    const fork = midway().fork();
    finish(fork);
    expect(stream(fork.at(startMs + 5_000)).slice(0, 2)).toEqual(["0 call.started", "5000 call.answered"]);
  });
});
