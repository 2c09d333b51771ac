import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";

/** A call that is answered. */
function play(sim: Simulator): string {
  sim.calls.inbound({ from: "+6421555001", to: "+6495550101" }).answer("callee");
  sim.runUntilIdle();
  return sim.events.toJSONL();
}

const user = { id: "ann", email: "ann@office.test", displayName: "Ann", extension: "101" };
const office = () => ({
  id: "office",
  users: [{ ...user }],
  numbers: [{ number: "+6495550101", owner: "ann" }],
});

describe("Simulators with equal options", () => {
  test("have the same events, unaffected by earlier simulators", () => {
    const organisation = office();
    const streams = Array.from({ length: 4 }, () => {
      const sim = createSimulator({ organisation });
      expect(sim.events).toHaveLength(0);
      const stream = play(sim);
      sim.users.get("ann").setStatus("suspended");
      sim.network.route("https://crm.test", 500);
      return stream;
    });
    expect(new Set(streams).size).toBe(1);
  });

  test("use their own options after others with different ones", () => {
    const organisation = office();
    const idOf = (seed: number) => play(createSimulator({ organisation, seed }));
    const [one, two] = [idOf(1), idOf(2)];
    expect([idOf(2), idOf(1), idOf(1), idOf(2)]).toEqual([two, one, one, two]);
    expect(one).not.toBe(two);
  });
});

describe("An organisation that changes between two simulators", () => {
  test.each([
    ["a value", (users: { displayName?: string }[]) => Object.assign(users[0] ?? {}, { displayName: "Eve" })],
    [
      "a user more",
      (users: object[]) => users.push({ ...user, id: "eve", email: "e@o.test", extension: "102" }),
    ],
  ])("is validated again: %s", (_what, change) => {
    const organisation = office();
    createSimulator({ organisation });
    change(organisation.users);
    const names = createSimulator({ organisation }).users.list();
    expect(names.map(({ record }) => [record.id, record.displayName])).toEqual(
      organisation.users.map(({ id, displayName }) => [id, displayName]),
    );
  });

  test("is rejected if it became invalid, even if JSON would not show it", () => {
    const organisation = office();
    createSimulator({ organisation });
    Object.assign(organisation.users[0] ?? {}, { colour: () => "red" });
    expect(() => createSimulator({ organisation })).toThrow("users[0].colour: unknown key");
    Object.assign(organisation.users[0] ?? {}, { colour: undefined });
    expect(() => createSimulator({ organisation })).toThrow("users[0].colour: unknown key");
  });
});
