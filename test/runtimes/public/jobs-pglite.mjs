// A worker with its queue in PGlite: it answers first, and each second does what is left.
import { PGlite } from "@electric-sql/pglite";
import { fromFetch } from "ringback";

const schema = `
  drop table if exists jobs, notes, tasks;
  create table jobs (call text primary key, is_done boolean not null default false);
  create table notes (call text primary key);
  create table tasks (call text primary key)`;

function build(db, defect) {
  async function work(call) {
    const tickOff = () => db.query("update jobs set is_done = true where call = $1", [call]);
    if (defect === "ticks a job off before it is done") await tickOff();
    await db.query("insert into notes values ($1) on conflict do nothing", [call]);
    await db.sql`insert into tasks values (${call}) on conflict do nothing`;
    await tickOff();
  }

  setInterval(async () => {
    const { rows } = await db.query("select call from jobs where not is_done order by call");
    for (const { call } of rows) await work(call);
  }, 1_000);

  return async (request) => {
    const { id } = (await request.json()).data.call;
    if (defect === "keeps its work in memory") void work(id);
    else await db.query("insert into jobs values ($1) on conflict do nothing", [id]);
    return new Response(null, { status: 204 });
  };
}

// What explores it

const db = await PGlite.create();

const count = async (table) => (await db.query(`select count(*)::int as n from ${table}`)).rows[0].n;

const explored = (defect) => ({
  scenario: new URL("calls.yaml", import.meta.url).pathname,
  horizon: "PT5S",
  deviations: { kinds: ["lost", "duplicated", "restarted", "restartedAfter"] },
  async durable() {
    await db.exec(schema);
    // the database itself would be closed at the end of the world
    return { db };
  },
  app(sim, durable) {
    sim.network.route("https://app.test/", fromFetch(build(durable.db, defect)));
    return durable;
  },
  show: async () => ({ jobs: await count("jobs"), notes: await count("notes"), tasks: await count("tasks") }),
  eventually: {
    "each call has a note and a task": async (sim) => {
      const calls = sim.calls.list().length;
      return (await count("notes")) === calls && (await count("tasks")) === calls;
    },
  },
});

export const program = {
  name: "A worker, PGlite",
  explored,
  expected: {
    "keeps its work in memory": "restartedAfter",
    "ticks a job off before it is done": "restarted",
  },
};
