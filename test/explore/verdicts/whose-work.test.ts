import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

/** Asks for all calls, as a property may that knows the platform only by its API. */
async function idsOfCalls(sim: Simulator): Promise<string[]> {
  const answer = await sim.fetch("/calls", { headers: { authorization: `Bearer ${sim.token()}` } });
  if (!answer.ok) throw new Error(`GET /calls is answered ${answer.status}`);
  const { calls } = (await answer.json()) as { readonly calls: readonly { readonly id: string }[] };
  return calls.map(({ id }) => id);
}

/** Stores each call once, and asks for nothing. */
function stores(sim: Simulator): Set<string> {
  const ids = new Set<string>();
  sim.network.route(url, ({ body }) => {
    ids.add(JSON.parse(body).data.call.id);
    return 204;
  });
  return ids;
}

const property = async (sim: Simulator, ids: Set<string>) => expect([...ids]).toEqual(await idsOfCalls(sim));

test.for(["always", "settled", "eventually"] as const)(
  "What a property of `%s` asks the REST API is never answered by a deviation",
  async (group) => {
    const known = async (sim: Simulator, ids: Set<string>) => {
      const all = await idsOfCalls(sim);
      expect(all).toEqual(expect.arrayContaining([...ids]));
    };
    const report = await exploreReport({
      scenario,
      subject: stores,
      [group]: { "each row is a call": known },
      eventually: { "each call has a row": property },
    });
    expect(report.failures.map(({ story }) => story)).toEqual([]);
    expect(report.worlds).toBe(
      (await exploreReport({ scenario, subject: stores, eventually: { any: () => {} } })).worlds,
    );
  },
);
