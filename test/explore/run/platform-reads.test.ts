import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);

const firstDelivery = (sim: Simulator) => {
  const [webhook] = sim.webhooks.list();
  return sim.webhooks.deliveries(webhook?.id ?? "")[0];
};

/** How many worlds stand for others that the subject cannot tell from them. */
async function alikeWorlds(read: (sim: Simulator) => unknown): Promise<number> {
  const property = (sim: Simulator) => void read(sim);
  const eventually = { "reads what it reads": property };
  const { skipped } = await exploreReport({ scenario, subject: () => undefined, deviations: 2, eventually });
  return skipped;
}

describe("Worlds that the subject cannot tell apart", () => {
  test.each<[string, (sim: Simulator) => unknown]>([
    ["a call's record", (sim) => sim.calls.list()[0]?.record],
    ["the state of a delivery", (sim) => firstDelivery(sim)?.state],
  ])("stand for each other, given a property that reads %s", async (_, read) => {
    expect(await alikeWorlds(read)).toBeGreaterThan(0);
  });

  test.each<[string, (sim: Simulator) => unknown]>([
    ["the attempts of a delivery", (sim) => firstDelivery(sim)?.attempts],
    ["when a delivery is attempted again", (sim) => firstDelivery(sim)?.nextAttemptAt],
    ["all of a delivery", (sim) => JSON.stringify(firstDelivery(sim))],
    ["one delivery by its id", (sim) => sim.webhooks.delivery(firstDelivery(sim)?.id ?? "").attempts],
    ["the requests to endpoints", (sim) => sim.network.requests],
    ["what is scheduled", (sim) => sim.pending()],
    ["the journal", (sim) => sim.journal()],
    ["the instant at which the world ends", (sim) => sim.timestamp],
  ])("do not, given a property that reads %s", async (_, read) => {
    expect(await alikeWorlds(read)).toBe(0);
  });
});
