import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const newSimulator = (organisation: OrganisationInput = office) => createSimulator({ organisation });

/** Teams and users in the order of their events. */
const told = (sim: Simulator) =>
  sim.events.flatMap(({ data }) => ("team" in data ? [data.team.id] : "user" in data ? [data.user.id] : []));

const totals = (sim: Simulator, id: string) => {
  const { status, totalAvailable, totalMembers } = sim.teams.get(id).record.availability;
  return `${status} ${totalAvailable}/${totalMembers}`;
};

describe("a team's totals", () => {
  test("count active and available members at the start", () => {
    const sim = newSimulator();
    expect(sim.teams.get("sales").record).toMatchObject({
      availability: {
        status: "available",
        totalMembers: 3,
        totalAvailable: 2,
        availabilitySummary: "2 of 3 available",
      },
      teamMembers: [
        { id: "carol", priority: 1, availability: { status: "available" } },
        { id: "dan", priority: 2, availability: { status: "available" } },
        { id: "erin", priority: 1, availability: { status: "offline" } },
      ],
    });
  });

  test("are 0 of 0, with the status busy, without members", () => {
    const sim = newSimulator({ id: "acme", teams: [{ id: "empty", displayName: "Empty", extension: "1" }] });
    expect(totals(sim, "empty")).toBe("busy 0/0");
  });

  test("follow a member's availability", () => {
    const sim = newSimulator();
    sim.users.get("dan").setAvailability("busy");
    expect(totals(sim, "sales")).toBe("available 1/3");
    sim.users.get("carol").setEndpoint("mobile", { registered: false });
    expect([totals(sim, "sales"), totals(sim, "support")]).toEqual(["busy 0/3", "busy 0/1"]);
    sim.users.get("dan").setAvailability("available");
    expect(totals(sim, "sales")).toBe("available 1/3");
  });

  test("count only the available members after one joins or leaves", () => {
    const sim = newSimulator();
    sim.users.get("dan").setAvailability("busy");
    sim.teams.get("sales").setMember("bob");
    expect(totals(sim, "sales")).toBe("available 2/4");
    sim.teams.get("sales").removeMember("carol");
    expect(totals(sim, "sales")).toBe("available 1/3");
  });

  test("follow a member's calls", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.carol });
    expect(totals(sim, "support")).toBe("available 1/1");
    call.answer("carol");
    expect(totals(sim, "support")).toBe("busy 0/1");
    call.hangup("caller");
    expect(totals(sim, "support")).toBe("available 1/1");
  });

  test("do not count inactive members, even if available", () => {
    const sim = newSimulator();
    sim.users.get("erin").setAvailability("busy");
    sim.users.get("erin").setAvailability("available");
    expect(totals(sim, "sales")).toBe("available 2/3");
    expect(told(sim)).toEqual([]);
  });

  test("count a device, but not while it is on a call", () => {
    const members = [{ device: "lobby" }];
    const sim = newSimulator({
      id: "acme",
      numbers: [{ number: dial.lobby, owner: "lobby" }],
      devices: [{ id: "lobby", displayName: "Lobby", extension: "300" }],
      teams: [{ id: "front", displayName: "Front desk", extension: "201", members }],
    });
    expect(totals(sim, "front")).toBe("available 1/1");
    const call = sim.calls.inbound({ from: caller, to: dial.lobby });
    call.answer("lobby");
    expect(totals(sim, "front")).toBe("busy 0/1");
    call.hangup("caller");
    expect(totals(sim, "front")).toBe("available 1/1");
    expect(sim.events.map(({ type }) => type)).toEqual([
      "call.started",
      "call.answered",
      "team.availability.updated",
      "call.hungup",
      "call.hungup",
      "team.availability.updated",
      "call.ended",
    ]);
  });
});

describe("team.availability.updated", () => {
  test("follows the event of a user, once for each of their teams, in the organisation's order", () => {
    const sim = newSimulator();
    sim.users.get("carol").setAvailability("busy");
    sim.users.get("dan").setAvailability("busy");
    expect(told(sim)).toEqual(["carol", "support", "sales", "billing", "dan", "sales"]);
  });

  test("carries the team's record with its members", () => {
    const sim = newSimulator();
    sim.users.get("dan").setAvailability("busy");
    expect(sim.events.at(-1)?.data).toEqual({ team: sim.teams.get("sales").record });
    expect(sim.events.at(-1)?.data).toMatchObject({
      team: {
        teamMembers: [{ id: "carol" }, { id: "dan", availability: { status: "busy" } }, { id: "erin" }],
      },
    });
  });

  test("is not emitted if no total changes", () => {
    const sim = newSimulator();
    sim.users.get("dan").setAvailability("busy");
    const mark = sim.events.mark();
    sim.users.get("dan").setAvailability("offline");
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual(["user.availability.updated"]);
  });

  test("is not emitted for a user without a team", () => {
    const sim = newSimulator();
    sim.users.get("alice").setAvailability("busy");
    expect(told(sim)).toEqual(["alice"]);
  });
});
