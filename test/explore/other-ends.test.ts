import { once } from "node:events";
import { createConnection } from "node:net";
import { MessageChannel, Worker } from "node:worker_threads";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../src/index.ts";
import { ways } from "./late-work/ways.ts";

const url = "https://crm.test/";
const missed = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);

/** A server in a thread of its own, so that nothing here knows what it does. It answers after 50 ms, or never. */
const server = new Worker(
  `const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer((socket) =>
    socket.on("data", (sent) => String(sent) !== "never" && setTimeout(() => socket.end(sent), 50)),
  );
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
  { eval: true },
);
const [port] = (await once(server, "message")) as [number];
afterAll(() => server.terminate());

async function answerTo(text: string): Promise<string> {
  const socket = createConnection(port, "127.0.0.1");
  socket.write(text);
  const [answer] = await once(socket, "data");
  return String(answer);
}

/** An app that answers first, and stores what the other end answers. */
function appThat(work: (id: string) => Promise<string>, more: object = {}) {
  return (sim: Simulator) => {
    const stored: string[] = [];
    const seen = new Set<string>();
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!seen.has(id)) void work(id).then((answer) => stored.push(answer));
      seen.add(id);
      return 204;
    });
    return { stored, ...more };
  };
}

const explored = (subject: ReturnType<typeof appThat>, more: object = {}) =>
  exploreReport({
    scenario: missed,
    subject,
    eventually: { "is stored": (_, { stored }) => stored.length === 1 && stored[0] !== "too late" },
    deviations: 1,
    ...more,
  });

describe("A subject that asks another process", () => {
  test.each([
    ["", 0],
    [" beside two busy loops", 2],
  ])("is given time to get the answer before its own limit of 5 s passes%s", async (_, count) => {
    const loops = Array.from({ length: count }, () => new Worker("for (;;);", { eval: true }));
    onTestFinished(async () => void (await Promise.all(loops.map((each) => each.terminate()))));
    const tooLate = () => new Promise<string>((resolve) => void setTimeout(resolve, 5_000, "too late"));
    const { failures } = await explored(appThat((id) => Promise.race([answerTo(id), tooLate()])));
    expect(failures).toEqual([]);
  });

  test("that never answers is named, with the other end", async () => {
    const { failures } = await explored(
      appThat(() => answerTo("never")),
      { deviations: 0, patience: "PT0.5S" },
    );
    expect(failures[0]).toMatchObject({
      property: "the subject hangs",
      message: `nothing happened for 500 ms: the subject waits for 127.0.0.1:${port}: return \`idle()\``,
    });
  });

  test("that never answers is not waited for if `idle` says that nothing is left to do", async () => {
    const { failures } = await explored(
      appThat(
        (id) => {
          void answerTo("never");
          return Promise.resolve(id);
        },
        { idle: () => Promise.resolve() },
      ),
    );
    expect(failures).toEqual([]);
  });

  test("by a way that nothing can follow is waited for by `idle`", async () => {
    const echo = new Worker(
      `require("node:worker_threads").parentPort.once("message", (port) =>
        port.on("message", (sent) => setTimeout(() => port.postMessage(sent), 20)));`,
      { eval: true },
    );
    const { port1, port2 } = new MessageChannel();
    echo.postMessage(port2, [port2]);
    const open = new Set<Promise<unknown>>();
    const work = (id: string) => {
      port1.postMessage(id);
      const answered = once(port1, "message").then(([{ data = id } = {}]) => String(data));
      open.add(answered);
      void answered.then(() => open.delete(answered));
      return answered;
    };
    const { failures } = await explored(appThat(work, { idle: () => Promise.all(open) }));
    expect(failures).toEqual([]);
    await echo.terminate();
  });
});

test("What a subject asks the REST API after its world never gets an answer, and throws nothing", async () => {
  const worlds: Simulator[] = [];
  const subject = (sim: Simulator) => {
    worlds.push(sim);
    return { stored: ["once"] };
  };
  await explored(subject, { deviations: 0 });
  const asked = worlds.map((sim) => sim.fetch("/calls"));
  const isStill = new Promise((resolve) => void setTimeout(resolve, 20, "still"));
  expect(await Promise.race([...asked, isStill])).toBe("still");
});

/** A plain test has the timers of its own, and does not follow connections. */
const notWaitedFor = /timer|tries again|every|five seconds|server of its own/;
test.each(Object.entries(ways).filter(([name]) => !notWaitedFor.test(name)))(
  "In a plain test an app that %s has done it when an asynchronous run ends",
  async (_, way) => {
    const stored: string[] = [];
    const endings: (() => unknown)[] = [];
    const sim = createSimulator();
    const ask = async (id: string) =>
      (await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } })).ok;
    const store = (id: string) => void stored.push(id);
    const work = async (id: string) => void ((await ask(id)) && store(id));
    const start = way({ ask, store, work, workSlowly: work, endings });
    sim.network.route(url, async ({ body }) => {
      await start(JSON.parse(body).data.call.id);
      return 204;
    });
    sim.webhooks.create({ url, events: ["call.not_answered"] });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    await sim.runUntilIdleAsync();
    expect(stored).toEqual([call.id]);
    for (const end of endings) await end();
  },
);
