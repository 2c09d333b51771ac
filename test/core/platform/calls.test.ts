import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

/** Endpoint and outcome of every dial of a call, in the order in which they began. */
function dialsOf(sim: Simulator, id = "call-1"): string[] {
  const { parties } = sim.calls.get(id).record;
  return parties
    .flatMap((party) => party.dials)
    .map(({ endpoint, outcome, endedTimestamp }) =>
      outcome === null
        ? `${endpoint} rings`
        : `${endpoint} ${outcome} at ${Number(endedTimestamp) - startMs}`,
    );
}

describe("the stream of an inbound call to a user", () => {
  test("who answers, and whose caller hangs up first", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance(6_001);
    call.answer("alice");
    sim.advance(60_000);
    call.hangup("caller");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "6001 call.answered",
      "6001 user.availability.updated",
      "66001 call.hungup",
      "66001 call.hungup",
      "66001 user.availability.updated",
      "66001 call.ended",
    ]);
    expect(sim.events.ofType("call.hungup").map(({ data }) => data.party.type)).toEqual(["external", "user"]);
  });

  test("who answers and hangs up first", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance(6_000);
    call.answer("alice");
    sim.advance(60_000);
    call.hangup("alice");
    expect(stream(sim).slice(3)).toEqual([
      "66000 call.hungup",
      "66000 user.availability.updated",
      "66000 call.hungup",
      "66000 call.ended",
    ]);
    expect(sim.events.ofType("call.hungup").map(({ data }) => data.party.type)).toEqual(["user", "external"]);
  });

  test("who is in teams: each event of hers is followed by her teams' events, in the organisation's order", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.carol });
    call.answer("carol");
    call.hangup("caller");
    const told = sim.events.map(({ type, data }) => ("team" in data ? data.team.id : type));
    expect(told).toEqual([
      "call.started",
      "call.answered",
      "user.availability.updated",
      "support",
      "sales",
      "billing",
      "call.hungup",
      "call.hungup",
      "user.availability.updated",
      "support",
      "sales",
      "billing",
      "call.ended",
    ]);
  });

  test("who does not answer and has no voicemail", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
    expect(call.record).toMatchObject({ status: "missed", outcome: { status: "missed", reason: "timeout" } });
  });

  test("who does not answer and gets a voicemail", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT20S" });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "30000 call.not_answered",
      "55000 call.hungup",
      "55000 call.ended",
      "60000 call.recording.available",
    ]);
  });

  test("whose caller gives up while it rings", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    sim.advance("PT12S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "12000 call.not_answered"]);
    expect(call.record).toMatchObject({
      status: "abandoned",
      outcome: { status: "abandoned", reason: "callerHungUp" },
      summary: { outcome: "Abandoned: the caller hung up" },
    });
    expect(dialsOf(sim)).toEqual(["mobile withdrawn at 12000", "desktop withdrawn at 12000"]);
    expect(sim.pending()).toEqual([]);
  });
});

describe("ringing a user", () => {
  test("rings every registered endpoint at once, and no other", () => {
    const sim = newSimulator();
    sim.users.get("bob").setEndpoint("desktop", { registered: false });
    const calls = [dial.alice, dial.bob].map((to) => sim.calls.inbound({ from: caller, to }));
    expect(calls.map((call) => call.ringing())).toEqual([
      [
        { user: "alice", endpoint: "mobile" },
        { user: "alice", endpoint: "desktop" },
      ],
      [{ user: "bob", endpoint: "mobile" }],
    ]);
    expect(calls[0]?.status).toBe("offered");
  });

  test("ends at the first answer; the other dials end answeredElsewhere at the same instant", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT6S");
    call.answer("alice", { endpoint: "desktop" });
    expect(dialsOf(sim)).toEqual(["mobile answeredElsewhere at 6000", "desktop answered at 6000"]);
    expect(call.ringing()).toEqual([]);
    expect(sim.pending()).toEqual([]);
  });

  test("is answered on the first ringing endpoint if none is named", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.decline("alice", { endpoint: "mobile" });
    call.answer("alice");
    expect(call.record.connections.map(({ endpoint }) => endpoint)).toEqual([null, "desktop"]);
  });

  test("continues on the other endpoints when one declines", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT3S");
    call.decline("alice", { endpoint: "desktop" });
    expect(call.ringing()).toEqual([{ user: "alice", endpoint: "mobile" }]);
    expect(dialsOf(sim)).toEqual(["mobile rings", "desktop declined at 3000"]);
    sim.advance("PT1M");
    expect(dialsOf(sim)).toEqual(["mobile timeout at 30000", "desktop declined at 3000"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });

  test.each<[string, (sim: Simulator) => void]>([
    [
      "one after the other",
      (sim) => {
        sim.calls.get("call-1").decline("alice", { endpoint: "mobile" });
        sim.calls.get("call-1").decline("alice", { endpoint: "desktop" });
      },
    ],
    ["at once, given no endpoint", (sim) => sim.calls.get("call-1").decline("alice")],
  ])("ends the offer when all endpoints have declined %s, with the reason declined", (_how, decline) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT4S");
    decline(sim);
    expect(dialsOf(sim)).toEqual(["mobile declined at 4000", "desktop declined at 4000"]);
    expect(stream(sim)).toEqual(["0 call.started", "4000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "declined" });
    expect(call.record.summary.outcome).toBe("Missed: declined");
  });

  test("lasts 30 s, then all dials end with timeout", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance(29_999);
    expect(dialsOf(sim)).toEqual(["mobile rings", "desktop rings"]);
    sim.advance(1);
    expect(dialsOf(sim)).toEqual(["mobile timeout at 30000", "desktop timeout at 30000"]);
  });

  test("lasts timing.ringTimeout", () => {
    const sim = createSimulator({ organisation: office, timing: { ringTimeout: "PT12.5S" } });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim.runUntil("call.not_answered").createdTimestamp).toBe(startMs + 12_500);
  });

  test("stops on an endpoint that is unregistered, and continues on the others", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT2S");
    sim.users.get("alice").setEndpoint("mobile", { registered: false });
    expect(dialsOf(sim)).toEqual(["mobile failed at 2000", "desktop rings"]);
    expect(call.ringing()).toEqual([{ user: "alice", endpoint: "desktop" }]);
  });

  test("ends with the reason unavailable when the last endpoint is unregistered", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.carol });
    sim.advance("PT2S");
    sim.users.get("carol").setEndpoint("mobile", { registered: false });
    expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
    expect(sim.users.get("carol").record.availability.notAvailableRule).toBe("loggedOut");
    expect(sim.pending()).toEqual([]);
  });

  test("does not start on an endpoint that is registered later", () => {
    const sim = newSimulator();
    sim.users.get("alice").setEndpoint("desktop", { registered: false });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.users.get("alice").setEndpoint("desktop", { registered: true });
    expect(call.ringing()).toEqual([{ user: "alice", endpoint: "mobile" }]);
  });
});

describe("a call to a user who cannot be rung goes straight to the unanswered step, with the reason unavailable", () => {
  test.each<[string, string, (sim: Simulator) => void]>([
    ["suspended", dial.erin, () => {}],
    [
      "on another call",
      dial.alice,
      (sim) => sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice"),
    ],
    ["busy by hand", dial.alice, (sim) => sim.users.get("alice").setAvailability("busy")],
    ["offline by hand", dial.alice, (sim) => sim.users.get("alice").setAvailability("offline")],
    [
      "logged out of every endpoint",
      dial.carol,
      (sim) => sim.users.get("carol").setEndpoint("mobile", { registered: false }),
    ],
  ])("if the user is %s", (_how, to, prepare) => {
    const sim = newSimulator();
    prepare(sim);
    const mark = sim.events.mark();
    const call = sim.calls.inbound({ from: caller, to });
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual(["call.started", "call.not_answered"]);
    expect(call.record).toMatchObject({
      status: "missed",
      outcome: { status: "missed", reason: "unavailable" },
      duration: 0,
      parties: [{ type: "external" }],
    });
  });

  test("if the user is only invited", () => {
    const alice = { id: "alice", email: "alice@acme.test", displayName: "Alice", extension: "101" };
    const sim = createSimulator({
      organisation: {
        id: "acme",
        users: [{ ...alice, status: "invited", voicemail: false }],
        numbers: [{ number: dial.alice, owner: "alice" }],
      },
    });
    expect(sim.calls.inbound({ from: caller, to: dial.alice }).record.outcome?.reason).toBe("unavailable");
  });

  test("and goes to voicemail if the user has it", () => {
    const sim = newSimulator();
    sim.users.get("bob").setAvailability("busy");
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    expect(call.record.parties.map(({ type }) => type)).toEqual(["external", "voicemail"]);
    expect(stream(sim).slice(1)).toEqual(["0 call.started", "0 call.not_answered"]);
  });
});
