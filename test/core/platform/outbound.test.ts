import { describe, expect, test } from "vitest";
import { type CommandError, createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const outside = "+6421555777";

const aliceDials = (sim: Simulator) => sim.calls.outbound({ from: "alice", to: outside });

/** The code of a refused command, which must change nothing. */
function refusalOf(sim: Simulator, act: () => unknown): string {
  const before = stateOf(sim);
  const { code } = thrownBy(act) as CommandError;
  expect(stateOf(sim)).toEqual(before);
  return code;
}

/** The events of a call that nobody answers and that closes at this time. */
const untaken = (ms: number) => [
  "0 call.started",
  "0 user.availability.updated",
  `${ms} call.not_answered`,
  `${ms} call.hungup`,
  `${ms} user.availability.updated`,
  `${ms} call.ended`,
];

describe("the stream of an outbound call", () => {
  test("that is answered, and whose user hangs up first", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.advance("PT8S");
    call.answer(outside);
    sim.advance("PT60S");
    call.hangup("alice");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "8000 call.answered",
      "68000 call.hungup",
      "68000 user.availability.updated",
      "68000 call.hungup",
      "68000 call.ended",
    ]);
    const hungUp = sim.events.ofType("call.hungup").map(({ data }) => data.party.displayName);
    expect(hungUp).toEqual(["Alice Ng", outside]);
  });

  test("that is answered, and whose other party hangs up first", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    call.answer("callee");
    sim.advance("PT60S");
    call.hangup("callee");
    expect(stream(sim).slice(3)).toEqual([
      "60000 call.hungup",
      "60000 call.hungup",
      "60000 user.availability.updated",
      "60000 call.ended",
    ]);
    const hungUp = sim.events.ofType("call.hungup").map(({ data }) => data.party.type);
    expect(hungUp).toEqual(["external", "user"]);
  });

  test("that nobody answers", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(untaken(30_000));
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "timeout" });
  });

  test("to a busy line", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.advance("PT2S");
    call.decline(outside, { busy: true });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(untaken(2_000));
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "busy" });
    expect(call.record.parties[1]?.dials[0]?.outcome).toBe("failed");
  });

  test("that is rejected", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.advance("PT4S");
    call.decline(outside);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(untaken(4_000));
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "rejected" });
    expect(call.record.parties[1]?.dials[0]?.outcome).toBe("declined");
  });

  test.each(["alice", "caller"])("that %s hangs up while it rings", (who) => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.advance("PT5S");
    call.hangup(who);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(untaken(5_000));
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "cancelled" });
    expect(call.record.parties[1]?.dials[0]?.outcome).toBe("withdrawn");
    expect(sim.pending()).toEqual([]);
  });

  test("makes the dialling user busy, then available", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    call.answer(outside);
    call.hangup("alice");
    const statuses = sim.events
      .ofType("user.availability.updated")
      .map(({ data }) => data.user.availability.status);
    expect(statuses).toEqual(["busy", "available"]);
  });
});

describe("the record of an outbound call", () => {
  test("names caller, callee and number", () => {
    const sim = newSimulator();
    const { record } = aliceDials(sim);
    expect(record).toMatchObject({
      direction: "outbound",
      isInternal: false,
      isConference: false,
      status: "offered",
      outcome: null,
      contactNumber: outside,
      companyNumber: dial.alice,
      initiator: dial.alice,
      recipient: outside,
      assignedUser: null,
    });
    expect(record.parties).toMatchObject([
      { type: "user", isInternal: true, displayName: "Alice Ng", email: "alice@acme.test", dials: [] },
      {
        type: "external",
        isInternal: false,
        phoneNumber: outside,
        dials: [{ reason: "outbound", endpoint: "phone", startedTimestamp: startMs, outcome: null }],
      },
    ]);
    expect(record.connections).toMatchObject([
      { partyId: record.parties[0]?.id, endpoint: "mobile", joinedTimestamp: startMs, leftTimestamp: null },
    ]);
  });

  test("has its waiting time and its duration", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.advance("PT8S");
    call.answer(outside);
    sim.advance("PT60S");
    call.hangup("alice");
    const { record } = call;
    expect(record).toMatchObject({
      status: "ended",
      outcome: { status: "answered", reason: null },
      waitTime: 8_000,
      waitTimeText: "8s",
      duration: 68_000,
      durationText: "1m 8s",
      answeredTimestamp: startMs + 8_000,
      endedTimestamp: startMs + 68_000,
    });
    expect(record.connections.map((each) => each.joinedTimestamp - startMs)).toEqual([0, 8_000]);
    expect(record.connections.map((each) => Number(each.leftTimestamp) - startMs)).toEqual([68_000, 68_000]);
  });

  test("has no directory target, answered or not", () => {
    const sim = newSimulator();
    const answered = aliceDials(sim);
    answered.answer(outside);
    answered.hangup("alice");
    const untakenCall = aliceDials(sim);
    sim.runUntilIdle();
    for (const { record } of [answered, untakenCall]) expect(record).not.toHaveProperty("directoryTarget");
  });

  test("of an unanswered call has a waiting time as long as the call", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    sim.runUntilIdle();
    expect(call.record).toMatchObject({ waitTime: 30_000, duration: 30_000, answeredTimestamp: null });
  });

  test("keeps the passthrough parameters", () => {
    const sim = newSimulator();
    const passthroughParameters = { "x-order": "7" };
    const call = sim.calls.outbound({ from: "alice", to: outside, passthroughParameters });
    expect(call.record.passthroughParameters).toEqual(passthroughParameters);
  });
});

describe("the caller id of an outbound call", () => {
  test("is the requested number", () => {
    const call = newSimulator().calls.outbound({ from: "alice", to: outside, callerId: dial.sales });
    expect(call.record.companyNumber).toBe(dial.sales);
  });

  test("is the user's first number by default", () => {
    const call = newSimulator().calls.outbound({ from: "bob@acme.test", to: outside });
    expect(call.record.companyNumber).toBe(dial.bob);
  });

  test("is the organisation's first number for a user who has none", () => {
    const numbers = office.numbers.filter(({ owner }) => owner !== "alice");
    const sim = createSimulator({ organisation: { ...office, numbers } });
    expect(aliceDials(sim).record.companyNumber).toBe(dial.bob);
  });

  test("must be a number of the organisation", () => {
    const sim = newSimulator();
    const act = () => sim.calls.outbound({ from: "alice", to: outside, callerId: caller });
    expect(refusalOf(sim, act)).toBe("unknown_number");
  });

  test("is required: an organisation without numbers cannot call out", () => {
    const sim = createSimulator({ organisation: { ...office, numbers: [] } });
    expect(refusalOf(sim, () => aliceDials(sim))).toBe("unknown_number");
  });
});

describe("dialling out", () => {
  test("is refused for a user on an inbound or outbound call", () => {
    const sim = newSimulator();
    aliceDials(sim);
    expect(refusalOf(sim, () => aliceDials(sim))).toBe("busy");
    sim.calls.inbound({ from: caller, to: dial.bob }).answer("bob");
    expect(refusalOf(sim, () => sim.calls.outbound({ from: "bob", to: outside }))).toBe("busy");
  });

  test("is refused for a suspended user", () => {
    const sim = newSimulator();
    expect(refusalOf(sim, () => sim.calls.outbound({ from: "erin", to: outside }))).toBe("not_allowed");
  });

  test("is refused for a user without a registered endpoint", () => {
    const sim = newSimulator();
    for (const id of ["mobile", "desktop"]) sim.users.get("alice").setEndpoint(id, { registered: false });
    expect(refusalOf(sim, () => aliceDials(sim))).toBe("not_allowed");
  });

  test("uses the user's first registered endpoint", () => {
    const sim = newSimulator();
    sim.users.get("alice").setEndpoint("mobile", { registered: false });
    expect(aliceDials(sim).record.connections[0]?.endpoint).toBe("desktop");
  });

  test("is possible for a device, which emits no availability", () => {
    const sim = newSimulator();
    const call = sim.calls.outbound({ from: "lobby", to: outside });
    call.answer(outside);
    sim.advance("PT10S");
    call.hangup("lobby");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 call.answered",
      "10000 call.hungup",
      "10000 call.hungup",
      "10000 call.ended",
    ]);
    expect(call.record.companyNumber).toBe(dial.lobby);
  });

  test("is refused for a device that may not dial", () => {
    const devices = office.devices.map((device) => ({ ...device, outboundAllowed: false }));
    const sim = createSimulator({ organisation: { ...office, devices } });
    expect(refusalOf(sim, () => sim.calls.outbound({ from: "lobby", to: outside }))).toBe("not_allowed");
  });

  test.each(["sales", "nobody"])("is refused for %s, who is no user or device", (from) => {
    const sim = newSimulator();
    expect(refusalOf(sim, () => sim.calls.outbound({ from, to: outside }))).toBe("not_found");
  });

  test("is refused to the organisation's own numbers", () => {
    const sim = newSimulator();
    const act = () => sim.calls.outbound({ from: "alice", to: dial.bob });
    expect(refusalOf(sim, act)).toBe("not_allowed");
  });

  test("is possible for a ringing user, and the other call stops ringing them", () => {
    const sim = newSimulator();
    const ringing = sim.calls.inbound({ from: caller, to: dial.alice });
    aliceDials(sim);
    expect(ringing.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
  });
});

describe("while an outbound call goes on", () => {
  test("the user is not rung by another", () => {
    const sim = newSimulator();
    aliceDials(sim);
    const other = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(other.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
  });

  test("the outside number rings until it is answered", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    expect(call.ringing()).toEqual([{ number: outside, endpoint: "phone" }]);
    call.answer(outside);
    expect(call.ringing()).toEqual([]);
  });

  test("only a ringing party can answer, decline or be busy", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    expect(refusalOf(sim, () => call.answer("alice"))).toBe("not_ringing");
    expect(refusalOf(sim, () => call.decline("alice"))).toBe("not_ringing");
    expect(refusalOf(sim, () => call.hangup(outside))).toBe("not_connected");
    call.answer(outside);
    expect(refusalOf(sim, () => call.answer(outside))).toBe("not_ringing");
    expect(refusalOf(sim, () => call.decline(outside, { busy: true }))).toBe("not_ringing");
  });

  test("a user cannot be busy by command", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(refusalOf(sim, () => call.decline("alice", { busy: true }))).toBe("invalid_argument");
  });

  test("no command is allowed once it has closed", () => {
    const sim = newSimulator();
    const call = aliceDials(sim);
    call.hangup("alice");
    expect(refusalOf(sim, () => call.answer(outside))).toBe("call_closed");
    expect(refusalOf(sim, () => call.hangup("alice"))).toBe("call_closed");
  });
});

test("outbound calls replay byte for byte", () => {
  const sim = newSimulator();
  aliceDials(sim).decline(outside, { busy: true });
  sim.advance("PT1S");
  const call = aliceDials(sim);
  sim.advance("PT3S");
  call.answer(outside);
  call.hangup(outside);
  aliceDials(sim);
  sim.runUntilIdle();
  expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
});
