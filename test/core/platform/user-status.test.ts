import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const totals = (sim: Simulator) =>
  sim.events
    .ofType("team.availability.updated")
    .map(({ data: { team } }) => `${team.id} ${team.availability.totalAvailable}`);

describe("setStatus", () => {
  test("to suspended takes the user offline, with an event", () => {
    const sim = newSimulator();
    sim.users.get("alice").setStatus("suspended");
    const { record } = sim.users.get("alice");
    expect(record).toMatchObject({ status: "suspended", availability: { status: "offline" } });
    expect(sim.events.map(({ data }) => data)).toEqual([{ user: record }]);
  });

  test("from invited to suspended leaves them offline, without an event", () => {
    const sim = newSimulator();
    sim.users.get("alice").setStatus("invited");
    const before = sim.events.mark();
    sim.users.get("alice").setStatus("suspended");
    expect(sim.users.get("alice").record.status).toBe("suspended");
    expect(sim.events.since(before)).toEqual([]);
  });

  test.each(["suspended", "invited"] as const)(
    "to %s stops ringing with the reason unavailable",
    (status) => {
      const sim = newSimulator();
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      sim.advance("PT5S");
      sim.users.get("alice").setStatus(status);
      expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
      expect(call.record.parties[1]?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn", "withdrawn"]);
      expect(stream(sim)).toEqual([
        "0 call.started",
        "5000 user.availability.updated",
        "5000 call.not_answered",
      ]);
      expect(sim.pending()).toEqual([]);
    },
  );

  test("sends ringing calls to voicemail if the user has it", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    sim.users.get("bob").setStatus("suspended");
    expect(call.ringing()).toEqual([]);
    call.leaveVoicemail({ duration: "PT5S" });
    sim.runUntilIdle();
    expect(call.record.outcome).toEqual({ status: "missed", reason: "voicemail" });
  });

  test("changes the totals of the user's teams, in the order of the organisation", () => {
    const sim = newSimulator();
    sim.users.get("carol").setStatus("suspended");
    expect(totals(sim)).toEqual(["support 0", "sales 1", "billing 0"]);
    expect(sim.teams.get("sales").record.teamMembers[0]).toMatchObject({ id: "carol", status: "suspended" });
    sim.users.get("carol").setStatus("active");
    expect(totals(sim).slice(3)).toEqual(["support 1", "sales 2", "billing 1"]);
    expect(sim.events.ofType("user.availability.updated")).toHaveLength(2);
  });

  test("during an offer makes the team ring its next tier", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.sales });
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    sim.users.get("carol").setStatus("suspended");
    expect(call.ringing()).toEqual([{ user: "dan", endpoint: "mobile" }]);
  });

  test("to active offers the user a waiting call", () => {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    sim.users.get("dan").setAvailability("busy");
    const call = sim.calls.inbound({ from: caller, to: dial.sales });
    expect(sim.teams.get("sales").waiting()).toEqual([call.id]);
    sim.users.get("erin").setStatus("active");
    expect(call.ringing()).toEqual([{ user: "erin", endpoint: "mobile" }]);
  });

  test("on a call lets the call continue; afterwards the user no longer counts", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.carol });
    call.answer("carol");
    const before = sim.events.mark();
    sim.users.get("carol").setStatus("suspended");
    expect(sim.events.since(before)).toEqual([]);
    expect(call.status).toBe("accepted");
    call.hangup("caller");
    expect(sim.events.since(before).map(({ type }) => type)).toEqual([
      "call.hungup",
      "call.hungup",
      "user.availability.updated",
      "call.ended",
    ]);
    expect(sim.teams.get("support").record.availability.totalAvailable).toBe(0);
    expect(sim.calls.inbound({ from: caller, to: dial.carol }).record.outcome?.reason).toBe("unavailable");
  });

  test("to the current status does nothing", () => {
    const sim = newSimulator();
    const before = sim.users.get("alice").record;
    sim.users.get("alice").setStatus("active");
    expect(sim.users.get("alice").record).toBe(before);
  });

  test("rejects an unknown status and changes nothing", () => {
    const sim = newSimulator();
    const before = stateOf(sim);
    expect(thrownBy(() => sim.users.get("alice").setStatus("retired" as never))).toMatchObject({
      code: "invalid_argument",
      message: 'setUserStatus: status: expected one of invited, active, suspended, got "retired"',
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("is replayed and forked", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.sales });
    const fork = sim.fork();
    sim.users.get("carol").setStatus("suspended");
    expect(stateOf(replay(sim.journal()))).toEqual(stateOf(sim));
    expect(fork.users.get("carol").record.status).toBe("active");
    fork.users.get("carol").setStatus("suspended");
    expect(stateOf(fork)).toEqual(stateOf(sim));
  });
});
