import { expect, test } from "vitest";
import { callLog, explore, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator, verifySignature } from "../../../src/index.ts";

/** The scenario of a failure is played again: by its test, by `replay:`, by `deviations: 0`. */

const url = "https://crm.test/hooks";
const secret = "s3cret";
const kept = parseScenario(`
scenario: Breaks "the call log has one row for each call that is over"
steps:
  - { at: PT0S, createWebhook: { as: w1, url: "${url}", events: ["*"], signingSecret: ${secret} } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
deviations:
  - { attempt: PT30S call.not_answered, webhook: w1, number: 1, is: restarted }
`);

/** An app that checks signatures, and refuses connections once its life is over. */
const app = (isRight: boolean) => ({
  durable: () => ({ ids: new Set<string>(), rows: [] as { callId: string }[] }),
  app(sim: Simulator, db: { ids: Set<string>; rows: { callId: string }[] }) {
    const ids = isRight ? db.ids : new Set<string>();
    let isOpen = true;
    sim.network.route(url, async ({ headers, body }) => {
      if (!isOpen) throw new TypeError("fetch failed");
      // as over a port, a request takes turns of the event loop
      await new Promise((resolve) => setImmediate(resolve));
      if (!verifySignature({ headers, body, secret, now: sim.now }).valid) return 401;
      const { id, data } = JSON.parse(body);
      if (!ids.has(id) && data.call?.endedAt) db.rows.push({ callId: data.call.id });
      ids.add(id);
      return 204;
    });
    return {
      db,
      [Symbol.dispose]() {
        isOpen = false;
      },
    };
  },
  ...callLog({ rows: (shown: { db: { rows: { callId: string }[] } }) => shown.db.rows }),
});

test("A kept world with a restart passes once the app is right: what is forged meets no dead server", async () => {
  const { result, passed } = await exploreReport({ scenario: kept, deviations: 0, ...app(true) });
  expect(passed, JSON.stringify(result.failures)).toBe(true);
  expect(result.forged?.requests).toBeGreaterThan(0);
});

test("A kept world with a restart fails only by its own property as long as the app is wrong", async () => {
  const { failures } = await exploreReport({ scenario: kept, deviations: 0, ...app(false) });
  expect(failures.map(({ property }) => property)).toEqual([
    "the call log has one row for each call that is over",
  ]);
  // and nobody who replays it is sent forged requests
  expect(failures[0]?.replay).toContain("forged: false })");
});

test("A kept world fails if the app does not come to where it deviates", async () => {
  const silent = { ...app(true), app: () => ({ db: { ids: new Set<string>(), rows: [] } }) };
  const scenario = parseScenario(`
scenario: A call
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
deviations:
  - { rest: PT0S GET /calls, is: refused }
`);
  await expect(
    explore({ scenario, app: silent.app, always: { any: () => {} }, deviations: 0, forged: false }),
  ).rejects.toThrow("the run does not reach this: rest: PT0S GET /calls");
});
