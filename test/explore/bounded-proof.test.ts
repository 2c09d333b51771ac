import { EventEmitter, once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { exploreAs } from "../../src/explore/explore.ts";
import { explore, exploreReport } from "../../src/explore/index.ts";
import type { WorldOutcome } from "../../src/explore/run/outcome.ts";
import { generaliseMessage } from "../../src/findings/property-failure.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";
import { answeredCall } from "./answered-call.ts";
import { scenario, url } from "./missed-call.ts";

// What docs/bounded-proof.md says, as far as test/properties/verdicts.test.ts, worlds.test.ts and verdicts/ do not check it.

/** Calls back with how often each event has come by now. */
function counting(simulator: Simulator, heard: (type: string, times: number) => void): void {
  const times = new Map<string, number>();
  simulator.network.route(url, ({ body }) => {
    const { type } = JSON.parse(body) as { readonly type: string };
    times.set(type, (times.get(type) ?? 0) + 1);
    heard(type, times.get(type) ?? 0);
    return 204;
  });
}

describe("Two failures of an app that throws", () => {
  /** Throws one error for the first event that comes twice, and another for the second. */
  const thrown = async (first: Error, second: Error) => {
    const subject = (simulator: Simulator) =>
      counting(simulator, (type, times) => {
        if (times === 2) throw type === "call.started" ? first : second;
      });
    const { failures } = await exploreReport({ scenario, subject, deviations: { kinds: ["unanswered"] } });
    return failures.map(({ identity }) => identity);
  };
  const withCode = (code: string) => Object.assign(new Error("it failed"), { code });

  test("are the same if their errors have the same name and code, whatever they say", async () => {
    expect(await thrown(new TypeError("no id"), new TypeError("no name"))).toEqual([
      "the app throws: TypeError",
    ]);
    expect(await thrown(withCode("ECONNREFUSED"), withCode("ECONNREFUSED"))).toHaveLength(1);
  });

  test("are two if the names differ, or the codes", async () => {
    expect(await thrown(new TypeError("no id"), new RangeError("no id"))).toHaveLength(2);
    expect(await thrown(withCode("ECONNREFUSED"), withCode("ENOTFOUND"))).toEqual([
      "the app throws: Error ECONNREFUSED",
      "the app throws: Error ENOTFOUND",
    ]);
  });
});

describe("An error that nothing catches, of something that was there before the world", () => {
  /** In worlds in which an event comes twice, an app makes it throw. */
  const explored = (provoke: () => Promise<unknown>) =>
    exploreReport({
      scenario,
      subject(simulator: Simulator) {
        let open: Promise<unknown> | undefined;
        counting(simulator, (_, times) => {
          if (times === 2) open = provoke();
        });
        return { idle: async () => void (await open) };
      },
      deviations: { kinds: ["unanswered"] },
    });
  const isOfThatWorld = [
    {
      property: "the app throws where nothing catches it",
      message: "it was there",
      smallest: { deviations: [{ is: "unanswered" }] },
    },
  ];

  test("counts for the world that runs, if it is an emitter's", async () => {
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    const early = new EventEmitter();
    port1.on("message", () => early.emit("error", new Error("it was there")));
    const { failures } = await explored(() => {
      const came = once(port1, "message");
      port2.postMessage("throw");
      return came;
    });
    expect(failures).toMatchObject(isOfThatWorld);
  });

  test("counts for the world that runs, if it is a server's", async () => {
    const early = createServer((_, response) => {
      response.end();
      throw new Error("it was there");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void early.close());
    await once(early, "listening");
    const { port } = early.address() as AddressInfo;
    const { failures } = await explored(() =>
      once(get({ host: "127.0.0.1", port, agent: false }), "response"),
    );
    expect(failures).toMatchObject(isOfThatWorld);
  });
});

describe("A bound", () => {
  test("says nothing of worlds with more deviations", async () => {
    const app = {
      subject: (simulator: Simulator) => {
        const most = { times: 0 };
        counting(simulator, (_, times) => {
          most.times = Math.max(most.times, times);
        });
        return most;
      },
      eventually: {
        "nothing comes three times": (_: Simulator, { times }: { readonly times: number }) => times < 3,
      },
    };
    const explored = (atMost: number) =>
      exploreReport({ scenario, ...app, deviations: { atMost, kinds: ["unanswered"] } });
    expect(await explored(1)).toMatchObject({ complete: true, failures: [] });
    expect((await explored(2)).failures.map(({ smallest }) => smallest.deviations)).toHaveLength(1);
  });
});

test("The same worlds come in the same order each time, those with fewer deviations first", async () => {
  const explored = async () => {
    const worlds: Pick<WorldOutcome, "order" | "deviations">[] = [];
    const subject = (simulator: Simulator) => counting(simulator, () => {});
    await exploreAs(
      { scenario, subject, deviations: 2 },
      { onWorld: ({ order, deviations }) => void worlds.push({ order, deviations }) },
    );
    return worlds;
  };
  const worlds = await explored();
  expect(worlds.length).toBeGreaterThan(20);
  expect(await explored()).toEqual(worlds);
  const counts = worlds.map(({ deviations }) => deviations.length);
  expect(counts).toEqual(counts.toSorted());
  expect(new Set(counts)).toEqual(new Set([0, 1, 2]));
});

describe("The smallest world of a failure without deviations", () => {
  /** Explores an app that breaks its property whatever it receives. */
  const smallestOf = async (subject: (simulator: Simulator) => unknown) => {
    const eventually = { "something else is counted": () => false };
    const { failures } = await exploreReport({ scenario, subject, eventually, deviations: 0 });
    expect(failures).toHaveLength(1);
    return failures[0]?.smallest.scenario ?? "";
  };

  test("keeps the webhook and the call, given the app receives their event", async () => {
    const smallest = await smallestOf((simulator) => counting(simulator, () => {}));
    expect(smallest).toContain("createWebhook:");
    expect(smallest).toContain("inbound:");
  });

  test("fails with a message of the same shape", async () => {
    const twoCalls = parseScenario(`
scenario: Two calls
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
  - { at: PT1S, inbound: { from: "+6421555002", to: "+6495550102" } }
`);
    const eventually = {
      "there are three calls": ({ calls }: Simulator) => {
        const { length } = calls.list();
        if (length < 2) throw new Error("nobody calls again");
        expect(length).toBe(3);
      },
    };
    const given = { scenario: twoCalls, subject: () => ({}), eventually, deviations: 0 };
    const [failure] = (await exploreReport(given)).failures;
    expect(failure?.smallest.scenario?.match(/inbound:/g)).toHaveLength(2);
  });

  test("keeps a request for which the app has no route", async () => {
    const smallest = await smallestOf(() => ({}));
    expect(smallest).toContain("createWebhook:");
    expect(smallest).toContain("inbound:");
  });

  test("is empty if nothing was sent to the app", async () => {
    const scenario = parseScenario(
      'scenario: A call\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }',
    );
    const eventually = { "something is counted": () => false };
    const given = { scenario, subject: () => ({}), eventually, deviations: 0 };
    expect((await exploreReport(given)).failures[0]?.smallest.scenario).toContain("steps: []");
  });
});

test("A cause has no deviation that a failure does not need, in worlds that have others too", async () => {
  const broken = async (atMost: number) => {
    const { result } = await exploreReport({
      scenario,
      subject: (simulator) =>
        counting(simulator, (type, times) => {
          if (type === "call.started" && times === 2) throw new Error("it is known");
        }),
      deviations: { atMost, kinds: ["unanswered"] },
    });
    return result.breaks.map(({ of }) => of);
  };
  expect(await broken(1)).toEqual(["call.started"]);
  expect(await broken(2)).toEqual(["call.started"]);
});

describe("A generalised message", () => {
  test("allows for other numbers, quoted texts, contents of lists and of objects whose keys are all quoted", () => {
    expect(generaliseMessage("expected 2 calls, got 'none'")).toBe(
      generaliseMessage("expected 17 calls, got 'one'"),
    );
    expect(generaliseMessage("expected [ 1, [ 'a' ] ]")).toBe(generaliseMessage("expected []"));
    expect(generaliseMessage('got { "+6421555001": 1 }')).toBe(
      generaliseMessage('got { "+6421555002": 2, "+6421555003": 1 }'),
    );
  });

  test("does not allow for other words or keys", () => {
    expect(generaliseMessage("expected 2 calls")).not.toBe(generaliseMessage("expected 2 messages"));
    expect(generaliseMessage("got { missed: 1 }")).not.toBe(generaliseMessage("got { answered: 1 }"));
    expect(generaliseMessage("got { missed: 1, 'a': 1 }")).not.toBe(generaliseMessage("got { 'a': 1 }"));
  });
});

describe("In one world", () => {
  const counted = (throwsAt: number) => (simulator: Simulator) => {
    const seen = { events: 0 };
    counting(simulator, () => {
      if (++seen.events === throwsAt) throw new TypeError("no id");
    });
    return seen;
  };
  const fails = (from: number) => (_: Simulator, seen: { readonly events: number }) => {
    if (seen.events >= from) throw new Error(`fails at event ${seen.events}`);
  };
  const failuresOf = async (throwsAt: number) => {
    const always = { "hears nothing": fails(1), "hears one event": fails(2) };
    const eventually = { "heard nothing": fails(0) };
    const subject = counted(throwsAt);
    const report = await exploreReport({ scenario, subject, always, eventually, deviations: 0 });
    return report.failures.map(({ property, message }) => `${property}: ${message.split("\n")[0]}`);
  };

  test("every property is judged, and keeps its first failure", async () => {
    expect(await failuresOf(3)).toEqual([
      "hears nothing: fails at event 1",
      "hears one event: fails at event 2",
      "heard nothing: fails at event 2",
    ]);
  });

  test("no property is judged after the app has thrown", async () => {
    expect(await failuresOf(2)).toEqual(["hears nothing: fails at event 1", "the app throws: no id"]);
  });
});

test("Ids that an app keeps only in memory are lost by a restart, which is not tried without `durable`", async () => {
  const app = (simulator: Simulator, rows: string[]) => {
    const seen = new Set<string>();
    simulator.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body);
      if (!seen.has(id)) rows.push(id);
      seen.add(id);
      return 204;
    });
    return rows;
  };
  const eventually = {
    "one row an event": (_: Simulator, rows: string[]) => expect(new Set(rows).size).toBe(rows.length),
  };
  const without = await exploreReport({ scenario, eventually, subject: (simulator) => app(simulator, []) });
  expect(without).toMatchObject({ passed: true, result: { untriedRestarts: false } });
  expect(without.toText()).toMatch(/\n11 worlds; not tried: restarts \(give `durable`\), .*\n$/);
  const durable = (): string[] => [];
  const { failures } = await exploreReport({ scenario, eventually, durable, subject: app });
  expect(failures).toMatchObject([
    { property: "one row an event", smallest: { deviations: [{ is: "restarted" }] } },
  ]);
});

describe("Where the world without deviations ends early", () => {
  const throwing = {
    scenario,
    subject(simulator: Simulator) {
      simulator.network.route(url, () => {
        throw new Error("no id");
      });
      return {};
    },
  };
  const early = "without deviations the app throws at PT0S, so no deviation after that was tried";

  test("the report does not say that all worlds were run, and says when it ends", async () => {
    const report = await exploreReport(throwing);
    expect(report).toMatchObject({ complete: false, result: { leftOut: undefined, endsEarly: early } });
    expect(report.toText()).toContain(`with at most 1 deviation, not all of them: ${early}`);
  });

  test("a known defect still passes, and no other mark is said to be gone", async () => {
    const known = { "the app throws": "CRM-12", "hears all": "CRM-13" };
    const report = await explore({ ...throwing, known, eventually: { "hears all": () => true } });
    expect(report).toMatchObject({ complete: false, passed: true, gone: [] });
  });

  test("one world of no deviations is all of them, and so are seeds", async () => {
    expect(await exploreReport({ ...throwing, deviations: 0 })).toMatchObject({ complete: true });
    expect(await exploreReport({ ...throwing, seeds: 1 })).toMatchObject({ complete: true });
  });

  test("all of them were run if only its end throws, or only another world", async () => {
    const atTheEnd = () => ({
      [Symbol.dispose]() {
        throw new Error("no connection");
      },
    });
    const twice = (simulator: Simulator) =>
      counting(simulator, (_, times) => {
        if (times === 2) throw new Error("it is known");
      });
    for (const subject of [atTheEnd, twice]) {
      const { complete, failures } = await exploreReport({ scenario, subject });
      const properties = failures.map(({ property }) => property);
      expect({ complete, properties }).toEqual({ complete: true, properties: ["the app throws"] });
    }
  });
});

describe("One of a call's seven requests", () => {
  /** The requests of each world with at most one deviation of this kind; the first world has none. */
  const worldsWith = async (kind: "late" | "duplicated") => {
    const worlds: { readonly id: string; readonly atMs: number }[][] = [];
    await exploreReport({
      scenario: answeredCall,
      subject(simulator) {
        const arrivals: { readonly id: string; readonly atMs: number }[] = [];
        simulator.network.route(url, ({ body }) => {
          const { id } = JSON.parse(body) as { readonly id: string };
          arrivals.push({ id, atMs: simulator.timestamp - simulator.startTimestamp });
          return 204;
        });
        return arrivals;
      },
      eventually: { "is noted": (_, arrivals) => void worlds.push(arrivals) },
      deviations: { atMost: 1, kinds: [kind] },
    });
    return worlds;
  };

  test("arrives late after the next one, two or three, and after five seconds at most", async () => {
    const worlds = await worldsWith("late");
    const [started, , , hungup] = worlds[0] ?? [];
    const places = worlds.map((arrivals) => arrivals.findIndex(({ id }) => id === hungup?.id));
    expect([...new Set(places)].sort()).toEqual([3, 4, 5, 6]);
    const times = worlds.map((arrivals) => arrivals.find(({ id }) => id === started?.id)?.atMs);
    expect([...new Set(times)]).toEqual([0, 5_000]);
  });

  test("arrives a second time at once or after one second", async () => {
    const gaps = (await worldsWith("duplicated")).flatMap((arrivals) =>
      arrivals.flatMap(({ id, atMs }, index) => {
        const second = arrivals.slice(index + 1).find((each) => each.id === id);
        return second === undefined ? [] : [second.atMs - atMs];
      }),
    );
    expect([...new Set(gaps)].sort()).toEqual([0, 1_000]);
  });
});

test("A slow answer of the REST API comes after one second or ten", async () => {
  const waitedMs = new Set<number>();
  await exploreReport({
    scenario,
    subject(simulator) {
      simulator.network.route(url, async () => {
        const askedMs = simulator.timestamp;
        await simulator.fetch("/users", { headers: { authorization: `Bearer ${simulator.token()}` } });
        waitedMs.add(simulator.timestamp - askedMs);
        return 204;
      });
    },
    deviations: { kinds: ["slow"] },
  });
  expect([...waitedMs]).toEqual([0, 1_000, 10_000]);
});

describe("A property of `settled`", () => {
  test("is judged only when nothing more is due at the instant and no handler is busy", async () => {
    const twoAtOnce = parseScenario(`
scenario: Two calls are missed at one instant
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT0S, inbound: { from: "+6421555002", to: "+6495550103" } }
`);
    const seen = { always: new Set<string>(), settled: new Set<string>() };
    const look = (where: Set<string>) => (simulator: Simulator, state: { busy: number; heard: number }) =>
      void where.add(
        `${(simulator.timestamp - simulator.startTimestamp) / 1000} s: ${state.heard}, ${state.busy} busy`,
      );
    const report = await exploreReport({
      scenario: twoAtOnce,
      subject(simulator) {
        const state = { busy: 0, heard: 0 };
        simulator.network.route(url, async () => {
          state.heard++;
          state.busy++;
          await simulator.fetch("/users", { headers: { authorization: `Bearer ${simulator.token()}` } });
          state.busy--;
          return 204;
        });
        return state;
      },
      always: { "is looked at after each request": look(seen.always) },
      settled: { "is looked at between instants": look(seen.settled) },
      deviations: 0,
    });
    expect(report.failures).toEqual([]);
    expect([...seen.settled]).toEqual(["30 s: 2, 0 busy"]);
    expect(seen.always).toContain("30 s: 1, 0 busy");
  });

  test("is not judged while a handler waits for a slow answer and time goes on", async () => {
    const oneAfterTheOther = parseScenario(`
scenario: Two calls are missed within five seconds
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, inbound: { from: "+6421555002", to: "+6495550104" } }
`);
    const seen = { always: new Set<number>(), settled: new Set<number>() };
    const look = (where: Set<number>) => (_: Simulator, state: { busy: number }) =>
      void where.add(state.busy);
    await exploreReport({
      scenario: oneAfterTheOther,
      subject(simulator) {
        const state = { busy: 0, heard: 0 };
        simulator.network.route(url, async () => {
          state.busy++;
          if (++state.heard === 1)
            await simulator.fetch("/users", { headers: { authorization: `Bearer ${simulator.token()}` } });
          state.busy--;
          return 204;
        });
        return state;
      },
      always: { "is looked at after each request": look(seen.always) },
      settled: { "is looked at between instants": look(seen.settled) },
      deviations: { kinds: ["slow"] },
    });
    expect(seen.always).toContain(1);
    expect([...seen.settled]).toEqual([0]);
  });
});
