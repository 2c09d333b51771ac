import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const other = "+6421555002";

describe("a name in place of a user's id", () => {
  test.each(["alice", "alice@acme.test", "Alice@ACME.test", "callee"])("%s answers for the user", (who) => {
    const call = newSimulator().calls.inbound({ from: caller, to: dial.alice });
    call.answer(who);
    expect(call.record.assignedUser?.id).toBe("alice");
  });

  test.each(["alice", "alice@acme.test", "callee"])("%s hangs up for the user", (who) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.hangup(who);
    expect(sim.events.ofType("call.hungup")[0]?.data.party.email).toBe("alice@acme.test");
  });

  test.each(["caller", caller])("%s hangs up for the caller", (who) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.hangup(who);
    expect(sim.events.ofType("call.hungup")[0]?.data.party.phoneNumber).toBe(caller);
  });

  test.each(["lobby", "callee"])("%s answers for the device", (who) => {
    const call = newSimulator().calls.inbound({ from: caller, to: dial.lobby });
    call.answer(who);
    expect(call.status).toBe("accepted");
  });
});

describe("move", () => {
  test("continues the call on another endpoint: one connection ends as the next begins, without an event", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice", { endpoint: "mobile" });
    sim.advance("PT10S");
    const mark = sim.events.mark();
    call.move("alice", { to: "desktop" });
    sim.advance("PT5S");
    call.move("alice@acme.test", { to: "mobile" });
    expect(sim.events.since(mark)).toEqual([]);
    const connections = call.record.connections.map(({ endpoint, joinedTimestamp, leftTimestamp }) => [
      endpoint,
      joinedTimestamp - startMs,
      leftTimestamp === null ? null : leftTimestamp - startMs,
    ]);
    expect(connections).toEqual([
      [null, 0, null],
      ["mobile", 0, 10_000],
      ["desktop", 10_000, 15_000],
      ["mobile", 15_000, null],
    ]);
  });

  test("changes the record's lastModified", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    sim.advance("PT10S");
    call.move("alice", { to: "desktop" });
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 10_000);
  });

  test("does not change how the call ends", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.move("alice", { to: "desktop" });
    call.hangup("alice");
    expect(call.record.connections.every(({ leftAt }) => leftAt !== null)).toBe(true);
    expect(stream(sim).at(-1)).toBe("0 call.ended");
  });
});

describe("calls to a device", () => {
  test("ring the device and emit no availability events", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.lobby });
    expect(call.ringing()).toMatchObject([{ device: "lobby" }]);
    sim.advance("PT5S");
    call.answer("lobby");
    sim.advance("PT5S");
    call.hangup("lobby");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "5000 call.answered",
      "10000 call.hungup",
      "10000 call.hungup",
      "10000 call.ended",
    ]);
    expect(call.record).toMatchObject({
      outcome: { status: "answered", reason: null },
      assignedUser: null,
      directoryTarget: { id: "lobby", type: "device", extension: "300", email: null },
    });
  });

  test("close after 30 s without an answer: a device has no unanswered step", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.lobby });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
    expect(sim.notifications).toEqual([]);
  });

  test("close at once while the device is on another call", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.lobby }).answer("lobby");
    const second = sim.calls.inbound({ from: other, to: dial.lobby });
    expect(second.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
    sim.calls.get("call-1").hangup("caller");
    expect(sim.calls.inbound({ from: other, to: dial.lobby }).status).toBe("offered");
  });

  test("are withdrawn with the reason unavailable when the device answers another", () => {
    const sim = newSimulator();
    const [first, second] = [caller, other].map((from) => sim.calls.inbound({ from, to: dial.lobby }));
    second?.answer("lobby");
    expect(first?.record).toMatchObject({
      outcome: { status: "missed", reason: "unavailable" },
      parties: [{ type: "external" }, { type: "device", dials: [{ outcome: "withdrawn" }] }],
    });
    expect(sim.pending()).toEqual([]);
  });
});

describe("two calls", () => {
  /** Two calls that ring Alice. */
  function twoRing(): Simulator {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT1S");
    sim.calls.inbound({ from: other, to: dial.alice });
    return sim;
  }

  test("can ring one user at the same time", () => {
    const sim = twoRing();
    expect(sim.calls.live().map((call) => call.ringing().length)).toEqual([2, 2]);
  });

  test("the call that she does not answer is withdrawn with the reason unavailable", () => {
    const sim = twoRing();
    sim.calls.get("call-2").answer("alice");
    const missed = sim.calls.get("call-1");
    expect(missed.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
    expect(missed.record.parties[1]?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn", "withdrawn"]);
    expect(stream(sim).slice(2)).toEqual([
      "1000 call.answered",
      "1000 user.availability.updated",
      "1000 call.not_answered",
    ]);
    expect(sim.pending()).toEqual([]);
  });

  test("end independently", () => {
    const sim = twoRing();
    sim.calls.get("call-1").hangup("caller");
    sim.calls.get("call-2").answer("alice");
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-2"]);
  });

  test("from one number are separate calls", () => {
    const sim = newSimulator();
    const calls = [dial.alice, dial.carol].map((to) => sim.calls.inbound({ from: caller, to }));
    calls[0]?.hangup(caller);
    expect(calls.map((call) => call.status)).toEqual(["abandoned", "offered"]);
  });
});

describe("commands and timers of one instant", () => {
  test("the first of two answers wins, and the second is refused", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT5S");
    call.answer("alice", { endpoint: "mobile" });
    const before = stateOf(sim);
    expect(thrownBy(() => call.answer("alice", { endpoint: "desktop" }))).toMatchObject({
      code: "not_ringing",
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("an answer is refused once the timeout of the same instant has fired", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT30S");
    expect(thrownBy(() => call.answer("alice"))).toMatchObject({ code: "call_closed" });
  });

  test("an answer is accepted before the timeout of the same instant fires", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.carol });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.step();
    expect(sim.timestamp).toBe(startMs + 30_000);
    call.answer("alice");
    sim.advance("PT1M");
    expect(call.record).toMatchObject({ status: "accepted", waitTime: 30_000 });
  });

  test("an answer from a listener is taken before the other timers of the same instant", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.carol });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.on("call.not_answered", () => call.answer("alice"));
    sim.advance("PT30S");
    expect(call.status).toBe("accepted");
  });
});

describe("calls.live, list and get", () => {
  test("live returns open calls and list all calls, both in order of start", () => {
    const sim = newSimulator();
    const calls = [dial.alice, dial.carol, dial.lobby].map((to) => sim.calls.inbound({ from: caller, to }));
    calls[1]?.hangup("caller");
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-1", "call-3"]);
    expect(sim.calls.list().map(({ id }) => id)).toEqual(["call-1", "call-2", "call-3"]);
  });

  test("get returns a handle for the id", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim.calls.get("call-1").record).toBe(call.record);
  });
});
