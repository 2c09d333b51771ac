import { describe, expect, test, vi } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { givenUp as ended, url } from "../missed-call.ts";

/** Keeps the last type that it was told of each call. */
function latest(sim: Simulator): Map<string, string> {
  const types = new Map<string, string>();
  sim.network.route(url, ({ body }) => {
    const { type, data } = JSON.parse(body);
    types.set(data.call.id, type);
    return 204;
  });
  return types;
}

const eventually = {
  "shows the end": (_: Simulator, types: Map<string, string>) =>
    expect([...types.values()]).toEqual(["call.ended"]),
};

describe("A failure", () => {
  test("is explained by the nearest passing world and in one sentence", async () => {
    const report = await exploreReport({ scenario: ended, subject: latest, eventually });
    const [failure] = report.failures;
    expect(report.toText({ verbose: true })).toContain(
      'it fails: PT65S call.ended, state {call-1: "call.ended"}',
    );
    expect(failure?.nearest).toMatchObject({
      deviations: [],
      without: { is: "lost", of: "call.started" },
      difference: {
        holds: { at: 0, of: "call.started", state: '{call-1: "call.started"}' },
        fails: { at: 65_000, of: "call.ended", state: '{call-1: "call.ended"}' },
      },
    });
    expect(failure?.story).toBe(
      'When call.started is lost, and it arrives 169.08 seconds later, after call.ended, "shows the end" does not hold: the app ends with {call-1: "call.started"}, not {call-1: "call.ended"}.',
    );
  });

  test("of two deviations has the nearest passing world with the first of them", async () => {
    const subject = (sim: Simulator) => {
      const times = { most: 0 };
      sim.network.route(url, ({ body }) => {
        if (JSON.parse(body).type === "call.started") times.most++;
        return 204;
      });
      return times;
    };
    const eventually = {
      "nothing comes three times": (_: Simulator, { most }: { readonly most: number }) => most < 3,
    };
    const [failure] = (
      await exploreReport({
        ...{ scenario: ended, subject, eventually },
        deviations: { atMost: 2, kinds: ["unanswered"] },
      })
    ).failures;
    expect(failure?.smallest.deviations.map(({ number }) => number)).toEqual([1, 2]);
    expect(failure?.nearest).toMatchObject({ deviations: [{ number: 1 }], without: { number: 2 } });
  });

  test("shows the state that `show` returns, cut off where it is long", async () => {
    const show = (types: Map<string, string>) => ({ calls: types.size, long: "x".repeat(5_000) });
    const [failure] = (await exploreReport({ scenario: ended, subject: latest, eventually, show })).failures;
    const state = failure?.smallest.received[0]?.state ?? "";
    expect(state).toMatch(/^\{calls: 1, long: "xxx/);
    expect(state).toHaveLength(2_001);
  });

  test("has no onset: `explain` has no effect, and says so on the standard error", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const options = { scenario: ended, subject: latest, eventually };
    const [plain, explained] = [
      await exploreReport(options),
      await exploreReport({ ...options, explain: true }),
    ];
    expect(explained.toJSON()).toEqual(plain.toJSON());
    expect(warn.mock.calls).toEqual([["ringback: `explain` has no effect any more"]]);
    warn.mockRestore();
  });

  test("that was not shrunk to the end says so, with the smallest world so far", async () => {
    const report = await exploreReport({ scenario: ended, subject: latest, eventually, shrinkFor: "PT0S" });
    expect(report.failures[0]?.smallest).toMatchObject({ isMinimal: false, deviations: [{ is: "lost" }] });
    expect(report.toText()).toMatch(/not smallest: stopped after \d+ runs?/);
  });
});

describe("The report", () => {
  test("says which kind of deviation breaks which property, and how often", async () => {
    const report = await exploreReport({ scenario: ended, subject: latest, eventually });
    expect(report.result.breaks).toContainEqual({
      ...{ property: "shows the end", kind: "lost", of: "call.started", worlds: 1 },
    });
    expect(report.result.breaks.map(({ of }) => of)).not.toContain("call.ended");
    expect(report.toText({ verbose: true })).toMatch(/shows the end\n {4}call\.started +1 of 1/);
  });
});

describe("A property of `settled`", () => {
  test("is checked once at each instant at which the app received something, at its end", async () => {
    const looked: string[] = [];
    await exploreReport({
      scenario: parseScenario(`
scenario: Two calls begin at one instant
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT1S, inbound: { as: c2, from: "+6421555002", to: "+6495550102" } }
  - { at: PT2S, inbound: { as: c3, from: "+6421555003", to: "+6495550103" } }
`),
      subject: latest,
      settled: {
        "is noted": (sim, types) => {
          looked.push(`${sim.timestamp - sim.startTimestamp}: ${types.size}`);
        },
      },
      deviations: 0,
    });
    // the world is run once more at the end
    expect(looked).toEqual(["1000: 2", "2000: 3", "1000: 2", "2000: 3"]);
  });
});

describe("Worlds that look the same to the app", () => {
  const answered503 = {
    "no attempt is answered 503": (sim: Simulator) => {
      for (const { id } of sim.webhooks.list())
        for (const { attempts } of sim.webhooks.deliveries(id))
          expect(attempts.map(({ status }) => status)).not.toContain(503);
    },
  };

  test("are run if a property reads the outcomes of attempts", async () => {
    const report = await exploreReport({ scenario: ended, subject: latest, eventually: answered503 });
    expect(report.failures.map(({ smallest }) => smallest.deviations)).toMatchObject([[{ is: "rejected" }]]);
  });

  test("are left out if a property reads only what is the same in them", async () => {
    const states = {
      "all is delivered": (sim: Simulator) =>
        sim.webhooks
          .list()
          .every(({ id }) => sim.webhooks.deliveries(id).every(({ state }) => state !== "dropped")),
    };
    const report = await exploreReport({ scenario: ended, subject: latest, eventually: states });
    expect(report.skipped).toBeGreaterThan(0);
  });
});
