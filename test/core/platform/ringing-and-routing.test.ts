import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { caller, startMs, stream, thrownBy } from "../../helpers.ts";

/*
 * Rules of ringing and routing that no other test covers: ringing a user is in calls.test.ts, tiers in teams.test.ts,
 * the queue in team-queue.test.ts; voicemail, redirect and transfer have files of their own.
 */

const user = (id: string, extension: string, more: object = {}) => ({
  id,
  email: `${id}@shop.test`,
  displayName: id,
  extension,
  endpoints: ["mobile" as const, "desktop" as const],
  ...more,
});
type TeamInput = NonNullable<OrganisationInput["teams"]>[number];

const numbers = { ann: "+6495550101", till: "+6495550110", red: "+6495550200", blue: "+6495550201" };

/** Ann and Ben are the red team, Cleo, who has voicemail, is the blue one. */
function newSimulator(red: Partial<TeamInput> = {}, blue: Partial<TeamInput> = {}): Simulator {
  return createSimulator({
    ids: "counter",
    organisation: {
      id: "shop",
      numbers: Object.entries(numbers).map(([owner, number]) => ({ number, owner })),
      users: [user("ann", "1"), user("ben", "2"), user("cleo", "3", { voicemail: true })],
      devices: [{ id: "till", displayName: "Till", extension: "4" }],
      teams: [
        {
          id: "red",
          displayName: "Red",
          extension: "8",
          members: [{ user: "ann" }, { user: "ben", priority: 2 }],
          ...red,
        },
        { id: "blue", displayName: "Blue", extension: "9", members: [{ user: "cleo" }], ...blue },
      ],
    },
  });
}

const dialled = (sim: Simulator, whom: keyof typeof numbers, priority?: number) =>
  sim.calls.inbound({ from: caller, to: numbers[whom], ...(priority !== undefined && { priority }) });
const dialsOf = (sim: Simulator, who: string) =>
  sim.calls
    .get("call-1")
    .record.parties.filter((party) => party.entryId === who)
    .flatMap(({ dials }) => dials)
    .map(
      ({ endpoint, startedTimestamp, endedTimestamp, outcome }) =>
        `${endpoint} ${startedTimestamp - startMs} ${endedTimestamp === null ? "rings" : `${outcome} ${endedTimestamp - startMs}`}`,
    );

describe("an inbound number", () => {
  test.each([
    [
      "a user",
      "ann",
      [
        { user: "ann", endpoint: "mobile" },
        { user: "ann", endpoint: "desktop" },
      ],
    ],
    ["a device", "till", [{ device: "till", endpoint: "sip" }]],
    [
      "a team",
      "blue",
      [
        { user: "cleo", endpoint: "mobile" },
        { user: "cleo", endpoint: "desktop" },
      ],
    ],
  ] as const)("belongs to %s, whose endpoints ring", (_, owner, ringing) => {
    expect(dialled(newSimulator(), owner).ringing()).toEqual(ringing);
  });

  test("that is not in use is refused by the command, and no call is simulated", () => {
    const sim = newSimulator();
    const error = thrownBy(() => sim.calls.inbound({ from: caller, to: "+6495559999" }));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).message).toContain("nobody has the number +6495559999");
    expect((error as CommandError).message).toContain("+6495550101 (ann)");
    expect(sim.calls.list()).toEqual([]);
    expect(sim.events.length).toBe(0);
  });
});

describe("a team's unanswered step", () => {
  test("starts the next team's own time when the call joins its queue", () => {
    const sim = newSimulator({ unanswered: { team: "blue" }, timeout: "PT30S" }, { timeout: "PT45S" });
    dialled(sim, "red");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual(["0 call.started", "75000 call.not_answered"]);
  });

  test("of a chain has the reason of its last team", () => {
    const sim = newSimulator({ unanswered: { team: "blue" } });
    sim.users.get("cleo").setAvailability("busy");
    const call = dialled(sim, "red");
    sim.runUntilIdle();
    expect(call.record.outcome).toEqual({ status: "missed", reason: "noAvailableMembers" });
  });

  test("does not use the members' own voicemail", () => {
    const sim = newSimulator();
    const call = dialled(sim, "blue");
    sim.runUntilIdle();
    expect(call.record.parties.map(({ type }) => type)).toEqual(["external", "user"]);
  });
});

describe("an offer to a team", () => {
  test("rings each member of a tier on all endpoints, and the first answer ends the other dials answeredElsewhere", () => {
    const sim = newSimulator({ members: [{ user: "ann" }, { user: "ben" }] });
    const call = dialled(sim, "red");
    sim.advance("PT4S");
    call.answer("ben", { endpoint: "desktop" });
    expect(dialsOf(sim, "ann")).toEqual([
      "mobile 0 answeredElsewhere 4000",
      "desktop 0 answeredElsewhere 4000",
    ]);
    expect(dialsOf(sim, "ben")).toEqual(["mobile 0 answeredElsewhere 4000", "desktop 0 answered 4000"]);
  });

  test("is declined by a member who declines on every endpoint, not only on one", () => {
    const sim = newSimulator();
    const call = dialled(sim, "red");
    call.decline("ann", { endpoint: "mobile" });
    expect(call.ringing()).toEqual([{ user: "ann", endpoint: "desktop" }]);
    call.decline("ann", { endpoint: "desktop" });
    expect(call.ringing()[0]).toEqual({ user: "ben", endpoint: "mobile" });
  });

  test("ends at the team's timeout in the middle of a tier", () => {
    const sim = newSimulator({ timeout: "PT25S" });
    dialled(sim, "red");
    sim.runUntilIdle();
    expect(dialsOf(sim, "ben")).toEqual(["mobile 20000 timeout 25000", "desktop 20000 timeout 25000"]);
  });

  test("counts its timeout from joining the queue, including the waiting time", () => {
    const sim = newSimulator();
    for (const id of ["ann", "ben"]) sim.users.get(id).setAvailability("busy");
    dialled(sim, "red");
    sim.advance("PT50S");
    sim.users.get("ann").setAvailability("available");
    sim.advance("PT10S");
    expect(dialsOf(sim, "ann")).toEqual(["mobile 50000 timeout 60000", "desktop 50000 timeout 60000"]);
    expect(sim.calls.get("call-1").record.outcome).toEqual({ status: "missed", reason: "timeout" });
  });

  test("has the priority 5 by default: after 4, before 6", () => {
    const sim = newSimulator();
    sim.users.get("cleo").setAvailability("busy");
    const [sixth, fifth, fourth] = [6, undefined, 4].map((priority) => dialled(sim, "blue", priority).id);
    expect(sim.teams.get("blue").waiting()).toEqual([fourth, fifth, sixth]);
  });

  test("uses a member's current offer priority, even if it changed while the call waited", () => {
    const sim = newSimulator();
    const call = dialled(sim, "red");
    sim.advance("PT10S");
    sim.teams.get("red").setMember("cleo", { priority: 3 });
    sim.teams.get("red").setMember("ben", { priority: 4 });
    sim.advance("PT10S");
    expect(call.ringing()[0]).toEqual({ user: "cleo", endpoint: "mobile" });
    sim.advance("PT20S");
    expect(call.ringing()[0]).toEqual({ user: "ben", endpoint: "mobile" });
  });
});

describe("a blind transfer", () => {
  test("lets the user leave when the target starts ringing", () => {
    const sim = newSimulator();
    const call = dialled(sim, "ann");
    call.answer("ann");
    sim.advance("PT8S");
    call.transfer("ben", { by: "ann" });
    const left = call.record.connections.find(({ endpoint }) => endpoint === "mobile");
    expect(left?.leftTimestamp).toBe(startMs + 8_000);
    expect(dialsOf(sim, "ben")).toEqual(["mobile 8000 rings", "desktop 8000 rings"]);
  });

  test("to a team that does not answer runs the team's unanswered step", () => {
    const sim = newSimulator({}, { unanswered: { team: "red" }, timeout: "PT30S" });
    const call = dialled(sim, "ann");
    call.answer("ann");
    call.transfer("blue", { by: "ann" });
    sim.advance("PT31S");
    expect(call.ringing()[0]).toEqual({ user: "ben", endpoint: "mobile" });
    call.answer("ben");
    expect(call.record.assignedUser?.id).toBe("ann");
    expect(sim.events.ofType("call.answered")).toHaveLength(1);
  });
});

test("a team's offer of a redirected call has dials with the reason teamOffer", () => {
  const sim = newSimulator();
  const call = sim.calls.redirect({ extension: "9" }, { from: caller, to: numbers.blue });
  expect(call.record.parties[1]?.dials.map(({ reason }) => reason)).toEqual(["teamOffer", "teamOffer"]);
});
