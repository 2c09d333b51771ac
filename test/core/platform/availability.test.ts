import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream } from "../../helpers.ts";

const newSimulator = (organisation: OrganisationInput = office) =>
  createSimulator({ organisation, ids: "counter" });

const noCall = { callId: null, vendor: null, vendorCallId: null };

/** The status and the rule in each availability event of a user. */
const toldOf = (sim: Simulator, id: string) =>
  sim.events
    .ofType("user.availability.updated")
    .filter(({ data }) => data.user.id === id)
    .map(({ data }) => `${data.user.availability.status} ${data.user.availability.notAvailableRule}`);

describe("at the start", () => {
  test("a user with a registered endpoint is available", () => {
    expect(newSimulator().users.get("alice").record).toMatchObject({
      loginStatus: "loggedIn",
      availability: {
        status: "available",
        statusAt: "2026-07-01T00:00:00.000Z",
        statusTimestamp: startMs,
        availabilitySummary: "Available",
        notAvailableRule: null,
        notAvailableReason: null,
        ...noCall,
      },
      ...noCall,
    });
  });

  test.each([
    ["without endpoints", []],
    ["with none registered", [{ id: "desk", type: "sip" as const, registered: false }]],
  ])("a user %s is offline by the rule loggedOut", (_how, endpoints) => {
    const user = { id: "zoe", email: "zoe@acme.test", displayName: "Zoe", extension: "109", endpoints };
    const sim = newSimulator({ id: "acme", users: [user] });
    expect(sim.users.get("zoe").record).toMatchObject({
      loginStatus: "loggedOut",
      availability: { status: "offline", notAvailableRule: "loggedOut" },
    });
    expect(sim.events).toHaveLength(0);
  });
});

describe("by hand", () => {
  test.each<[string, object, object]>([
    [
      "busy",
      {},
      {
        status: "busy",
        notAvailableRule: "doNotDisturb",
        notAvailableReason: null,
        availabilitySummary: "Do not disturb",
      },
    ],
    [
      "offline",
      {},
      {
        status: "offline",
        notAvailableRule: "loggedOut",
        notAvailableReason: null,
        availabilitySummary: "Logged out",
      },
    ],
    [
      "busy",
      { rule: "outOfHours" },
      {
        status: "busy",
        notAvailableRule: "outOfHours",
        notAvailableReason: null,
        availabilitySummary: "Out of hours",
      },
    ],
    [
      "busy",
      { reason: "Lunch" },
      { status: "busy", notAvailableRule: "doNotDisturb", notAvailableReason: "Lunch" },
    ],
    [
      "offline",
      { rule: "outOfHours", reason: "Weekend" },
      { status: "offline", notAvailableRule: "outOfHours", notAvailableReason: "Weekend" },
    ],
  ])("%s with %j updates the record and emits one event", (status, options, availability) => {
    const sim = newSimulator();
    sim.advance("PT5S");
    sim.users.get("alice@acme.test").setAvailability(status as "busy", options);
    expect(sim.users.get("alice").record.availability).toMatchObject({ ...availability, ...noCall });
    expect(sim.users.get("alice").record.availability.statusTimestamp).toBe(startMs + 5_000);
    expect(stream(sim)).toEqual(["5000 user.availability.updated"]);
    expect(sim.events[0]?.data).toEqual({ user: sim.users.get("alice").record });
  });

  test("emits nothing if the status is already set", () => {
    const sim = newSimulator();
    const alice = sim.users.get("alice");
    alice.setAvailability("available");
    alice.setAvailability("busy", { reason: "Lunch" });
    sim.advance("PT5S");
    const before = alice.record;
    alice.setAvailability("busy", { reason: "Lunch", rule: "doNotDisturb" });
    expect(toldOf(sim, "alice")).toEqual(["busy doNotDisturb"]);
    expect(alice.record).toBe(before);
  });

  test("emits an event if only the reason changes", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("busy", { reason: "Lunch" });
    sim.users.get("alice").setAvailability("busy", { reason: "Meeting" });
    expect(toldOf(sim, "alice")).toHaveLength(2);
  });

  test("withdraws ringing calls after the event", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.users.get("alice").setAvailability("busy");
    expect(stream(sim)).toEqual(["0 call.started", "0 user.availability.updated", "0 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
    expect(call.record.summary.outcome).toBe("Missed: the target was not available");
    expect(call.record.parties[1]?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn", "withdrawn"]);
  });

  test("the next call rings once the user is available again", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("offline");
    sim.users.get("alice").setAvailability("available");
    expect(sim.calls.inbound({ from: caller, to: dial.alice }).status).toBe("offered");
  });
});

describe("on a call", () => {
  test("a user is busy by the rule busyOnACall; the user's record names the call and its vendor id", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice, vendorCallId: "CA1" });
    sim.advance("PT3S");
    call.answer("alice");
    const onCall = { callId: call.id, vendor: "vendor", vendorCallId: "CA1" };
    expect(sim.events.at(-1)?.data).toMatchObject({
      user: {
        availability: {
          status: "busy",
          statusTimestamp: startMs + 3_000,
          availabilitySummary: "Busy on a call",
          notAvailableRule: "busyOnACall",
          ...onCall,
        },
        ...onCall,
      },
    });
  });

  test("a user is available again when they hang up", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.hangup("alice");
    expect(toldOf(sim, "alice")).toEqual(["busy busyOnACall", "available null"]);
    expect(sim.users.get("alice").record).toMatchObject({ availability: noCall, ...noCall });
  });

  test.each<[string, (sim: Simulator) => void, string]>([
    [
      "busy by hand",
      (sim) => sim.users.get("alice").setAvailability("busy", { reason: "Lunch" }),
      "busy doNotDisturb",
    ],
    ["offline by hand", (sim) => sim.users.get("alice").setAvailability("offline"), "offline loggedOut"],
  ])("%s takes effect and emits its event when the call is over", (_what, act, after) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    act(sim);
    expect(sim.users.get("alice").record.availability.notAvailableRule).toBe("busyOnACall");
    call.hangup("caller");
    expect(toldOf(sim, "alice")).toEqual(["busy busyOnACall", after]);
  });

  test("a manual status that is withdrawn during the call has no effect", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    sim.users.get("alice").setAvailability("busy");
    sim.users.get("alice").setAvailability("available");
    call.hangup("caller");
    expect(toldOf(sim, "alice")).toEqual(["busy busyOnACall", "available null"]);
  });

  test("an endpoint that is not in use may be unregistered, without an event", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice", { endpoint: "mobile" });
    const mark = sim.events.mark();
    sim.users.get("alice").setEndpoint("desktop", { registered: false });
    expect(sim.events.since(mark)).toEqual([]);
  });

  test("a voicemail does not make anyone busy", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.bob }).decline("bob");
    expect(sim.users.get("bob").record.availability.status).toBe("available");
  });
});

describe("endpoints", () => {
  test("a user without a registered endpoint is offline by the rule loggedOut", () => {
    const sim = newSimulator();
    const alice = sim.users.get("alice");
    alice.setEndpoint("mobile", { registered: false });
    expect(sim.events).toHaveLength(0);
    alice.setEndpoint("desktop", { registered: false });
    expect(toldOf(sim, "alice")).toEqual(["offline loggedOut"]);
    expect(sim.events[0]?.data).toMatchObject({
      user: { loginStatus: "loggedOut", endpoints: [{ registered: false }, { registered: false }] },
    });
  });

  test("a user is available again when the first endpoint is registered", () => {
    const sim = newSimulator();
    const carol = sim.users.get("carol");
    carol.setEndpoint("mobile", { registered: false });
    carol.setEndpoint("mobile", { registered: true });
    expect(toldOf(sim, "carol")).toEqual(["offline loggedOut", "available null"]);
    expect(sim.calls.inbound({ from: caller, to: dial.carol }).status).toBe("offered");
  });

  test("a manual status applies again when the user logs in", () => {
    const sim = newSimulator();
    const carol = sim.users.get("carol");
    carol.setAvailability("busy");
    carol.setEndpoint("mobile", { registered: false });
    carol.setEndpoint("mobile", { registered: true });
    expect(toldOf(sim, "carol")).toEqual(["busy doNotDisturb", "offline loggedOut", "busy doNotDisturb"]);
  });

  test("registering a registered endpoint changes nothing", () => {
    const sim = newSimulator();
    const before = sim.users.get("carol").record;
    sim.users.get("carol").setEndpoint("mobile", { registered: true });
    expect(sim.events).toHaveLength(0);
    expect(sim.users.get("carol").record).toBe(before);
  });

  test("a user who begins logged out becomes available with their first endpoint", () => {
    const endpoints = [{ id: "desk", type: "sip" as const, registered: false }];
    const user = { id: "zoe", email: "zoe@acme.test", displayName: "Zoe", extension: "109", endpoints };
    const sim = newSimulator({ id: "acme", users: [user] });
    sim.users.get("zoe").setEndpoint("desk", { registered: true });
    expect(toldOf(sim, "zoe")).toEqual(["available null"]);
  });
});
