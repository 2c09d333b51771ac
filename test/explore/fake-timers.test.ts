import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT10S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT45S, hangup: { call: c1, by: caller } }
`);

/** An app of its own: it knows no simulator, but for where its requests come from. */
function app(sim: Simulator) {
  const log: string[] = [];
  const note = (what: string) => log.push(`${(Date.now() - sim.startTimestamp) / 1_000} ${what}`);
  sim.network.route(url, ({ body }) => {
    const { type } = JSON.parse(body) as { type: string };
    note(type);
    if (type === "call.started") setTimeout(() => note("rings for 20 s"), 20_000);
    return 200;
  });
  const polling = setInterval(() => note("polls"), 25_000);
  return { log, [Symbol.for("Symbol.dispose")]: () => clearInterval(polling) };
}

describe("An app that reads the clock and sets timers, while fake timers are on", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("shares the time of each world", async () => {
    const logs: string[][] = [];
    const report = await exploreReport({
      scenario,
      subject: app,
      eventually: { "is noted": (_, { log }) => void logs.push(log) },
      deviations: { kinds: ["lost"] },
    });
    expect(report.passed, report.toText()).toBe(true);
    // one more poll comes once nothing else is left to do
    expect(logs[0]).toEqual([
      ...["10 call.started", "25 polls", "30 rings for 20 s", "40 call.not_answered", "50 polls"],
    ]);
    expect(logs.at(1)?.[0]).toBe("25 polls");
    expect(logs).toHaveLength(3);
  });

  test("leaves nothing behind: neither timers nor the time", async () => {
    const before = Date.now();
    let rang = 0;
    setTimeout(() => rang++, 1_000);
    await exploreReport({
      scenario,
      subject: (sim) => {
        setTimeout(() => {}, 3_600_000);
        return app(sim);
      },
      deviations: 0,
      worlds: 1,
    });
    expect(vi.getTimerCount()).toBe(1);
    expect(Date.now()).toBe(before);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rang).toBe(1);
  });
});
