import { describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";

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
    expect(seen.slice(2)).toEqual([
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
    });
    expect(report.toText()).toContain(`mutants: of 6 changes of the platform, no property noticed these 4:
  call.started never comes: nothing checks what it is for
  every call.started comes twice: the integration copes, or nothing checks it
`);
    expect(report.passed).toBe(true);
  });

  test("are noticed by a sometimes property that no longer holds", async () => {
    const { unnoticed, report } = await mutantsOf({
      sometimes: { "hears of a beginning": (_: Simulator, [first]: string[]) => first === "0 call.started" },
    });
    expect(unnoticed.map(({ type, is }) => `${type} ${is}`)).not.toContain("call.started dropped");
    expect(report.mutants[0]).toMatchObject({ is: "dropped", noticedBy: "hears of a beginning" });
  });

  test("are not tried if the world without deviations fails", async () => {
    const { report } = await mutantsOf({
      eventually: { "is silent": (_: Simulator, heard: string[]) => expect(heard).toEqual([]) },
    });
    expect(report.mutants).toEqual([]);
    expect(report.toText()).toContain("mutants: none, since the world without deviations fails");
  });

  test("are not tried by default", async () => {
    const { report } = await mutantsOf({ mutants: false });
    expect(report.toText()).not.toContain("mutants");
  });
});
