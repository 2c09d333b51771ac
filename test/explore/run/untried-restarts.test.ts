import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { appendFile, createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as later } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { exploreAs } from "../../../src/explore/explore.ts";
import {
  type ExploreOptions,
  type ExploreReport,
  exploreReport,
  httpSubject,
} from "../../../src/explore/index.ts";
import { endLine, headLine, mergeResults, worldLine } from "../../../src/explore/results.ts";
import type { Simulator } from "../../../src/index.ts";
import { listening } from "../../server/support.ts";
import { scenario, url } from "../missed-call.ts";

const file = new URL(import.meta.url);

const line =
  "\nthe app works after it has answered, and restarts were not tried: give `durable`, or for a server `--restart <command>`\n";

/** Handles a call, of which it can ask the REST API. It answers 204 if it returns nothing. */
type Handle = (call: { store(): void; isFound(signal?: AbortSignal): Promise<boolean> }) => unknown;

const appThat = (handle: Handle) => (sim: Simulator) => {
  const stored = new Set<string>();
  sim.network.route(url, ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const headers = { authorization: `Bearer ${sim.token()}` };
    const isFound = async (signal?: AbortSignal) => {
      return sim.fetch(`/calls/${id}`, { headers, signal: signal ?? null }).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    return handle({ store: () => void stored.add(id), isFound }) ?? 204;
  });
  return stored;
};

const storesWhenFound: Handle = ({ isFound, store }) => void isFound().then((is) => is && store());

/** Asks before it answers, and if that fails, again in a minute, of which only its memory knows. */
const asksAgainLater: Handle = async ({ isFound, store }) => {
  const work = async () => {
    if (await isFound()) store();
    else setTimeout(work, 60_000);
  };
  await work();
  return 204;
};

function options(handle: Handle): ExploreOptions<Set<string>> {
  return { scenario, subject: appThat(handle), eventually: { "is right": () => true } };
}

/** Whether a report says so, as text and as data. */
function isSaid(report: ExploreReport): boolean {
  expect(report.failures).toEqual([]);
  expect(report.toText().includes(line)).toBe(report.result.untriedRestarts);
  return report.result.untriedRestarts;
}

describe("A report says that restarts were not tried of an app that answers", () => {
  test.each<readonly [what: string, handle: Handle]>([
    ["and then asks the REST API", storesWhenFound],
    ["and asks the REST API in an immediate", (call) => void setImmediate(storesWhenFound, call)],
    ["and asks the REST API in a timer", (call) => void setTimeout(storesWhenFound, 1_000, call)],
    ["and asks the REST API again in a minute if that fails", asksAgainLater],
    ["and stores in an immediate", ({ store }) => void setImmediate(store)],
    ["and stores half an hour later", ({ store }) => void setTimeout(store, 1_800_000)],
    ["and stores once a file is written", ({ store }) => void appendFile("/dev/null", ".", store)],
  ])("%s", async (_, handle) => {
    expect(isSaid(await exploreReport(options(handle)))).toBe(true);
  });
});

describe("A report says nothing of restarts of an app that", () => {
  test.each<readonly [what: string, handle: Handle]>([
    ["stores before it answers", ({ store }) => store()],
    [
      "asks the REST API before it answers",
      async ({ isFound, store }) => {
        if (!(await isFound())) return 503;
        store();
        return 204;
      },
    ],
    [
      "waits, asks the REST API, waits and stores before it answers",
      async ({ isFound, store }) => {
        await later(100);
        if (!(await isFound())) return 503;
        await later(100);
        store();
        return 204;
      },
    ],
    [
      "leaves a timer behind that limits how long it asks",
      async ({ isFound, store }) => {
        if (!(await Promise.race([isFound(), later(4_000, false)]))) return 503;
        store();
        return 204;
      },
    ],
    [
      "gives up asking by a signal",
      async ({ isFound, store }) => {
        if (!(await isFound(AbortSignal.timeout(3_000)).catch(() => false))) return 503;
        store();
        return 204;
      },
    ],
    [
      "leaves a line of a log behind",
      ({ store }) => {
        store();
        appendFile("/dev/null", ".", () => {});
        setImmediate(() => {});
      },
    ],
  ])("%s", async (_, handle) => {
    expect(isSaid(await exploreReport(options(handle)))).toBe(false);
  });

  test("looks every hour for calls that no webhook told of", async () => {
    const subject = (sim: Simulator) => {
      const stored = appThat(({ store }) => store())(sim);
      setInterval(async () => {
        const answer = await sim.fetch("/calls", { headers: { authorization: `Bearer ${sim.token()}` } });
        if (answer.ok) for (const { id } of (await answer.json()).calls) stored.add(id);
      }, 3_600_000);
      return stored;
    };
    const report = await exploreReport({ ...options(storesWhenFound), subject, worlds: 5 });
    expect(isSaid(report)).toBe(false);
  });

  test.each<readonly [what: string, more: Partial<ExploreOptions<Set<string>>>]>([
    ["says what outlives a restart", { durable: () => ({}) }],
    ["is explored without deviations", { deviations: 0 }],
    ["is explored with kinds that are named", { deviations: { kinds: ["lost"] } }],
  ])("%s", async (_, more) => {
    expect(isSaid(await exploreReport({ ...options(storesWhenFound), ...more }))).toBe(false);
  });
});

test("A report says that restarts were not tried in random worlds too", async () => {
  expect(isSaid(await exploreReport({ ...options(storesWhenFound), seeds: 2 }))).toBe(true);
});

test.each([asksAgainLater, storesWhenFound])(
  "Shards say together that restarts were not tried, as the whole does: %o",
  async (handle) => {
    const resultsOf = async (index: number, count: number) => {
      const lines: string[] = [];
      const { result } = await exploreAs(
        { ...options(handle), shard: { index, count } },
        {
          onStart: ({ prepared, limits }) => lines.push(headLine(prepared, limits)),
          onWorld: (outcome) => lines.push(worldLine(outcome)),
        },
      );
      return { name: String(index), text: lines.join("") + endLine(result) };
    };
    const whole = mergeResults([await resultsOf(1, 1)]);
    const merged = mergeResults([await resultsOf(1, 3), await resultsOf(2, 3), await resultsOf(3, 3)]);
    expect([isSaid(whole), isSaid(merged)]).toEqual([true, true]);
    expect(merged.toText()).toBe(whole.toText());
  },
);

test.each([
  ["before", false],
  ["after", true],
] as const)(
  "A report says of a server that asks the REST API %s it answers whether restarts were not tried",
  async (when, is) => {
    let api = { api: "", clientId: "", clientSecret: "" };
    let busy = 0;
    let waiting = 0;
    const ask = async () => {
      const { clientId, clientSecret } = api;
      const body = JSON.stringify({ grantType: "client_credentials", clientId, clientSecret });
      const headers = { "content-type": "application/json" };
      waiting++;
      await fetch(`${api.api}/oauth/token`, { method: "POST", headers, body });
      waiting--;
    };
    const server = await listening(async (request, response) => {
      if (request.url === "/idle")
        return void response.writeHead(busy === waiting ? 200 : 503).end(JSON.stringify({ waiting }));
      const given = await json(request);
      if (request.url === "/reset") api = given as typeof api;
      const isHook = request.url === "/hooks";
      busy++;
      if (isHook && when === "before") await ask();
      response.writeHead(204).end();
      if (isHook && when === "after") await ask();
      busy--;
    });
    const subject = httpSubject({ url: server.url, reset: "/reset", idle: "/idle" });
    const report = await exploreReport({
      scenario,
      subject,
      deviations: { atMost: 1, on: [url] },
      forged: false,
    });
    expect(isSaid(report)).toBe(is);
  },
);

test.each([
  ["a stream", reads, "`createReadStream`"],
  ["a file that it reads", () => readFile(file), "`readFile`"],
  ["a file that it writes and a stream", () => writes().then(reads), "`createReadStream`"],
  ["a file that it deletes", deletes, "`rm`"],
  ["a process", () => once(spawn(process.execPath, ["-v"]), "close"), "a process or a thread"],
  ["a file that it reads and one that it writes", () => reads().then(writes), undefined],
  ["the REST API", (sim: Simulator) => sim.fetch("/users").catch(() => {}), undefined],
  ["nothing", async () => {}, undefined],
])(
  "A timer whose work waits for %s: the report says whether a restart comes between",
  async (_, wait, named) => {
    const report = await exploreReport({
      scenario,
      durable: () => new Set<string>(),
      app(sim, calls) {
        const timer = setInterval(() => void wait(sim), 1_000);
        sim.network.route(url, ({ body }) => {
          calls.add(JSON.parse(body).data.call.id);
          clearInterval(timer);
          return 204;
        });
        return calls;
      },
      horizon: "PT5S",
      deviations: { kinds: ["restarted"] },
      eventually: { "the call is kept": (sim, calls) => calls.size === sim.calls.list().length },
    });
    expect(report.passed).toBe(true);
    expect(notInterrupted(report)).toEqual(named === undefined ? [] : [named]);
  },
);

test.each([
  ["a stream", reads, undefined],
  ["a file that it writes and a stream", () => writes().then(reads), "`createReadStream`"],
  ["a stream and a file that it writes", () => reads().then(writes), undefined],
  ["a stream that it writes, and ends", () => streams("a"), undefined],
  ["a stream that it writes, and ends with more", () => streams("a", "b"), "a stream's `write`"],
  ["a file that it deletes, and another one", () => deletes().then(deletes), "`rm`"],
  ["a WebSocket, and says two things over it", saysByWebSocket, "a connection"],
  ["two answers by UDP", asksByUdp, "a UDP socket"],
])(
  "An app that has answered and waits for %s: the report says whether a restart comes between",
  async (_, wait, named) => {
    const report = await exploreReport({
      scenario,
      durable: () => new Set<string>(),
      app(sim, calls) {
        sim.network.route(url, ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          if (!calls.has(id)) void wait();
          calls.add(id);
          return 204;
        });
        return calls;
      },
      deviations: { kinds: ["restarted", "restartedAfter"] },
      eventually: { "the call is kept": (sim, calls) => calls.size === sim.calls.list().length },
    });
    expect(report.passed).toBe(true);
    expect(notInterrupted(report)).toEqual(named === undefined ? [] : [named]);
  },
);

/** What the report names before which no world restarts the app. */
function notInterrupted(report: ExploreReport): string[] {
  return [...report.toText().matchAll(/no world restarts the app before each use of (.+?): name/g)].map(
    ([, named]) => named ?? "",
  );
}

function reads() {
  return createReadStream(file).toArray();
}

async function streams(first: string, last?: string) {
  const stream = createWriteStream("/dev/null");
  await new Promise((resolve) => stream.write(first, resolve));
  await once(stream.end(last), "finish");
}

async function saysByWebSocket() {
  const server = createServer().on("upgrade", (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
    socket.pipe(socket);
  });
  const { port } = (await listens(server)).address() as AddressInfo;
  const asked = request({ port, headers: { connection: "Upgrade", upgrade: "websocket" } }).end();
  const [, socket] = (await once(asked, "upgrade")) as [unknown, Socket];
  for (const frame of ["one", "two"]) {
    socket.write(frame);
    await once(socket, "data");
  }
  socket.destroy();
  server.close();
}

async function listens(server: Server): Promise<Server> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

async function asksByUdp() {
  const [own, other] = [createSocket("udp4"), createSocket("udp4")];
  other.on("message", (text, { port, address }) => other.send(text, port, address));
  await once(other.bind(0, "127.0.0.1"), "listening");
  for (const text of ["one", "two"]) {
    own.send(text, other.address().port, "127.0.0.1");
    await once(own, "message");
  }
  own.close();
  other.close();
}

function writes() {
  return mkdir(tmpdir(), { recursive: true });
}

function deletes() {
  return rm(path.join(tmpdir(), "ringback-no-such-file"), { force: true });
}
