// A call-back list as a Worker: Hono takes the webhook, and D1 keeps when each number was last missed and last spoken to.
import { Hono } from "hono";
import { fromFetch } from "ringback";
import { callBacks } from "ringback/explore";
import initSqlJs from "sql.js";

const schema = `
  create table numbers (number text primary key, missed integer not null default 0, spoken integer not null default 0)`;

const encoder = new TextEncoder();

/** Whether a request is signed with the secret, and not older than five minutes. */
async function isGenuine(request, body, secret) {
  const timestamp = request.header("x-service-timestamp") ?? "0";
  const [how, hex = ""] = (request.header("x-service-signature") ?? "").split("=");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const isSigned = await crypto.subtle.verify("HMAC", key, signature, encoder.encode(`${timestamp}.${body}`));
  return how === "sha256" && isSigned && Math.abs(Date.now() - Number(timestamp)) < 300_000;
}

const worker = (defect) => {
  const app = new Hono();

  function note(db, { type, data, createdTimestamp }) {
    const column = type === "call.not_answered" ? "missed" : "spoken";
    const at = defect === "takes the time at which it hears" ? Date.now() : createdTimestamp;
    const sql = `insert into numbers (number, ${column}) values (?1, ?2)
      on conflict (number) do update set ${column} = max(${column}, ?2)`;
    return db.prepare(sql).bind(data.call.contactNumber, at).run();
  }

  app.post("/hooks", async (c) => {
    const body = await c.req.text();
    if (!(await isGenuine(c.req, body, c.env.SECRET))) return c.text("wrong signature", 401);
    const work = note(c.env.DB, JSON.parse(body));
    if (defect === "answers before it is stored") c.executionCtx.waitUntil(work);
    else await work;
    return c.body(null, 204);
  });
  return app;
};

const due = "select number from numbers where missed > spoken order by number";

// What explores it

const SQL = await initSqlJs();

/** As D1: each statement takes a turn of the event loop, and `waitUntil` may be cut. */
class D1 {
  db = new SQL.Database();
  [Symbol.dispose] = () => this.db.close();
  prepare(sql, values = []) {
    const rows = async () => {
      await new Promise(setImmediate);
      const statement = this.db.prepare(sql, values);
      const all = [];
      while (statement.step()) all.push(statement.getAsObject());
      statement.free();
      return all;
    };
    return {
      bind: (...given) => this.prepare(sql, given),
      first: async () => (await rows())[0] ?? null,
      all: async () => ({ results: await rows() }),
      run: async () => ({ results: await rows() }),
    };
  }
}

const numbers = async (db) => (await db.prepare(due).all()).results.map(({ number }) => number);

const explored = (defect) => ({
  scenario: new URL("call-backs.yaml", import.meta.url).pathname,
  durable() {
    const database = new D1();
    database.db.run(schema);
    return database;
  },
  app(sim, DB) {
    const app = worker(defect);
    const context = { waitUntil: () => {}, passThroughOnException: () => {} };
    const receive = fromFetch((request) => app.fetch(request, { DB, SECRET: "s3cret" }, context));
    sim.network.route("https://app.test/", receive);
    return DB;
  },
  show: numbers,
  forged: true,
  ...callBacks({ numbers }),
});

export const program = {
  name: "Hono, D1",
  explored,
  expected: {
    "takes the time at which it hears": "lost",
    "answers before it is stored": "restartedAfter",
  },
};
