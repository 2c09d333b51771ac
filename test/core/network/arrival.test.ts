import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, replay, runScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";

function simulator(options: Parameters<typeof createSimulator>[0] = {}): Simulator {
  const sim = createSimulator({ ids: "counter", ...options });
  sim.webhooks.create({ url, events: ["call.started", "call.not_answered"] });
  return sim;
}

/** Each request as its event, when it arrived, and which of those that arrived it was. */
function arrivals(sim: Simulator) {
  return sim.network.requests.map(({ body, arrivedTimestamp, arrival }) => [
    (JSON.parse(body) as { type: string }).type,
    arrivedTimestamp === null ? null : arrivedTimestamp - sim.startTimestamp,
    arrival,
  ]);
}

const missed = (deviations: string) =>
  runScenario(
    parseScenario(`scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: w1, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
deviations:
  - { attempt: PT0S call.started, webhook: w1, ${deviations} }
`),
  ).simulator;

describe("a request's arrival", () => {
  test("is at once on a perfect network, and counted", () => {
    const sim = simulator();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.runUntilIdle();
    expect(arrivals(sim)).toEqual([
      ["call.started", 0, 1],
      ["call.not_answered", 30_000, 2],
    ]);
    expect(sim.network.requests[1]?.arrivedAt).toBe("2026-07-01T00:00:30.000Z");
  });

  test("is later by the latency, and null until then", () => {
    const sim = simulator({ network: { latency: "PT2S" } });
    sim.network.route(url, { status: 204, after: "PT3S" });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.advance("PT1S");
    expect(arrivals(sim)).toEqual([["call.started", null, null]]);
    sim.advance("PT2S");
    expect(arrivals(sim)).toEqual([["call.started", 2_000, 1]]);
    expect(sim.network.requests[0]?.endedTimestamp).toBeNull();
    sim.advance("PT3S");
    expect(arrivals(sim)).toEqual([["call.started", 2_000, 1]]);
    expect(sim.network.requests[0]?.endedAt).toBe("2026-07-01T00:00:05.000Z");
  });

  test("is counted in the order of arrival, when requests overtake each other", () => {
    const sim = simulator();
    sim.network.conditions(url, { latency: "PT4S" });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.network.conditions(url, {});
    sim.advance("PT1S");
    sim.calls.inbound({ from: "+6421555002", to: "+6495550104" });
    sim.advance("PT5S");
    expect(arrivals(sim)).toEqual([
      ["call.started", 4_000, 2],
      ["call.started", 1_000, 1],
    ]);
  });

  test("of a late request is after that of the next", () => {
    const call = (from: string) => `{ at: PT0S, inbound: { from: "${from}", to: "+6495550103" } }`;
    const { simulator: sim } = runScenario(
      parseScenario(`scenario: Two calls
steps:
  - { at: PT0S, createWebhook: { as: w1, url: "${url}", events: [call.started] } }
  - ${call("+6421555001")}
  - ${call("+6421555002")}
deviations:
  - { attempt: PT0S call.started, webhook: w1, is: late, by: 1 }
`),
    );
    expect(arrivals(sim)).toEqual([
      ["call.started", 0, 2],
      ["call.started", 0, 1],
    ]);
  });

  test.each([
    ["lost", [null, 1, 2]],
    ["refused", [null, 1, 2]],
    ["rejected", [null, 1, 2]],
    ["unanswered", [1, 2, 3]],
    ["duplicated", [1, 2, 3]],
  ])("of a request that is %s", (is, expected) => {
    expect(missed(`is: ${is}`).network.requests.map(({ arrival }) => arrival)).toEqual(expected);
  });

  test("of a refused connection is null, and of a failing or silent endpoint is not", () => {
    for (const [fault, hasArrived] of [
      ["refuse", false],
      ["timeout", true],
      [503, true],
    ] as const) {
      const sim = simulator();
      sim.network.fault(url, { status: fault, times: 1 });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
      sim.advance("PT1S");
      expect([fault, sim.network.requests[0]?.arrival !== null]).toEqual([fault, hasArrived]);
    }
  });

  test("counts a request that is too late for its sender", () => {
    const sim = simulator();
    sim.network.conditions(url, { latency: "PT1M" });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.advance("PT61S");
    const [first] = sim.network.requests;
    expect(first).toMatchObject({ failure: "timeout", arrival: 1 });
    expect(Number(first?.arrivedTimestamp)).toBeGreaterThan(Number(first?.endedTimestamp));
  });

  test("is the same in a replay, and a fork counts on by itself", () => {
    const sim = simulator({ network: { order: "shuffled", latency: "PT1S" } });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.advance("PT5S");
    const fork = sim.fork();
    sim.calls.inbound({ from: "+6421555002", to: "+6495550103" });
    for (const each of [sim, fork]) each.runUntilIdle();
    expect(arrivals(replay(sim.journal()))).toEqual(arrivals(sim));
    expect(fork.network.requests.map(({ arrival }) => arrival)).toEqual([1, 2]);
  });
});
