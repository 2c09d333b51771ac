import { describe, expect, test } from "vitest";
import { type CommandError, createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const outside = "+6421555777";

/** Ten seconds into a call that Alice answered at once. */
function aliceTalks(sim: Simulator) {
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  call.answer("alice");
  sim.advance("PT10S");
  return call;
}

/** The code of a refused command, which must change nothing. */
function refusalOf(sim: Simulator, act: () => unknown): string {
  const before = stateOf(sim);
  const { code } = thrownBy(act) as CommandError;
  expect(stateOf(sim)).toEqual(before);
  return code;
}

/** The events after Alice's answer, with the people that they name: `10000 call.hungup Alice Ng`. */
function told(sim: Simulator): string[] {
  const lines = stream(sim);
  const about = sim.events.map(({ data }) => {
    if ("party" in data) return ` ${data.party.displayName}`;
    if ("team" in data) return ` ${data.team.displayName}`;
    return "user" in data ? ` ${data.user.displayName} ${data.user.availability.status}` : "";
  });
  return lines.map((line, index) => `${line}${about[index]}`).slice(3);
}

const connected = (sim: Simulator) => {
  const { parties, connections } = sim.calls.get("call-1").record;
  return connections
    .filter((each) => each.leftTimestamp === null)
    .map((each) => parties.find((party) => party.id === each.partyId)?.displayName);
};

describe("a warm transfer", () => {
  test("dials the target while the first user stays, and the target joins", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice", warm: true });
    expect(call.ringing()).toEqual([
      { user: "bob", endpoint: "mobile" },
      { user: "bob", endpoint: "desktop" },
    ]);
    expect(connected(sim)).toEqual([caller, "Alice Ng"]);
    sim.advance("PT5S");
    call.answer("bob");
    expect(connected(sim)).toEqual([caller, "Alice Ng", "Bob Tane"]);
    expect(told(sim)).toEqual(["15000 user.availability.updated Bob Tane busy"]);
    expect(call.record.parties[2]?.dials[0]?.reason).toBe("transfer");
  });

  test("lets the first user leave while the others continue", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("102", { by: "alice@acme.test", warm: true });
    call.answer("bob");
    sim.advance("PT10S");
    call.hangup("alice");
    expect(connected(sim)).toEqual([caller, "Bob Tane"]);
    sim.advance("PT10S");
    call.hangup("caller");
    expect(told(sim)).toEqual([
      "10000 user.availability.updated Bob Tane busy",
      "20000 call.hungup Alice Ng",
      "20000 user.availability.updated Alice Ng available",
      `30000 call.hungup ${caller}`,
      "30000 call.hungup Bob Tane",
      "30000 user.availability.updated Bob Tane available",
      "30000 call.ended",
    ]);
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
    expect(call.record.assignedUser?.id).toBe("alice");
  });

  test("to someone who does not answer leaves the call unchanged", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice", warm: true });
    sim.runUntilIdle();
    expect(connected(sim)).toEqual([caller, "Alice Ng"]);
    expect(call.ringing()).toEqual([]);
    expect(told(sim)).toEqual([]);
    expect(call.record.voicemail).toBeNull();
  });

  test("is withdrawn when the caller leaves before the target answers", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice", warm: true });
    call.hangup("caller");
    expect(call.record.status).toBe("ended");
    expect(call.record.parties[2]?.dials.map(({ outcome }) => outcome)).toEqual(["withdrawn", "withdrawn"]);
    expect(sim.pending()).toEqual([]);
  });
});

describe("a blind transfer", () => {
  test("disconnects the user at once, and the target joins", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice" });
    expect(connected(sim)).toEqual([caller]);
    sim.advance("PT5S");
    call.answer("bob");
    expect(connected(sim)).toEqual([caller, "Bob Tane"]);
    sim.advance("PT5S");
    call.hangup("bob");
    expect(told(sim)).toEqual([
      "10000 call.hungup Alice Ng",
      "10000 user.availability.updated Alice Ng available",
      "15000 user.availability.updated Bob Tane busy",
      "20000 call.hungup Bob Tane",
      "20000 user.availability.updated Bob Tane available",
      `20000 call.hungup ${caller}`,
      "20000 call.ended",
    ]);
  });

  test("to someone who does not answer goes to their voicemail", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice" });
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT20S" });
    sim.runUntilIdle();
    expect(told(sim)).toEqual([
      "10000 call.hungup Alice Ng",
      "10000 user.availability.updated Alice Ng available",
      `65000 call.hungup ${caller}`,
      "65000 call.ended",
      "70000 call.recording.available",
    ]);
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
    expect(call.record.voicemail).toMatchObject({ duration: 20 });
  });

  test("to someone who does not answer and has no voicemail ends the call", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("lobby", { by: "alice" });
    sim.runUntilIdle();
    expect(told(sim).slice(2)).toEqual([`40000 call.hungup ${caller}`, "40000 call.ended"]);
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });

  test("to someone who cannot be rung runs their unanswered step at once", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("erin", { by: "alice" });
    expect(told(sim).slice(2)).toEqual([`10000 call.hungup ${caller}`, "10000 call.ended"]);
  });

  test("ends when the remaining party gives up, and ringing stops", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("bob", { by: "alice" });
    sim.advance("PT5S");
    call.hangup("caller");
    expect(told(sim).slice(2)).toEqual([`15000 call.hungup ${caller}`, "15000 call.ended"]);
    expect(call.record.parties[2]?.dials[0]?.outcome).toBe("withdrawn");
    expect(sim.pending()).toEqual([]);
  });

  test("of an outbound call connects the outside party with the target", () => {
    const sim = newSimulator();
    const call = sim.calls.outbound({ from: "alice", to: outside });
    call.answer(outside);
    call.transfer("bob", { by: "alice" });
    call.answer("bob");
    expect(connected(sim)).toEqual([outside, "Bob Tane"]);
    expect(sim.events.ofType("call.answered")).toHaveLength(1);
  });
});

describe("a transfer to another kind of target", () => {
  test("to a team offers the call to its members", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("sales", { by: "alice" });
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    sim.advance("PT20S");
    call.answer("dan");
    expect(connected(sim)).toEqual([caller, "Dan Okafor"]);
    expect(told(sim).slice(2)).toEqual([
      "30000 user.availability.updated Dan Okafor busy",
      "30000 team.availability.updated Sales",
    ]);
  });

  test("to a team that does not answer ends the call after the team's timeout", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("200", { by: "alice" });
    sim.runUntilIdle();
    expect(told(sim).slice(2)).toEqual([`70000 call.hungup ${caller}`, "70000 call.ended"]);
  });

  test("to a team names the team once a member answers", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer("201", { by: "alice" });
    call.answer("carol");
    expect(call.record.assignedCallGroup).toMatchObject({ id: "support" });
  });

  test.each([
    ["a user", dial.bob, "bob", "transfer"],
    ["a team", dial.sales, "carol", "teamOffer"],
    ["a device", dial.lobby, "lobby", "transfer"],
  ])("to the number of %s (%s) reaches its owner", (_kind, number, id, reason) => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer(number, { by: "alice" });
    expect(call.ringing()[0]).toMatchObject(id === "lobby" ? { device: id } : { user: id });
    expect(call.record.parties.at(-1)).toMatchObject({ entryId: id, isInternal: true });
    expect(call.record.parties.at(-1)?.dials[0]?.reason).toBe(reason);
  });

  test("to an outside number", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.transfer(outside, { by: "alice" });
    expect(call.ringing()).toEqual([{ number: outside, endpoint: "phone" }]);
    call.answer(outside);
    expect(connected(sim)).toEqual([caller, outside]);
  });
});

describe("a conference", () => {
  /** The caller, Alice, and Bob, whom she added. */
  function conference(sim: Simulator) {
    const call = aliceTalks(sim);
    call.add("bob", { by: "alice" });
    call.answer("bob");
    return call;
  }

  test("is a call of three, whose third was dialled for the reason conference", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add("bob", { by: "alice" });
    call.answer("bob");
    expect(call.record.connections).toHaveLength(3);
    expect(call.record.parties[2]?.dials[0]?.reason).toBe("conference");
    expect(told(sim)).toEqual(["10000 user.availability.updated Bob Tane busy"]);
  });

  test("emits call.hungup for one who leaves and continues; the last two close together", () => {
    const sim = newSimulator();
    const call = conference(sim);
    sim.advance("PT10S");
    call.hangup("caller");
    expect(connected(sim)).toEqual(["Alice Ng", "Bob Tane"]);
    sim.advance("PT10S");
    call.hangup("bob");
    expect(told(sim).slice(1)).toEqual([
      `20000 call.hungup ${caller}`,
      "30000 call.hungup Bob Tane",
      "30000 user.availability.updated Bob Tane available",
      "30000 call.hungup Alice Ng",
      "30000 user.availability.updated Alice Ng available",
      "30000 call.ended",
    ]);
  });

  test("can have four parties, who leave one by one until two are left", () => {
    const sim = newSimulator();
    const call = conference(sim);
    call.add(outside, { by: "bob" });
    call.answer(outside);
    expect(connected(sim)).toEqual([caller, "Alice Ng", "Bob Tane", outside]);
    call.hangup("alice");
    call.hangup("caller");
    call.hangup(outside);
    const hungUp = sim.events.ofType("call.hungup").map(({ data }) => data.party.displayName);
    expect(hungUp).toEqual(["Alice Ng", caller, outside, "Bob Tane"]);
    expect(call.status).toBe("ended");
  });

  test("of four keeps ringing the target of a blind transfer when one of the three who wait hangs up", () => {
    const sim = newSimulator();
    const call = conference(sim);
    call.add(outside, { by: "bob" });
    call.answer(outside);
    call.transfer("carol", { by: "alice" });
    call.hangup(outside);
    expect(connected(sim)).toEqual([caller, "Bob Tane"]);
    expect(call.ringing()).toMatchObject([{ user: "carol" }]);
    call.answer("carol");
    expect(connected(sim)).toHaveLength(3);
  });

  test("has only one call.answered, for the first answer", () => {
    const sim = newSimulator();
    const call = conference(sim);
    expect(sim.events.ofType("call.answered")).toHaveLength(1);
    expect(call.record.assignedUser?.id).toBe("alice");
  });

  test("can be rejoined by someone who left", () => {
    const sim = newSimulator();
    const call = conference(sim);
    call.hangup("bob");
    call.add("bob", { by: "alice" });
    call.answer("bob");
    expect(connected(sim)).toEqual([caller, "Alice Ng", "Bob Tane"]);
    expect(call.record.parties).toHaveLength(3);
  });

  test("continues without a member who transfers it blindly, if the target does not answer", () => {
    const sim = newSimulator();
    const call = conference(sim);
    call.transfer("lobby", { by: "bob" });
    expect(connected(sim)).toEqual([caller, "Alice Ng"]);
    sim.runUntilIdle();
    expect(connected(sim)).toEqual([caller, "Alice Ng"]);
    call.hangup("alice");
    expect(call.status).toBe("ended");
  });

  test("does not change when an added party declines", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add("bob", { by: "alice" });
    call.decline("bob");
    expect(connected(sim)).toEqual([caller, "Alice Ng"]);
    expect(told(sim)).toEqual([]);
  });

  test("stops ringing an added party when the call ends", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add(outside, { by: "alice" });
    call.add("sales", { by: "alice" });
    call.hangup("caller");
    const outcomes = call.record.parties.flatMap(({ dials }) => dials.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(["answered", "answeredElsewhere", "withdrawn", "withdrawn"]);
    expect(call.ringing()).toEqual([]);
    expect(sim.pending()).toEqual([]);
  });
});

describe("an added party that still rings during a blind transfer", () => {
  test("prevents the target's unanswered step by answering first", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add(outside, { by: "alice" });
    call.transfer("bob", { by: "alice" });
    call.answer(outside);
    sim.runUntilIdle();
    expect(connected(sim)).toEqual([caller, outside]);
    call.hangup("caller");
    expect(call.record.status).toBe("ended");
    expect(told(sim).at(-1)).toMatch(/ call\.ended$/);
  });

  test("stops ringing when the target's voicemail takes the call", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add(outside, { by: "alice" });
    call.transfer("bob", { by: "alice" });
    call.decline("bob");
    expect(call.ringing()).toEqual([]);
    expect(refusalOf(sim, () => call.answer(outside))).toBe("not_ringing");
    sim.runUntilIdle();
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });
});

describe("a member of a team who is rung for the call already", () => {
  /** Carol, whom Alice added, rings when Alice hands the call to Carol's team. */
  const carolRings = () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add("carol", { by: "alice" });
    call.transfer("support", { by: "alice" });
    return { sim, call };
  };

  test("is not rung twice for it", () => {
    const { sim, call } = carolRings();
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    expect(sim.teams.get("support").waiting()).toEqual([call.id]);
  });

  test("is rung by the team once the other ring has ended", () => {
    const { sim, call } = carolRings();
    sim.advance("PT30S");
    expect(call.record.parties.at(-1)?.dials.map(({ reason, outcome }) => [reason, outcome])).toEqual([
      ["conference", "timeout"],
      ["teamOffer", null],
    ]);
  });
});

describe("voicemail with several waiting parties", () => {
  test("continues when one hangs up, and ends with the last", () => {
    const sim = newSimulator();
    const call = aliceTalks(sim);
    call.add(outside, { by: "alice" });
    call.answer(outside);
    call.transfer("bob", { by: "alice" });
    sim.advance("PT30S");
    call.hangup(outside);
    expect(call.record.outcome).toBeNull();
    expect(connected(sim)).toEqual([caller, "Voicemail of Bob Tane"]);
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
    const left = sim.events.ofType("call.hungup").map(({ data }) => data.party.displayName);
    expect(left).toEqual(["Alice Ng", outside, caller]);
  });
});

describe.each(["transfer", "warm transfer", "add"])("%s is refused", (kind) => {
  const reach = (sim: Simulator, target: string, by: string, id = "call-1") => {
    const call = sim.calls.get(id);
    if (kind === "add") call.add(target, { by });
    else call.transfer(target, { by, warm: kind === "warm transfer" });
  };

  test.each(["alice", dial.alice, caller])("to %s, who is on the call already", (target) => {
    const sim = newSimulator();
    aliceTalks(sim);
    expect(refusalOf(sim, () => reach(sim, target, "alice"))).toBe("not_allowed");
  });

  // a blind transfer to them hands the call on: semi-attended.test.ts
  test.skipIf(kind === "transfer")("to someone who is rung for it already", () => {
    const sim = newSimulator();
    aliceTalks(sim).add("bob", { by: "alice" });
    expect(refusalOf(sim, () => reach(sim, "bob", "alice"))).toBe("not_allowed");
  });

  test.each(["caller", "bob", caller])("by %s, who is no user on the call", (by) => {
    const sim = newSimulator();
    aliceTalks(sim);
    expect(refusalOf(sim, () => reach(sim, "dan", by))).toBe("not_connected");
  });

  test("by a device", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.lobby }).answer("lobby");
    expect(refusalOf(sim, () => reach(sim, "bob", "lobby"))).toBe("not_connected");
  });

  test("to an extension that nobody has", () => {
    const sim = newSimulator();
    aliceTalks(sim);
    expect(refusalOf(sim, () => reach(sim, "999", "alice"))).toBe("not_found");
  });

  test("before the call is answered", () => {
    const sim = newSimulator();
    sim.calls.outbound({ from: "alice", to: outside });
    expect(refusalOf(sim, () => reach(sim, "bob", "alice"))).toBe("not_allowed");
  });

  test("once the user has left", () => {
    const sim = newSimulator();
    aliceTalks(sim).transfer("bob", { by: "alice" });
    expect(refusalOf(sim, () => reach(sim, "dan", "alice"))).toBe("not_connected");
  });

  test("once the call has closed", () => {
    const sim = newSimulator();
    aliceTalks(sim).hangup("alice");
    expect(refusalOf(sim, () => reach(sim, "bob", "alice"))).toBe("call_closed");
  });
});

test("transfers and conferences replay byte for byte", () => {
  const sim = newSimulator();
  const call = aliceTalks(sim);
  call.add("dan", { by: "alice" });
  call.answer("dan");
  call.transfer(outside, { by: "dan", warm: true });
  sim.advance("PT5S");
  call.hangup("dan");
  call.answer(outside);
  call.hangup(outside);
  call.transfer("bob", { by: "alice" });
  sim.advance("PT31S");
  call.leaveVoicemail({ duration: "PT9S" });
  sim.runUntilIdle();
  expect(call.status).toBe("ended");
  expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
});
