import { describe, expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

/** An app that refuses true events in the world without deviations fails, by the property `refuses`. */

const url = "https://crm.acme.test/hooks";

const scenario = (simulator: Simulator) => {
  simulator.webhooks.create({ url, events: ["call.started", "call.answered", "call.ended"] });
  const call = simulator.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  call.answer("alice");
  simulator.schedule("PT30S", () => call.hangup("caller"));
};

/** Keeps calls that are over. @param answer how it answers other events, at each attempt */
const keeping = (answer: (type: string, attempt: number) => number): ExploreOptions<Set<string>> => ({
  scenario,
  deviations: { kinds: ["late"] },
  subject(simulator) {
    const ended = new Set<string>();
    const attempts = new Map<string, number>();
    simulator.network.route(url, ({ body }) => {
      const { id, type, data } = JSON.parse(body);
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      if (type !== "call.ended") return answer(type, attempts.get(id) ?? 0);
      ended.add(data.call.id);
      return 204;
    });
    return ended;
  },
  eventually: { "each call is kept": ({ calls }, ended) => ended.size === calls.list().length },
});

describe("An app that refuses true events in the world without deviations", () => {
  test.each([400, 404, 500])("fails if it answers %i, first and in words", async (status) => {
    const { failures, passed } = await exploreReport(keeping(() => status));
    expect(passed).toBe(false);
    expect(failures).toMatchObject([
      {
        property: "refuses",
        message: `the app refuses what the platform sends: call.started is answered ${status}, call.answered ${status}`,
        smallest: { deviations: [] },
      },
    ]);
  });

  test.each<readonly [what: string, answer: (type: string, attempt: number) => number]>([
    ["410, which asks the platform to stop", () => 410],
    ["503 once, and takes the next attempt", (_, attempt) => (attempt === 1 ? 503 : 204)],
    ["3xx", () => 304],
  ])("does not if it answers %s", async (_, answer) => {
    expect((await exploreReport(keeping(answer))).failures).toEqual([]);
  });

  test("is known by the name of the property", async () => {
    const known = { refuses: "CRM-12" };
    const report = await exploreReport({ ...keeping(() => 400), known });
    expect(report).toMatchObject({ passed: true, known: [{ property: "refuses" }] });
    expect((await exploreReport({ ...keeping(() => 204), known })).gone).toEqual(["refuses"]);
  });

  test("has a name that no other property may have", async () => {
    const eventually = { refuses: () => true };
    await expect(exploreReport({ ...keeping(() => 204), eventually })).rejects.toThrow(
      "eventually.refuses: expected another name",
    );
  });

  test("is not judged where the scenario has deviations of its own", async () => {
    const report = await exploreReport({
      ...keeping(() => 503),
      deviations: 0,
      scenario: parseScenario(`
scenario: A duplicated event
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
deviations:
  - { attempt: PT0S call.started, webhook: crm, number: 1, is: duplicated }
`),
      eventually: {},
    });
    expect(report.failures).toEqual([]);
  });

  test("need not answer twice while the scenario ends before the next attempt", async () => {
    const until = (answer: number) =>
      exploreReport({
        ...keeping(() => answer),
        deviations: 0,
        scenario: parseScenario(`
scenario: It ends early
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
until: PT5S
`),
        eventually: {},
      });
    expect((await until(503)).failures).toEqual([]);
    expect((await until(400)).failures).toMatchObject([{ property: "refuses" }]);
  });
});
