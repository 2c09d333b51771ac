import { describe, expect, test } from "vitest";
import { machines } from "../../../machines/index.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);
const explored = (more: object) => exploreReport({ scenario, subject: () => undefined, ...more });

describe("The coverage of an exploration", () => {
  test("counts the worlds that reached each state and transition of every machine", async () => {
    const { coverage, worlds } = await explored({ deviations: 1 });
    expect(Object.keys(coverage)).toEqual(Object.values(machines).map(({ id }) => id));
    const { call, ring, delivery } = coverage;
    expect(call?.states).toMatchObject({ started: worlds, offered: worlds, missed: worlds, accepted: 0 });
    expect(call?.transitions).toMatchObject({
      "started: OFFER": worlds,
      "offered: UNANSWERED": worlds,
      "offered: UNANSWERED [hasVoicemail]": 0,
    });
    expect(ring?.transitions["limited: after ringTimeout"]).toBe(worlds);
    // a delivery fails and is attempted again only in worlds with a deviation
    const { "waiting: after backOff": again = 0 } = delivery?.transitions ?? {};
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(worlds);
  });

  test("counts transitions without an event", async () => {
    const { coverage } = await explored({
      scenario: (sim: Simulator) => {
        sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
        sim.users.get("alice").setAvailability("busy");
      },
      deviations: 0,
    });
    expect(coverage.ring?.transitions["ringing: always [hasLimit]"]).toBe(1);
    expect(coverage.availability?.transitions).toMatchObject({
      "starting: always": 1,
      "starting: always [isOffline]": 0,
      "any state: CHOOSE [isBusy]": 1,
    });
  });

  test("is a line of the verbose report", async () => {
    const report = await explored({ deviations: 0 });
    const ofAll = (what: "states" | "transitions") =>
      Object.values(report.coverage).reduce((sum, each) => sum + Object.keys(each[what]).length, 0);
    expect(report.toText()).not.toContain("machines:");
    expect(report.toText({ verbose: true })).toMatch(
      new RegExp(
        `^machines: \\d+ of ${ofAll("states")} states and \\d+ of ${ofAll("transitions")} transitions reached, of the platform and by this scenario$`,
        "m",
      ),
    );
  });
});
