import { describe, expect, test } from "vitest";
import type { DependencyCaller } from "../../../../src/core/engine/dependency-caller.ts";
import type { Deviation } from "../../../../src/core/engine/deviations.ts";
import { isInjected } from "../../../../src/core/network/dependencies/errors.ts";
import { createSimulator, type Simulator } from "../../../../src/index.ts";
import { thrownBy } from "../../../helpers.ts";

const url = "https://api.crm.example/activities";

/** A simulator as one has it who plays a scenario for an app. */
function played(caller: Partial<DependencyCaller> = {}): Simulator {
  const sim = createSimulator();
  const usual: DependencyCaller = {
    mayDeviate: true,
    mayRestart: true,
    isGone: () => false,
    restart: undefined,
    make: (run) => run(),
  };
  sim.services.engine.probes.attach({ dependencyCalled: () => ({ ...usual, ...caller }) });
  return sim;
}

/** What may happen where: `crm POST /activities: refused outage …`. */
function pointsOf(sim: Simulator): string[] {
  const points: string[] = [];
  sim.services.engine.deviations.watch(({ of, nth }, options) =>
    points.push(`${of}${nth > 1 ? ` #${nth}` : ""}: ${[...new Set(options.map(({ is }) => is))].join(" ")}`),
  );
  return points;
}

function plan(sim: Simulator, of: string, is: string, more: Partial<Deviation> = {}): void {
  sim.services.engine.deviations.plan({ what: "dependency", at: 0, of, is, ...more });
}

/** A CRM that takes anything. */
function crmOf() {
  const taken: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    taken.push(`${init?.method ?? "GET"} ${new URL(input instanceof Request ? input.url : input).pathname}`);
    return Response.json({ id: taken.length }, { status: 201 });
  };
  return { taken, fetch };
}

const post = { method: "POST", body: "{}" };

describe("A dependency", () => {
  test("is the client itself in a plain simulator", () => {
    const client = { send: async () => 1 };
    const sim = createSimulator();
    expect(sim.dependency("crm", client)).toBe(client);
    expect(sim.fork().dependency("crm", client)).toBe(client);
  });

  test.each([
    ["", {}, {}, "expected a name of one word"],
    ["the crm", {}, {}, 'expected a name of one word, such as "crm", got "the crm"'],
    ["crm", 5, {}, "expected a function or an object with methods, got 5"],
    ["crm", {}, { calls: "run" }, "expected a list"],
    ["crm", {}, { read: ["get"] }, "read"],
    ["crm", {}, { errors: { refused: new Error("no") } }, "expected a function"],
  ])("is refused where it is none: %j %j %j", (name, client, options, message) => {
    const error = thrownBy(() => createSimulator().dependency(name, client as object, options as object));
    expect((error as Error).message).toContain(message);
  });

  test("like fetch may fail in seven ways, and asks nobody where it refuses", async () => {
    const sim = played();
    const points = pointsOf(sim);
    const crm = crmOf();
    const send = sim.dependency("crm", crm.fetch);
    await send(url, post);
    await send(`${url}?call=1`);
    expect(points).toEqual([
      "crm POST /activities: refused outage unanswered 503 429 restarted restartedAfter",
      "crm GET /activities: refused outage 503 429 restarted",
    ]);
  });

  test("that refuses throws what fetch throws, and does nothing", async () => {
    const sim = played();
    const crm = crmOf();
    plan(sim, "crm POST /activities", "refused");
    const error = await sim
      .dependency("crm", crm.fetch)(url, post)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { code: "ECONNREFUSED" },
    });
    expect(isInjected(new Error("wrapped", { cause: error }))).toBe(true);
    expect(crm.taken).toEqual([]);
  });

  test("whose answer is lost has done what it was asked", async () => {
    const sim = played();
    const crm = crmOf();
    plan(sim, "crm POST /activities", "unanswered", { nth: 2 });
    const send = sim.dependency("crm", crm.fetch);
    expect((await send(url, post)).status).toBe(201);
    await expect(send(url, post)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(crm.taken).toHaveLength(2);
  });

  test("that is down refuses everything for a minute", async () => {
    const sim = played();
    const crm = crmOf();
    plan(sim, "crm POST /activities", "outage", { after: 60_000 });
    const send = sim.dependency("crm", crm.fetch);
    await expect(send(url, post)).rejects.toThrow("fetch failed");
    sim.advance("PT59S");
    await expect(send(url)).rejects.toThrow("fetch failed");
    sim.advance("PT1S");
    expect((await send(url)).status).toBe(201);
  });

  test("that is slow answers later in virtual time, unless the app gives up", async () => {
    const sim = played();
    const crm = crmOf();
    plan(sim, "crm POST /activities", "slow", { after: 10_000 });
    plan(sim, "crm GET /activities", "slow", { after: 10_000 });
    const send = sim.dependency("crm", crm.fetch);
    const answers: unknown[] = [];
    const giveUp = new AbortController();
    void send(url, post).then(({ status }) => answers.push(status));
    void send(url, { signal: giveUp.signal }).catch((thrown: unknown) => answers.push(thrown));
    await sim.advanceAsync("PT5S");
    giveUp.abort("too late");
    await sim.advanceAsync("PT4.999S");
    expect(answers).toEqual(["too late"]);
    await sim.advanceAsync("PT0.001S");
    expect(answers).toEqual(["too late", 201]);
  });

  test.each([
    ["503", null],
    ["429", "30"],
  ])("that answers %s does nothing", async (is, retryAfter) => {
    const sim = played();
    const crm = crmOf();
    plan(sim, "crm POST /activities", is);
    const answer = await sim.dependency("crm", crm.fetch)(url, post);
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([
      Number(is),
      retryAfter,
      "",
    ]);
    expect(crm.taken).toEqual([]);
  });

  test("is asked as usual while the app is built or judged", async () => {
    const sim = played({ mayDeviate: false });
    const points = pointsOf(sim);
    await sim.dependency("crm", crmOf().fetch)(url, post);
    expect(points).toEqual([]);
  });

  test("gives nothing to code of an app that was restarted", async () => {
    const sim = played({ isGone: () => true });
    const crm = crmOf();
    const got: unknown[] = [];
    void sim
      .dependency("crm", crm.fetch)(url, post)
      .then((answer) => got.push(answer));
    const sqlite = sim.dependency("db", { run: () => got.push("run") }, { calls: ["run"] });
    expect(() => sqlite.run()).toThrow("the app was restarted here");
    await new Promise(setImmediate);
    expect([...got, ...crm.taken]).toEqual([]);
  });

  test("restarts the app before or after its call", async () => {
    const restarts: string[] = [];
    const crm = crmOf();
    const sim = played({
      restart: (isNow) => void restarts.push(`${isNow} after ${crm.taken.length} calls`),
    });
    plan(sim, "crm POST /activities", "restarted");
    plan(sim, "crm POST /activities", "restartedAfter", { nth: 2 });
    const send = sim.dependency("crm", crm.fetch);
    void send(url, post);
    void send(url, post);
    await new Promise(setImmediate);
    expect(restarts).toEqual(["false after 0 calls", "false after 1 calls"]);
  });
});

/** As much of a pool of PostgreSQL as is needed, with private fields as real clients have. */
class Pool {
  readonly #sent: string[] = [];
  released = 0;
  connect() {
    return Promise.resolve(new Connection(this.#sent, () => this.released++));
  }
  async transaction<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    return run(new Connection(this.#sent, () => {}));
  }
  get sent() {
    return this.#sent;
  }
}
class Connection {
  readonly #sent: string[];
  constructor(
    sent: string[],
    readonly release: () => void,
  ) {
    this.#sent = sent;
  }
  query(statement: string | { readonly text: string }) {
    this.#sent.push(typeof statement === "string" ? statement : statement.text);
    return Promise.resolve({ rows: [] });
  }
}

/** As Knex builds queries, which run when they are awaited. */
class Query {
  statement = "select * from calls";
  constructor(private readonly sent: string[]) {}
  insert(): this {
    this.statement = "insert into calls (id) values (?)";
    return this;
  }
  toSQL() {
    return { sql: this.statement };
  }
  // biome-ignore lint/suspicious/noThenProperty: as builders of queries have
  then(resolve: (rows: string[]) => unknown) {
    this.sent.push(this.statement);
    return Promise.resolve([]).then(resolve);
  }
}

describe("A client", () => {
  test("is followed into what its calls give, and named by statements", async () => {
    const sim = played();
    const points = pointsOf(sim);
    const pool = sim.dependency("db", new Pool());
    const connection = await pool.connect();
    await connection.query("BEGIN");
    await connection.query('insert  into "calls" values ($1)');
    await connection.query({ text: "select id from calls" });
    connection.release();
    await pool.transaction((inside) => inside.query("update calls set x = 1"));
    expect(points.map((each) => each.replace(/:.*/, ""))).toEqual([
      "db connect",
      "db BEGIN",
      "db INSERT INTO calls",
      "db SELECT calls",
      "db transaction",
      "db UPDATE calls",
    ]);
    expect(points[3]).toBe("db SELECT calls: refused outage restarted");
    expect([pool.sent.length, pool.released]).toEqual([4, 1]);
    expect(pool).toBeInstanceOf(Pool);
  });

  test("whose queries run when they are awaited deviates then", async () => {
    const sim = played();
    const points = pointsOf(sim);
    const sent: string[] = [];
    const db = sim.dependency("db", () => new Query(sent));
    await db().insert();
    expect(points.map((each) => each.replace(/:.*/, ""))).toEqual(["db INSERT INTO calls"]);
    plan(sim, "db INSERT INTO calls", "unanswered", { nth: 2 });
    await expect(Promise.resolve(db().insert())).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(sent).toHaveLength(2);
  });

  test("names its methods by the way to them", async () => {
    const sim = played();
    const points = pointsOf(sim);
    const slack = sim.dependency("slack", { chat: { postMessage: async () => ({ ok: true }) } });
    await slack.chat.postMessage();
    expect(points).toEqual(["slack chat.postMessage: refused outage unanswered restarted restartedAfter"]);
  });

  test("like Axios is named by method and path, and answers no status of fetch's", async () => {
    const sim = played();
    const points = pointsOf(sim);
    const made = { post: async (_path: string, _body: object) => ({ status: 201 }) };
    const axios = Object.assign(async (_request: object) => ({ status: 200 }), made);
    const crm = sim.dependency("crm", axios);
    await crm.post("/activities?x=1", {});
    await crm({ method: "put", url });
    expect(points).toEqual([
      "crm POST /activities: refused outage unanswered restarted restartedAfter",
      "crm PUT /activities: refused outage unanswered restarted restartedAfter",
    ]);
  });

  test("without promises deviates at the methods that `calls` names", () => {
    const restarts: boolean[] = [];
    const sim = played({ restart: (isNow) => void restarts.push(isNow) });
    const points = pointsOf(sim);
    const rows: number[] = [];
    const database = {
      prepare: (_sql: string) => ({ run: (id: number) => rows.push(id), get: () => rows.at(-1) }),
    };
    const db = sim.dependency("db", database, { calls: ["run", "get"], reads: ["get"] });
    db.prepare("INSERT INTO calls VALUES (?)").run(1);
    db.prepare("SELECT id FROM calls").get();
    expect(points).toEqual([
      "db INSERT INTO calls: refused outage restarted restartedAfter",
      "db SELECT calls: refused outage restarted",
    ]);
    plan(sim, "db INSERT INTO calls", "refused", { nth: 2 });
    expect(() => db.prepare("INSERT INTO calls VALUES (?)").run(2)).toThrow("connect ECONNREFUSED");
    plan(sim, "db INSERT INTO calls", "restartedAfter", { nth: 3 });
    expect(() => db.prepare("INSERT INTO calls VALUES (?)").run(3)).toThrow("the app was restarted here");
    expect([rows, restarts]).toEqual([[1, 3], [true]]);
  });

  test("throws what `errors` makes, which adds the statuses", async () => {
    const sim = played();
    const points = pointsOf(sim);
    class DatabaseError extends Error {}
    const errors = {
      unanswered: () => new DatabaseError("terminated"),
      503: () => new DatabaseError("busy"),
    };
    const db = sim.dependency("db", { insert: async () => 1 }, { errors });
    await db.insert();
    expect(points).toEqual(["db insert: refused outage unanswered 503 restarted restartedAfter"]);
    plan(sim, "db insert", "unanswered", { nth: 2 });
    await expect(db.insert()).rejects.toThrow(new DatabaseError("terminated"));
    plan(sim, "db insert", "503", { nth: 3 });
    await expect(db.insert()).rejects.toThrow(new DatabaseError("busy"));
  });

  test("gets its own objects back as arguments", async () => {
    const sim = played();
    const inside = { query: async () => 1 };
    const given: unknown[] = [];
    const db = sim.dependency("db", {
      begin: async () => inside,
      use: async (transaction: unknown) => given.push(transaction),
    });
    const transaction = await db.begin();
    expect(transaction).not.toBe(inside);
    await db.use(transaction);
    expect(given[0]).toBe(inside);
  });

  test("passes data on as it is", async () => {
    const sim = played();
    const row = { id: 1, at: new Date(0), list: [1], bytes: new Uint8Array(1) };
    const db = sim.dependency("db", { get: async () => row, limit: 5 });
    expect(await db.get()).toBe(row);
    expect(db.limit).toBe(5);
  });
});

describe("Deviations of calls that look the same", () => {
  test.each([
    ["PT61S", "yes"],
    ["PT1S", "no"],
  ])("a refused call and an outage, if it is asked again after %s: %s", async (after, expected) => {
    const sim = played();
    const { deviations } = sim.services.engine;
    plan(sim, "crm POST /activities", "refused");
    const send = sim.dependency("crm", crmOf().fetch);
    await send(url, post).catch(() => {});
    sim.advance(after);
    await send(url, post);
    expect(deviations.equivalenceOf(0)).toBe(expected);
  });

  test("503 and 429, until the app reads more than `ok`", async () => {
    const sim = played();
    const { deviations } = sim.services.engine;
    plan(sim, "crm POST /activities", "503");
    const answer = await sim.dependency("crm", crmOf().fetch)(url, post);
    expect([answer.ok, deviations.equivalenceOf(0)]).toEqual([false, "yes"]);
    expect([answer.status, deviations.equivalenceOf(0)]).toEqual([503, "no"]);
  });
});
