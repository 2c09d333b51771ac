import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { fromFetch, type Simulator } from "../../../src/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

interface Queue {
  readonly rows: readonly string[];
  add(id: string): void;
  /** Ends its worker. */
  stop?(): void;
}

const folder = mkdtempSync(join(tmpdir(), "real-timers-"));
afterAll(() => {
  // a failure in another file of this process would name them
  clearTimeout(watchdog);
  for (const { stop } of [imported, looping]) stop?.();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a module. @returns its address */
function writeModule(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Writes a module whose worker begins when it is loaded. @returns its address */
const queueWith = (name: string, worker: string) =>
  writeModule(
    name,
    `import { setTimeout as sleep } from "node:timers/promises";
    const jobs = [], work = () => rows.push(...jobs.splice(0));
    export const rows = [], add = (id) => jobs.push(id);
    ${worker}`,
  );

const explored = (load: () => Queue | Promise<Queue>, clock?: "real") =>
  exploreReport({
    ...{ scenario, deviations: 0 },
    ...(clock && { clock }),
    async app(sim: Simulator) {
      const { add, rows } = await load();
      sim.network.route(url, ({ body }) => {
        add(JSON.parse(body).data.call.id);
        return 204;
      });
      return rows;
    },
    eventually: { "is stored": (_: Simulator, rows: readonly string[]) => rows.length === 1 },
  });

const said = (report: Awaited<ReturnType<typeof explored>>) =>
  report.failures
    .flatMap(({ story }) => story.match(/The timer of .*? in real time\./g) ?? [])
    .filter((text) => /interval|loop|cleared|70 seconds/.test(text));

const imported: Queue = await import(
  queueWith(
    "interval.mjs",
    "const timer = setInterval(work, 60_000); export const stop = () => clearInterval(timer);",
  )
);
const looping: Queue = await import(
  queueWith(
    "loop.mjs",
    `const ends = new AbortController(), stop = () => ends.abort();
    (async () => { for (;;) { await sleep(90_000, 0, ends); work(); } })().catch(() => {});
    export { stop };`,
  )
);
const cleared: Queue = await import(queueWith("cleared.mjs", "clearInterval(setInterval(work, 60_000));"));

// no app's, as this file explores
const watchdog = setTimeout(() => {}, 70_000);

test("A failure names the timers that modules have set outside of all worlds, and that are still set", async () => {
  const expected = [
    "The timer of 60 seconds that was set at interval.mjs:4, outside of all worlds, runs in real time.",
    "The timer of 90 seconds that was set at loop.mjs:5, outside of all worlds, runs in real time.",
  ];
  const report = await explored(() => imported);
  expect(said(report)).toEqual(expected);
  const { story = "" } = report.failures[0] ?? {};
  expect(story).toMatch(/does not hold.* outside of all worlds.* outside of all worlds/);
  expect(story.match(/#state-at-module-level/g)).toHaveLength(1);
  expect(said(await explored(() => looping))).toEqual(expected);
  expect(said(await explored(() => cleared))).toEqual(expected);
  expect(said(await explored(() => imported, "real"))).toEqual([]);
});

test.each([
  ["setInterval of timers/promises", "for await (const _ of setInterval(80_000, 0, ends)) work();"],
  ["setTimeout, made a promise", "for (;;) { await promisify(setTimeout)(80_000, 0, ends); work(); }"],
  ["scheduler.wait", "for (;;) { await scheduler.wait(80_000, ends); work(); }"],
])("A failure names a timer that a module has set by %s", async (by, loop) => {
  for (const { stop } of [imported, looping]) stop?.();
  const queue: Queue = await import(
    queueWith(
      `loop-${by.length}.mjs`,
      `import { promisify } from "node:util"; ${by.startsWith("setT") ? "" : 'import { scheduler, setInterval } from "node:timers/promises";'}
      const ends = new AbortController(), stop = () => ends.abort();
      (async () => { ${loop} })().catch(() => {});
      export { stop };`,
    )
  );
  expect(said(await explored(() => queue))).toEqual([
    expect.stringMatching(/^The timer of 80 seconds .* loop-\d+\.mjs:6/),
  ]);
  queue.stop?.();
});

test("A timer of a module that `app` loads runs in virtual time", async () => {
  const file = queueWith("anew.mjs", "setInterval(work, 60_000).unref();");
  let worlds = 0;
  const report = await explored(() => import(`${file}?world=${++worlds}`));
  expect(report.failures).toEqual([]);
});

interface ListeningServer extends Pick<Queue, "rows"> {
  readonly url: string;
  stop(): void;
}

const addsBy = ({ url: to, rows }: ListeningServer): Queue => ({
  rows,
  add: (id) => fetch(to, { method: "POST", body: JSON.stringify({ data: { call: { id } } }) }),
});

test("A failure names what a server does in real time that listens at the top of a module", async () => {
  const server: ListeningServer = await import(
    writeModule(
      "server.mjs",
      `import { createServer } from "node:http";
      import { setTimeout as sleep } from "node:timers/promises";
      export const rows = [];
      const server = createServer((request, response) => {
        let body = "";
        request.on("data", (chunk) => { body += chunk; });
        request.on("end", async () => {
          const sentMs = Number(request.headers["x-ringback-timestamp"] ?? Date.now());
          response.writeHead(204).end();
          setTimeout(() => rows.push(JSON.parse(body).data.call.id, Date.now() - sentMs), 20_000);
          await sleep(30_000);
        });
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      export const url = \`http://127.0.0.1:\${server.address().port}/\`, stop = () => { server.close(); server.closeAllConnections(); };`,
    )
  );
  const { failures } = await explored(() => addsBy(server));
  server.stop();
  expect(failures.map(({ property }) => property)).toEqual(["is stored"]);
  expect(failures[0]?.story).toMatch(
    /The timer of 20 seconds that was set at server\.mjs:10, outside of all worlds, runs in real time\. The timer of 30 seconds that was set at server\.mjs:11, outside of all worlds, runs in real time\. The clock that was read at server\.mjs:8, outside of all worlds, is the real one, [\d,]+ days? from the world's\. If that is the app's/,
  );
});

test("A failure names nothing that a test's own server does in real time", async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((_, response) => {
    timers.push(setTimeout(() => {}, 50_000 + (Date.now() % 2)));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const to = `http://127.0.0.1:${port}/`;
  const { failures } = await explored(() => addsBy({ url: to, rows: [], stop: () => {} }));
  server.close();
  server.closeAllConnections();
  for (const each of timers) clearTimeout(each);
  expect(timers.length).toBeGreaterThan(0);
  expect(failures.map(({ property }) => property)).toEqual(["is stored"]);
  expect(failures[0]?.story).not.toContain("real-timers.test.ts");
});

test("A failure names what a server does in real time that gets the platform's requests, also in a test", async () => {
  const rows: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    setTimeout(() => rows.push("late"), 40_000).unref();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { failures } = await exploreReport({
    ...{ scenario, deviations: 0, forged: false },
    app(sim: Simulator) {
      sim.network.route(
        url,
        fromFetch((request) => fetch(new Request(`http://127.0.0.1:${port}/`, request))),
      );
      return rows;
    },
    eventually: { "is stored": (_: Simulator, stored: readonly string[]) => stored.length > 0 },
  });
  server.close();
  server.closeAllConnections();
  expect(failures[0]?.story).toMatch(
    /The timer of 40 seconds that was set at real-timers\.test\.ts:\d+, outside of all worlds, runs in real time\./,
  );
});

test("A timer can be set where `Error` is frozen", () => {
  const fields = ["stackTraceLimit", "prepareStackTrace"] as const;
  const before = fields.map((field) => Object.getOwnPropertyDescriptor(Error, field));
  for (const field of fields) Object.defineProperty(Error, field, { value: Error[field], writable: false });
  // what Node's hooks throw ends the process
  clearTimeout(setTimeout(() => {}, 60_000));
  for (const [index, field] of fields.entries()) {
    const descriptor = before[index];
    if (descriptor === undefined) Reflect.deleteProperty(Error, field);
    else Object.defineProperty(Error, field, descriptor);
  }
});

test("Timers that are over are dropped, however many others are set", async () => {
  const set = Array.from({ length: 250 }, () => setInterval(() => {}, 60_000));
  let last = new WeakRef<object>({});
  const setAndClear = () => {
    const held = {};
    last = new WeakRef(held);
    clearTimeout(setTimeout(() => held, 60_000));
  };
  setAndClear();
  for (let index = 0; index < 1_000; index++) clearTimeout(setTimeout(() => {}, 60_000));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  for (const each of set) clearInterval(each);
  expect(last.deref()).toBeUndefined();
});
