import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/";
const scenario = parseScenario(`
scenario: An answered call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.ended] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: c1, by: carol } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);

/** An app that counts what it hears, by a state that only it can show. It looks at no signature. */
function counter(sim: Simulator) {
  const heard: Record<string, number> = {};
  sim.network.route(url, ({ headers, body }) => {
    const { type } = JSON.parse(body);
    void headers["x-service-signature"];
    heard[type] = (heard[type] ?? 0) + 1;
    return 204;
  });
  return { heard: () => heard };
}
type App = ReturnType<typeof counter>;

const eventually = {
  "hears each event once": (_: Simulator, { heard }: App) => expect(Object.values(heard())).toEqual([1]),
};

/** An app whose state is in a file, as in a database. */
const folder = mkdtempSync(join(tmpdir(), "async-show-"));
function onDisk(sim: Simulator) {
  const file = join(folder, "heard.json");
  writeFileSync(file, "{}");
  const heard = () => JSON.parse(readFileSync(file, "utf8"));
  sim.network.route(url, ({ headers, body }) => {
    const { type } = JSON.parse(body);
    void headers["x-service-signature"];
    const before = heard();
    writeFileSync(file, JSON.stringify({ ...before, [type]: (before[type] ?? 0) + 1 }));
    return 204;
  });
  return { heard, file };
}

const reportOf = async (more: object) => {
  const report = await exploreReport({ scenario, subject: counter, eventually, mutants: true, ...more });
  return report.toText({ verbose: true }).replaceAll(", show })", " })");
};

describe("`show` may be asynchronous: failures, forged requests and mutants are reported as with", () => {
  const plain = reportOf({ show: ({ heard }: App) => heard() });
  const slowly = async ({ heard }: App) => {
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
    return heard();
  };

  test.each<[string, object]>([
    ["one that returns the state, if it waits for promises", { show: async ({ heard }: App) => heard() }],
    ["… for timers", { show: slowly }],
    [
      "… for a file",
      {
        subject: onDisk,
        show: async ({ file }: ReturnType<typeof onDisk>) => JSON.parse(await readFile(file, "utf8")),
      },
    ],
    [
      "… and the app gives it to the simulator",
      {
        subject(sim: Simulator) {
          const app = counter(sim);
          sim.show(async () => app.heard());
          return app;
        },
      },
    ],
  ])("%s", async (_, more) => {
    // only what stands in `show` is repeated by the replay
    const expected =
      "subject" in more && !("show" in more) ? (await plain).replaceAll(" show,", "") : await plain;
    expect(await reportOf(more)).toBe(expected);
    expect(await plain).toContain("believes what the platform did not send");
  });
});

test("What `show` asks another process is awaited, and is nothing that the app asks", async () => {
  const server = createServer((socket) => socket.end("1")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const report = await exploreReport({
    scenario,
    subject: counter,
    eventually,
    async show({ heard }) {
      const socket = createConnection(port, "127.0.0.1");
      const [answer] = await once(socket, "data");
      return { ...heard(), answer: String(answer) };
    },
  });
  expect(report.failures.map(({ property }) => property)).toEqual([
    "hears each event once",
    "the app believes what the platform did not send",
  ]);
  expect(report.toText()).toContain("the app ends with {call.ended: 2, …}, not {call.ended: 1, …}");
});

test("What an app asks a dependency to answer a request of `show` does not deviate", async () => {
  const database = { calls: [] as string[], select: async () => database.calls };
  const report = await exploreReport({
    scenario,
    async app(sim: Simulator) {
      database.calls = [];
      const db = sim.dependency("db", database, { reads: ["select"] });
      sim.network.route(url, ({ body }) => {
        database.calls = [JSON.parse(body).data.call.id];
        return 204;
      });
      const board = async (_: unknown, response: ServerResponse) => {
        response.end(JSON.stringify(await db.select().catch(() => "the database is away")));
      };
      const server = createHttpServer(board).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      return { port, [Symbol.asyncDispose]: async () => void server.close() };
    },
    show: async ({ port }) => (await fetch(`http://127.0.0.1:${port}/`)).json(),
    deviations: { on: ["db"] },
    eventually: { "the call is kept": () => expect(database.calls).toEqual([]) },
  });
  expect(report.failures.map(({ property }) => property)).toEqual(["the call is kept"]);
  expect(report.worlds).toBe(1);
});

test("A `show` whose promise is rejected is as one that throws, and one whose promise never settles is left out", async () => {
  const fails = () => {
    throw new Error("no database");
  };
  expect(await reportOf({ show: async () => fails() })).toBe(await reportOf({ show: fails }));
  let calls = 0;
  const never = () => {
    calls++;
    return new Promise(() => {});
  };
  const hangs = await exploreReport({
    ...{ scenario, subject: counter, eventually, deviations: { kinds: ["duplicated"] } },
    ...{ patience: "PT0.2S", show: never },
  });
  expect(hangs.toText()).not.toContain("ends with");
  expect(hangs.failures[0]).toMatchObject({ property: "hears each event once" });
  // not once more in each world
  expect(calls).toBeLessThan(5);
});

test("In a plain simulator, an asynchronous `show` says that only explored worlds await it", () => {
  const sim = createSimulator();
  sim.show(() => Promise.reject(new Error("no database")));
  expect(sim.appStates?.all().map(({ state }) => state)).toEqual([
    "cannot be shown: `show` returns a promise, which only explored worlds await",
  ]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
