import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

/** A stand-in for Postgres: its answers have no rows, only their ends. */
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", () => socket.write(Buffer.from([0x5a, 0, 0, 0, 5, 0x49])));
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

function message(letter: string, ...texts: readonly string[]): Buffer {
  const content = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.from([letter.charCodeAt(0), 0, 0, 0, 0]);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** What `pg` writes for a query without parameters. */
const query = (sql: string) => message("Q", sql);

/** What `pg` writes for a query with parameters, once it is prepared by name or for the first time. */
const bind = (name: string) => Buffer.concat([message("B", "", name), message("S")]);
const prepare = (sql: string, name = "") => Buffer.concat([message("P", name, sql), bind(name)]);

/** What `pg` writes first, with its `options`. */
function startup(options: string): Buffer {
  const content = Buffer.from(`user\0app\0options\0${options}\0\0`);
  const head = Buffer.from([0, 0, 0, 0, 0, 3, 0, 0]);
  head.writeUInt32BE(content.length + 8, 0);
  return Buffer.concat([head, content]);
}

/** How an app fails that writes these to Postgres, and stores nothing. */
async function storyOf(...written: readonly Buffer[]): Promise<string> {
  const { failures } = await exploreReport({
    scenario,
    deviations: 0,
    app: async (sim) => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      sim.network.route(url, async () => {
        for (const each of written) {
          socket.write(each);
          await once(socket, "data");
        }
        return 204;
      });
      return { [Symbol.dispose]: () => socket.destroy() };
    },
    show: () => undefined,
    eventually: { "something is stored": () => false },
  });
  return failures[0]?.story ?? "";
}

const clock =
  /The app asks Postgres for its time \(`([^`]+)`\), which is [\d,]+ days from the world's: see docs\/guides\/works-later[.]md#the-clock-of-postgres[.]/;

describe("A failure names that the app asks Postgres for its time", () => {
  const due = "select id from jobs where run_after <= now()";

  test.each<[string, readonly Buffer[], string]>([
    ["in a query", [query(due)], "now()"],
    [
      "with parameters",
      [prepare("update jobs set tried_at = current_timestamp where id = $1")],
      "current_timestamp",
    ],
    [
      "in a statement that was prepared before",
      [prepare(due, "due"), prepare("select 1"), bind("due")],
      "now()",
    ],
    [
      "after another statement",
      [query("begin; select pg_catalog.clock_timestamp ( )")],
      "pg_catalog.clock_timestamp()",
    ],
    ["beside texts that have quotes", [query("select 'it''s', E'it\\'s', now()")], "now()"],
    ["as a text", [query("select timeofday()")], "timeofday()"],
    [
      "by a text that is cast",
      [query("select id from jobs where run_after <= ' NOW '::timestamptz")],
      "'now'",
    ],
    ["by a text with its type", [query("delete from jobs where day < date 'today'")], "'today'"],
    ["by `cast`", [prepare("select cast('now' as timestamp(3) with time zone) as made")], "'now'"],
  ])("%s", async (_, written, named) => {
    expect(clock.exec(await storyOf(...written))?.[1]).toBe(named);
  });

  test.each<[string, readonly Buffer[]]>([
    [
      "not where texts, comments and names say it",
      [query(`select 'now()', E'a\\' now() ', x as localtime, "now()" -- now()\n, $$ now() $$ /* now() */`)],
    ],
    [
      "not where a text says now",
      [query("select 'now', 'now'::text, cast('now' as text), 'now' as timestamps")],
    ],
    ["not where a table is made", [query("create table jobs (made timestamptz default now())")]],
    ["not for a function of another schema or name", [query("select app.now(), snow(), current_time_zone")]],
    [
      "not where another `now()` comes first on the path",
      [startup("-c search_path=world,pg_catalog,public"), query(due)],
    ],
    [
      "not where the guide's `now()` is told the world's time",
      [prepare("select set_config('world.now', $1, false)"), query(due)],
    ],
  ])("%s", async (_, written) => {
    const story = await storyOf(...written);
    expect(story).toContain("does not hold");
    expect(story).not.toContain("Postgres");
  });
});
