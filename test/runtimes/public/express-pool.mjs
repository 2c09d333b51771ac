// A wallboard: Express behind a port, and PostgreSQL behind a pool.
import { once } from "node:events";
import express from "express";
import pg from "pg";
import { fromFetch } from "ringback";
import { wallboard } from "ringback/explore";

const schema = `
  create table people (id text primary key, status text not null, since bigint not null);
  create table calls (id text primary key, is_over boolean not null)`;

const setPerson = (defect) => `insert into people values ($1, $2, $3) on conflict (id) do update
  set status = excluded.status, since = excluded.since
  ${defect === "shows what it heard last" ? "" : "where people.since <= excluded.since"}`;
const setCall = `insert into calls values ($1, $2) on conflict (id) do update
  set is_over = calls.is_over or excluded.is_over`;

function build(pool, defect) {
  const app = express();

  const note = ({ type, data: { user, call } }) =>
    type === "user.availability.updated"
      ? pool.query(setPerson(defect), [user.id, user.availability.status, user.availability.statusTimestamp])
      : pool.query(setCall, [call.id, type === "call.ended"]);

  app.post("/hooks", express.json(), async ({ body }, response) => {
    await note(body);
    response.sendStatus(204);
  });

  app.get("/board", async (_, response) => {
    const people = await pool.query("select id, status from people order by id");
    const live = await pool.query("select id from calls where not is_over order by id");
    response.json({
      people: Object.fromEntries(people.rows.map(({ id, status }) => [id, status])),
      live: live.rows.map(({ id }) => id),
    });
  });

  app.use((error, _request, response, _next) => {
    response.status(defect === "answers 200 where the database fails" ? 200 : 500).send(error.message);
  });
  return app;
}

// What explores it

const place = { connectionString: process.env.DATABASE_URL };
const admin = new pg.Pool({ ...place, max: 1 });
let worlds = 0;

const explored = (defect) => ({
  scenario: new URL("board.yaml", import.meta.url).pathname,
  horizon: "PT1M",
  async durable() {
    const name = `board_${process.pid}_${++worlds}`;
    await admin.query(`create schema ${name}; set search_path = ${name}; ${schema}`);
    return { name, [Symbol.asyncDispose]: () => admin.query(`drop schema ${name} cascade`) };
  },
  async app(sim, { name }) {
    const pool = new pg.Pool({ ...place, options: `-c search_path=${name}` });
    const server = build(sim.dependency("db", pool), defect).listen(0, "127.0.0.1");
    await once(server, "listening");
    const at = `http://127.0.0.1:${server.address().port}`;
    sim.network.route(
      "https://app.test/",
      fromFetch((request) => fetch(new Request(`${at}/hooks`, request))),
    );
    return {
      board: async () => (await fetch(`${at}/board`)).json(),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        await pool.end();
      },
    };
  },
  show: ({ board }) => board(),
  ...wallboard({
    people: async ({ board }) => (await board()).people,
    live: async ({ board }) => (await board()).live,
  }),
});

export const program = {
  name: "Express, pool of pg",
  needs: "postgres",
  explored,
  end: () => admin.end(),
  expected: {
    "shows what it heard last": "lost",
    "answers 200 where the database fails": "refused",
  },
};
