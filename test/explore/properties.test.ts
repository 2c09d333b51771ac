import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CounterexampleError, explore, exploreReport } from "../../src/explore/index.ts";
import { parseScenario, replay, runScenario, type Simulator, verifySignature } from "../../src/index.ts";
import { scenario as missed, url } from "./missed-call.ts";

/** Counts all requests of a type. */
function counter(sim: Simulator, type: string) {
  const seen = { count: 0 };
  sim.network.route(url, ({ body }) => {
    if (JSON.parse(body).type === type) seen.count++;
    return 200;
  });
  return seen;
}

const missedOnce = (sim: Simulator) => counter(sim, "call.not_answered");
const once = (_: Simulator, { count }: { count: number }) => expect(count).toBe(1);

describe("An app that verifies signatures", () => {
  const signed = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered], signingSecret: s3cret } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }
`);
  /** @param textOf what it verifies the signature of */
  const storing = (textOf: (body: string) => string, more: object = {}) =>
    exploreReport({
      scenario: signed,
      subject: (sim) => {
        const calls = new Set<string>();
        sim.network.route(url, ({ headers, body }) => {
          const given = { headers, body: textOf(body), secret: "s3cret", now: sim.now };
          if (!verifySignature(given).valid) return 401;
          calls.add(JSON.parse(body).data.call.id);
          return 204;
        });
        return calls;
      },
      eventually: { "each missed call is stored": (_, calls) => calls.size === 1 },
      ...more,
    });
  const asItCame = (body: string) => body;
  const writtenAgain = (body: string) => JSON.stringify(JSON.parse(body));

  test("of the body as it came passes in all worlds", async () => {
    expect((await storing(asItCame)).failures).toEqual([]);
  });

  test("of a body that it parsed and wrote again fails without any deviation", async () => {
    const { failures } = await storing(writtenAgain);
    expect(failures.map(({ property, smallest }) => [property, smallest.deviations])).toEqual([
      ["refuses", []],
      ["each missed call is stored", []],
    ]);
  });

  test("of a body that it parsed and wrote again passes where bodies are compact", async () => {
    const compact = { ...signed, options: { ...signed.options, assume: { bodyText: "compact" } } };
    expect((await storing(writtenAgain, { scenario: compact })).failures).toEqual([]);
  });
});

describe("A property", () => {
  test("that must hold eventually is checked at the end, after all retries", async () => {
    const report = await exploreReport({
      scenario: missed,
      subject: missedOnce,
      eventually: { "every missed call is counted once": once },
    });
    expect(report.failures).toHaveLength(1);
    expect(report.failures[0]).toMatchObject({
      property: "every missed call is counted once",
      worlds: 3,
      smallest: { deviations: [{ is: "unanswered", of: "call.not_answered" }] },
    });
  });

  test("that must always hold is checked after each step that reaches the app", async () => {
    const looked: number[] = [];
    const report = await explore({
      scenario: missed,
      subject: missedOnce,
      always: {
        "is at rest": (sim) => {
          looked.push(sim.timestamp - sim.startTimestamp);
        },
      },
      deviations: 0,
    });
    // the world is run once more at the end
    expect(looked).toEqual([0, 30_000, 0, 30_000]);
    expect(report.worlds).toBe(1);
  });

  test("of `always` or `settled` is checked at the end of a world in which nothing reaches the app", async () => {
    const no = (sim: Simulator) => sim.timestamp === sim.startTimestamp;
    const report = await exploreReport({
      scenario: missed,
      subject: () => ({}),
      always: { "no time passes": no },
      settled: { "no time passes between instants": no },
      deviations: 0,
    });
    expect(report.failures.map(({ property }) => property)).toEqual([
      "no time passes",
      "no time passes between instants",
    ]);
  });

  test("may be asynchronous", async () => {
    const report = await exploreReport({
      scenario: missed,
      subject: missedOnce,
      always: {
        "there is a token": async (sim) => {
          const answer = await sim.fetch("/calls", { headers: { authorization: `Bearer ${sim.token()}` } });
          expect(answer.status).toBe(201);
        },
      },
      deviations: 0,
    });
    expect(report.failures.map(({ property }) => property)).toEqual(["there is a token"]);
  });

  test.each([
    ["false", () => false],
    ["a promise of false", async () => false],
  ])("that returns %s does not hold", async (_, saysNo) => {
    for (const group of ["always", "eventually"]) {
      const properties = { [group]: { "is counted": saysNo } };
      const given = { scenario: missed, subject: missedOnce, deviations: 0 };
      const report = await exploreReport({ ...given, ...properties });
      expect(report.failures).toMatchObject([{ property: "is counted", message: "returned false" }]);
    }
  });

  test("that returns something else holds", async () => {
    const eventually = { "is counted": () => 0, "is asked for": async () => undefined };
    const given = { scenario: missed, subject: missedOnce, deviations: 0 };
    expect((await exploreReport({ ...given, eventually })).passed).toBe(true);
  });

  test("of `sometimes` that holds in no world fails the exploration", async () => {
    const sometimes = {
      "is told twice": (_: Simulator, { count }: { count: number }) => count === 2,
      "is told ten times": (_: Simulator, { count }: { count: number }) => count === 10,
    };
    const report = await exploreReport({ scenario: missed, subject: missedOnce, sometimes });
    expect(report.neverHeld).toEqual(["is told ten times"]);
    await expect(explore({ scenario: missed, subject: missedOnce, sometimes })).rejects.toThrow(
      /"is told ten times" held in no world/,
    );
  });

  test("that fails with another message is the same failure", async () => {
    const report = await exploreReport({
      scenario: missed,
      subject: missedOnce,
      eventually: {
        "is exact": (_: Simulator, { count }: { count: number }) => {
          throw new Error(count > 1 ? `more by ${count - 1}` : "fewer");
        },
      },
    });
    expect(report.failures.map(({ fingerprint }) => fingerprint)).toEqual(["is exact"]);
  });

  test("that fails is thrown with the report", async () => {
    const thrown = await explore({ scenario: missed, subject: missedOnce, eventually: { once } }).catch(
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(CounterexampleError);
    expect((thrown as CounterexampleError).report.failures).toHaveLength(1);
    expect((thrown as CounterexampleError).message).toContain("unanswered(PT30S call.not_answered)");
  });
});

describe("More than one worker", () => {
  test("is rejected for an app that is a function, with the remedy", async () => {
    await expect(exploreReport({ scenario: missed, subject: missedOnce, workers: 2 })).rejects.toThrow(
      "workers: got 2, and `app` is a function, which no other thread can get. Export `app` and its properties from a module, and name its file by `with` instead",
    );
  });
});

describe("An app", () => {
  const failureOf = async (subject: (sim: Simulator) => unknown, patience = "PT10S") => {
    const report = await exploreReport({ scenario: missed, subject, deviations: 0, patience });
    expect(report.failures).toHaveLength(1);
    return report.failures[0];
  };

  test("that throws fails with that name", async () => {
    const failure = await failureOf((sim) =>
      sim.network.route(url, () => {
        throw new Error("There is no such customer.");
      }),
    );
    expect(failure).toMatchObject({
      ...{ property: "the app throws", message: "There is no such customer." },
      story: "Without any deviation, the app throws: There is no such customer.",
    });
    expect(failure?.smallest.scenario).toMatch(/^scenario: The app throws without any deviation\n/);
  });

  test("whose construction rejects fails with that name", async () => {
    const failure = await failureOf(async () => {
      throw new Error("no database:\n\n0 !== 1");
    });
    expect(failure).toMatchObject({
      ...{ property: "the app throws", message: "no database:\n\n0 !== 1" },
      story: "Without any deviation, the app throws: no database.",
    });
  });

  test("that hangs fails with that name", async () => {
    const hanging = (sim: Simulator) => sim.network.route(url, () => new Promise(() => {}));
    const failure = await failureOf(hanging, "PT0.2S");
    expect(failure).toMatchObject({
      property: "the app hangs",
      message: `nothing happened for 200 ms while the app was handling POST ${url}`,
    });
  });

  test.each(["always", "eventually"])("whose property under `%s` never settles hangs", async (when) => {
    const [failure] = (
      await exploreReport({
        scenario: missed,
        subject: missedOnce,
        [when]: { "is stored": () => new Promise(() => {}) },
        ...{ deviations: 0, patience: "PT0.2S" },
      })
    ).failures;
    expect(failure).toMatchObject({
      property: "the app hangs",
      message: 'nothing happened for 200 ms while "is stored" was checked',
    });
  });

  test("whose property takes nearly twice as long as `patience` hangs, whenever its world began", async () => {
    // counted in ticks, so that a pause of the machine makes it no shorter than `patience`
    const ticksFor950Ms = () =>
      new Promise<void>((resolve) => {
        let left = 38;
        const ticking = setInterval(() => {
          if (--left > 0) return;
          clearInterval(ticking);
          resolve();
        }, 25);
      });
    const eventually = { "is stored": ticksFor950Ms };
    const given = {
      scenario: missed,
      subject: missedOnce,
      eventually,
      clock: "real",
      patience: "PT0.5S",
    } as const;
    const { failures, worlds } = await exploreReport(given);
    // its timer is left too
    expect(failures[0]).toMatchObject({ property: "the app hangs", worlds });
  });

  test("whose properties take longer than `patience` together, each of them less, does not hang", async () => {
    const waits = () => new Promise<void>((resolve) => void setTimeout(resolve, 150));
    const { failures } = await exploreReport({
      scenario: missed,
      subject: missedOnce,
      eventually: Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, waits])),
      ...{ deviations: 0, clock: "real", patience: "PT0.25S" },
    });
    expect(failures).toEqual([]);
  });

  test("whose property waits while the process is paused for longer than `patience` does not hang", async () => {
    const isStored = async () => {
      for (let ticks = 0; ticks < 10; ticks++) {
        await new Promise<void>((resolve) => void setTimeout(resolve, 20));
        if (ticks === 5) spawnSync("sleep", ["0.5"]);
      }
    };
    const { failures } = await exploreReport({
      ...{ scenario: missed, subject: missedOnce, eventually: { "is stored": isStored } },
      ...{ deviations: 0, clock: "real", patience: "PT0.4S" },
    });
    expect(failures).toEqual([]);
  });

  test("that does not await its request is waited for before a property is checked", async () => {
    const subject = (sim: Simulator) => {
      const answers: number[] = [];
      sim.network.route(url, () => {
        const headers = { authorization: `Bearer ${sim.token()}` };
        void sim.fetch("/calls", { headers }).then(({ status }) => answers.push(status));
        return 200;
      });
      return answers;
    };
    const eventually = { "has the answer": (_: Simulator, answers: number[]) => answers[0] === 200 };
    const { failures } = await exploreReport({ scenario: missed, subject, eventually, deviations: 0 });
    expect(failures).toEqual([]);
  });

  test("that sets immediates without end fails with that name", async () => {
    const failure = await failureOf((sim) =>
      sim.network.route(url, () => {
        const again = () => void setImmediate(again);
        again();
        return 200;
      }),
    );
    expect(failure).toMatchObject({
      property: "the app never comes to rest",
      message: expect.stringContaining("immediates"),
    });
  });

  test("that never becomes idle fails with that name", async () => {
    const failure = await failureOf((sim) => {
      const again = () => {
        sim.schedule("P1D", again);
      };
      again();
    });
    expect(failure).toMatchObject({ property: "the app never comes to rest" });
  });

  test("is built when the webhooks of a scenario's first steps are there", async () => {
    const seen: string[][] = [];
    await exploreReport({
      scenario: missed,
      subject: (sim) => {
        seen.push(sim.webhooks.list().map((webhook) => webhook.url));
        return missedOnce(sim);
      },
      deviations: 0,
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(([first, ...more]) => first !== url || more.length > 0)).toEqual([]);
  });

  test("is built for each world and disposed afterwards", async () => {
    let [built, disposed] = [0, 0];
    const report = await exploreReport({
      scenario: missed,
      subject: (sim) => {
        built++;
        return {
          ...missedOnce(sim),
          [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]: async () => {
            disposed++;
          },
        };
      },
      deviations: 0,
    });
    expect(report.worlds).toBe(1);
    // it is run once more at the end
    expect([built, disposed]).toEqual([2, 2]);
  });
});

describe("The smallest world of a failure", () => {
  const noisy = `
scenario: A busy morning
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: ["*"] } }
  - { at: PT1S, setAvailability: { user: bob, status: busy } }
  - { at: PT3.217S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT10S, inbound: { as: c2, from: "+6421555002", to: "+6495550102" } }
  - { at: PT15S, hangup: { call: c2, by: caller } }
  - { at: PT20S, setAvailability: { user: bob, status: available } }
`;
  const options = {
    scenario: parseScenario(noisy),
    subject: missedOnce,
    eventually: {
      "counts each missed call once": (sim: Simulator, { count }: { count: number }) =>
        expect(count).toBe(sim.events.ofType("call.not_answered").length),
    },
  };

  test("has steps at round times, and separates those about the same call", async () => {
    const scenario = parseScenario(`
scenario: A short call in the second minute
steps:
  - { at: PT61.5S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT64.217S, hangup: { call: c1, by: caller } }
`);
    const isShort = ({ events, startTimestamp }: Simulator) => {
      const [started, ended] = events.map(({ createdTimestamp }) => createdTimestamp - startTimestamp);
      return Number(started) >= 45_000 && Number(ended) - Number(started) < 5_000;
    };
    const eventually = { "no call is short": (sim: Simulator) => expect(isShort(sim)).toBe(false) };
    const report = await exploreReport({ scenario, subject: missedOnce, eventually, deviations: 0 });
    const times = report.failures[0]?.smallest.scenario?.match(/PT[\d.]+S, \w+/g);
    expect(times).toEqual(["PT60S, inbound", "PT64S, hangup"]);
  });

  test("is found in few runs, however many steps and users the scenario has", async () => {
    const people = Array.from({ length: 64 }, (_, index) => 200 + index);
    const users = people.map(
      (extension) =>
        `{ id: u${extension}, email: u${extension}@shop.test, displayName: U, extension: "${extension}", endpoints: [mobile] }`,
    );
    const calls = people.map(
      (second) => `  - { at: PT${second}S, inbound: { from: "+6421555${second}", to: "+6495550101" } }`,
    );
    const scenario = parseScenario(`
scenario: A busy morning
organisation:
  id: shop
  users: [${users.join(", ")}]
  numbers: [{ number: "+6495550101", owner: u263 }]
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
${calls.join("\n")}
`);
    const report = await exploreReport({ ...options, scenario, deviations: { kinds: ["unanswered"] } });
    expect(report.failures).toHaveLength(1);
    const { smallest } = report.failures[0] as (typeof report.failures)[0];
    expect(smallest.scenario?.match(/inbound|id: u/g)).toEqual(["id: u", "inbound"]);
    expect(smallest.isMinimal).toBe(true);
    expect(smallest.runs).toBeLessThan(100);
  });

  test("of a function numbers calls and webhooks separately", async () => {
    const scenario = (sim: Simulator) => {
      sim.webhooks.create({ url, events: ["call.not_answered"] });
      for (const from of ["+6421555001", "+6421555002"]) sim.calls.inbound({ from, to: "+6495550101" });
    };
    const eventually = { "one call is missed": once };
    const report = await exploreReport({ scenario, subject: missedOnce, eventually, deviations: 0 });
    expect(report.failures[0]?.smallest.scenario?.match(/as: \w+/g)).toEqual(["as: w1", "as: c1", "as: c2"]);
  });

  test("is a readable scenario that replays", async () => {
    const [failure] = (await exploreReport(options)).failures;
    const { scenario = "", journal } = failure?.smallest ?? {};
    expect(scenario).toMatchInlineSnapshot(`
      "scenario: Breaks "counts each missed call once" when the answer to call.not_answered is lost
      description: expected 2 to be 1 // Object.is equality
      steps:
        - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [ "*" ] } }
        - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
      deviations:
        - { attempt: PT30S call.not_answered, webhook: crm, number: 1, is: unanswered }
      "
    `);
    const run = runScenario(parseScenario(scenario));
    expect(run.events.map(({ type }) => type)).toContain("call.not_answered");
    expect(replay(journal as never).events.toJSONL()).toBe(run.simulator.events.toJSONL());
    const again = await exploreReport({ ...options, scenario: parseScenario(scenario), deviations: 0 });
    expect(again.failures.map(({ fingerprint }) => fingerprint)).toEqual([failure?.fingerprint]);
  });
});

test("A world that fails once and holds when it is run again is no failure of the property", async () => {
  let worlds = 0;
  const report = await exploreReport({
    scenario: (sim: Simulator) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550101" }),
    subject: (sim: Simulator) => {
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, () => 204);
      return { isFirst: ++worlds === 2 };
    },
    eventually: { "is as always": (_: Simulator, { isFirst }: { isFirst: boolean }) => !isFirst },
    deviations: 1,
  });
  expect(report.failures).toHaveLength(1);
  expect(report.failures[0]).toMatchObject({
    property: "deterministic",
    message: expect.stringContaining('"is as always" failed in this world, but not when it was run again'),
    smallest: { isMinimal: false },
  });
});
