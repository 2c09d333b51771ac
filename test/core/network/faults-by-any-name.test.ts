import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, replay, runScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/";
const chance = { latency: "PT0.2S", loss: 0.3, duplicate: 0.3, reorder: 0.3 } as const;

/** Everything that a run shows of itself. */
const shown = (sim: Simulator) => [
  sim.events.toJSONL(),
  sim.events.toTimeline(),
  JSON.stringify(sim.journal()),
];

describe("A fault by its new name", () => {
  const run = (breaks: (sim: Simulator) => void) => {
    const sim = createSimulator({ seed: 7, ids: "counter" });
    sim.webhooks.create({ url, events: ["*"] });
    breaks(sim);
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.runUntilIdle();
    return shown(sim);
  };

  test("by chance does what `conditions` does, byte for byte", () => {
    const old = run((sim) => sim.network.conditions(url, chance));
    expect(run((sim) => sim.network.fault(url, chance))).toEqual(old);
    expect(run((sim) => sim.command("fault", { url, ...chance }))).toEqual(old);
    expect(run((sim) => sim.command("conditions", { url, ...chance }))).toEqual(old);
    expect(run(() => {})).not.toEqual(old);
  });

  test("of the REST API does what `restFault` does, byte for byte", () => {
    const fault = { path: "/calls", status: 429, times: 2 } as const;
    const old = run((sim) => sim.command("restFault", fault));
    expect(run((sim) => sim.command("fault", fault))).toEqual(old);
    expect(run((sim) => sim.rest.fault(fault))).toEqual(old);
  });

  test("by chance ends by `loss: 0`, as `conditions` with nothing does", () => {
    const end = (last: (sim: Simulator) => void) => {
      const sim = createSimulator({ seed: 7 });
      sim.network.fault(url, { loss: 1 });
      last(sim);
      sim.webhooks.create({ url, events: ["*"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      sim.runUntilIdle();
      return sim.network.requests.map(({ failure }) => failure);
    };
    const old = end((sim) => sim.network.conditions(url, {}));
    expect(end((sim) => sim.network.fault(url, { loss: 0 }))).toEqual(old);
    expect(old.every((failure) => failure === null)).toBe(true);
  });

  test("refuses keys of two sorts by name, and one of no endpoint", () => {
    const sim = createSimulator();
    // @ts-expect-error: a string is no probability
    expect(() => sim.network.fault(url, { loss: "often" })).toThrow("loss: expected a probability");
    const mixed = { status: 503, loss: 0.5 };
    expect(() => sim.network.fault(url, mixed)).toThrow("status");
    // @ts-expect-error: neither a URL nor a path
    expect(() => sim.command("fault", { times: 1 })).toThrow("url: missing");
    expect(sim.journal().entries).toEqual([]);
  });
});

describe("A scenario with old names", () => {
  const scenario = (loss: string, rest: string) => `scenario: Faults
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, ${loss}: { url: "${url}", loss: 0.5, duplicate: 0.5 } }
  - { at: PT0S, ${rest}: { path: /calls, times: 1 } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550100" } }
`;
  const runOf = (text: string) => shown(runScenario(parseScenario(text)).simulator);

  test("plays byte for byte as with the new one", () => {
    expect(runOf(scenario("fault", "fault"))).toEqual(runOf(scenario("conditions", "restFault")));
  });

  test("names the wrong key of a fault by chance, with its line", () => {
    expect(() =>
      parseScenario(`scenario: A\nsteps:\n  - { at: PT0S, fault: { url: "${url}", loss: 2 } }\n`),
    ).toThrow(/line 3, .*loss: expected a probability from 0 to 1/);
  });
});

/** Written by the version before, in which `conditions`, `restFault` and `deviate` were the only names. */
const recorded = JSON.parse(readFileSync(new URL("faults-by-old-names.json", import.meta.url), "utf8"));

test("A recorded journal with old names replays byte for byte", () => {
  const text = JSON.stringify(recorded.journal);
  for (const name of ["conditions", "restFault", "deviate"]) expect(text).toContain(`"${name}"`);
  const sim = replay(recorded.journal);
  expect(sim.events.toJSONL()).toBe(recorded.stream);
  expect(sim.events.toTimeline()).toBe(recorded.timeline);
  expect(JSON.stringify(sim.journal())).toBe(text);
  const requests = sim.network.requests.map(
    ({ id, startedTimestamp, arrivedTimestamp, failure, duplicateOf }) => ({
      ...{ id, startedTimestamp, arrivedTimestamp, failure, duplicateOf },
    }),
  );
  expect(requests).toEqual(recorded.requests);
});
