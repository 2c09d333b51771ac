import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";
import { Database as DatabaseThatWaits } from "./database-in-process.ts";

/** A client of a database as packages have it: its transactions are rolled back if what they call fails, one after the other. */
const client = `
export class Database {
  rows = [];
  queue = Promise.resolve();
  async insert(row) {
    await undefined;
    this.rows.push(row);
  }
  transaction(work) {
    const run = async () => {
      const before = [...this.rows];
      try {
        return await work(this);
      } catch (error) {
        this.rows = before;
        throw error;
      }
    };
    const done = this.queue.then(run);
    this.queue = done.catch(() => {});
    return done;
  }
}
/** One client, which who takes it gives back. */
export class Pool {
  free = 1;
  waiting = [];
  connect() {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.next();
    });
  }
  next() {
    if (this.free === 0 || this.waiting.length === 0) return;
    this.free--;
    this.waiting.shift()({ release: (...given) => this.release(...given) });
  }
  release() {
    this.free++;
    this.next();
  }
}`;
const folder = mkdtempSync(path.join(tmpdir(), "ringback-client-"));
const [file = "", ofProcess = ""] = ["tiny-sql", "tiny-sqlite"].map((name) => {
  const made = path.join(folder, "node_modules", name, "index.mjs");
  mkdirSync(path.dirname(made), { recursive: true });
  writeFileSync(made, client);
  return made;
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Database {
  rows: string[];
  insert(row: string): Promise<void>;
  transaction(work: (database: Database) => Promise<void>): Promise<void>;
}
interface Client {
  readonly Database: new () => Database;
  readonly Pool: new () => {
    readonly free: number;
    connect(): Promise<{ release(): void }>;
    release(...given: unknown[]): unknown;
  };
}
const { Database, Pool }: Client = await import(pathToFileURL(file).href);
const { Database: DatabaseOfProcess }: Client = await import(pathToFileURL(ofProcess).href);

const crm = createServer((_, response) => response.end("{}"));
crm.listen(0, "127.0.0.1");
await once(crm, "listening");
const address = `http://127.0.0.1:${(crm.address() as AddressInfo).port}/`;
afterAll(() => crm.closeAllConnections());
afterAll(() => void crm.close());

/** What the app keeps: its jobs, and the lines that it writes for each. */
interface Durable {
  readonly jobs: Map<string, "new" | "done">;
  readonly lines: Database;
}

type Work = (durable: Durable, id: string) => Promise<void>;

/** Stores a job, answers, and works. A new life does what is left. */
function appOf(work: Work) {
  return async (sim: Simulator, durable: Durable) => {
    for (const [id, state] of durable.jobs) if (state === "new") await work(durable, id);
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!durable.jobs.has(id)) {
        durable.jobs.set(id, "new");
        void work(durable, id);
      }
      return 204;
    });
    return durable;
  };
}

const explored = (work: Work) =>
  exploreReport({
    scenario,
    durable: (): Durable => ({ jobs: new Map(), lines: new Database() }),
    app: appOf(work),
    deviations: { kinds: ["lost", "restarted", "restartedAfter"] },
    eventually: {
      "each missed call has two lines": (sim, { lines }) =>
        expect(lines.rows.length).toBe(2 * sim.events.ofType("call.not_answered").length),
    },
  });

const outside: Record<string, () => Promise<unknown>> = {
  "a file": () => readFile(new URL(import.meta.url)),
  "an HTTP service": async () => (await fetch(address)).text(),
  "a database in its process": () => new Database().insert("another"),
};

/** Notes that a job is done after its work is done, or before. */
const works =
  (wait: () => Promise<unknown>, isDoneFirst: boolean): Work =>
  async ({ jobs, lines }, id) => {
    if (isDoneFirst) jobs.set(id, "done");
    await wait();
    await lines.transaction(async (database) => {
      await database.insert(`${id} 1`);
      await wait();
      await database.insert(`${id} 2`);
    });
    jobs.set(id, "done");
  };

describe.each(Object.entries(outside))("An app that has answered and waits for %s", (_, wait) => {
  test("is restarted there", async () => {
    const { failures } = await explored(works(wait, true));
    expect(failures.map(({ property }) => property)).toEqual(["each missed call has two lines"]);
  });

  test("is right if it does its job again", async () => {
    const again: Work = async (durable, id) => {
      if (durable.lines.rows.some((row) => row.startsWith(id))) return void durable.jobs.set(id, "done");
      await works(wait, false)(durable, id);
    };
    expect((await explored(again)).failures.map(({ story }) => story)).toEqual([]);
  });
});

test("An app that restarts in a transaction of its database's client leaves none open", async () => {
  const { failures } = await explored(async ({ jobs, lines }, id) => {
    await lines.transaction(async (database) => {
      await database.insert(`${id} 1`);
      await readFile(new URL(import.meta.url));
      await database.insert(`${id} 2`);
    });
    jobs.set(id, "done");
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
});

test("A client that an app had taken out of a pool when it restarted does not stay out of it", async () => {
  const pool = new Pool();
  const { failures, worlds } = await explored(async ({ jobs, lines }, id) => {
    const taken = await pool.connect();
    try {
      for (const line of [1, 2]) {
        await readFile(new URL(import.meta.url));
        if (!lines.rows.includes(`${id} ${line}`)) lines.rows.push(`${id} ${line}`);
      }
    } finally {
      taken.release();
    }
    jobs.set(id, "done");
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(worlds).toBeGreaterThan(3);
  expect(pool.free).toBe(1);
});

test.each(["throws", "rejects"])("A client that %s when it is dropped is no fault of an app", async (how) => {
  const { failures, worlds } = await explored(async ({ jobs, lines }, id) => {
    const pool = new Pool();
    const { release } = pool;
    pool.release = (...given) => {
      if (given.length === 0) return release.call(pool);
      const error = new Error("it takes no arguments");
      if (how === "throws") throw error;
      return Promise.reject(error);
    };
    const taken = await pool.connect();
    for (const line of [1, 2]) {
      await readFile(new URL(import.meta.url));
      if (!lines.rows.includes(`${id} ${line}`)) lines.rows.push(`${id} ${line}`);
    }
    taken.release();
    jobs.set(id, "done");
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(worlds).toBeGreaterThan(3);
});

test.each([
  ["names", "twice", [1, 2]],
  ["does not name", "once", [1]],
])("The report %s a database in the process of an app that uses it %s", async (does, _, uses) => {
  const report = await explored(async ({ jobs, lines }, id) => {
    const other = new DatabaseOfProcess();
    for (const line of uses) await other.insert(`${line}`);
    lines.rows.push(`${id} 1`, `${id} 2`);
    jobs.set(id, "done");
  });
  expect(report.failures.map(({ story }) => story)).toEqual([]);
  const named = "no world restarts the app before each use of `tiny-sqlite`";
  expect(report.toText().includes(named)).toBe(does === "names");
});

/** A stand-in for Postgres: it notes what each transaction wrote once that is committed. */
async function postgres() {
  const sockets = new Set<Socket>();
  const committed: string[] = [];
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    let open: string[] | undefined;
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      for (let at = 0; at < chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
        const sql = chunk.toString("utf8", at + 5, at + chunk.readUInt32BE(at + 1));
        if (sql === "begin") open = [];
        else if (sql !== "commit") (open ?? committed).push(sql);
        else {
          committed.push(...(open ?? []));
          open = undefined;
        }
        socket.write(Buffer.from([0x5a, 0, 0, 0, 5, open === undefined ? 0x49 : 0x54]));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...{ committed, port: (server.address() as AddressInfo).port },
    get connections() {
      return sockets.size;
    },
    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]: () => {
      for (const each of sockets) each.destroy();
      server.close();
    },
  };
}

test("A connection to Postgres on which a life began a transaction is closed when the life ends", async () => {
  const left: number[] = [];
  const { failures } = await exploreReport({
    scenario,
    durable: async () => Object.assign(await postgres(), { jobs: new Map<string, string>() }),
    app: async (sim, durable) => {
      const { jobs, port } = durable;
      if (jobs.size > 0) left.push(durable.connections);
      const work = async (id: string) => {
        await ask(port, ["begin", `${id} 1`, `${id} 2`, "commit"]);
        jobs.set(id, "done");
      };
      for (const [id, state] of jobs) if (state === "new") await work(id);
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        if (!jobs.has(id)) {
          jobs.set(id, "new");
          void work(id);
        }
        return 204;
      });
      return durable;
    },
    show: () => undefined,
    deviations: { kinds: ["restarted", "restartedAfter"] },
    eventually: {
      "each missed call has two lines": (sim, { committed }) =>
        expect(committed.length).toBe(2 * sim.events.ofType("call.not_answered").length),
    },
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(left.every((count) => count === 0)).toBe(true);
  expect(left.length).toBeGreaterThan(0);
});

/** Asks over a connection, one statement after the other, and closes it. @param statements `|` is between those written at once */
async function ask(port: number, statements: readonly string[]): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  for (const each of statements) {
    socket.write(Buffer.concat(each.split("|").flatMap(message)));
    await once(socket, "data");
  }
  socket.destroy();
}

function message(sql: string): Buffer[] {
  return [Buffer.from([0x51, 0, 0, 0, 5 + sql.length]), Buffer.from(`${sql}\0`)];
}

/** What an app asks a database. */
interface Asked extends Partial<Disposable> {
  readonly committed: readonly string[];
  ask(statements: readonly string[]): Promise<void>;
}

const databases: Record<string, () => Promise<Asked>> = {
  async Postgres() {
    const made = await postgres();
    return Object.assign(made, { ask: (statements: readonly string[]) => ask(made.port, statements) });
  },
  async "a database in its process"() {
    const made = new DatabaseThatWaits();
    return {
      get committed() {
        return made.rows;
      },
      async ask(statements) {
        const texts = statements.flatMap((each) => each.split("|"));
        if (texts[0] !== "begin") for (const each of texts) await made.insert(each);
        else
          await made.transaction(async (open) => {
            for (const each of texts.slice(1, -1)) await open.insert(each);
          });
      },
    };
  },
};

const second = ["When the app restarts before the second database statement of this moment"];

describe.each(Object.entries(databases))("An app that has answered and asks %s", (_, make) => {
  test.each([
    ["before its second statement", ["1"], ["2"], second],
    ["before a transaction", ["1"], ["begin", "2", "commit"], second],
    ["before a transaction that is written at once", ["1"], ["begin|2|commit"], second],
    ["not in a transaction", [], ["begin", "1", "2", "commit"], []],
  ])("restarts %s", async (_, before, after, stories) => {
    let lives = 0;
    const explored = () =>
      exploreReport({
        scenario,
        durable: async () => Object.assign(await make(), { done: new Set<string>() }),
        app: (sim, durable) => {
          const { done } = durable;
          lives++;
          sim.network.route(url, ({ body }) => {
            const { id } = JSON.parse(body).data.call;
            const work = async () => {
              await durable.ask(before);
              if (before.length > 0) done.add(id);
              await durable.ask(after);
              done.add(id);
            };
            if (!done.has(id)) void work();
            return 204;
          });
          return durable;
        },
        show: () => undefined,
        forged: false,
        deviations: { kinds: ["restarted"] },
        eventually: {
          "a call that is done has both lines": (_, { committed, done }) =>
            expect(new Set(committed).size).toBe(2 * done.size),
        },
      });
    const { failures, worlds } = await explored();
    expect(failures.map(({ story }) => story.split(",")[0])).toEqual(stories);
    expect(lives).toBeGreaterThan(worlds);
  });
});

test("An app that answers and then stores by a database in its process may lose the rest, and the same is said twice", async () => {
  const explored = (isRight: boolean) =>
    exploreReport({
      scenario,
      durable: () => ({ outbox: new Set<string>(), stored: new DatabaseThatWaits() }),
      app: async (sim, durable) => {
        const { outbox, stored } = durable;
        const work = async (id: string) => {
          for (const line of [1, 2, 3]) await stored.insert(`${id} ${line}`);
          outbox.delete(id);
        };
        for (const id of outbox) await work(id);
        sim.network.route(url, ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          if (isRight) outbox.add(id);
          void work(id);
          return 204;
        });
        return durable;
      },
      show: () => undefined,
      forged: false,
      deviations: { kinds: ["restarted", "restartedAfter"] },
      eventually: {
        "each missed call has three lines": (sim, { stored }) =>
          expect(new Set(stored.rows).size).toBe(3 * sim.events.ofType("call.not_answered").length),
      },
    });
  const wrong = await explored(false);
  expect(wrong.failures[0]?.smallest.scenario).toContain("is: restartedAfter");
  expect((await explored(false)).toText()).toBe(wrong.toText());
  const right = await explored(true);
  expect(right.failures.map(({ story }) => story)).toEqual([]);
  expect(right.toText()).not.toContain("no world restarts the app");
});

const wentOn = expect.stringMatching(/^not all: callbacks of a database/);

test.each([
  ["by a callback", wentOn],
  ["by a promise", undefined],
])(
  "What an app does on an error of Postgres that it hears of %s after its end is no fault of it",
  async (how, untried) => {
    const { failures, result } = await exploreReport({
      scenario,
      durable: async () => Object.assign(await postgres(), { jobs: new Map<string, string>() }),
      app: async (sim, durable) => {
        const { jobs, port } = durable;
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        const query = (sql: string, heard: (isDone: boolean) => void) => {
          socket.once("data", ([first]: Buffer) => heard(first !== "E".charCodeAt(0)));
          socket.write(Buffer.concat(message(sql)));
        };
        const end = (id: string, isDone: boolean) => void jobs.set(id, isDone ? "done" : "given up");
        const byCallback = (id: string, then: () => void = () => {}) =>
          query("1", (first) =>
            query("2", (second) => {
              end(id, first && second);
              then();
            }),
          );
        const byPromise = async (id: string) => {
          const first = await new Promise<boolean>((resolve) => query("1", resolve));
          const second = await new Promise<boolean>((resolve) => query("2", resolve));
          end(id, first && second);
        };
        const isOfCallback = how === "by a callback";
        for (const [id, state] of jobs)
          if (state === "new")
            await (isOfCallback ? new Promise<void>((then) => byCallback(id, then)) : byPromise(id));
        sim.network.route(url, ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          if (jobs.has(id)) return 204;
          jobs.set(id, "new");
          if (isOfCallback) byCallback(id);
          else void byPromise(id);
          return 204;
        });
        return { jobs, [Symbol.asyncDispose]: async () => void socket.destroy() };
      },
      show: ({ jobs }) => [...jobs],
      forged: false,
      deviations: { kinds: ["restarted"] },
      eventually: {
        "each job is done": (_, { jobs }) => [...jobs.values()].every((state) => state === "done"),
      },
    });
    expect(failures.map(({ story }) => story)).toEqual([]);
    expect(result.untried.restarts).toEqual(untried);
  },
);

test.each([
  ["a transaction, which is begun", "begin", undefined],
  ["a statement, which is refused", "2", wentOn],
])("A report says of an app that ends before %s, whether it heard of a refusal", async (_, last, untried) => {
  const { failures, result } = await exploreReport({
    scenario,
    durable: async () => Object.assign(await postgres(), { done: new Set<string>() }),
    app: async (sim, { done, port }) => {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        socket.once("data", () => {
          done.add(id);
          socket.write(Buffer.concat(message(last)));
        });
        socket.write(Buffer.concat(message("1")));
        return 204;
      });
      return { done, [Symbol.asyncDispose]: async () => void socket.destroy() };
    },
    show: ({ done }) => [...done],
    forged: false,
    deviations: { kinds: ["restarted"] },
    eventually: { "nothing is wrong": () => true },
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(result.untried.restarts).toEqual(untried);
});

test("A queue of promises in `durable` that waits for ever after a restart is named where the app hangs", async () => {
  class Queue {
    readonly rows: string[] = [];
    private tail: Promise<unknown> = Promise.resolve();

    insert(row: string): Promise<unknown> {
      this.tail = this.tail.then(async () => {
        await readFile(new URL(import.meta.url));
        this.rows.push(row);
      });
      return this.tail;
    }
  }
  const { failures } = await exploreReport({
    scenario,
    durable: () => ({ queue: new Queue(), jobs: new Set<string>() }),
    app: async (sim, durable) => {
      for (const id of durable.jobs) if (!durable.queue.rows.includes(id)) await durable.queue.insert(id);
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        durable.jobs.add(id);
        void durable.queue.insert(id);
        return 204;
      });
      return durable;
    },
    show: () => undefined,
    patience: 200,
    deviations: { kinds: ["restarted"] },
  });
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringContaining("If a method of `durable` waits for its own earlier promise, it waits for ever"),
  ]);
});
