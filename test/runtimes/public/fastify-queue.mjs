// A call log behind Fastify: the webhook writes a job into PostgreSQL, and a worker looks for one each second.
import Fastify from "fastify";
import pg from "pg";
import { callLog } from "ringback/explore";

const schema = (unique) => `
  create table jobs (id bigserial primary key, event text ${unique}, call text not null, run_after timestamptz not null, tries int not null default 0);
  create table calls (id text ${unique}, number text, answered boolean not null, seconds int not null)`;

function build({ pool, platform, defect }) {
  const server = Fastify();
  server.post("/hooks", async ({ body: { id, data } }, reply) => {
    const sql = "insert into jobs (event, call, run_after) values ($1, $2, $3) on conflict do nothing";
    await pool.query(sql, [id, data.call.id, new Date()]);
    return reply.code(204).send();
  });

  async function store(client, id) {
    const answer = await platform(`/calls/${id}`);
    if (!answer.ok) throw new Error(`the platform answers ${answer.status}`);
    const { contactNumber, answeredAt, duration } = await answer.json();
    const values = [id, contactNumber, answeredAt != null, Math.round(duration / 1_000)];
    await client.query("insert into calls values ($1, $2, $3, $4) on conflict do nothing", values);
  }

  const due = "select * from jobs where run_after <= $1 order by id limit 1 for update skip locked";
  const begin = (client) => client.query("begin");
  const commit = (client) => client.query("commit");
  const remove = (client, { id }) => client.query("delete from jobs where id = $1", [id]);
  const later = "update jobs set run_after = $2, tries = tries + 1 where id = $1";

  async function work(client) {
    await begin(client);
    const [job] = (await client.query(due, [new Date()])).rows;
    if (job !== undefined && defect === "deletes a job before it is done") {
      await remove(client, job);
      await commit(client);
      await begin(client);
    }
    if (job !== undefined)
      try {
        await store(client, job.call);
        await remove(client, job);
      } catch {
        await client.query(later, [job.id, new Date(Date.now() + 10_000 * 2 ** job.tries)]);
      }
    await commit(client);
  }

  let working;
  const tick = async () => {
    const client = await pool.connect();
    await work(client).then(
      () => client.release(),
      (error) => client.release(error),
    );
  };
  const timer = setInterval(() => {
    working ??= tick().finally(() => (working = undefined));
  }, 1_000);
  server.addHook("onClose", () => clearInterval(timer));
  return server;
}

// What explores it

const place = { connectionString: process.env.DATABASE_URL };
const admin = new pg.Pool({ ...place, max: 1 });
let worlds = 0;

const explored = (defect) => ({
  scenario: new URL("calls.yaml", import.meta.url).pathname,
  horizon: "PT1M",
  async durable() {
    const name = `queue_${process.pid}_${++worlds}`;
    const unique = defect === "takes every delivery as new" ? "" : "unique";
    await admin.query(`create schema ${name}; set search_path = ${name}; ${schema(unique)}`);
    const rows = async () => (await admin.query(`select * from ${name}.calls order by id`)).rows;
    return { name, rows, [Symbol.asyncDispose]: () => admin.query(`drop schema ${name} cascade`) };
  },
  app(sim, { name, rows }) {
    const pool = new pg.Pool({ ...place, options: `-c search_path=${name}` });
    const platform = (path) => sim.fetch(path, { headers: { authorization: `Bearer ${sim.token()}` } });
    const server = build({ pool, platform, defect });
    sim.network.route("https://app.test/", async ({ body, headers }) => {
      const { statusCode } = await server.inject({ method: "POST", url: "/hooks", headers, payload: body });
      return statusCode;
    });
    return { rows, [Symbol.asyncDispose]: () => server.close().then(() => pool.end()) };
  },
  show: ({ rows }) => rows(),
  ...callLog({ rows: async ({ rows }) => (await rows()).map(({ id, ...row }) => ({ callId: id, ...row })) }),
});

export const program = {
  name: "Fastify, PostgreSQL queue",
  needs: "postgres",
  explored,
  end: () => admin.end(),
  expected: {
    "takes every delivery as new": "unanswered",
    "deletes a job before it is done": "503",
  },
};
