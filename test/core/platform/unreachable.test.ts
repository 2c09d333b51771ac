import { describe, expect, test } from "vitest";
import { type CallHandle, createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stream } from "../../helpers.ts";

const outside = "+6421555002";

/** Alice talks to a caller. */
function aliceTalks(options: { readonly assume?: { readonly dialLatency: string } } = {}) {
  const sim = createSimulator({ organisation: office, ids: "counter", ...options });
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  sim.advance("PT2S");
  call.answer("alice");
  sim.advance("PT1M");
  return { sim, call };
}

/** The reason, endpoint, outcome and vendor's ids of each dial of the newest party. */
const lastDials = (call: CallHandle) => {
  const party = call.record.parties.at(-1);
  return [
    party?.displayName,
    ...(party?.dials ?? []).map(({ reason, endpoint, outcome, vendorCallIds }) => [
      reason,
      endpoint,
      outcome,
      vendorCallIds.length,
    ]),
  ];
};

const ways: [string, string, (call: CallHandle, target: string) => unknown][] = [
  ["a blind transfer", "transfer", (call, target) => call.transfer(target, { by: "alice" })],
  ["a warm transfer", "transfer", (call, target) => call.transfer(target, { by: "alice", warm: true })],
  ["an addition", "conference", (call, target) => call.add(target, { by: "alice" })],
];

describe.each(ways)("%s to someone who cannot be rung", (_way, reason, reach) => {
  test.each<[string, (sim: Simulator) => unknown]>([
    ["busy", (sim) => sim.calls.outbound({ from: "carol", to: outside }).answer("callee")],
    ["out of hours", (sim) => sim.users.get("carol").setAvailability("offline", { rule: "outOfHours" })],
    ["logged out", (sim) => sim.users.get("carol").setEndpoint("mobile", { registered: false })],
    ["suspended", (sim) => sim.users.get("carol").setStatus("suspended")],
  ])("says that they are %s, and leaves a party with a failed dial", (why, before) => {
    const { sim, call } = aliceTalks();
    before(sim);
    expect(reach(call, "carol")).toEqual({ unreachable: `Carol Diaz is ${why}` });
    expect(lastDials(call)).toEqual(["Carol Diaz", [reason, "mobile", "failed", 0]]);
    const [failed] = call.record.parties.at(-1)?.dials ?? [];
    expect([failed?.startedTimestamp, failed?.endedTimestamp]).toEqual([sim.timestamp, sim.timestamp]);
    expect(sim.events.toTimeline()).toContain(`Carol Diaz: is ${why}`);
  });

  test("says that a device is busy", () => {
    const { sim, call } = aliceTalks();
    sim.calls.outbound({ from: "lobby", to: outside }).answer("callee");
    expect(reach(call, "lobby")).toEqual({ unreachable: "Lobby is busy" });
    expect(lastDials(call)).toEqual(["Lobby", [reason, "sip", "failed", 0]]);
  });

  test.each(["carol", "lobby", "support", outside])("says nothing of %s, who can", (target) => {
    const { call } = aliceTalks();
    expect(reach(call, target)).toEqual({});
    expect(lastDials(call).flat()).not.toContain("failed");
  });

  test("says nothing of a team in whose queue the call waits", () => {
    const { sim, call } = aliceTalks();
    sim.users.get("carol").setAvailability("busy");
    expect(reach(call, "support")).toEqual({});
    expect(call.record.parties).toHaveLength(2);
  });
});

test("a dial that failed after the latency of dialling is in the record too", () => {
  const { sim, call } = aliceTalks({ assume: { dialLatency: "PT2S" } });
  sim.users.get("carol").setAvailability("busy");
  expect(call.add("carol", { by: "alice" })).toEqual({ unreachable: "Carol Diaz is busy" });
  expect(call.record.parties).toHaveLength(2);
  sim.advance("PT2S");
  expect(lastDials(call)).toEqual(["Carol Diaz", ["conference", "mobile", "failed", 0]]);
});

test("an addition that fails changes nothing else: the others talk on", () => {
  const { sim, call } = aliceTalks();
  sim.users.get("carol").setAvailability("busy");
  const before = stream(sim);
  call.add("carol", { by: "alice" });
  expect(stream(sim)).toEqual(before);
  expect(call.status).toBe("accepted");
});

test("whoever could not be rung may be rung later in the same call, as the same party", () => {
  const { sim, call } = aliceTalks();
  sim.users.get("carol").setAvailability("busy");
  call.add("carol", { by: "alice" });
  sim.users.get("carol").setAvailability("available");
  expect(call.add("carol", { by: "alice" })).toEqual({});
  call.answer("carol");
  expect(call.record.parties).toHaveLength(3);
  expect(lastDials(call)).toEqual([
    "Carol Diaz",
    ["conference", "mobile", "failed", 0],
    ["conference", "mobile", "answered", 1],
  ]);
});

test("a target who was dialled directly and could not be rung is no party of the call", () => {
  const { sim } = aliceTalks();
  const second = sim.calls.inbound({ from: outside, to: dial.alice });
  expect(second.record.parties.map(({ displayName }) => displayName)).toEqual([outside]);
});
