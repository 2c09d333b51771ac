import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { restClient } from "../consumers/hooks.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: An answered call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);

/** The events that it received, and when. */
function log(sim: Simulator) {
  const heard: string[] = [];
  sim.network.route(url, async ({ body }) => {
    heard.push(`${sim.timestamp - sim.startTimestamp} ${JSON.parse(body).type}`);
    return 204;
  });
  return heard;
}

const mutantsOf = async (more: object) => {
  const report = await exploreReport({ scenario, subject: log, deviations: 0, mutants: true, ...more });
  return { report, unnoticed: report.mutants.filter(({ noticedBy }) => noticedBy === undefined) };
};

describe("Mutants of the platform", () => {
  test("drop, duplicate or delay every event of one type", async () => {
    const seen: string[][] = [];
    const { report } = await mutantsOf({
      eventually: { "is noted": (_: Simulator, heard: string[]) => void seen.push(heard) },
    });
    const hour = 3_600_000;
    const [started, ended] = ["0 call.started", "65000 call.ended"];
    // the unchanged platform's world is run at first, at the end, and to be compared
    expect(seen.slice(3)).toEqual([
      [ended],
      [started, started, ended],
      [ended, `${hour} call.started`],
      [started],
      [started, ended, ended],
      [started, `${hour + 65_000} call.ended`],
    ]);
    expect(report.worlds).toBe(1);
  });

  test("are listed if no property notices them", async () => {
    const { report, unnoticed } = await mutantsOf({
      eventually: {
        "hears of each end": (sim: Simulator, heard: string[]) =>
          expect(heard.filter((each) => each.endsWith("call.ended"))).toHaveLength(
            sim.events.ofType("call.ended").length,
          ),
      },
    });
    expect(unnoticed.map(({ type, is }) => `${type} ${is}`)).toEqual([
      "call.started dropped",
      "call.started duplicated",
      "call.started delayed",
      "call.ended delayed",
    ]);
    expect(report.mutants).toContainEqual({
      type: "call.ended",
      is: "dropped",
      noticedBy: "hears of each end",
      recoveredBy: undefined,
    });
    expect(report.toText()).toContain(
      "nothing noticed 4 of 6 changes of the platform: `verbose` (`--verbose`) names them\n",
    );
    expect(report.toText({ verbose: true })).toContain(
      "mutants: of 6 changes of the platform, properties noticed 2, the app recovered from 0, and nothing noticed 4\n" +
        "  unnoticed: call.started never comes\n  unnoticed: every call.started comes twice\n",
    );
    expect(report.passed).toBe(true);
  });

  test("are listed with the request by which the app recovers", async () => {
    const billing = (asksAlways: boolean) => ({
      subject: (sim: Simulator) => {
        const over = new Set<string>();
        const rest = restClient(sim);
        sim.network.route(url, ({ body }) => {
          const { type, data } = JSON.parse(body);
          if (type === "call.ended") over.add(data.call.id);
          return 204;
        });
        sim.schedule("PT30M", async () => {
          if (over.size > 0 && !asksAlways) return;
          const { calls } = (await rest("GET", "/calls")) as { calls: readonly { id: string }[] };
          for (const { id } of calls) over.add(id);
        });
        return over;
      },
      eventually: {
        "knows which calls are over": (sim: Simulator, over: Set<string>) =>
          expect(over.size).toBe(sim.calls.list().length),
      },
    });
    const { report } = await mutantsOf(billing(false));
    const recoveries = report.mutants.map(({ type, is, recoveredBy }) => [`${type} ${is}`, recoveredBy]);
    expect(Object.fromEntries(recoveries)).toEqual({
      "call.started dropped": undefined,
      "call.started duplicated": undefined,
      "call.started delayed": undefined,
      "call.ended dropped": "GET /calls",
      "call.ended duplicated": "the second one changes nothing",
      "call.ended delayed": "GET /calls",
    });
    expect(report.toText({ verbose: true })).toContain(
      "  recovered from: call.ended never comes: GET /calls\n",
    );
    // what it asks for in any case tells it as well
    const always = await mutantsOf(billing(true));
    expect(always.report.mutants).toContainEqual({
      ...{ type: "call.ended", is: "dropped", noticedBy: undefined, recoveredBy: "GET /calls" },
    });
  });

  test("are noticed by a sometimes property that no longer holds", async () => {
    const { unnoticed, report } = await mutantsOf({
      sometimes: { "hears of a beginning": (_: Simulator, [first]: string[]) => first === "0 call.started" },
    });
    expect(unnoticed.map(({ type, is }) => `${type} ${is}`)).not.toContain("call.started dropped");
    expect(report.mutants[0]).toMatchObject({ is: "dropped", noticedBy: "hears of a beginning" });
  });

  test("are not run if the world without deviations fails", async () => {
    const { report } = await mutantsOf({
      eventually: { "is silent": (_: Simulator, heard: string[]) => expect(heard).toEqual([]) },
    });
    expect(report.mutants).toEqual([]);
    expect(report.toText({ verbose: true })).toContain(
      "mutants: none, since the world without deviations fails",
    );
  });

  test("are not run by default", async () => {
    const { report } = await mutantsOf({ mutants: false });
    expect(report.toText({ verbose: true })).not.toContain("mutants");
  });
});
