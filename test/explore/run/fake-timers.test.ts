import { setInterval as startInterval, setTimeout as startTimer } from "node:timers";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { ModernFakeTimers } from "@jest/fake-timers";
import { install } from "@sinonjs/fake-timers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT10S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT45S, hangup: { call: c1, by: caller } }
`);

/** An app that knows nothing of the simulator, except that its requests come from there. */
function app(sim: Simulator) {
  const log: string[] = [];
  const note = (what: string) => log.push(`${(Date.now() - sim.startTimestamp) / 1_000} ${what}`);
  sim.network.route(url, ({ body }) => {
    const { type } = JSON.parse(body) as { type: string };
    note(type);
    if (type === "call.started") setTimeout(() => note("rings for 20 s"), 20_000);
    return 200;
  });
  const polling = setInterval(() => note("polls"), 25_000);
  return { log, [Symbol.for("Symbol.dispose")]: () => clearInterval(polling) };
}

const imported = [startTimer, startInterval, sleep];

/** Stays real: Vitest itself would wait for ever if one of its messages depended on a fake clock that has ended. */
const real = ["nextTick"] as const;

/** Sinon's fake timers. Jest's are built on them. */
function sinon(): FakeTimers {
  let clock: ReturnType<typeof install> | undefined;
  return {
    begin: () => {
      clock = install({ toNotFake: [...real] });
    },
    end: () => clock?.uninstall(),
    count: () => clock?.countTimers() ?? 0,
    pass: async (ms) => void (await clock?.tickAsync(ms)),
  };
}

function jest(): FakeTimers {
  const clock = new ModernFakeTimers({
    config: { fakeTimers: {}, rootDir: "." } as never,
    global: globalThis as never,
  });
  return {
    begin: () => clock.useFakeTimers({ doNotFake: [...real] }),
    end: () => clock.useRealTimers(),
    count: () => clock.getTimerCount(),
    pass: (ms) => clock.advanceTimersByTimeAsync(ms),
  };
}

const vitest: FakeTimers = {
  begin: () => void vi.useFakeTimers(),
  end: () => void vi.useRealTimers(),
  count: () => vi.getTimerCount(),
  pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
};

interface FakeTimers {
  begin(): void;
  end(): void;
  count(): number;
  pass(ms: number): Promise<void>;
}

describe.each([
  ["Vitest", vitest],
  ["Sinon", sinon()],
  ["Jest", jest()],
])("An app that reads the clock and sets timers, while the fake timers of %s are on", (_, timers) => {
  beforeEach(() => timers.begin());
  afterEach(() => timers.end());

  test("shares the time of each world", async () => {
    const logs: string[][] = [];
    const report = await exploreReport({
      scenario,
      subject: app,
      eventually: { "is noted": (_, { log }) => void logs.push(log) },
      deviations: { kinds: ["lost"] },
    });
    expect(report.passed, report.toText()).toBe(true);
    expect(logs[0]?.slice(0, 5)).toEqual([
      ...["10 call.started", "25 polls", "30 rings for 20 s", "40 call.not_answered", "50 polls"],
    ]);
    // until the horizon, fifteen minutes after the last thing that was new
    expect(logs[0]?.at(-1)).toMatch(/^9\d\d polls$/);
    expect(logs.at(1)?.[0]).toBe("25 polls");
    // the world without deviations is run once more at the end
    expect(logs.at(3)).toEqual(logs[0]);
    expect(logs).toHaveLength(4);
  });

  test("is waited for, whichever way it works after its answer", async () => {
    const report = await exploreReport({
      scenario,
      subject(sim) {
        const done = new Set<string>();
        sim.network.route(url, () => {
          queueMicrotask(() => done.add("microtask"));
          setImmediate((what: string) => setImmediate(() => done.add(what)), "immediate");
          clearImmediate(setImmediate(() => done.add("cleared")));
          void promisify(setImmediate)("promised").then((what) => done.add(what));
          void turn("turn").then((what) => done.add(what));
          return 204;
        });
        return done;
      },
      settled: {
        "all is done": (_, done) =>
          expect([...done].sort()).toEqual(["immediate", "microtask", "promised", "turn"]),
      },
      deviations: 0,
    });
    expect(report.passed, report.toText()).toBe(true);
    expect("clock" in setImmediate).toBe(true);
  });

  test("leaves what a module has imported of Node's timers", async () => {
    await exploreReport({ scenario, subject: app, deviations: 0 });
    timers.end();
    expect([startTimer, startInterval, sleep]).toEqual(imported);
    expect(await sleep(1, "slept")).toBe("slept");
  });

  test("restores timers and time", async () => {
    const before = Date.now();
    let rang = 0;
    setTimeout(() => rang++, 1_000);
    await exploreReport({
      scenario,
      subject: (sim) => {
        setTimeout(() => {}, 3_600_000);
        return app(sim);
      },
      deviations: 0,
      worlds: 1,
    });
    expect(timers.count()).toBe(1);
    expect(Date.now()).toBe(before);
    await timers.pass(1_000);
    expect(rang).toBe(1);
  });
});

test("An app that begins fake timers leaves globals that their end restores", async () => {
  const fakes = (sim: Simulator) => {
    vi.useFakeTimers();
    return app(sim);
  };
  await exploreReport({ scenario, app: fakes, deviations: 0 });
  vi.useRealTimers();
  expect(await new Promise((done) => setTimeout(done, 1, "rang"))).toBe("rang");
  vi.useFakeTimers();
  const report = exploreReport({ scenario, app, deviations: 0 });
  vi.useRealTimers();
  expect((await report).passed).toBe(true);
});

test("Timers that are missing end in no error of the exploration", async () => {
  const { setTimeout: before } = globalThis;
  const report = exploreReport({ scenario, app: () => ({}), deviations: 0 });
  Reflect.deleteProperty(globalThis, "setTimeout");
  try {
    expect((await report).passed).toBe(true);
  } finally {
    globalThis.setTimeout = before;
  }
});
