import { describe, expect, test } from "vitest";
import { createSimulator, type SimulatorOptions } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const newSimulator = (options: SimulatorOptions = {}) =>
  createSimulator({ organisation: office, ...options });

/** The ids of two calls, and of the events that they emitted. */
function idsOf(options: SimulatorOptions) {
  const sim = newSimulator(options);
  const calls = [
    sim.calls.inbound({ from: caller, to: dial.alice }),
    sim.calls.inbound({ from: caller, to: dial.bob }),
  ];
  return { calls: calls.map(({ id }) => id), events: sim.events.map(({ id }) => id) };
}

describe("The option ids", () => {
  test("nanoid, the default, makes 21 URL-safe characters", () => {
    const { calls, events } = idsOf({});
    for (const id of [...calls, ...events]) expect(id).toMatch(/^[A-Za-z0-9_-]{21}$/);
    expect(idsOf({ ids: "nanoid" })).toEqual({ calls, events });
  });

  test("counter counts each kind of record from 1", () => {
    expect(idsOf({ ids: "counter" })).toEqual({
      calls: ["call-1", "call-2"],
      events: ["event-1", "event-2"],
    });
  });

  test("uuid makes version 4 of RFC 9562", () => {
    const { calls, events } = idsOf({ ids: "uuid" });
    for (const id of [...calls, ...events])
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("any other style is rejected", () => {
    expect(() => newSimulator({ ids: "serial" as never })).toThrow(
      'ids: expected one of nanoid, counter, uuid, got "serial"',
    );
  });
});

describe.each(["nanoid", "uuid"] as const)("%s", (ids) => {
  test("ids are equal for the same seed", () => {
    expect(idsOf({ ids, seed: "a" })).toEqual(idsOf({ ids, seed: "a" }));
  });

  test("ids differ for another seed", () => {
    expect(idsOf({ ids, seed: "a" }).calls).not.toEqual(idsOf({ ids, seed: "b" }).calls);
  });

  test.each([
    [1, "1"],
    [1, 2],
    [0, ""],
    [1, 1.5],
    ["1", "01"],
  ])("treats the seeds %j and %j as different", (one, other) => {
    expect(idsOf({ ids, seed: one }).calls).not.toEqual(idsOf({ ids, seed: other }).calls);
  });

  test("uses the seed 1 by default", () => {
    expect(idsOf({ ids })).toEqual(idsOf({ ids, seed: 1 }));
  });

  test("gives a call the same id, however many events preceded it", () => {
    const quiet = newSimulator({ ids });
    const busy = newSimulator({ ids });
    busy.users.get("alice").setAvailability("busy");
    busy.users.get("alice").setAvailability("available");
    const call = { from: caller, to: dial.bob };
    expect(busy.calls.inbound(call).id).toBe(quiet.calls.inbound(call).id);
  });

  test("does not repeat an id in 5,000", () => {
    const sim = newSimulator({ ids });
    sim.users.get("alice").setAvailability("busy");
    for (let count = 0; count < 2_500; count++) sim.calls.inbound({ from: caller, to: dial.alice });
    expect(new Set(sim.events.map(({ id }) => id)).size).toBe(5_001);
  });
});

describe("vendor call ids", () => {
  test("are taken from the command", () => {
    const call = newSimulator().calls.inbound({ from: caller, to: dial.alice, vendorCallId: "CA123" });
    expect(call.record.vendorCallId).toBe("CA123");
  });

  test("are derived from the seed by default", () => {
    const vendorCallId = () =>
      newSimulator().calls.inbound({ from: caller, to: dial.alice }).record.vendorCallId;
    expect(vendorCallId()).toMatch(/^[A-Za-z0-9_-]{21}$/);
    expect(vendorCallId()).toBe(vendorCallId());
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, {}, true])("the seed %s is rejected", (seed) => {
  expect(() => newSimulator({ seed: seed as never })).toThrow(/^seed: expected (text or a|a finite) number$/);
});
