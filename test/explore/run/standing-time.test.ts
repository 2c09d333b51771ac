import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { fromFetch, parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
`);

/** An app that takes its time to start. @param start what it does first; returns what it shows */
const starting = (start: (sim: Simulator) => Promise<unknown>) => async (sim: Simulator) => {
  const notes = await start(sim);
  const calls = new Set<string>();
  sim.network.route(url, ({ body }) => calls.add(JSON.parse(body).data.call.id) && 204);
  return { calls, notes };
};
type App = Awaited<ReturnType<ReturnType<typeof starting>>>;

const explored = (subject: ReturnType<typeof starting>, more: Partial<ExploreOptions<App>> = {}) => {
  const isKnown = (sim: Simulator, { calls }: App) => expect(calls.size).toBe(sim.calls.list().length);
  return exploreReport({ scenario, subject, eventually: { "the call is known": isKnown }, ...more });
};

const asking = async (sim: Simulator) => {
  for (let times = 1; ; times++) {
    const headers = { authorization: `Bearer ${sim.token()}` };
    const answer = await sim.fetch("/users", { headers }).catch(() => undefined);
    // time stands still, so that a 429 holds for as long as it is built
    if (answer?.ok === true || answer?.status === 429) return times;
    await sleep(60_000);
  }
};

/** How the port of a child process that speaks first, and only a while after it was called, can be reached. */
const slowGreeter = `
const server = require("node:net").createServer((socket) => setTimeout(() => socket.write("hello"), 100));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

async function portOfGreeter(where: "here" | "in a process"): Promise<number> {
  if (where === "here") {
    const server = createServer((socket) => socket.write("hello")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
  const child = spawn(process.execPath, ["-e", slowGreeter], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  return Number(String((await once(child.stdout, "data"))[0]));
}

// Node 20 has aborted in it, and with it a user's whole run
const listHandles: unknown = Reflect.get(process, "_getActiveHandles");
let listed = 0;
beforeAll(() => {
  Reflect.set(process, "_getActiveHandles", () => {
    listed++;
    return [];
  });
});
afterAll(() => {
  Reflect.set(process, "_getActiveHandles", listHandles);
  expect(listed).toBe(0);
});

describe("An app that waits while it is built", () => {
  test.each<readonly [what: string, start: (sim: Simulator) => Promise<unknown>]>([
    ["for a timer", () => sleep(10)],
    ["for a timer of no delay", () => new Promise((resolve) => setTimeout(resolve))],
    ["for the end of a time limit", () => once(AbortSignal.timeout(50), "abort").then(() => 1)],
    [
      "for an interval to come a hundred times",
      () =>
        new Promise((resolve) => {
          let times = 0;
          const interval = setInterval(() => {
            if (++times < 100) return;
            clearInterval(interval);
            resolve(times);
          }, 1_000);
        }),
    ],
    ["until the REST API answers again", asking],
  ])("%s passes", async (_, start) => {
    const report = await explored(starting(start));
    expect(report.failures).toEqual([]);
    expect(report.complete).toBe(true);
  });

  test("is built in the order of its timers, and jobs that it begins wait for their time", async () => {
    const start = async (sim: Simulator) => {
      const notes: unknown[] = [];
      const begun = sim.timestamp;
      setTimeout(() => notes.push("later"), 25);
      setTimeout(() => notes.push(sim.timestamp - begun), 100);
      setInterval(() => notes.push("hour"), 3_600_000);
      for (const note of [1, 2, 3]) {
        await sleep(10);
        notes.push(note);
      }
      return notes;
    };
    const seen = new Set<string>();
    const see = (_: Simulator, { notes }: App) => void seen.add(JSON.stringify((notes as []).slice(0, 6)));
    const report = await explored(starting(start), { deviations: 0, eventually: { see } });
    expect(report.failures).toEqual([]);
    // of the last timer, 70 ms are left when it has been built
    expect([...seen]).toEqual(['[1,2,"later",3,70,"hour"]']);
  });

  test("passes when it restarts too, and when what outlives that waits", async () => {
    const report = await explored(
      starting(() => sleep(1_000)),
      { durable: () => sleep(5, {}), deviations: { kinds: ["restarted", "restartedAfter"] }, eventually: {} },
    );
    expect([report.failures, report.worlds]).toEqual([[], 3]);
  });

  test.each(["here", "in a process"] as const)(
    "for a server %s that speaks first is not told that time is over",
    async (where) => {
      const port = await portOfGreeter(where);
      const start = async () => {
        const socket = connect(port, "127.0.0.1");
        const timer = setTimeout(() => socket.destroy(new Error("connect timeout")), 10_000);
        const [greeting] = await once(socket, "data");
        clearTimeout(timer);
        socket.destroy();
        return String(greeting);
      };
      expect((await explored(starting(start), { deviations: 0 })).failures).toEqual([]);
    },
  );

  test("for longer than five minutes is named, with its timer", async () => {
    const start = async () => {
      for (;;) await sleep(1_000);
    };
    const { failures } = await explored(starting(start), { patience: "PT2S" });
    expect(failures[0]?.story).toBe(
      "Without any deviation, the app hangs: nothing happened for 2000 ms while the app was being built, beside a timer of 1,000 ms: no time passes then.",
    );
  });

  test("longer than `patience` is told of it", async () => {
    const { failures } = await explored(
      starting(() => new Promise(() => {})),
      { patience: "PT0.2S" },
    );
    expect(failures[0]?.story).toBe(
      "Without any deviation, the app hangs: nothing happened for 200 ms while the app was being built. If it only takes long to start, give more `patience`.",
    );
  });
});

describe("A property that waits", () => {
  test.each(["always", "settled", "eventually"] as const)("for a timer is checked in `%s`", async (group) => {
    const isKnown = async (_: Simulator, { calls }: App) => {
      await sleep(20);
      expect(calls.size).toBeLessThan(2);
    };
    const report = await explored(
      starting(async () => 0),
      { [group]: { isKnown } },
    );
    expect(report.failures).toEqual([]);
  });

  test("runs none of the app's own timers", async () => {
    const start = async () => {
      const notes: string[] = [];
      setTimeout(() => notes.push("a minute later"), 60_000);
      return notes;
    };
    const seen = new Set<string>();
    const always = {
      see: async (sim: Simulator, { notes }: App) => {
        await sleep(120_000);
        seen.add(`${(notes as string[]).length} at ${sim.now}`);
      },
    };
    await explored(starting(start), { always, deviations: 0 });
    expect([...seen]).toEqual(["0 at 2026-07-01T00:00:30.000Z", "1 at 2026-07-01T00:01:00.000Z"]);
  });

  test("as long as a timer of the app that has repeated for long waits no longer than that", async () => {
    const { failures } = await exploreReport({
      ...{ scenario, forged: false, deviations: 0 },
      app: () => void setInterval(() => {}, 20),
      eventually: {
        "it has slept first": async () => {
          const first = await Promise.race([sleep(20, "slept"), sleep(5_000, "its limit is over")]);
          expect(first).toBe("slept");
        },
      },
    });
    expect(failures).toEqual([]);
  });

  test("for the app's own server, within a time limit, gets its answer", async () => {
    const subject = async (sim: Simulator) => {
      const calls = new Set<string>();
      const server = createHttpServer(async (request, response) => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        if (request.method === "POST") calls.add(JSON.parse(body).data.call.id);
        await sleep(5);
        response.end(String(calls.size));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      sim.network.route(
        url,
        fromFetch((request) => fetch(new Request(own, request))),
      );
      const close = async () => {
        server.closeAllConnections();
        server.close();
      };
      return { own, [Symbol.asyncDispose]: close };
    };
    const report = await exploreReport({
      ...{ scenario, subject, forged: false, deviations: { kinds: ["lost"] } },
      eventually: {
        "the call is shown": async (_: Simulator, { own }: { own: string }) => {
          const answer = await fetch(own, { signal: AbortSignal.timeout(5_000) });
          expect(await answer.text()).toBe("1");
        },
      },
    });
    expect(report.failures).toEqual([]);
  });
});

test("An app that asks every 20 ms until its child process listens comes up, also if it hears of the child's end", async () => {
  const code = `setTimeout(() => require("http").createServer((_, answer) => answer.end("up")).listen(process.argv[1], "127.0.0.1"), 300)`;
  // which port is free, the system knows
  const finder = createServer().listen(0, "127.0.0.1");
  await once(finder, "listening");
  const { port } = finder.address() as AddressInfo;
  finder.close();
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
  const subject = async (sim: Simulator) => {
    const child = spawn(process.execPath, ["-e", code, String(port)], { stdio: "ignore" }).on(
      "exit",
      () => {},
    );
    for (let isUp = false; !isUp; ) {
      isUp = await ask().then(
        () => true,
        () => false,
      );
      if (!isUp) await sleep(20);
    }
    const calls = new Set<string>();
    sim.network.route(url, async ({ body }) => {
      if ((await ask()) === "up") calls.add(JSON.parse(body).data.call.id);
      return 204;
    });
    const end = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    return { calls, notes: undefined, [Symbol.asyncDispose]: end };
  };
  expect((await explored(subject, { deviations: 0 })).failures).toEqual([]);
});
