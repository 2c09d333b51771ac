import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, replay, type Simulator } from "../../../src/index.ts";
import { caller, startMs, stream } from "../../helpers.ts";

type TeamInput = NonNullable<OrganisationInput["teams"]>[number];

const numbers = { red: "+6495550200", blue: "+6495550201", ann: "+6495550101" };
const redTeam = [
  { user: "ann", priority: 1 },
  { user: "ben", priority: 1 },
  { user: "cleo", priority: 2 },
];
const user = (id: string, extension: string, endpoints: ("mobile" | "desktop")[] = ["mobile"]) => ({
  id,
  email: `${id}@shop.test`,
  displayName: id,
  extension,
  endpoints,
});

/**
 * Ann and Ben are the first tier of the red team, Cleo the second; the blue one has no members. Ann has two endpoints.
 */
function newSimulator(red: Partial<TeamInput> = {}, blue: Partial<TeamInput> = {}) {
  return createSimulator({
    ids: "counter",
    organisation: {
      id: "shop",
      numbers: Object.entries(numbers).map(([owner, number]) => ({ number, owner })),
      users: [user("ann", "1", ["mobile", "desktop"]), user("ben", "2"), user("cleo", "3")],
      devices: [{ id: "till", displayName: "Till", extension: "4" }],
      teams: [
        { id: "red", displayName: "Red", extension: "8", members: redTeam, ...red },
        { id: "blue", displayName: "Blue", extension: "9", ...blue },
      ],
    },
  });
}

const toRed = (sim: Simulator) => sim.calls.inbound({ from: caller, to: numbers.red });
const rung = (sim: Simulator, id = "call-1") =>
  sim.calls
    .get(id)
    .ringing()
    .map((each) => `${"user" in each ? each.user : "device"} ${each.endpoint}`);
const dials = (sim: Simulator, who: string, id = "call-1") =>
  sim.calls
    .get(id)
    .record.parties.filter((party) => party.entryId === who)
    .flatMap((party) => party.dials)
    .map(
      (dial) =>
        `${dial.startedTimestamp - startMs} ${dial.outcome ?? "rings"} ${dial.endedTimestamp === null ? "" : dial.endedTimestamp - startMs}`,
    );
const busy = (sim: Simulator, ...ids: string[]) => {
  for (const id of ids) sim.users.get(id).setAvailability("busy");
};

describe("the tiers of a team", () => {
  test("members of equal priority ring together, each on all of their endpoints", () => {
    const sim = newSimulator();
    toRed(sim);
    expect(rung(sim)).toEqual(["ann mobile", "ann desktop", "ben mobile"]);
  });

  test("after nextOfferTimeout the tier's dials end with timeout and the next tier rings", () => {
    const sim = newSimulator();
    toRed(sim);
    sim.advance(19_999);
    expect(rung(sim)).toHaveLength(3);
    sim.advance(1);
    expect(rung(sim)).toEqual(["cleo mobile"]);
    expect(dials(sim, "ann")).toEqual(["0 timeout 20000", "0 timeout 20000"]);
  });

  test("a team's own nextOfferTimeout and timeout override the defaults", () => {
    const sim = newSimulator({ nextOfferTimeout: "PT5S", timeout: "PT12S" });
    toRed(sim);
    sim.runUntilIdle();
    expect(dials(sim, "cleo")).toEqual(["5000 timeout 10000"]);
    expect(dials(sim, "ben")).toEqual(["0 timeout 5000", "10000 timeout 12000"]);
  });

  test("after the last tier the first is offered again, until the team's timeout has elapsed", () => {
    const sim = newSimulator();
    toRed(sim);
    sim.advance("PT40S");
    expect(rung(sim)).toEqual(["ann mobile", "ann desktop", "ben mobile"]);
  });

  test("once the team's timeout has elapsed ringing stops, and the call closes without an unanswered step", () => {
    const sim = newSimulator();
    const call = toRed(sim);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "60000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
    expect(dials(sim, "ben")).toEqual(["0 timeout 20000", "40000 timeout 60000"]);
  });

  test("only available members ring", () => {
    const sim = newSimulator();
    busy(sim, "ann");
    toRed(sim);
    expect(rung(sim)).toEqual(["ben mobile"]);
  });

  test("a tier with nobody to ring is skipped at once", () => {
    const sim = newSimulator();
    busy(sim, "ann", "ben");
    toRed(sim);
    expect(rung(sim)).toEqual(["cleo mobile"]);
  });

  test("a member who is being rung by a team offer is skipped", () => {
    const sim = newSimulator();
    toRed(sim);
    toRed(sim);
    expect(rung(sim, "call-2")).toEqual(["cleo mobile"]);
  });

  test("a device can be a member like a user", () => {
    const sim = newSimulator({ members: [{ device: "till" }] });
    const call = toRed(sim);
    expect(call.ringing()).toMatchObject([{ device: "till", endpoint: "sip" }]);
    call.answer("till");
    expect(stream(sim)).toEqual(["0 call.started", "0 call.answered", "0 team.availability.updated"]);
  });
});

describe("declining", () => {
  test("the others of the tier keep ringing when one declines", () => {
    const sim = newSimulator();
    toRed(sim).decline("ann");
    expect(rung(sim)).toEqual(["ben mobile"]);
  });

  test("if every member of a tier declines, the next tier is offered at once", () => {
    const sim = newSimulator();
    const call = toRed(sim);
    sim.advance("PT3S");
    call.decline("ann");
    call.decline("ben");
    expect(dials(sim, "cleo")).toEqual(["3000 rings "]);
  });

  test("a member who declined is not rung again", () => {
    const sim = newSimulator();
    toRed(sim).decline("ann");
    sim.advance("PT40S");
    expect(rung(sim)).toEqual(["ben mobile"]);
  });

  test("when all tiers have declined the unanswered step runs, with the reason declined", () => {
    const sim = newSimulator();
    const call = toRed(sim);
    for (const who of ["ann", "ben", "cleo"]) call.decline(who);
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "declined" });
    expect(sim.pending()).toEqual([]);
  });
});

describe("a team that does not answer", () => {
  test.each<[string, Partial<TeamInput>, string[]]>([
    ["no members", { members: [] }, []],
    ["members who are all not available", {}, ["ann", "ben", "cleo"]],
  ])("with %s waits its timeout, with the reason noAvailableMembers", (_, red, unavailable) => {
    const sim = newSimulator(red);
    busy(sim, ...unavailable);
    const mark = sim.events.mark();
    const call = toRed(sim);
    sim.runUntilIdle();
    const told = sim.events.since(mark).map((event) => `${event.createdTimestamp - startMs} ${event.type}`);
    expect(told).toEqual(["0 call.started", "60000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "noAvailableMembers" });
    expect(call.record.summary.outcome).toBe("Missed: no member was available");
  });

  test("passes the call to another team, which becomes the assigned call group while the first stays the target", () => {
    const sim = newSimulator({ unanswered: { team: "blue" } }, { members: [{ user: "cleo" }] });
    const call = toRed(sim);
    sim.advance("PT61S");
    expect(rung(sim)).toEqual(["cleo mobile"]);
    expect(sim.events.ofType("call.not_answered")).toHaveLength(0);
    call.answer("cleo");
    expect(call.record).toMatchObject({
      directoryTarget: { id: "red" },
      assignedCallGroup: { id: "blue" },
      assignedUser: { id: "cleo" },
    });
  });

  test("rings a member who declined in the previous team again in the next team", () => {
    const sim = newSimulator(
      { members: [{ user: "ann" }], unanswered: { team: "blue" } },
      { members: [{ user: "ann" }] },
    );
    toRed(sim).decline("ann");
    expect(rung(sim)).toEqual(["ann mobile", "ann desktop"]);
  });

  test("does not ring a member who declined when a chain returns to their team", () => {
    const sim = newSimulator(
      { members: [{ user: "ann" }, { user: "ben" }], unanswered: { team: "blue" } },
      { members: [{ user: "cleo" }], unanswered: { team: "red" } },
    );
    toRed(sim).decline("ann");
    sim.advance("PT121S");
    expect(dials(sim, "ann")).toEqual(["0 declined 0", "0 declined 0"]);
    expect(rung(sim)).toEqual(["ben mobile"]);
  });

  test("skips a team at once when a chain returns to it and all its members have declined", () => {
    const sim = newSimulator(
      { members: [{ user: "ann" }], unanswered: { team: "blue" } },
      { members: [{ user: "cleo" }], unanswered: { team: "red" } },
    );
    toRed(sim).decline("ann");
    sim.advance("PT61S");
    expect(dials(sim, "ann")).toHaveLength(2);
    expect(dials(sim, "cleo").at(-1)).toBe("60000 rings ");
  });

  test("closes a call at once if every team of a loop has declined it", () => {
    const sim = newSimulator(
      { members: [{ user: "ann" }], unanswered: { team: "blue" } },
      { members: [{ user: "cleo" }], unanswered: { team: "red" } },
    );
    const call = toRed(sim);
    call.decline("ann");
    call.decline("cleo");
    expect(stream(sim)).toEqual(["0 call.started", "0 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });

  test("remembers who declined in a fork and in a replay", () => {
    const sim = newSimulator(
      { members: [{ user: "ann" }, { user: "ben" }], unanswered: { team: "blue" } },
      { members: [{ user: "cleo" }], unanswered: { team: "red" } },
    );
    toRed(sim).decline("ann");
    for (const other of [sim.fork(), replay(sim.journal())]) {
      other.advance("PT121S");
      expect(rung(other)).toEqual(["ben mobile"]);
    }
  });

  test("goes to its voicemail", () => {
    const sim = newSimulator({ unanswered: { voicemail: true } });
    const call = toRed(sim);
    sim.advance("PT61S");
    call.leaveVoicemail({ duration: "PT10S" });
    sim.runUntilIdle();
    expect(stream(sim).slice(0, 4)).toEqual([
      "0 call.started",
      "60000 call.not_answered",
      "75000 call.hungup",
      "75000 call.ended",
    ]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "voicemail" });
  });

  test("rings an external number, and emits no call.not_answered if it answers", () => {
    const sim = newSimulator({ unanswered: { external: "+6421555009" } });
    const call = toRed(sim);
    sim.advance("PT65S");
    call.answer("+6421555009");
    call.hangup("caller");
    sim.runUntilIdle();
    const types = sim.events.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(["call.started", "call.answered"]);
    expect(types.at(-1)).toBe("call.ended");
    expect(types).not.toContain("call.not_answered");
  });

  test("does not ring an external number that is the caller's own", () => {
    const sim = newSimulator({ unanswered: { external: caller } });
    const call = toRed(sim);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "60000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
  });

  test("closes the call if the external number does not answer either", () => {
    const sim = newSimulator({ unanswered: { external: "+6421555009" } });
    toRed(sim);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "90000 call.not_answered"]);
  });

  test("may be in a chain that loops: after ten teams the call closes with the reason timeout", () => {
    const sim = newSimulator(
      { unanswered: { team: "blue" } },
      { members: redTeam, unanswered: { team: "red" } },
    );
    const call = toRed(sim);
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "600000 call.not_answered"]);
    expect(call.record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });
});

describe("an answered team call", () => {
  test("shows the team's name, never its id", () => {
    const id = "constructor";
    const organisation: OrganisationInput = {
      id: "shop",
      numbers: [{ number: numbers.red, owner: id }],
      users: [user("ann", "1")],
      teams: [{ id, displayName: "Red", extension: "8", members: [{ user: "ann" }] }],
    };
    const call = toRed(createSimulator({ organisation }));
    call.answer("ann");
    expect(call.record.assignedCallGroup).not.toHaveProperty("overriddenDisplayName");
  });

  test("has each user.availability.updated followed by the teams' events", () => {
    const sim = newSimulator({}, { members: [{ user: "ann" }] });
    const call = toRed(sim);
    sim.advance("PT5S");
    call.answer("ann");
    sim.advance("PT5S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "5000 call.answered",
      "5000 user.availability.updated",
      "5000 team.availability.updated",
      "5000 team.availability.updated",
      "10000 call.hungup",
      "10000 call.hungup",
      "10000 user.availability.updated",
      "10000 team.availability.updated",
      "10000 team.availability.updated",
      "10000 call.ended",
    ]);
    expect(dials(sim, "ben")).toEqual(["0 answeredElsewhere 5000"]);
    expect(sim.pending()).toEqual([]);
  });
});

describe("a member who leaves while the team rings them", () => {
  test.each<[string, (sim: Simulator) => void]>([
    ["is removed", (sim) => sim.teams.get("red").removeMember("ben")],
    ["logs out", (sim) => sim.users.get("ben").setEndpoint("mobile", { registered: false })],
    ["is busy by hand", (sim) => sim.users.get("ben").setAvailability("busy")],
  ])("leaves nothing ringing if they %s", (_, leave) => {
    const sim = newSimulator({ members: [{ user: "ben" }, { user: "cleo", priority: 2 }] });
    const call = toRed(sim);
    sim.advance("PT3S");
    leave(sim);
    expect(rung(sim)).toEqual(["cleo mobile"]);
    call.hangup("caller");
    expect(rung(sim)).toEqual([]);
    expect(sim.pending()).toEqual([]);
  });

  test("leaves the call waiting if they were the last", () => {
    const sim = newSimulator({ members: [{ user: "ben" }] });
    const call = toRed(sim);
    sim.teams.get("red").removeMember("ben");
    expect(sim.teams.get("red").waiting()).toEqual([call.id]);
    sim.teams.get("red").setMember("cleo");
    expect(rung(sim)).toEqual(["cleo mobile"]);
  });
});

describe("a team's record", () => {
  test("says whether the team is hidden, which it is not by default", () => {
    const sim = newSimulator({ hidden: true });
    expect(sim.teams.list().map(({ record }) => record.isHidden)).toEqual([true, false]);
  });
});
