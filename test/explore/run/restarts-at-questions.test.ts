import { once } from "node:events";
import { appendFile, createWriteStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { handlers } from "../../../src/testing/msw/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";
import { Database } from "./database-in-process.ts";

/** What outlives a restart: the jobs, and where the app writes two lines for each. */
interface Durable {
  readonly jobs: Map<string, "new" | "done">;
  write(line: string): Promise<unknown>;
  /** The lines that were written, each once. */
  lines(): readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const places: Record<string, () => Promise<Durable>> = {
  async writeFile() {
    const folder = mkdtempSync(path.join(tmpdir(), "ringback-lines-"));
    return {
      jobs: new Map(),
      write: (line) => writeFile(path.join(folder, line), line),
      lines: () => readdirSync(folder),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
    };
  },
  async appendFile() {
    const folder = mkdtempSync(path.join(tmpdir(), "ringback-lines-"));
    return {
      jobs: new Map(),
      write: (line) =>
        new Promise((resolve) => {
          appendFile(path.join(folder, line), line, resolve);
        }),
      lines: () => readdirSync(folder),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
    };
  },
  async createWriteStream() {
    const folder = mkdtempSync(path.join(tmpdir(), "ringback-lines-"));
    return {
      jobs: new Map(),
      write: (line) => once(createWriteStream(path.join(folder, line)).end(line), "finish"),
      lines: () => readdirSync(folder),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
    };
  },
  fetch: () => service((of) => fetch(of).then((answer) => answer.text())),
  "HTTP request": () =>
    service(async (of) => {
      const asked = request(of, { method: "POST" }).end("a line");
      const [answer] = await once(asked, "response");
      for await (const _ of answer);
    }),
  async "database statement"() {
    const database = new Database();
    return {
      jobs: new Map(),
      write: (line) => database.insert(line),
      lines: () => [...new Set(database.rows)],
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

/** Where the app writes a line by a request. */
async function service(ask: (url: string) => Promise<unknown>, answer = "{}"): Promise<Durable> {
  const got = new Set<string>();
  const folder = mkdtempSync(path.join(tmpdir(), "ringback-lines-"));
  const server = createServer(async ({ url: line = "" }, response) => {
    // what the service does is none of the app's work
    await writeFile(path.join(folder, "log"), line);
    got.add(line);
    response.end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    jobs: new Map(),
    write: (line) => ask(`http://127.0.0.1:${port}/${line}`),
    lines: () => [...got],
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      server.close();
    },
  };
}

type Work = (durable: Durable, id: string) => Promise<void>;

/** Writes two lines for a call. @param doneAfter after which of them its job is done */
const writesTwo =
  (doneAfter: 1 | 2): Work =>
  async ({ jobs, write }, id) => {
    for (const line of [1, 2]) {
      await write(`${id}-${line}`);
      if (line === doneAfter) jobs.set(id, "done");
    }
  };

/** Works once it has answered, or each second. A new life does what is left. */
const begins: Record<string, (work: Work) => (sim: Simulator, durable: Durable) => Promise<Durable>> = {
  "that has answered": (work) => async (sim, durable) => {
    for (const [id, state] of durable.jobs) if (state === "new") await work(durable, id);
    onCall(sim, durable, (id) => void work(durable, id));
    return durable;
  },
  "whose timer runs": (work) => async (sim, durable) => {
    setInterval(async () => {
      for (const [id, state] of durable.jobs) if (state === "new") await work(durable, id);
    }, 1_000);
    onCall(sim, durable, () => {});
    return durable;
  },
};

function onCall(sim: Simulator, { jobs }: Durable, begin: (id: string) => void): void {
  sim.network.route(url, ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    if (jobs.has(id)) return 204;
    jobs.set(id, "new");
    begin(id);
    return 204;
  });
}

const explored = (durable: () => Promise<Durable>, app: ReturnType<(typeof begins)[string]>, lines = 2) => ({
  ...{ scenario, durable, app, horizon: "PT5S", forged: false },
  show: ({ jobs }: Durable) => [...jobs],
  deviations: { kinds: ["lost", "restarted", "restartedAfter"] as const },
  eventually: {
    "each missed call has its lines": (sim: Simulator, durable: Durable) =>
      expect(durable.lines().length).toBe(lines * sim.events.ofType("call.not_answered").length),
  },
});

describe.each([
  ["that has answered", "writeFile"],
  ["that has answered", "fetch"],
  ["that has answered", "createWriteStream"],
  ["that has answered", "HTTP request"],
  ["that has answered", "database statement"],
  ["whose timer runs", "appendFile"],
  ["whose timer runs", "fetch"],
  ["whose timer runs", "HTTP request"],
  ["whose timer runs", "database statement"],
])("An app %s and uses %s", (when, of) => {
  const [durable, begin] = [places[of], begins[when]];
  if (durable === undefined || begin === undefined) throw new Error("no such app");

  test("restarts before its second time, which its scenario plays again", async () => {
    const options = explored(durable, begin(writesTwo(1)));
    const { failures } = await exploreReport(options);
    expect(failures.map(({ story }) => story.split(",")[0])).toEqual([
      `When the app restarts before the second ${of} of this moment`,
    ]);
    const text = failures[0]?.smallest.scenario ?? "";
    expect(text).toMatch(new RegExp(`- \\{ wait: PT3\\dS ${of}, nth: 2, is: restarted \\}`));
    const again = await playWorld({ ...options, scenario: parseScenario(text) });
    expect(again.failures).toHaveLength(1);
  });

  test("is right if it does its job again", async () => {
    const { failures } = await exploreReport(explored(durable, begin(writesTwo(2))));
    expect(failures.map(({ story }) => story)).toEqual([]);
  });
});

/** An answer that is longer than what a client takes before somebody reads it. */
const LONG = "x".repeat(300_000);

/** A dispatcher of Node's own `fetch` that has one connection. */
async function oneConnection(): Promise<object> {
  await fetch("data:,");
  const own = (version: number) => Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`));
  const { constructor: Agent } = own(2) ?? own(1);
  return new Agent({ connections: 1 });
}

describe("An app that asks a service by HTTP", () => {
  const exploredBy = async (ask: (of: string) => Promise<unknown>, answer?: string) => {
    const app = begins["that has answered"]?.(writesTwo(2));
    if (app === undefined) throw new Error("no such app");
    const { failures, result } = await exploreReport(explored(() => service(ask, answer), app));
    expect(failures.map(({ story }) => story)).toEqual([]);
    return result.untried.restarts;
  };

  test("is right though its `http.Agent` outlives it and has one connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const errors: unknown[] = [];
    const untried = await exploredBy(async (of) => {
      const asked = request(of, { method: "M-SEARCH", agent });
      asked.on("error", (error) => errors.push(error));
      const [answer] = await once(asked.end("a line"), "response");
      for await (const _ of answer);
    });
    expect([untried, errors]).toEqual([undefined, []]);
  });

  test("is right though the client of its `fetch` outlives it, has one connection, and is asked twice at once", async () => {
    const dispatcher = await oneConnection();
    const asks = async (of: string) => (await fetch(of, { dispatcher } as object)).text();
    expect(await exploredBy((of) => Promise.all([asks(of), asks(of)]), LONG)).toBeUndefined();
  });

  test.each(["http.Agent", "fetch"])("leaves the only connection of its %s to the next world", async (of) => {
    const [agent, dispatcher] = [new Agent({ keepAlive: true, maxSockets: 1 }), await oneConnection()];
    let streams = 0;
    const server = createServer((_, response) => {
      streams++;
      response.write("an answer that does not end");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { failures, worlds } = await exploreReport({
      ...{ scenario, forged: false, deviations: { kinds: ["lost"] } },
      async app(sim) {
        streams = 0;
        if (of === "fetch") await fetch(origin, { dispatcher } as object);
        else await once(request(origin, { agent }).end(), "response");
        sim.network.route(url, () => 204);
      },
      eventually: { "the app hears of the stream": () => streams === 1 },
    });
    expect([failures.map(({ story }) => story), worlds]).toEqual([[], 2]);
  });

  test("is right though it ends between two parts of a request to another thread", async () => {
    const thread = new Worker(
      `const server = require("node:http").createServer((request, response) =>
        request.resume().on("end", () => response.end()));
      server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    onTestFinished(async () => void (await thread.terminate()));
    const [port] = await once(thread, "message");
    await exploredBy(async (of) => {
      const asked = request({ port, method: "POST" }, (answer) => answer.resume());
      asked.write("a ");
      await new Promise(setImmediate);
      await once(asked.end("line"), "close");
      await (await fetch(of)).text();
    });
  });

  test("restarts before all of its requests, and a body in parts is nothing else", async () => {
    const untried = await exploredBy(async (of) => {
      const asked = request(of, { method: "POST" }, (answer) => answer.resume());
      asked.write("a ");
      await new Promise(setImmediate);
      await once(asked.end("line"), "response");
    });
    expect(untried).toBeUndefined();
  });
});

test("A request that is passed on to the app's own server is broken off by its restart, and is no fault of the app", async () => {
  const handled = async (sim: Simulator, { write }: Durable) => {
    const server = createServer(async (asked, response) => {
      for (const line of [1, 2]) await write(`${asked.url?.slice(1)}-${line}`);
      response.writeHead(204).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    // its promise is that of `fetch`: no code of the app goes on when the server is gone
    sim.network.route(url, ({ body }) => fetch(`http://127.0.0.1:${port}/${JSON.parse(body).data.call.id}`));
    return {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        // as to end a thread, which takes longer than to hear that the connection is gone
        for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      },
    };
  };
  const durable = places.writeFile;
  if (durable === undefined) throw new Error("no such place");
  const deviations = { kinds: ["restarted"] as const };
  const { failures, result } = await exploreReport({
    ...{ scenario, durable, app: handled, forged: false, deviations },
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(result.tried.map(({ kind }) => kind)).toContain("restarted");
});

test("Of many files that an app writes, it restarts before the second, the third and the last", async () => {
  const many = 9;
  const written: number[] = [];
  const app = begins["that has answered"]?.(async ({ jobs, write, lines }, id) => {
    if (lines().length > 0) written.push(lines().length);
    for (let line = 0; line < many; line++) await write(`${id}-${line}`);
    jobs.set(id, "done");
  });
  if (places.appendFile === undefined || app === undefined) throw new Error("no such app");
  const options = explored(places.appendFile, app, many);
  const { failures } = await exploreReport({ ...options, deviations: { kinds: ["restarted"] } });
  expect(failures.map(({ story }) => story)).toEqual([]);
  // at the request itself, all that was under way is written
  expect(written.sort()).toEqual([1, 1, 2, many - 1]);
});

test("An app that restarts writes none of the files that it would write at the same moment", async () => {
  const left: number[] = [];
  const app = begins["that has answered"]?.(async ({ jobs, write, lines }, id) => {
    if (lines().length > 0) left.push(lines().length);
    await Promise.all([1, 2, 3, 4].map((line) => write(`${id}-${line}`)));
    jobs.set(id, "done");
  });
  if (places.writeFile === undefined || app === undefined) throw new Error("no such app");
  const options = explored(places.writeFile, app, 4);
  const { failures } = await exploreReport({ ...options, deviations: { kinds: ["restarted"] } });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(left.sort()).toEqual([1, 2, 3, 4]);
});

test("A request to the REST API that goes through `fetch` and MSW is no other place than one by `sim.fetch`", async () => {
  const server = setupServer();
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  const asksBy = async (ask: (sim: Simulator) => typeof fetch) => {
    const { worlds, failures } = await exploreReport({
      scenario,
      durable: () => new Set<string>(),
      app(sim, calls) {
        server.resetHandlers(...handlers(sim));
        sim.network.route(url, ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          const headers = { authorization: `Bearer ${sim.token()}` };
          const work = async () => {
            for (let time = 0; time < 3; time++)
              await ask(sim)(`${sim.urls.api}/calls/${id}`, { headers }).catch(() => {});
          };
          if (!calls.has(id)) void work();
          calls.add(id);
          return 204;
        });
        return calls;
      },
    });
    expect(failures.map(({ story }) => story)).toEqual([]);
    return worlds;
  };
  expect(await asksBy(() => fetch)).toBe(await asksBy((sim) => sim.fetch));
});

/** Explores an app that works once it has answered. Its jobs must be done in the end. */
async function exploredJobs(work: Work, atMost = 1) {
  const [durable, app] = [places.writeFile, begins["that has answered"]?.(work)];
  if (durable === undefined || app === undefined) throw new Error("no such app");
  const options = explored(durable, app);
  const report = await exploreReport({
    ...{ ...options, deviations: { ...options.deviations, atMost } },
    eventually: {
      "each missed call is done": (sim: Simulator, { jobs }: Durable) =>
        expect([...jobs.values()].filter((state) => state === "done").length).toBe(
          sim.events.ofType("call.not_answered").length,
        ),
    },
  });
  expect(report.failures.map(({ story }) => story)).toEqual([]);
  return report.result.untried.restarts;
}

test.each([1, 2])(
  "An app that asks less often in later runs is right, and with %i deviations its report says what was not tried",
  async (atMost) => {
    // outlives all worlds
    let times = 5;
    const untried = await exploredJobs(async ({ jobs, write }, id) => {
      for (let time = 0; time < times; time++) await write(`${id}-${time}`);
      times = 2;
      jobs.set(id, "done");
    }, atMost);
    expect(untried).toMatch(/^not all: how often the app asks .* differs from run to run/);
  },
);

test("An app that reads each of its files once in its process is right, and no restart is left out", async () => {
  const kept = new Map<number, Buffer>();
  const untried = await exploredJobs(async ({ jobs }, id) => {
    for (const file of [1, 2, 3])
      if (!kept.has(file)) kept.set(file, await readFile(new URL(import.meta.url)));
    jobs.set(id, "done");
  });
  expect(untried).toBeUndefined();
});

test("A timer that a database in the process sets for itself is none of the app's", async () => {
  const [durable, app] = [places["database statement"], begins["whose timer runs"]?.(writesTwo(2))];
  if (durable === undefined || app === undefined) throw new Error("no such app");
  const text = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1.5S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
deviations:
  - { wait: PT33.5S 1500 ms, is: restarted }
`;
  const played = playWorld({ ...explored(durable, app), scenario: parseScenario(text) });
  await expect(played).rejects.toThrow("the run does not reach this: wait: PT33.5S 1500 ms");
});

test("What a callback of an earlier life asks ends no later life", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "ringback-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
deviations:
  - { attempt: PT31S call.not_answered, webhook: crm, number: 1, is: restartedAfter }
  - { wait: PT31S appendFile, nth: 3, is: restarted }
`;
  const played = playWorld({
    ...{ scenario: parseScenario(text), horizon: "PT5S", forged: false },
    durable: () => new Set<string>(),
    app(sim: Simulator, calls: Set<string>) {
      const appends = (id: string, line: number): void =>
        appendFile(path.join(folder, id), "", () => line < 4 && appends(id, line + 1));
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        if (!calls.has(id)) appends(id, 1);
        calls.add(id);
        return 204;
      });
      return calls;
    },
    eventually: { "a call is kept": (_: Simulator, calls: Set<string>) => calls.size === 1 },
  });
  await expect(played).rejects.toThrow("the run does not reach this: wait: PT31S appendFile, nth: 3");
});
