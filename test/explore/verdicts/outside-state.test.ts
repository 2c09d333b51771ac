import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { CounterexampleError, explore, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A call is given up
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT60S, hangup: { call: c1, by: caller } }
`);

interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly call: { readonly id: string } };
}

interface App {
  subject(sim: Simulator): { readonly calls: string[] };
}

type Handler = (event: Told, sim: Simulator, calls: string[]) => unknown;

/** An app that keeps calls that are over, and something besides that outlives its worlds. */
const appOf = (handle: Handler): App => ({
  subject(sim) {
    const calls: string[] = [];
    sim.network.route(url, async ({ body }) => {
      const event = JSON.parse(body) as Told;
      if (event.type === "call.ended") await handle(event, sim, calls);
      return 204;
    });
    return { calls };
  },
});

/** Apps with state outside `subject`. Each call makes it anew, as a new process does. */
const apps: readonly [name: string, app: () => App, says: string][] = [
  [
    "remembers the ids of events",
    () => {
      const seen = new Set<string>();
      return appOf(({ id, data }, _, calls) => {
        if (!seen.has(id)) calls.push(data.call.id);
        seen.add(id);
      });
    },
    '"each call is kept once" holds in the first run, and fails in a later one',
  ],
  [
    "remembers the ids of events for a minute",
    () => {
      const seen = new Map<string, number>();
      return appOf(({ id, data }, sim, calls) => {
        const before = seen.get(id);
        if (before !== undefined && sim.timestamp - before < 60_000) return;
        seen.set(id, sim.timestamp);
        calls.push(data.call.id);
      });
    },
    '"each call is kept once" holds in the first run, and fails in a later one',
  ],
  [
    "keeps what the REST API answered",
    () => {
      const answers = new Map<string, string>();
      return appOf(async ({ data: { call } }, sim, calls) => {
        const known = answers.get(call.id);
        if (known === undefined) {
          const headers = { authorization: `Bearer ${sim.token()}` };
          const answer = await sim.fetch(`/calls/${call.id}`, { headers });
          if (!answer.ok) return;
          answers.set(call.id, await answer.text());
        }
        if (!calls.includes(call.id)) calls.push(call.id);
      });
    },
    "its requests to the REST API differ: PT60S GET /calls/call-1: status 200 in the first run, nothing more in a later one",
  ],
  [
    "has a file as its database",
    () => {
      const file = join(mkdtempSync(join(tmpdir(), "ringback-")), "calls");
      const kept = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
      return {
        subject(sim) {
          const { subject } = appOf(({ data }, _, calls) => {
            if (!kept().includes(data.call.id)) appendFileSync(file, `${data.call.id}\n`);
            calls.splice(0, calls.length, ...kept());
          });
          const app = subject(sim);
          app.calls.push(...kept());
          return app;
        },
      };
    },
    'the app begins with {calls: []} in the first run, and with {calls: ["call-1"]} in a later one',
  ],
];

const eventually = {
  "each call is kept once": (sim: Simulator, { calls }: { readonly calls: string[] }) =>
    expect(calls).toHaveLength(sim.events.ofType("call.ended").length),
};

describe.each(apps)("An app with state outside `subject` that %s", (_, app, says) => {
  test("is never passed: its failure is `deterministic`, and says what differed", async () => {
    const report = await exploreReport({ ...app(), scenario, eventually });
    expect(report.passed).toBe(false);
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
    expect(report.failures[0]?.message).toContain(says);
    expect(report.failures[0]?.message).toContain("most often that is state outside `subject`");
    expect(report.toText()).toContain(`Two runs of one world differ: ${says}.`);
    expect(report.result.breaks).toEqual([]);
  });

  test("fails again, given the replay in a new process", async () => {
    const [failure] = (await exploreReport({ ...app(), scenario, eventually })).failures;
    expect(failure?.replay).toContain("deviations: 0, subject, eventually");
    const kept = parseScenario(failure?.smallest.scenario ?? "");
    const replayed = await exploreReport({ ...app(), scenario: kept, eventually, deviations: 0 });
    expect(replayed.failures.map(({ property }) => property)).toEqual(["deterministic"]);
    const { failures } = await playWorld({ ...app(), scenario: kept, eventually });
    expect(failures.map(({ property }) => property)).toEqual(["deterministic"]);
  });
});

describe("Worlds that differ from run to run", () => {
  test("are named by the deviation that a world does not reach", async () => {
    const [, , [, cached] = []] = apps;
    const [failure] = (await exploreReport({ ...(cached as () => App)(), scenario, eventually })).failures;
    expect(failure?.message).toContain(
      "a world does not reach 503(PT60S GET /calls/call-1), which another run of it did",
    );
  });

  test("are an error of its own where one does not reach its deviation, and never all of them", async () => {
    const [, , [, cached] = []] = apps;
    const why = "a world does not reach 503(PT60S GET /calls/call-1), which another run of it did";
    const report = await exploreReport({ ...(cached as () => App)(), scenario, eventually });
    expect(report.result.notRun[0]).toBe(why);
    expect([report.complete, report.passed]).toEqual([false, false]);
    const text = report.toText();
    expect(text).toMatch(/, not all of them: at least \d+ worlds that were planned did not run[;( ]/);
    expect(text).toContain(`\nERROR: worlds that were planned did not run: ${why} (and `);
    const explored = explore({ ...(cached as () => App)(), scenario, eventually, worlds: 1_000 });
    await expect(explored).rejects.toThrow(CounterexampleError);
  });

  test("leave only failures of the very first world, and count the others", async () => {
    const [[, remembers] = []] = apps;
    const report = await exploreReport({
      ...{ scenario, ...(remembers as () => App)() },
      eventually: {
        ...eventually,
        "no call ends": (sim: Simulator) => sim.events.ofType("call.ended").length === 0,
      },
    });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic", "no call ends"]);
    expect(report.failures[0]?.message).toContain(
      `so these failures are not certain, and not shown: "each call is kept once" in ${report.worlds - 1} worlds`,
    );
  });

  test("are found over seeds too", async () => {
    const [[, remembers] = []] = apps;
    const report = await exploreReport({ ...(remembers as () => App)(), scenario, eventually, seeds: 3 });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
  });
});

test("An app whose state has random ids and the real clock is deterministic", async () => {
  const subject = (sim: Simulator) => {
    const rows: object[] = [];
    sim.network.route(url, ({ body }) => {
      const { type } = JSON.parse(body) as Told;
      const tookMs = performance.now();
      rows.push({
        id: crypto.randomUUID(),
        short: Math.random().toString(36).slice(2),
        at: Date.now(),
        tookMs,
        type,
      });
      return 204;
    });
    return rows;
  };
  const report = await exploreReport({ scenario, subject, deviations: 0 });
  expect(report.passed, report.toText()).toBe(true);
});
