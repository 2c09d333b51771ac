import { describe, expect, test } from "vitest";
import { createSimulator, RunawayError, replay, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { caller, dial, office, startMs, stream, thrownBy } from "../../helpers.ts";

/** Every call that starts leads to another at the same instant, for ever. */
function loopByCommands(sim: Simulator): void {
  sim.on("call.started", () => void sim.calls.inbound({ from: caller, to: dial.alice }));
}

/** Every unanswered call leads to another, which also ends unanswered at once. */
function loopByTimers(sim: Simulator): void {
  sim.on("call.not_answered", () => void sim.calls.inbound({ from: caller, to: dial.alice }));
}

/** A user who is busy is not rung, so calls to her close at once and cost little. */
function newSimulator(timing: { ringTimeout?: number } = {}): Simulator {
  return createSimulator({ organisation: office, ids: "counter", timing });
}

describe("a loop of commands that listeners issue at one instant", () => {
  test("is stopped by a RunawayError that names the command, its arguments and the instant", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("busy");
    loopByCommands(sim);
    const error = thrownBy(() => sim.calls.inbound({ from: caller, to: dial.alice })) as RunawayError;
    expect(error).toBeInstanceOf(RunawayError);
    expect(error.message).toMatch(
      /^stopped a loop: 10000 steps led to each other at 2026-07-01T00:00:00\.000Z without time passing, the last being the command inbound\(\{"from":"\+6421555001","to":"\+6495550101"\}\), issued by a listener/,
    );
    // Node prints it for uncaught errors
    expect(error.stack).toContain("stopped a loop");
  });

  test("names this file and the line of the listener that issued the command", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("busy");
    let line = 0;
    sim.on("call.started", () => {
      line ||= Number(/runaway\.test\.ts:(\d+)/.exec(new Error().stack ?? "")?.[1]) + 1;
      sim.calls.inbound({ from: caller, to: dial.alice });
    });
    const error = thrownBy(() => sim.calls.inbound({ from: caller, to: dial.alice })) as RunawayError;
    expect(line).toBeGreaterThan(1);
    expect(error.message).toMatch(
      new RegExp(`, called from \\S*test/core/engine/runaway\\.test\\.ts:${line}:\\d+\\. Look for`),
    );
  });

  test("leaves the simulator usable and replayable once the listener is removed", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("busy");
    loopByCommands(sim);
    thrownBy(() => sim.calls.inbound({ from: caller, to: dial.alice }));
    sim.off("call.started");
    const mark = sim.events.mark();
    const call = sim.calls.inbound({ from: caller, to: dial.carol });
    sim.advance("PT5S");
    call.answer("carol");
    expect(
      sim.events
        .since(mark)
        .map(({ type }) => type)
        .slice(0, 3),
    ).toEqual(["call.started", "call.answered", "user.availability.updated"]);
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });
});

describe("a loop of timers that take no time", () => {
  test("is stopped by a RunawayError that names the timer, the call and the caller's file", () => {
    const sim = newSimulator({ ringTimeout: 0 });
    loopByTimers(sim);
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(() => sim.advance("PT1M")).toThrow(
      /^stopped a loop: 10000 steps led to each other at 2026-07-01T00:00:00\.000Z without time passing, the last being ring: ringTimeout of call-\d+, called from \S*test\/core\/engine\/runaway\.test\.ts:\d+:\d+\. Look for a handler/,
    );
  });

  test("loses nothing: once the listener is removed, the call continues", () => {
    const sim = newSimulator({ ringTimeout: 0 });
    loopByTimers(sim);
    sim.calls.inbound({ from: caller, to: dial.alice });
    thrownBy(() => sim.advance("PT1M"));
    sim.off("call.not_answered");
    expect(sim.calls.live()).toHaveLength(1);
    expect(sim.pending()).toHaveLength(1);
    sim.advance("PT1M");
    expect(sim.calls.live()).toEqual([]);
    expect(sim.timestamp).toBe(startMs + 60_000);
  });

  test("is stopped again on the next advance with the same listener", () => {
    const sim = newSimulator({ ringTimeout: 0 });
    loopByTimers(sim);
    sim.calls.inbound({ from: caller, to: dial.alice });
    thrownBy(() => sim.advance("PT1M"));
    expect(() => sim.advance("PT1M")).toThrow(RunawayError);
  });
});

describe("something that only looks like a loop", () => {
  test.runIf(isWhole)("a burst of 11,000 calls that time out at one instant is not stopped", () => {
    const count = 11_000;
    const users = Array.from({ length: 200 }, (_, index) => ({
      id: `user-${index}`,
      email: `user-${index}@acme.test`,
      displayName: `User ${index}`,
      extension: `${1000 + index}`,
      voicemail: false,
    }));
    const numbers = users.map(({ id }, index) => ({ number: `+649555${1000 + index}`, owner: id }));
    const sim = createSimulator({ organisation: { id: "acme", users, numbers }, ids: "counter" });
    for (let index = 0; index < count; index++)
      sim.calls.inbound({ from: caller, to: numbers[index % numbers.length]?.number ?? "" });
    sim.advance("PT30S");
    expect(sim.events).toHaveLength(2 * count);
    expect(sim.calls.live()).toEqual([]);
  });

  test.runIf(isWhole)(
    "a listener that answers each of 11,000 calls, one after the other, is not stopped",
    () => {
      const sim = createSimulator({ organisation: office, retain: { events: 0, calls: 0, journal: false } });
      sim.on("call.started", ({ data }) => sim.calls.get(data.call.id).answer("alice"));
      sim.on("call.answered", ({ data }) => sim.calls.get(data.call.id).hangup("alice"));
      for (let count = 0; count < 11_000; count++) sim.calls.inbound({ from: caller, to: dial.alice });
      expect(sim.users.get("alice").record.availability.status).toBe("available");
    },
  );

  test("a listener that calls back on every unanswered call for 8 days is not stopped", () => {
    const sim = newSimulator({ ringTimeout: 60_000 });
    loopByTimers(sim);
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("P8D");
    expect(stream(sim).at(-1)).toBe(`${8 * 86_400_000} call.started`);
  });
});
