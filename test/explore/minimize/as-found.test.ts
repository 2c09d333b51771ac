import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT100S, inbound: { from: "+6421555002", to: "+6495550103" } }
`);

/** Explores an app that fails each time with two calls. @param fails whether it fails with one call, in each of its runs */
async function explored(fails: (run: number) => boolean) {
  let runs = 0;
  return exploreReport({
    scenario,
    deviations: 0,
    subject(sim: Simulator) {
      const calls: string[] = [];
      sim.network.route(url, ({ body }) => {
        calls.push(JSON.parse(body).data.call.id);
        return 204;
      });
      return calls;
    },
    eventually: {
      "no call is missed": (_, calls) => {
        if (calls.length === 2 || (calls.length === 1 && fails(runs++))) throw new Error("a call is missed");
      },
    },
  });
}

test.each([
  [
    1,
    /which fails each time\. A smaller one, with \d steps and no deviation, fails in some of its runs only\.$/,
  ],
  [3, /A smaller one, with \d steps and no deviation, does not fail when it is played as a scenario\.$/],
])(
  "A failure that fails each time keeps its own world if a smaller one fails in %i runs",
  async (fails, named) => {
    const { failures } = await explored((run) => run < fails);
    expect(failures.map(({ property }) => property)).toEqual(["no call is missed"]);
    expect(failures[0]?.smallest.isMinimal).toBe(false);
    expect(failures[0]?.smallest.scenario?.match(/inbound/g)).toHaveLength(2);
    expect(failures[0]?.story).toMatch(/This is the world as it was found/);
    expect(failures[0]?.story).toMatch(named);
  },
);

test("A failure is shrunk to a smaller world that fails each time", async () => {
  const { failures } = await explored(() => true);
  expect(failures[0]?.smallest).toMatchObject({ isMinimal: true });
  expect(failures[0]?.smallest.scenario?.match(/inbound/g)).toHaveLength(1);
});
