import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator } from "../../../src/index.ts";

const simulator = () => createSimulator({ ids: "counter" });
const aliceCalled = (sim: Simulator) => {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  call.answer("alice");
  return call;
};

/** When Alice's availability changed, and how. */
function changes(sim: Simulator) {
  return sim.events
    .ofType("user.availability.updated")
    .map(({ createdTimestamp, data: { user } }) => [
      createdTimestamp - sim.startTimestamp,
      user.availability.status,
      user.availability.notAvailableReason,
    ]);
}

describe("wrapUp", () => {
  test("during a call keeps the user busy once it is over", () => {
    const sim = simulator();
    const call = aliceCalled(sim);
    sim.users.get("alice").wrapUp("PT30S");
    sim.advance("PT10S");
    call.hangup("caller");
    sim.runUntilIdle();
    expect(changes(sim)).toEqual([
      [0, "busy", null],
      [10_000, "busy", "wrapUp"],
      [40_000, "available", null],
    ]);
  });

  test("replaces the wrap-up of the behaviour, for one call", () => {
    const sim = simulator();
    sim.users.get("alice").behave({ wrapUp: "PT5S" });
    const first = aliceCalled(sim);
    sim.users.get("alice").wrapUp("PT30S");
    first.hangup("caller");
    sim.runUntilIdle();
    aliceCalled(sim).hangup("caller");
    sim.runUntilIdle();
    expect(changes(sim).filter(([, status]) => status === "available")).toEqual([
      [30_000, "available", null],
      [35_000, "available", null],
    ]);
  });

  test("without a call begins at once, and during a wrap-up counts anew", () => {
    const sim = simulator();
    sim.users.get("alice").wrapUp("PT30S");
    sim.advance("PT20S");
    sim.users.get("alice").wrapUp("PT20S");
    expect(() => sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).answer("alice")).toThrow(
      /alice cannot answer/,
    );
    sim.runUntilIdle();
    expect(changes(sim)).toEqual([
      [0, "busy", "wrapUp"],
      [40_000, "available", null],
    ]);
  });

  test("ends when the user sets an availability by hand", () => {
    const sim = simulator();
    sim.users.get("alice").wrapUp("PT30S");
    sim.advance("PT3S");
    sim.users.get("alice").setAvailability("available");
    sim.runUntilIdle();
    expect(changes(sim).at(-1)).toEqual([3_000, "available", null]);
    expect(changes(sim)).toHaveLength(2);
  });

  test.each([
    ["offline", (sim: Simulator) => sim.users.get("alice").setAvailability("offline")],
    ["busy", (sim: Simulator) => sim.users.get("alice").setAvailability("busy")],
    ["offline", (sim: Simulator) => sim.users.get("alice").setStatus("suspended")],
  ])("is refused for a user who is %s", (status, become) => {
    const sim = simulator();
    become(sim);
    const journal = sim.journal();
    expect(() => sim.users.get("alice").wrapUp("PT30S")).toThrow(
      `alice is ${status} and cannot wrap up: that is for users who are available, on a call or wrapping up`,
    );
    expect(sim.journal()).toEqual(journal);
  });

  test("is refused without a time", () => {
    expect(() => simulator().users.get("alice").wrapUp(0)).toThrow(
      "wrapUp: for: expected a duration above 0",
    );
  });

  test("is in the journal, and a fork keeps it", () => {
    const sim = simulator();
    const call = aliceCalled(sim);
    sim.users.get("alice").wrapUp("PT30S");
    const fork = sim.fork();
    fork.calls.get(call.id).hangup("caller");
    call.hangup("caller");
    for (const each of [sim, fork]) each.runUntilIdle();
    expect(changes(fork)).toEqual(changes(sim));
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });
});
