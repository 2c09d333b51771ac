import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, runScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const steps = `
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT66S, hangup: { call: c1, by: caller } }
`;
const answeredCall = parseScenario(`scenario: An answered call${steps}`);

/** Notes the types of the events that it receives, each once. */
function listener(sim: Simulator): Set<string> {
  const types = new Set<string>();
  sim.network.route(url, ({ body }) => {
    types.add(JSON.parse(body).type);
    return 200;
  });
  return types;
}

/** What the listener has received in the end, in each world. */
async function received(kinds: readonly ("never" | "outage" | "lost")[] | undefined, atMost = 1) {
  const seen: string[] = [];
  const report = await exploreReport({
    scenario: answeredCall,
    subject: listener,
    eventually: { "is noted": (_, types) => void seen.push([...types].sort().join(" ")) },
    deviations: kinds === undefined ? atMost : { atMost, kinds },
  });
  // the world without deviations is run once more at the end
  expect(seen.pop()).toBe(seen[0]);
  return { seen, report };
}

const all = "call.answered call.ended call.started";

describe("An event that never arrives", () => {
  test("is missing at the end, after ten lost attempts", async () => {
    const { seen } = await received(["never"]);
    expect(seen).toEqual([
      all,
      "call.answered call.ended",
      "call.ended call.started",
      "call.answered call.started",
    ]);
  });

  test("plays from a scenario's file, and the timeline says so", () => {
    const { simulator } = runScenario(
      parseScenario(
        `scenario: An event never arrives${steps}deviations:\n  - { attempt: PT6S call.answered, webhook: crm, is: never }\n`,
      ),
    );
    simulator.runUntilIdle();
    const [webhook] = simulator.webhooks.list();
    const states = simulator.webhooks
      .deliveries(webhook?.id ?? "")
      .map(({ state, attempts }) => [state, attempts.length]);
    expect(states).toEqual([
      ["delivered", 1],
      ["givenUp", 10],
      ["delivered", 1],
    ]);
    expect(simulator.events.toTimeline()).toContain("is lost on its way, and so are all further attempts");
  });
});

describe("An outage", () => {
  test("lasts from each instant at which something is sent until each later one", async () => {
    const { seen, report } = await received(["outage"]);
    // three instants: 0 to 6 s, 0 to 66 s, 6 to 66 s
    expect(report.worlds).toBe(1 + 3);
    expect(new Set(seen)).toEqual(new Set([all]));
  });

  test("refuses everything that is sent during it", () => {
    const { simulator } = runScenario(
      parseScenario(
        `scenario: An outage${steps}deviations:\n  - { attempt: PT0S call.started, webhook: crm, is: outage, after: PT66S }\n`,
      ),
    );
    simulator.advance("PT60S");
    expect(simulator.network.requests.slice(0, 3).map(({ why, failure }) => [why, failure])).toEqual([
      ["webhook", "refused"],
      ["webhook", "refused"],
      ["webhook", null],
    ]);
  });
});

test("An outage of a dependency is explored where outages are named, with or without those of the app", async () => {
  const entered = (sim: Simulator) => {
    const entries: string[] = [];
    const crm = sim.dependency("crm", async (_url: string, { body }: { method: string; body: string }) => {
      entries.push(body);
      return new Response();
    });
    sim.network.route(url, async ({ body }) => {
      const { id } = JSON.parse(body);
      await crm("https://crm.example/activities", { method: "POST", body: id }).catch(() => {});
      return 204;
    });
    return entries;
  };
  const { worlds, failures } = await exploreReport({
    scenario: answeredCall,
    app: entered,
    eventually: { "has an entry for each event": (_, entries) => entries.length === 3 },
    deviations: { atMost: 1, kinds: ["outage"] },
    forged: false,
  });
  // the three of the app, and one at each call
  expect(worlds).toBe(1 + 3 + 3);
  expect(
    failures.map(({ smallest }) => smallest.deviations.map(({ of, is, after }) => [of, is, after])),
  ).toEqual([[["crm POST /activities", "outage", 60_000]]]);
});

test("Events that never arrive and outages are explored only where they are named", async () => {
  const usual = await received(undefined);
  const named = await received(["lost"]);
  expect(new Set([...usual.seen, ...named.seen])).toEqual(new Set([all]));
});
