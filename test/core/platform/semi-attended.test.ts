import { describe, expect, test } from "vitest";
import { type CallHandle, createSimulator } from "../../../src/index.ts";
import { caller, dial, office, startMs } from "../../helpers.ts";

const outside = "+6421555002";

/** Bob talks to a caller. Carol has no voicemail and is alone in Support; Bob's own calls go to voicemail. */
function bobTalks() {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  call.answer("bob");
  sim.advance("PT1M");
  return { sim, call };
}

const ways: [string, (call: CallHandle, target: string) => unknown][] = [
  ["transfers warm", (call, target) => call.transfer(target, { by: "bob", warm: true })],
  ["adds", (call, target) => call.add(target, { by: "bob" })],
];
const leave: [string, (call: CallHandle, target: string) => unknown][] = [
  ["hangs up", (call) => call.hangup("bob")],
  ["transfers blind to the same target", (call, target) => call.transfer(target, { by: "bob" })],
];
const all = ways.flatMap(([way, begin]) => leave.map(([how, end]) => [way, how, begin, end] as const));

const connected = (call: CallHandle) =>
  call.record.connections
    .filter(({ leftAt }) => leftAt === null)
    .map(({ partyId }) => call.record.parties.find(({ id }) => id === partyId)?.displayName);

describe.each(all)("a user who %s and %s while the target rings", (_way, _how, begin, end) => {
  function handedOn(target = "carol") {
    const { sim, call } = bobTalks();
    begin(call, target);
    sim.advance("PT10S");
    end(call, target);
    return { sim, call };
  }

  test("leaves alone: the caller waits, and the target rings on and may answer", () => {
    const { sim, call } = handedOn();
    expect(connected(call)).toEqual([caller]);
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    expect(sim.users.get("bob").record.availability.status).toBe("available");
    call.answer("carol");
    expect(connected(call)).toEqual([caller, "Carol Diaz"]);
    call.hangup("caller");
    expect(sim.events.ofType("call.hungup").map(({ data }) => data.party.displayName)).toEqual([
      "Bob Tane",
      caller,
      "Carol Diaz",
    ]);
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });

  test("does not lengthen the ring: it ends 30 s after it began, and the call ends", () => {
    const { sim, call } = handedOn();
    sim.advance("PT19.999S");
    expect(call.status).toBe("accepted");
    sim.advance("PT0.001S");
    expect(call.status).toBe("ended");
    expect(call.record.endedTimestamp).toBe(startMs + 90_000);
    expect(call.record.parties.at(-1)?.dials.map(({ outcome }) => outcome)).toEqual(["timeout"]);
  });

  test("withdraws the ring if the caller gives up", () => {
    const { call } = handedOn();
    call.hangup("caller");
    expect(call.status).toBe("ended");
    expect(call.record.parties.at(-1)?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn"]);
  });

  test("is not rung for it by a team", () => {
    const { sim, call } = handedOn("sales");
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    call.decline("carol");
    expect(call.ringing()).toEqual([{ user: "dan", endpoint: "mobile" }]);
    sim.runUntilIdle();
    expect(call.status).toBe("ended");
  });
});

test("the target's voicemail takes the call as after a blind transfer", () => {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  call.answer("alice");
  call.transfer("bob", { by: "alice", warm: true });
  call.hangup("alice");
  sim.advance("PT30S");
  expect(connected(call)).toEqual([caller, "Voicemail of Bob Tane"]);
});

/** Carol is in Support, and Bob too; he hands a call on to it. */
function handedToOwnTeam() {
  const support = {
    id: "support",
    displayName: "Support",
    extension: "201",
    members: [{ user: "carol" }, { user: "bob" }],
    timeout: "PT60S",
    unanswered: { voicemail: true as const },
  };
  const sim = createSimulator({
    organisation: { ...office, numbers: [{ number: dial.bob, owner: "bob" }], teams: [support] },
    ids: "counter",
  });
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  return { sim, call };
}

describe("a user who hands a call on to their own team", () => {
  test("is not rung for it when they are free again, while it waits", () => {
    const { sim, call } = handedToOwnTeam();
    sim.users.get("carol").setAvailability("busy");
    call.answer("bob");
    call.add("support", { by: "bob" });
    call.hangup("bob");
    sim.advance("PT59S");
    expect(call.ringing()).toEqual([]);
    sim.advance("PT1S");
    expect(connected(call)).toEqual([caller, "Voicemail of Support"]);
  });

  test("leaves it to the team's unanswered step at once if all others declined", () => {
    const { sim, call } = handedToOwnTeam();
    call.answer("bob");
    call.add("support", { by: "bob" });
    call.decline("carol");
    expect(connected(call)).toEqual([caller, "Bob Tane"]);
    call.hangup("bob");
    expect(connected(call)).toEqual([caller, "Voicemail of Support"]);
    sim.runUntilIdle();
  });
});

describe("with three on the call, a user who leaves while a target rings", () => {
  function threeTalk() {
    const { sim, call } = bobTalks();
    call.add(outside, { by: "bob" });
    call.answer(outside);
    call.add("carol", { by: "bob" });
    call.hangup("bob");
    return { sim, call };
  }

  test("leaves the others talking: an unanswered ring just ends", () => {
    const { sim, call } = threeTalk();
    sim.advance("PT30S");
    expect(call.ringing()).toEqual([]);
    expect(connected(call)).toEqual([caller, outside]);
  });

  test("leaves one waiting for the target if another leaves too", () => {
    const { sim, call } = threeTalk();
    call.hangup(outside);
    expect(connected(call)).toEqual([caller]);
    sim.advance("PT30S");
    expect(call.status).toBe("ended");
  });
});

describe("if the last outside party hangs up", () => {
  test("nobody is rung any more, while two inside talk on", () => {
    const { sim, call } = bobTalks();
    call.add("dan", { by: "bob" });
    call.answer("dan");
    call.add("carol", { by: "bob" });
    call.hangup("caller");
    expect(call.ringing()).toEqual([]);
    expect(connected(call)).toEqual(["Bob Tane", "Dan Okafor"]);
    expect(call.record.parties.at(-1)?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn"]);
    sim.runUntilIdle();
    call.hangup("bob");
    expect(call.status).toBe("ended");
  });

  test("the target rings on while another outside party is on the call", () => {
    const { call } = bobTalks();
    call.add(outside, { by: "bob" });
    call.answer(outside);
    call.add("carol", { by: "bob" });
    call.hangup("caller");
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
  });

  test("the call ends with the user who added the target", () => {
    const { call } = bobTalks();
    call.add("carol", { by: "bob" });
    call.hangup("caller");
    expect(call.status).toBe("ended");
  });
});

test("in a call between colleagues the one who did not add the target ends it", () => {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const call = sim.calls.internal({ from: "alice", to: "102" });
  call.answer("bob");
  call.add("carol", { by: "bob" });
  call.hangup("alice");
  expect(call.status).toBe("ended");
});

test("in a call between colleagues whoever transfers blind to a target that the other added hands it on", () => {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const call = sim.calls.internal({ from: "alice", to: "102" });
  call.answer("bob");
  call.add("carol", { by: "bob" });
  call.transfer("carol", { by: "alice" });
  expect(connected(call)).toEqual(["Bob Tane"]);
  call.answer("carol");
  expect(connected(call)).toEqual(["Bob Tane", "Carol Diaz"]);
});

test("of two targets that ring for one who waits, the last to go unanswered decides", () => {
  const { sim, call } = bobTalks();
  call.add("carol", { by: "bob" });
  sim.advance("PT5S");
  call.add("dan", { by: "bob" });
  call.hangup("bob");
  sim.advance("PT25S");
  expect(call.ringing()).toEqual([{ user: "dan", endpoint: "mobile" }]);
  expect(connected(call)).toEqual([caller]);
  sim.advance("PT5S");
  expect(call.status).toBe("ended");
});
