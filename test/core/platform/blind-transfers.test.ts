import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

/** Carol and Dan are in the team; Carol talks to the caller. */
function carolTalks(team: Partial<NonNullable<OrganisationInput["teams"]>[number]> = {}) {
  const members = [{ user: "carol" }, { user: "dan" }];
  const teams = [
    { id: "sales", displayName: "Sales", extension: "200", members, ...team },
    { id: "support", displayName: "Support", extension: "201", members: [{ user: "carol" }] },
  ];
  const sim = createSimulator({ organisation: { ...office, teams }, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.carol });
  call.answer("carol");
  sim.advance("PT10S");
  return { sim, call };
}

const users = (ringing: readonly object[]) => ringing.map((each) => ("user" in each ? each.user : each));

describe("who blind-transfers a call to a team they are in", () => {
  test("is not rung for it: the others are", () => {
    const { call } = carolTalks();
    call.transfer("sales", { by: "carol" });
    expect(users(call.ringing())).toEqual(["dan"]);
  });

  test("is not rung in a later turn either", () => {
    const { sim, call } = carolTalks();
    call.transfer("sales", { by: "carol" });
    sim.advance("PT20S");
    expect(users(call.ringing())).toEqual(["dan"]);
  });

  test("is not rung when the team passes the call on to another team of theirs", () => {
    const { sim, call } = carolTalks({ timeout: "PT20S", unanswered: { team: "support" } });
    call.transfer("sales", { by: "carol" });
    sim.advance("PT21S");
    expect(call.ringing()).toEqual([]);
    expect(call.record.outcome).toBeNull();
    sim.advance("PT59S");
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });

  test("is not rung as the only member: the call waits for the team's time, as with nobody there", () => {
    const { sim, call } = carolTalks();
    call.transfer("support", { by: "carol" });
    expect(call.ringing()).toEqual([]);
    sim.advance("PT59S");
    expect(call.record.outcome).toBeNull();
    sim.advance("PT1S");
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });

  test("does not keep the call waiting when everyone else has declined", () => {
    const { call } = carolTalks();
    call.transfer("sales", { by: "carol" });
    call.decline("dan");
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
  });
});

describe("they are rung again", () => {
  test("for another call to the team", () => {
    const { sim, call } = carolTalks();
    call.transfer("sales", { by: "carol" });
    const other = sim.calls.inbound({ from: "+6421555009", to: dial.carol });
    expect(users(other.ringing())).toEqual(["carol"]);
  });

  test("for the same call, when somebody else transfers it to the team", () => {
    const { call } = carolTalks();
    call.transfer("dan", { by: "carol" });
    call.answer("dan");
    call.transfer("sales", { by: "dan" });
    expect(users(call.ringing())).toEqual(["carol"]);
  });
});
