import { parseScenario, type Simulator } from "ringback";
import initSqlJs, { type Database } from "sql.js";
import { production } from "./production.ts";

/** Keeps calls in SQLite. The faulty one notes an event before it has asked for the call, in another transaction. */

const url = "https://crm.acme.test/hooks";

async function durable(): Promise<Database & AsyncDisposable> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(`
    create table events (id text primary key);
    create table calls (id text primary key, number text not null, status text not null);
  `);
  return Object.assign(database, { [Symbol.asyncDispose]: async () => database.close() });
}

function callLog(notes: "first" | "with the call") {
  return (sim: Simulator, database: Database) => {
    const isKnown = (id: string) => database.exec("select 1 from events where id = ?", [id]).length > 0;
    const note = (id: string) => database.run("insert into events values (?) on conflict do nothing", [id]);
    sim.network.route(url, async ({ body }) => {
      const { id, data } = JSON.parse(body);
      if (isKnown(id)) return 204;
      if (notes === "first") note(id);
      const headers = { authorization: `Bearer ${sim.token()}` };
      const answer = await sim.fetch(`/calls/${data.call.id}`, { headers });
      if (!answer.ok) return 503;
      const call = await answer.json();
      database.run("begin");
      note(id);
      database.run(
        "insert into calls values (?, ?, ?) on conflict (id) do update set status = excluded.status",
        [call.id, call.contactNumber, call.status],
      );
      database.run("commit");
      return 204;
    });
    return database;
  };
}

/** The rows of the log. */
function rowsOf(database: Database) {
  const [result] = database.exec("select id, number, status from calls order by id");
  return (result?.values ?? []).map(([id, number, status]) => ({ id, number, status }));
}

export const onSqlite = production({
  scenario: parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
`),
  faulty: { durable, subject: callLog("first") },
  corrected: { durable, subject: callLog("with the call") },
  show: rowsOf,
  eventually: {
    "each missed call is in the log": (sim, database) => {
      const logged = rowsOf(database).map(({ id }) => id);
      return sim.events.ofType("call.not_answered").every(({ data }) => logged.includes(data.call.id));
    },
  },
});
