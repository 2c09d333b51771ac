import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import * as timers from "node:timers";
import * as timersPromises from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator, verifySignature } from "../../../src/index.ts";
import { folderWith } from "../../cli/support.ts";

const url = "https://crm.acme.test/hooks";
const head = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT10S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT45S, hangup: { call: c1, by: caller } }
`;
const scenario = parseScenario(head);

/** Functions that are taken before an exploration replaces them. */
const early = { setTimeout, setInterval, clearTimeout, sleep: promisify(setTimeout) };
const earlyTimeout = AbortSignal.timeout.bind(AbortSignal);
const earlyTicks = timersPromises.setInterval;

interface App {
  readonly log: string[];
  note(what: string): void;
}

/** An app that notes what it does, and when, s after the start. */
function appThat(does: (app: App, type: string, simulator: Simulator) => unknown) {
  return (simulator: Simulator): App => {
    const log: string[] = [];
    const note = (what: string) =>
      void log.push(`${(Date.now() - simulator.startTimestamp) / 1_000} ${what}`);
    const app = { log, note };
    simulator.network.route(url, async ({ body }) => {
      const { type } = JSON.parse(body);
      return ((await does(app, type, simulator)) ?? 204) as 204;
    });
    return app;
  };
}

/** What an app has noted in the world without deviations. */
async function logOf(subject: (simulator: Simulator) => App, more: Partial<ExploreOptions<App>> = {}) {
  let noted: readonly string[] = [];
  const eventually = {
    "is noted": (_: Simulator, { log }: App) => {
      noted = log;
    },
  };
  const report = await exploreReport({
    scenario,
    subject,
    eventually,
    deviations: 0,
    forged: false,
    ...more,
  });
  expect(report.failures.map(({ property, message }) => `${property}: ${message}`)).toEqual([]);
  return noted;
}

/** Does something when the call begins. */
const atStart = (does: (app: App) => unknown) =>
  appThat((app, type) => (type === "call.started" ? does(app) : undefined));

describe("In a world", () => {
  test.each<[string, (app: App) => unknown, string[]]>([
    ["setTimeout", ({ note }) => void setTimeout(note, 20_000, "later"), ["30 later"]],
    [
      "the setTimeout of node:timers",
      ({ note }) => void timers.setTimeout(note, 20_000, "later"),
      ["30 later"],
    ],
    ["a timer without delay", ({ note }) => void setTimeout(note, 0, "soon"), ["10.001 soon"]],
    [
      "a promise of util.promisify",
      async ({ note }) => note(String(await promisify(setTimeout)(3_000, "slept"))),
      ["13 slept"],
    ],
    [
      "setTimeout of timers/promises",
      async ({ note }) => note(String(await timersPromises.setTimeout(3_000, "slept"))),
      ["13 slept"],
    ],
    [
      "scheduler.wait of timers/promises",
      async ({ note }) => {
        await timersPromises.scheduler.wait(3_000);
        note("waited");
      },
      ["13 waited"],
    ],
    [
      "setInterval of timers/promises",
      async ({ note }) => {
        for await (const each of timersPromises.setInterval(1_000, "ticks")) {
          note(each);
          if (Date.now() % 10_000 === 3_000) break;
        }
      },
      ["11 ticks", "12 ticks", "13 ticks"],
    ],
    [
      "an interval that is cleared",
      ({ note }) => {
        let left = 2;
        const polling = setInterval(() => {
          note("polls");
          if (--left === 0) clearInterval(polling);
        }, 1_000);
      },
      ["11 polls", "12 polls"],
    ],
    [
      "AbortSignal.timeout",
      ({ note }) =>
        void AbortSignal.timeout(2_000).addEventListener("abort", ({ target }) =>
          note((target as AbortSignal).reason.name),
        ),
      ["12 TimeoutError"],
    ],
    [
      "the abortion of a sleep",
      async ({ note }) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort("enough"), 1_000);
        await timersPromises
          .setTimeout(60_000, undefined, controller)
          .catch(({ name, code, cause }) => note(`${name} ${code} ${cause}`));
      },
      ["11 AbortError ABORT_ERR enough"],
    ],
    [
      "a timer that is set anew",
      ({ note }) => {
        const timer = setTimeout(() => note("later"), 10_000);
        setTimeout(() => timer.refresh(), 5_000);
      },
      ["25 later"],
    ],
    [
      "a timer that is cleared by its number",
      ({ note }) => {
        const [first, second] = [setTimeout(note, 1_000, "no"), setTimeout(note, 1_000, "yes")];
        clearTimeout(Number(first));
        clearInterval(undefined);
        expect(second.hasRef()).toBe(true);
      },
      ["11 yes"],
    ],
    [
      "the clock",
      async ({ note }) => {
        const began = performance.now();
        await timersPromises.setTimeout(3_000);
        note(`${performance.now() - began} ms, ${new Date().toISOString()}, ${new Date(0).getTime()}`);
        expect(new Date()).toBeInstanceOf(Date);
        expect(Date()).toBe(new Date(Date.now()).toString());
        class Later extends Date {}
        expect(new Later().getTime()).toBe(Date.now());
        expect(performance.timeOrigin + performance.now()).toBe(Date.now());
      },
      ["13 3000 ms, 2026-07-01T00:00:13.000Z, 0"],
    ],
    ["setTimeout, taken before", ({ note }) => void early.setTimeout(note, 20_000, "later"), ["30 later"]],
    [
      "AbortSignal.timeout, taken before",
      ({ note }) =>
        void earlyTimeout(2_000).addEventListener("abort", ({ target }) =>
          note((target as AbortSignal).reason.name),
        ),
      ["12 TimeoutError"],
    ],
    [
      "a promise, taken before",
      async ({ note }) => note(String(await early.sleep(3_000, "slept"))),
      ["13 slept"],
    ],
    [
      "an interval, taken before",
      async ({ note }) => {
        for await (const each of earlyTicks(1_000, "ticks")) {
          note(each);
          if (Date.now() % 10_000 === 2_000) break;
        }
      },
      ["11 ticks", "12 ticks"],
    ],
    [
      "a timer, taken before, that is cleared or set anew",
      ({ note }) => {
        const [first, second] = [early.setTimeout(note, 7_000, "no"), early.setTimeout(note, 7_000, "no")];
        const third = early.setTimeout(note, 7_000, "anew");
        early.clearTimeout(first);
        clearTimeout(second);
        const rests = early.setInterval(note, 8_000, "rests").unref();
        early.setTimeout(() => clearInterval(rests), 33_000);
        early.setTimeout(() => third.refresh(), 5_000);
      },
      ["18 rests", "22 anew", "26 rests", "34 rests", "42 rests"],
    ],
  ])("%s goes with the virtual time", async (_, does, expected) => {
    expect(await logOf(atStart(does))).toEqual(expected);
  });

  test("timers of one instant run in the order in which they were set, each to its end", async () => {
    const does = ({ note }: App) => {
      for (const name of ["first", "second"])
        setTimeout(async () => {
          note(name);
          await null;
          note(`${name} goes on`);
        }, 1_000);
    };
    expect(await logOf(atStart(does))).toEqual([
      ...["11 first", "11 first goes on", "11 second", "11 second goes on"],
    ]);
  });

  test("a timer calls back in the async context in which it was set", async () => {
    const storage = new AsyncLocalStorage<string>();
    const does = ({ note }: App) =>
      storage.run("the call", () => void setTimeout(() => note(`${storage.getStore()}`), 1_000));
    expect(await logOf(atStart(does))).toEqual(["11 the call"]);
  });

  test("a handler that takes six seconds answers too late, and so is asked again", async () => {
    const subject = appThat(async ({ note }, type) => {
      note(type);
      await timersPromises.setTimeout(6_000);
    });
    const log = await logOf(subject);
    expect(log.filter((each) => each.endsWith("call.started")).length).toBeGreaterThan(1);
  });

  test("a signature is checked by the virtual clock", async () => {
    const subject = (simulator: Simulator) => {
      const app = appThat(() => {})(simulator);
      const signed = "https://signed.acme.test/";
      const { signingSecret: secret } = simulator.webhooks.create({ url: signed, events: ["call.started"] });
      simulator.network.route(signed, ({ headers, body }) => {
        app.note(String(verifySignature({ headers, body, secret, now: Date.now() }).valid));
        return 204;
      });
      return app;
    };
    expect(await logOf(subject, { forged: false })).toEqual(["10 true"]);
  });

  test("an hourly job runs once more when nothing is left to do, and until the horizon, however it is set again", async () => {
    const hourMs = 3_600_000;
    const byInterval = (simulator: Simulator) => {
      const app = appThat(() => {})(simulator);
      setInterval(() => app.note("syncs"), hourMs);
      return app;
    };
    const byChain = (simulator: Simulator) => {
      const app = appThat(() => {})(simulator);
      const sync = async () => {
        app.note("syncs");
        await null;
        setTimeout(sync, hourMs);
      };
      setTimeout(sync, hourMs);
      return app;
    };
    for (const subject of [byInterval, byChain]) {
      expect(await logOf(subject)).toEqual(["3600 syncs", "7200 syncs"]);
      const log = await logOf(subject, { horizon: "PT10H" });
      expect(log).toHaveLength(11);
      expect(log.at(-1)).toBe(`${11 * 3_600} syncs`);
    }
  });

  test("timers that repeat, unref'd or not, run until the horizon, and become rarer as long as nothing is new", async () => {
    const subject = (simulator: Simulator) => {
      const app = appThat(() => {})(simulator);
      setInterval(() => app.note("beats"), 1_000).unref();
      setInterval(() => app.note("polls"), 60_000);
      return app;
    };
    const log = await logOf(subject);
    // fifteen minutes after it first ran, which was the last thing that was new
    expect(log.filter((each) => each.endsWith("polls"))).toHaveLength(16);
    expect(log.at(-1)).toBe("960 polls");
    const beats = log.filter((each) => each.endsWith("beats")).map((each) => Number.parseInt(each, 10));
    expect(beats.length).toBeLessThan(200);
    expect(beats.at(-1)).toBeGreaterThan(900);
    // the call begins at 10 s and ends at 40 s
    const quietSince = (s: number) => Math.max(...[0, 10, 40, 60].filter((news) => news <= s));
    for (const [index, at] of beats.slice(1).entries()) {
      const before = beats[index] as number;
      expect(at - before).toBeLessThanOrEqual(Math.max(1, (before - quietSince(before)) / 16));
    }
  });

  test("a scenario's `until` ends timers", async () => {
    const subject = (simulator: Simulator) => {
      const app = appThat(() => {})(simulator);
      setInterval(() => app.note("polls"), 60_000);
      return app;
    };
    const until = parseScenario(`${head}until: PT5M\n`);
    expect(await logOf(subject, { scenario: until })).toEqual(
      [1, 2, 3, 4, 5].map((each) => `${each * 60} polls`),
    );
  });

  test("what disposes of the app has real time, and timers that are left are no failure", async () => {
    const realMs = Date.now();
    const subject = (simulator: Simulator) => {
      const polling = setInterval(() => {}, 60_000);
      setTimeout(() => {}, 3_600_000);
      return {
        ...appThat(() => {})(simulator),
        async [Symbol.asyncDispose]() {
          clearInterval(polling);
          await timersPromises.setTimeout(5);
          setInterval(() => {}, 60_000);
          expect(Date.now()).toBeGreaterThanOrEqual(realMs);
        },
      };
    };
    await logOf(subject);
  });

  test("`performance.now()` goes on from what was noted before, by the virtual time, and says the same in each run", async () => {
    const reads = atStart(({ note }) => note(String(performance.now())));
    for (const when of ["loaded", "between explorations"]) {
      const notedMs = performance.now();
      const log = await logOf(reads);
      const sinceMs = Number(log[0]?.split(" ")[1]) - 10_000;
      expect(await logOf(reads), when).toEqual(log);
      expect(sinceMs, when).toBeGreaterThanOrEqual(notedMs);
      expect(sinceMs, when).toBeLessThanOrEqual(performance.now() + 1);
    }
  });

  test("what a file of `with` noted as it was loaded is as old as the world's time", async () => {
    const folder = folderWith({
      "app.mjs": `const loadedMs = performance.now();
        export const app = (sim) => {
          sim.network.route("${url}", ({ body }) => {
            const isStart = JSON.parse(body).type === "call.started";
            const ageMs = performance.now() - loadedMs;
            // no test lasts for ten minutes
            if (ageMs < 10_000 || (isStart && ageMs > 610_000)) throw new Error(\`loaded \${ageMs} ms ago\`);
            return 204;
          });
          return {};
        };`,
    });
    await exploreReport({ scenario, subject: () => ({}), deviations: 0, forged: false });
    const { failures } = await exploreReport({ scenario, with: `${folder}/app.mjs`, forged: false });
    expect(failures.map(({ message }) => message)).toEqual([]);
  });

  test("`Math.random()` draws the same numbers in each run, and other ones for another seed", async () => {
    const draws = atStart(({ note }) => {
      for (let index = 0; index < 3; index++) note(String(Math.random()));
    });
    const drawn = await logOf(draws);
    expect(new Set(drawn).size).toBe(3);
    for (const each of drawn) expect(Number(each.split(" ")[1])).toBeLessThan(1);
    expect(await logOf(draws)).toEqual(drawn);
    const other = parseScenario(`seed: 2\n${head}`);
    expect(await logOf(draws, { scenario: other })).not.toEqual(drawn);
  });

  test("a right app that asks again after a random time is green with two deviations", async () => {
    const subject = (simulator: Simulator) => {
      const stored: string[] = [];
      const ask = async (path: string, again: number): Promise<void> => {
        const headers = { authorization: `Bearer ${simulator.token()}` };
        const answer = await simulator.fetch(path, { headers });
        if (answer.ok) stored.push(((await answer.json()) as { readonly id: string }).id);
        else setTimeout(() => void ask(path, again * 2), again + Math.random() * 250);
      };
      simulator.network.route(url, ({ body }) => {
        const { type, data } = JSON.parse(body);
        if (type === "call.not_answered") void ask(`/calls/${data.call.id}`, 1_000);
        return 204;
      });
      return stored;
    };
    const eventually = {
      "is stored": (_: Simulator, stored: readonly string[]) => expect(stored).toContain("call-1"),
    };
    const deviations = { atMost: 2, kinds: ["503", "429"] } as const;
    const report = await exploreReport({ scenario, subject, eventually, deviations });
    expect([report.toText(), report.passed]).toEqual([expect.stringContaining("all of them"), true]);
  });

  test("a function that a test put in place of `Math.random` stays", async () => {
    const { random } = Math;
    Math.random = () => 0.25;
    try {
      expect(await logOf(atStart(({ note }) => note(String(Math.random()))))).toEqual(["10 0.25"]);
    } finally {
      Math.random = random;
    }
  });

  test("a timer that throws, and one without end, are failures of that world", async () => {
    const failuresOf = async (does: (app: App) => unknown, steps = 500) => {
      const options = { scenario, subject: atStart(does), deviations: 0, steps };
      return (await exploreReport(options)).failures.map(
        ({ property, message }) => `${property}: ${message}`,
      );
    };
    const throws = () =>
      void setTimeout(() => {
        throw new Error("too late");
      }, 1_000);
    expect(await failuresOf(throws)).toEqual([
      expect.stringMatching(/^the app throws where nothing catches it: too late/),
    ]);
    expect(await failuresOf(() => void setInterval(() => {}, 10))).toEqual([]);
    const grow = () => void setInterval(grow, 10);
    expect(await failuresOf(grow, 50)).toEqual([
      "the app never comes to rest: timers that only repeat ran more than 500 times, the limit for 50 `steps`",
    ]);
  });
});

describe("Outside of worlds", () => {
  test("clock and timers are as before when an exploration is over", async () => {
    const now = () => [
      ...[setTimeout, setInterval, clearTimeout, clearInterval, Date, performance.now, AbortSignal.timeout],
      ...[timers.setTimeout, timersPromises.setTimeout, timersPromises.setInterval],
      ...[timersPromises.scheduler.wait, Object.hasOwn(performance, "now"), Math.random],
      Object.getOwnPropertyDescriptor(globalThis, "setTimeout"),
    ];
    const before = now();
    await logOf(atStart(({ note }) => void setTimeout(note, 1_000, "later")));
    expect(now()).toEqual(before);
  });

  test("another test that goes on beside an exploration has its own time", async () => {
    const [looks, waits]: [number[], string[]] = [[], []];
    let isOver = false;
    const other = async () => {
      while (!isOver) {
        looks.push(Date.now(), Date.parse(new Date().toISOString()));
        await new Promise((resolve) => setTimeout(resolve, 1));
        await timersPromises.setTimeout(1);
        waits.push("waited");
      }
    };
    const began = Date.now();
    const going = other();
    for (let round = 0; round < 20; round++)
      expect(await logOf(atStart(({ note }) => void setTimeout(note, 1_000, "later")))).toEqual(["11 later"]);
    isOver = true;
    await going;
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(began);
    expect(Math.max(...looks)).toBeLessThanOrEqual(Date.now());
  });

  test("several explorations at the same time have a clock each", async () => {
    const waits = [1_000, 2_000, 3_000];
    const logs = await Promise.all(
      waits.map((ms) => logOf(atStart(({ note }) => void setTimeout(note, ms, "later")))),
    );
    expect(logs).toEqual([["11 later"], ["12 later"], ["13 later"]]);
  });
});

test("`process.hrtime`, `Intl` and a connection's own time limit stay real", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" });
  const subject = appThat(async ({ note }, type) => {
    if (type !== "call.started") return;
    const [began, realYear] = [process.hrtime.bigint(), Number(year.format())];
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (process.hrtime.bigint() - began < 1_000_000_000n) note("hrtime is behind");
    if (realYear > new Date().getFullYear()) note("Intl says another year");
    const socket = connect({ host: "127.0.0.1", port, timeout: 30 });
    socket.write("hello");
    await once(socket, "timeout");
    socket.destroy();
    note("silent for 30 ms");
  });
  const start = { ...scenario, options: { ...scenario.options, start: "2001-01-01T00:00:00Z" } };
  expect(await logOf(subject, { scenario: start, deviations: 0 })).toEqual([
    "11 hrtime is behind",
    "11 Intl says another year",
    "11 silent for 30 ms",
  ]);
  silent.close();
});

test("Where intrinsics are frozen, an app is explored with the numbers that `Math.random` draws", async () => {
  const { folder, ending } = inject("sources");
  const [explore, main] = [`explore/index.${ending}`, `index.${ending}`].map((file) =>
    JSON.stringify(pathToFileURL(join(folder, file)).href),
  );
  const program = `
import { exploreReport } from ${explore};
import { parseScenario } from ${main};
Object.freeze(Math);
Object.freeze(Error);
const subject = (sim) => {
  const drawn = [];
  sim.network.route("${url}", () => drawn.push(Math.random()) && 204);
  return drawn;
};
const scenario = parseScenario(${JSON.stringify(head)});
const report = await exploreReport({ scenario, subject, deviations: 1 });
await exploreReport({ scenario, subject, deviations: "x" }).catch(({ message }) => console.log(message));
console.log(report.toText());
process.exit(report.passed ? 0 : 1);
`;
  const args = [...(ending === "ts" ? ["--import", "tsx"] : []), "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  expect(stdout).toContain("all of them");
  expect(stdout).toContain("deviations: expected ");
});

test("With `clock: real`, the app has the clock of the process", async () => {
  const realMs = Date.now();
  let seen = 0;
  const subject = appThat(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen = Date.now();
  });
  const report = await exploreReport({ scenario, subject, deviations: 0, clock: "real" });
  expect(report.failures).toEqual([]);
  expect(seen).toBeGreaterThanOrEqual(realMs);
  await expect(exploreReport({ scenario, subject, clock: "fake" as "real" })).rejects.toThrow(
    'clock: expected one of virtual, real, got "fake"',
  );
});

test.each<[string, RegExp, () => () => void]>([
  [
    "setTimeout",
    /^setTimeout of 60000 ms, started at clock\.test\.ts:\d+$/,
    () => {
      const timer = setTimeout(() => {}, 60_000);
      return () => clearTimeout(timer);
    },
  ],
  [
    "setTimeout, taken before,",
    /^a timer of 60000 ms, started at clock\.test\.ts:\d+$/,
    () => {
      const timer = early.setTimeout(() => {}, 60_000);
      return () => early.clearTimeout(timer);
    },
  ],
  [
    "setTimeout of timers/promises",
    /^a timer of 60000 ms, started at clock\.test\.ts:\d+$/,
    () => {
      const controller = new AbortController();
      timersPromises.setTimeout(60_000, undefined, controller).catch(() => {});
      return () => controller.abort();
    },
  ],
  [
    "AbortSignal.timeout",
    /^a timer of 60000 ms, started at clock\.test\.ts:\d+$/,
    () => {
      const signal = AbortSignal.timeout(60_000);
      return () => signal.throwIfAborted();
    },
  ],
])(
  "With `clock: real`, the report names a real timer of %s that is set while an answer is slow",
  async (_, named, begin) => {
    const subject = (simulator: Simulator) =>
      appThat(async () => {
        const headers = { authorization: `Bearer ${simulator.token()}` };
        const end = begin();
        await simulator.fetch("/users", { headers });
        end();
      })(simulator);
    const given = { scenario, subject, deviations: { kinds: ["slow" as const] } };
    const report = await exploreReport({ ...given, clock: "real" });
    expect(report.result.realTimers).toEqual([expect.stringMatching(named)]);
    expect(report.toText()).toContain("while an answer was slow, the app waited for a real timer");
    expect((await exploreReport(given)).result.realTimers).toEqual([]);
  },
);

test("A runner that waits for a module which the app imports has its own time", async () => {
  const folder = folderWith({
    // as Vitest 3 asks its server for each module
    "node_modules/vitest/rpc.mjs": `const { setTimeout, clearTimeout } = globalThis;
      export const load = (file) => new Promise((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error("Timeout calling fetch")), 60_000);
        import(file).then(resolve).finally(() => clearTimeout(limit));
      });`,
    // takes real time
    "app.mjs": "await Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50).value;",
  });
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  const { load } = await import(at("node_modules/vitest/rpc.mjs"));
  const subject = async (sim: Simulator) => {
    await load(at("app.mjs"));
    return atStart(({ note }) => note("loaded"))(sim);
  };
  const log: string[] = [];
  const report = await exploreReport({
    ...{ scenario, deviations: 0, forged: false, app: subject },
    eventually: { "is noted": (_, app) => log.push(...app.log) > 0 },
  });
  expect([report.failures.map(({ message }) => message), log[0]]).toEqual([[], "10 loaded"]);
});
