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

/** How many worlds stand for others that the app cannot tell from them. */
async function alikeWorlds(
  read: (sim: Simulator) => unknown,
  subject: (sim: Simulator) => unknown = () => undefined,
): Promise<number> {
  const property = (sim: Simulator) => void read(sim);
  const eventually = { "reads what it reads": property };
  const { skipped } = await exploreReport({ scenario, subject, deviations: 2, eventually });
  return skipped;
}

/** Reads something when it receives a request, and a second later. */
const reading =
  (read: (sim: Simulator) => unknown, when: "in a handler" | "in a timer") => (sim: Simulator) => {
    sim.network.route("https://crm.acme.test/hooks", () => {
      if (when === "in a handler") read(sim);
      else sim.schedule("PT1S", () => void read(sim));
      return 204;
    });
  };

describe("Worlds that the app cannot tell apart", () => {
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

  const attempts = (sim: Simulator) => firstDelivery(sim)?.attempts;
  test.each<["in a handler" | "in a timer", string, (sim: Simulator) => unknown]>([
    ["in a handler", "the attempts of a delivery", attempts],
    ["in a handler", "the requests to endpoints", (sim) => sim.network.requests],
    ["in a timer", "the attempts of a delivery", attempts],
    ["in a timer", "what is scheduled", (sim) => sim.pending()],
  ])("do not, given an app that reads %s %s", async (when, _, read) => {
    expect(await alikeWorlds(() => undefined, reading(read, when))).toBe(0);
  });

  test.each(["in a handler", "in a timer"] as const)(
    "stand for each other, given an app that reads %s the time and a call's record",
    async (when) => {
      const read = (sim: Simulator) => [sim.timestamp, sim.calls.list()[0]?.record];
      expect(await alikeWorlds(() => undefined, reading(read, when))).toBeGreaterThan(0);
    },
  );
});
