import { describe, expect, test } from "vitest";
import { copyCall } from "../../../src/core/records/call.ts";
import { copyUser } from "../../../src/core/records/directory.ts";
import { createSimulator, type OrganisationInput } from "../../../src/index.ts";

const organisation: OrganisationInput = {
  id: "office",
  users: [
    { id: "ann", email: "ann@office.test", displayName: "Ann", extension: "101", voicemail: true },
    {
      ...{ id: "ben", email: "ben@office.test", displayName: "Ben", extension: "102" },
      ...{ ivrKey: "2", mobile: "+6421555102" },
    },
  ],
  numbers: [
    { number: "+6495550101", owner: "ann" },
    { number: "+6495550102", owner: "ben" },
  ],
};

/** Every version of each record in the events of answered, missed, recorded and internal calls. */
function versions() {
  const sim = createSimulator({ organisation });
  for (const to of ["+6495550101", "+6495550102"]) {
    const answered = sim.calls.inbound({ from: "+6421555001", to });
    answered.answer("callee");
    answered.hangup("caller");
    sim.calls.inbound({ from: "+6421555001", to });
    sim.runUntilIdle();
  }
  sim.calls.internal({ from: "ann", to: "102" }).answer("ben");
  return sim.events.map(({ data }) => data);
}

describe("a copied record has every field in the same order", () => {
  test("of a call", () => {
    const calls = versions().flatMap((data) => ("call" in data ? [data.call] : []));
    expect(calls.length).toBeGreaterThan(10);
    for (const call of calls) expect(JSON.stringify(copyCall(call, {}))).toBe(JSON.stringify(call));
  });

  test("of a user, with and without optional fields", () => {
    const users = versions().flatMap((data) => ("user" in data ? [data.user] : []));
    expect(new Set(users.map(({ id }) => id))).toEqual(new Set(["ann", "ben"]));
    for (const user of users) expect(JSON.stringify(copyUser(user))).toBe(JSON.stringify(user));
  });
});
