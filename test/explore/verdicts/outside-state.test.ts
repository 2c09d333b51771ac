import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import {
  CounterexampleError,
  type ExploreOptions,
  explore,
  exploreReport,
} from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { givenUp as scenario, url } from "../missed-call.ts";

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

/** Apps with state outside `app`. Each call makes it anew, as a new process does. */
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

describe.each(apps)("An app with state outside `app` that %s", (_, app, says) => {
  test("is never passed: its failure is `deterministic`, and says what differed", async () => {
    const report = await exploreReport({ ...app(), scenario, eventually });
    expect(report.passed).toBe(false);
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
    expect(report.failures[0]?.message).toContain(says);
    expect(report.failures[0]?.message).toContain("most often that is state outside `app`");
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

/** An app that does not log an event again whose id is in a file. */
const appWithFile = (file: string) => ({
  subject(sim: Simulator) {
    const app = { heard: 0, logged: 0 };
    sim.network.route(url, ({ body }) => {
      const { id, type } = JSON.parse(body) as Told;
      const isKnown = existsSync(file) && readFileSync(file, "utf8").includes(id);
      if (!isKnown) appendFileSync(file, `${id}\n`);
      if (type === "call.ended" && !isKnown) app.logged++;
      return 204;
    });
    return app;
  },
});

test("A file that hides a second arrival makes a difference if the state shows it, and else none", async () => {
  const file = () => join(mkdtempSync(join(tmpdir(), "ringback-")), "events");
  const shown = await exploreReport({ ...appWithFile(file()), scenario, deviations: 1 });
  expect(shown.failures.map(({ property }) => property)).toEqual(["deterministic"]);
  const hidden = { ...appWithFile(file()), show: ({ heard }: { heard: number }) => heard };
  expect((await exploreReport({ ...hidden, scenario, deviations: 1 })).failures).toEqual([]);
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
    expect(text).toMatch(/, not all of them: at least \d+ planned worlds did not run[;( ]/);
    expect(text).toContain(`\nERROR: planned worlds did not run: ${why} (and `);
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

  test("make a later exploration of the same app uncertain, as it begins with what an earlier one left", async () => {
    const [[, remembers] = []] = apps;
    const again = remembers as () => App;
    const app = again();
    const first = await exploreReport({ ...app, scenario, eventually });
    const atMostOne = { "at most once": (_: Simulator, { calls }: { calls: string[] }) => calls.length < 2 };
    const second = await exploreReport({ ...app, scenario, eventually: atMostOne });
    const [difference] = first.failures[0]?.message.split("\n") ?? [];
    expect(second.failures.map(({ property }) => property)).toEqual(["deterministic"]);
    expect(second.failures[0]?.message).toContain(
      `${difference}: in an earlier exploration of this process, and this one may begin with what that left\nmost often`,
    );
    const other = await exploreReport({ ...again(), scenario, eventually: atMostOne, show: () => 0 });
    expect(other.passed).toBe(true);
  });

  test("are found over seeds too", async () => {
    const [[, remembers] = []] = apps;
    const report = await exploreReport({ ...(remembers as () => App)(), scenario, eventually, seeds: 3 });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
  });
});

describe("What shows that runs of a world differ", () => {
  const messagesOf = async (given: Omit<ExploreOptions<unknown>, "scenario">) => {
    const { failures } = await exploreReport({ scenario, ...given });
    return failures.map(({ property, message }) => `${property}: ${message.split("\n")[0]}`);
  };
  const routed = (sim: Simulator, does: (event: Told) => void) =>
    sim.network.route(url, ({ body }) => {
      does(JSON.parse(body) as Told);
      return 204;
    });

  test("are also the fields of an app that has functions, but not those that no run changes", async () => {
    const seen = new Set<string>();
    let port = 41_000;
    class App {
      mails = 0;
      readonly port = port++;
      readonly close = () => {};
      note({ id, type }: Told) {
        if (type === "call.ended" && !seen.has(id)) this.mails++;
        seen.add(id);
      }
    }
    const subject = (sim: Simulator) => {
      const app = new App();
      routed(sim, (event) => app.note(event));
      return app;
    };
    expect(await messagesOf({ subject })).toEqual([
      "deterministic: the app ends with {mails: 1} in the first run, and with {mails: 0} in a later one",
    ]);
  });

  test("is that the first one throws", async () => {
    let isReady = false;
    const subject = (sim: Simulator) => {
      routed(sim, () => {
        if (!isReady) {
          isReady = true;
          throw new Error("not connected yet");
        }
      });
      return {};
    };
    expect(await messagesOf({ subject })).toEqual([
      "deterministic: the app throws in the first run (not connected yet), and not in a later one",
      "the app throws: not connected yet",
    ]);
  });

  test("is that a later one throws, whatever else follows from that", async () => {
    let pools = 0;
    const subject = (sim: Simulator) => {
      if (++pools > 1) throw new Error("there is a pool already");
      routed(sim, () => {});
      return {};
    };
    expect(await messagesOf({ subject })).toEqual([
      "deterministic: the app throws in a later run (there is a pool already), and not in the first",
    ]);
  });

  test("is what a property says that fails in each; it is shown as it was found, and no smaller world is looked for", async () => {
    const rows: string[] = [];
    const subject = (sim: Simulator) => {
      routed(sim, ({ data }) => void rows.push(data.call.id));
      return () => rows;
    };
    const once = () => {
      if (rows.length !== 1) throw new Error(`${rows.length} rows`);
    };
    const report = await exploreReport({ scenario, subject, eventually: { once } });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic", "once"]);
    expect(report.failures[0]?.message).toMatch(
      /^"once" says "2 rows" in the first run, and "\d+ rows" in a later one\n/,
    );
    const text = report.toText();
    expect(text).toContain(
      '  Without any deviation, "once" does not hold: 2 rows.\n  world: without any deviation\n',
    );
    expect(text).not.toContain("smallest");
    expect(report.failures[1]?.smallest.scenario).toContain("PT60S, hangup");
  });
});

test("An app whose state has random ids and the real clock is deterministic", async () => {
  let runs = 0;
  const subject = (sim: Simulator) => {
    const rows: object[] = [];
    // a reading may have no fraction by chance
    const ageMs = runs++ === 0 ? 51_234 : 51_678.25;
    sim.network.route(url, ({ body }) => {
      const { type } = JSON.parse(body) as Told;
      const tookMs = performance.now();
      rows.push({
        id: crypto.randomUUID(),
        short: Math.random().toString(36).slice(2),
        at: Date.now(),
        tookMs,
        ageMs,
        type,
      });
      return 204;
    });
    return rows;
  };
  const report = await exploreReport({ scenario, subject, deviations: 0 });
  expect(report.passed, report.toText()).toBe(true);
});

test.each<readonly [what: string, resource: () => object]>([
  ["the port of a server", () => ({ port: nextPort++ })],
  ["the address of a server", () => ({ own: { url: `http://127.0.0.1:${nextPort++}/` } })],
  ["a temporary folder", () => ({ folder: mkdtempSync(join(tmpdir(), "ringback-app-")) })],
])("%s, which is another in each world, is no state that outlives one", async (_, resource) => {
  const app = appOf(({ data }, __, calls) => calls.push(data.call.id));
  const subject = (sim: Simulator) => ({ ...resource(), ...app.subject(sim) });
  const { failures } = await exploreReport({ scenario, subject, deviations: { kinds: ["refused"] } });
  expect(failures).toEqual([]);
});
let nextPort = 41_234;
