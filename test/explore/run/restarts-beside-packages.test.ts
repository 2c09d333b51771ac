import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

const deviations = { kinds: ["restarted", "restartedAfter"] } as const;

/** Answers all that it is sent as Postgres does in a transaction; says at once what it is given. */
async function inTransaction(greeting?: readonly number[]) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (greeting !== undefined) socket.write(Buffer.from(greeting));
    socket.on("data", () => socket.write(Buffer.from([0x5a, 0, 0, 0, 5, 0x54])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  return socket;
}

test("A restart leaves a connection open on which a test, and not the app, stands in a transaction", async () => {
  const { server, port } = await inTransaction();
  const own = await connected(port);
  let checks = 0;
  const { failures } = await exploreReport({
    scenario,
    durable: () => new Map(),
    app: (sim, durable) => {
      sim.network.route(url, () => 204);
      return durable;
    },
    deviations,
    eventually: {
      "the test's own rows can be read": async () => {
        checks++;
        expect(own.destroyed).toBe(false);
        own.write(Buffer.from([0x51, 0, 0, 0, 6, 0x3b, 0]));
        await once(own, "data");
      },
    },
  });
  own.destroy();
  server.close();
  expect(failures.map(({ story, message }) => [story, message])).toEqual([]);
  expect(checks).toBeGreaterThan(1);
});

test("A pool may wait for a connection that an app took which is killed while it asks the REST API", async () => {
  const { server, port } = await inTransaction();
  const sockets: Socket[] = [];
  const { failures, worlds } = await exploreReport({
    scenario,
    durable: () => new Set<string>(),
    app: async (sim, durable) => {
      const socket = await connected(port);
      sockets.push(socket);
      let giveBack = Promise.resolve();
      sim.network.route(url, async ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        let isBack: () => void = () => {};
        giveBack = new Promise((resolve) => {
          isBack = resolve;
        });
        socket.write(Buffer.from([0x51, 0, 0, 0, 6, 0x3b, 0]));
        await once(socket, "data");
        await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } });
        durable.add(id);
        isBack();
        return 204;
      });
      return { [Symbol.asyncDispose]: () => giveBack };
    },
    show: () => undefined,
    deviations: { kinds: ["restarted"] },
    eventually: { "each call is kept": (sim, _) => sim.calls.list().length === 1 },
  });
  for (const each of sockets) each.destroy();
  server.close();
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(worlds).toBeGreaterThan(1);
});

test("Bytes that look like an answer of Postgres do not close the connection that brings them", async () => {
  const { server, port } = await inTransaction([1, 2, 0x5a, 0, 0, 0, 5, 0x54]);
  const sockets: Socket[] = [];
  const { failures } = await exploreReport({
    scenario,
    durable: () => ({ download: undefined as Socket | undefined }),
    app: async (sim, durable) => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      await once(socket, "data");
      durable.download ??= socket;
      sim.network.route(url, () => 204);
      return durable;
    },
    show: () => undefined,
    deviations,
    eventually: { "the download goes on": (_, { download }) => expect(download?.destroyed).toBe(false) },
  });
  for (const each of sockets) each.destroy();
  server.close();
  expect(failures.map(({ story }) => story)).toEqual([]);
});

interface Jobs {
  readonly states: Map<string, "new" | "done" | "failed">;
  tries: number;
  run(id: string, work: () => Promise<void>): Promise<void>;
}

const folder = mkdtempSync(path.join(tmpdir(), "ringback-packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A package that runs jobs, and does something if one fails. */
async function jobsOf(name: string, onError: string): Promise<new () => Jobs> {
  const file = path.join(folder, "node_modules", name, "index.mjs");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    `export class Jobs {
       states = new Map();
       tries = 0;
       async run(id, work) {
         for (;;) {
           this.tries++;
           this.states.set(id, "new");
           try {
             await work();
             return void this.states.set(id, "done");
           } catch { ${onError} }
         }
       }
     }`,
  );
  return (await import(pathToFileURL(file).href)).Jobs;
}

async function exploredJobs(Jobs: new () => Jobs) {
  const made: Jobs[] = [];
  const work = async () => {
    await readFile(new URL(import.meta.url));
    await readFile(new URL(import.meta.url));
  };
  const { failures } = await exploreReport({
    scenario,
    durable: () => {
      made.push(new Jobs());
      return made.at(-1) as Jobs;
    },
    app: async (sim, jobs) => {
      for (const [id, state] of jobs.states) if (state === "new") await jobs.run(id, work);
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        if (!jobs.states.has(id)) void jobs.run(id, work);
        return 204;
      });
      return jobs;
    },
    show: () => undefined,
    deviations,
    eventually: {
      "no job fails": (_, { states }) => expect([...states.values()]).not.toContain("failed"),
    },
  });
  return { made, failures };
}

const fails = `return void this.states.set(id, "failed");`;

describe("What waits for code of an app that is gone", () => {
  test.each(["job-platform", "feedback", "pg-boss", "@acme/transform"])(
    "waits for ever in the package %s, which is no client of a database",
    async (name) => {
      const { failures } = await exploredJobs(await jobsOf(name, fails));
      expect(failures.map(({ story }) => story)).toEqual([]);
    },
  );

  test.each(["typeorm", "tiny-sql", "@mikro-orm/core", "better-sqlite3", "pg"])(
    "fails in the package %s, which is one",
    async (name) => {
      const { failures } = await exploredJobs(await jobsOf(name, fails));
      expect(failures.map(({ property }) => property)).toEqual(["no job fails"]);
    },
  );

  test("fails a bounded number of times in a client that tries again at once", async () => {
    const { made, failures } = await exploredJobs(await jobsOf("retry-sql", ""));
    expect(failures.map(({ story }) => story)).toEqual([]);
    expect(Math.max(...made.map(({ tries }) => tries))).toBeLessThan(100);
  });
});
