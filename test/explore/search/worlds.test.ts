import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Deviation } from "../../../src/core/engine/deviations.ts";
import { namedDeviations } from "../../../src/core/network/request-deviations.ts";
import { playStep } from "../../../src/core/scenario/run.ts";
import { createSimulator } from "../../../src/core/simulator/simulator.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Scenario, type Simulator } from "../../../src/index.ts";
import { isWhole, someOf } from "../../counts.ts";
import { answeredCall } from "../answered-call.ts";
import { url } from "../missed-call.ts";

/** Notes what it receives, and when. */
function listener(sim: Simulator): string[] {
  const received: string[] = [];
  sim.network.route(url, ({ body, headers }) => {
    const { id } = JSON.parse(body || '{ "id": "data action" }') as { id: string };
    const sent = Object.entries(headers).find(([name]) => name.endsWith("timestamp"))?.[1];
    received.push(`${id} sent ${Number(sent) - sim.startTimestamp} at ${sim.timestamp - sim.startTimestamp}`);
    return 200;
  });
  return received;
}

/**
 * Further scenarios, each small: deviations at one instant, requests that are not deliveries, timers of one instant.
 */
const others = [
  parseScenario(`
scenario: Two webhooks hear of the same
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}/crm", events: [call.not_answered] } }
  - { at: PT0S, createWebhook: { as: board, url: "${url}/board", events: [call.not_answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT31S, hangup: { call: c1, by: caller } }
`),
  parseScenario(`
scenario: A data action is asked about a call
organisation:
  id: shop
  dataActions: { outboundCall: "${url}/outbound" }
  users: [{ id: ann, email: ann@shop.test, displayName: Ann, extension: "101", endpoints: [mobile] }]
  numbers: [{ number: "+6495550101", owner: ann }]
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}/crm", events: [call.started, call.not_answered] } }
  - { at: PT0S, outbound: { as: c1, from: ann, to: "+6421555001" } }
`),
  parseScenario(`
scenario: Two calls give up at one instant
organisation:
  id: shop
  users:
    - { id: ann, email: ann@shop.test, displayName: Ann, extension: "101", endpoints: [mobile], voicemail: false }
    - { id: ben, email: ben@shop.test, displayName: Ben, extension: "102", endpoints: [mobile], voicemail: false }
  numbers: [{ number: "+6495550101", owner: ann }, { number: "+6495550102", owner: ben }]
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
  - { at: PT0S, inbound: { from: "+6421555002", to: "+6495550102" } }
`),
];

/** Runs a scenario without the explorer. Returns the received events, and every deviation possible from a place on. */
function run(deviations: readonly Deviation[], scenario: Scenario) {
  const sim = createSimulator(scenario.options);
  const received = listener(sim);
  const met: Deviation[][] = [];
  sim.services.engine.deviations.watch((point, options) => {
    const usual = options.filter(({ is }) => !namedDeviations.has(is));
    met.push(usual.map((option) => ({ ...point, ...option, to: undefined })));
  });
  for (const { to: _, ...deviation } of deviations as (Deviation & { to?: string })[])
    sim.command("deviate", deviation as never);
  const named = new Map<string, string>();
  for (const [index, step] of scenario.steps.entries()) {
    sim.advanceTo(sim.startTimestamp + Number(step.atMs));
    playStep(scenario, sim, step, index, named, true);
  }
  sim.runUntilIdle();
  return { received: received.join("\n"), met };
}

/** Runs every set of deviations, without merging equal worlds. */
function byBruteForce(atMost: number, scenario = answeredCall) {
  const seen = new Set<string>();
  let count = 0;
  const below = (deviations: readonly Deviation[], from: number) => {
    const { received, met } = run(deviations, scenario);
    seen.add(received);
    count++;
    if (deviations.length === atMost) return;
    for (const [index, options] of met.entries())
      if (index >= from) for (const each of options) below([...deviations, each], index + 1);
  };
  below([], 0);
  return { seen, count };
}

/** The events that subjects received in the worlds of the explorer. */
async function explored(deviations: number, more: object = {}) {
  const seen: string[] = [];
  const report = await exploreReport({
    scenario: answeredCall,
    subject: listener,
    eventually: {
      "is noted": (_, received) => {
        seen.push(received.join("\n"));
      },
    },
    deviations,
    ...more,
  });
  // the world without deviations is run once more at the end
  expect(seen.pop()).toBe(seen[0]);
  return { seen, report };
}

describe("The worlds of one answered call with a webhook on every event", () => {
  test.each([[1, 64, 42] as const, ...(isWhole ? [[2, 2_017, 833] as const] : [])])(
    "with at most %i deviations are %i, and %i for the app",
    async (atMost, all, apart) => {
      const { seen, count } = byBruteForce(atMost);
      const { seen: explorer, report } = await explored(atMost);
      expect(count).toBe(all);
      const page = readFileSync(new URL("../../../docs/bounded-proof.md", import.meta.url), "utf8");
      expect(page).toContain(`| ${all.toLocaleString("en")} | ${apart} |`);
      expect(new Set(explorer)).toEqual(seen);
      expect(explorer).toHaveLength(new Set(explorer).size);
      expect(report.worlds).toBe(apart);
      expect(report.worlds + report.skipped).toBe(all);
      expect(report.complete).toBe(true);
    },
  );

  test("are equal and in the same order each time", async () => {
    const [first, second] = [await explored(1), await explored(1)];
    expect(second.seen).toEqual(first.seen);
  });

  test("are shared among shards without gaps or repeats", async () => {
    const atMost = isWhole ? 2 : 1;
    const whole = await explored(atMost);
    const parts = await Promise.all(
      [1, 2, 3].map((index) => explored(atMost, { shard: { index, count: 3 } })),
    );
    // each begins with the world without deviations, which is that of one of them
    const [plain] = whole.seen;
    expect(parts.map(({ seen }) => seen[0])).toEqual([plain, plain, plain]);
    const together = [plain, ...parts.flatMap(({ seen }) => seen.slice(1))];
    expect(together.toSorted()).toEqual(whole.seen.toSorted());
    expect(parts.reduce((sum, { report }) => sum + report.worlds, 0)).toBe(whole.report.worlds);
  });

  test("are not all run under a budget, and the report says so", async () => {
    const { report } = await explored(1, { worlds: 10 });
    expect(report.worlds).toBe(10);
    expect(report.complete).toBe(false);
    expect(report.toText()).toContain(
      "10 worlds with at most 1 deviation, not all of them: stopped after 10",
    );
    const enough = await explored(1, { worlds: 42 });
    expect(enough.report.complete).toBe(true);
  });
});

describe("Worlds", () => {
  test("that are the longest have the most steps, whatever time they took", async () => {
    const explored = async () =>
      (await exploreReport({ scenario: answeredCall, subject: listener, deviations: 1 })).toJSON().longest;
    const [once, again] = [await explored(), await explored()];
    const steps = once.map((world) => world.steps);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual([...steps].sort((a, b) => b - a));
    expect(again).toEqual(once);
  });
});

describe("The worlds of two requests that are open at the same time", () => {
  test("get their answers in both orders", async () => {
    const orders: string[] = [];
    const report = await exploreReport({
      scenario: answeredCall,
      subject(sim) {
        const order: string[] = [];
        const headers = { authorization: `Bearer ${sim.token()}` };
        sim.network.route(url, async ({ body }) => {
          if (JSON.parse(body).type !== "call.started") return 200;
          const ask = async (path: string) => {
            await sim.fetch(path, { headers });
            order.push(path);
          };
          await Promise.all(["/users", "/teams"].map(ask));
          return 200;
        });
        return order;
      },
      eventually: {
        "is noted": (_, order) => void orders.push(order.join()),
      },
      deviations: { atMost: 1, kinds: ["answers"] },
    });
    expect(report.worlds).toBe(2);
    // the world without deviations is run once more at the end
    expect(orders).toEqual(["/users,/teams", "/teams,/users", "/users,/teams"]);
  });
});

describe("Worlds that are left out show the app nothing new", () => {
  test.each(someOf(others).map((scenario) => [scenario.title, scenario] as const))(
    "with at most 2 deviations: %s",
    async (_, scenario) => {
      const { seen, count } = byBruteForce(2, scenario);
      const { seen: explorer, report } = await explored(2, { scenario });
      expect(new Set(explorer)).toEqual(seen);
      expect(report.worlds + report.skipped).toBe(count);
      expect(report.skipped).toBeGreaterThan(0);
      expect(report.complete).toBe(true);
    },
  );
});
