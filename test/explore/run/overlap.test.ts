import { readFile } from "node:fs/promises";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { missedLater, twoAtOnce, url } from "../missed-call.ts";

/** What a handler waits for between reading the count and writing it. `ask` sends a request to another server. */
type Wait = (ask: () => Promise<unknown>) => unknown;

const turn = (start: (done: () => void) => void) => new Promise<void>((resolve) => start(resolve));

/** Waits that end before a server takes its next request. */
const holding: readonly (readonly [string, Wait])[] = [
  ["nothing", () => undefined],
  ["a value", () => null],
  ["a promise that is already kept", () => Promise.resolve()],
  [
    "a hundred microtasks",
    async () => {
      for (let count = 0; count < 100; count++) await null;
    },
  ],
  ["queueMicrotask", () => turn((done) => queueMicrotask(done))],
  ["process.nextTick", () => turn((done) => process.nextTick(done))],
  [
    "process.nextTick after process.nextTick",
    async () => {
      for (let count = 0; count < 20; count++) await turn((done) => process.nextTick(done));
    },
  ],
];

/** Waits during which a server takes its next request. */
const overlapping: readonly (readonly [string, Wait])[] = [
  ["setImmediate", () => turn((done) => setImmediate(done))],
  ["a timer of no time", () => turn((done) => setTimeout(done, 0))],
  ["a file", () => readFile(import.meta.filename)],
  ["another server", (ask) => ask()],
];

/** Counts requests, reading the count before the wait and writing it after. */
function counter(wait: Wait, ask: () => Promise<unknown>) {
  let count = 0;
  return {
    async handle() {
      const before = count;
      await wait(ask);
      count = before + 1;
      return 204;
    },
    get count() {
      return count;
    },
  };
}

const threeAtOnce = parseScenario(`
scenario: Three calls are missed at the same moment
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
  - { at: PT0S, inbound: { from: "+6421555002", to: "+6495550102" } }
  - { at: PT0S, inbound: { from: "+6421555003", to: "+6495550103" } }
`);

/** Whether the explorer finds a world in which the handler loses a count. */
async function isLostInAWorld(wait: Wait): Promise<boolean> {
  const report = await exploreReport({
    scenario: twoAtOnce,
    subject(sim: Simulator) {
      const counting = counter(wait, () => sim.fetch("/webhooks"));
      sim.network.route(url, () => counting.handle());
      return counting;
    },
    eventually: { "each is counted": (_, { count }) => expect(count).toBe(2) },
    deviations: { kinds: ["overlapping"] },
  });
  return report.failures.length > 0;
}

const agent = new Agent({ keepAlive: true });
let other: Server;
beforeAll(() => {
  other = createServer((_, answer) => answer.end());
  return turn((done) => other.listen(0, "127.0.0.1", done));
});
afterAll(() => {
  agent.destroy();
  other.close();
});

/** Sends a request to a server. Resolves with the whole answer. */
const send = (server: Server): Promise<void> =>
  turn((done) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: "127.0.0.1", method: "POST", agent }, (answer) =>
      answer.resume().on("end", done),
    );
    sent.end("{}");
  });

/** Sends pairs of requests to a real server with the same handler, until it loses a count. */
async function isLostByAServer(wait: Wait, pairs: number): Promise<boolean> {
  const counting = counter(wait, () => send(other));
  const server = createServer(async (asked, answer) => {
    for await (const _ of asked); // the body
    answer.writeHead(await counting.handle()).end();
  });
  await turn((done) => server.listen(0, "127.0.0.1", done));
  try {
    for (let pair = 1; pair <= pairs; pair++) {
      await Promise.all([send(server), send(server)]);
      if (counting.count < 2 * pair) return true;
    }
    return false;
  } finally {
    server.close();
  }
}

describe("A handler that waits between reading and writing for", () => {
  test.each(holding)("%s counts right, in each world as on a real server", async (_, wait) => {
    expect(await isLostInAWorld(wait)).toBe(false);
    expect(await isLostByAServer(wait, 200)).toBe(false);
  });

  test.each(overlapping)("%s loses a count, in a world as on a real server", async (_, wait) => {
    expect(await isLostInAWorld(wait)).toBe(true);
    expect(await isLostByAServer(wait, 5_000)).toBe(true);
  });
});

/** Whether the explorer finds a world in which work after the answer loses a count. @param isInTurn whether it waits for what came before */
async function isLostAfterTheAnswer(wait: Wait, isInTurn: boolean): Promise<boolean> {
  const report = await exploreReport({
    scenario: twoAtOnce,
    subject(sim: Simulator) {
      const counting = counter(wait, () => sim.fetch("/webhooks"));
      let last: Promise<unknown> = Promise.resolve();
      sim.network.route(url, () => {
        last = isInTurn ? last.then(() => counting.handle()) : counting.handle();
        return 204;
      });
      return counting;
    },
    eventually: { "each is counted": (_, { count }) => expect(count).toBe(2) },
    deviations: { kinds: ["overlapping"] },
  });
  return report.failures.length > 0;
}

describe("An app that has answered, and waits between reading and writing for", () => {
  test.each(holding)("%s counts right", async (_, wait) => {
    expect(await isLostAfterTheAnswer(wait, false)).toBe(false);
  });

  test.each(overlapping)("%s loses a count, unless it works in turn", async (_, wait) => {
    expect(await isLostAfterTheAnswer(wait, false)).toBe(true);
    expect(await isLostAfterTheAnswer(wait, true)).toBe(false);
  });
});

describe("A request that arrives twice at once finds the app at work", () => {
  /** An app that looks whether it has sent a text, waits, and sends it. @param looksAgain whether it looks once more then */
  const sendsOnce = (looksAgain: boolean, deviations: Parameters<typeof exploreReport>[0]["deviations"]) =>
    exploreReport({
      scenario: missedLater,
      app(sim: Simulator) {
        const texts: string[] = [];
        sim.network.route(url, async ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          if (texts.includes(id)) return 204;
          await turn((done) => setImmediate(done));
          if (!looksAgain || !texts.includes(id)) texts.push(id);
          return 204;
        });
        return texts;
      },
      eventually: { "one text is sent": (_, texts) => expect(texts).toEqual(["call-1"]) },
      deviations,
    });

  test("within one deviation, of which each alone breaks nothing", async () => {
    const { complete, failures } = await sendsOnce(false, 1);
    expect(complete).toBe(true);
    expect(failures.map(({ smallest, worlds }) => [smallest.deviations.map(({ is }) => is), worlds])).toEqual(
      [[["duplicated", "overlapping"], 1]],
    );
    expect((await sendsOnce(true, 1)).passed).toBe(true);
  });

  test.each(["call-1", "call-2"])("for %s alone, while it waits for the other call too", async (raced) => {
    const { failures } = await exploreReport({
      ...{ scenario: twoAtOnce, forged: false },
      app(sim: Simulator) {
        const texts: string[] = [];
        sim.network.route(url, async ({ body }) => {
          const { id } = JSON.parse(body).data.call;
          const wasSent = texts.includes(id);
          await turn((done) => setImmediate(done));
          if (id === raced ? !wasSent : !texts.includes(id)) texts.push(id);
          return 204;
        });
        return texts;
      },
      eventually: { "each has a text": (_, texts) => expect(texts.length).toBe(2) },
      deviations: { atMost: 1, kinds: ["duplicated", "overlapping"] },
    });
    expect(failures.map(({ smallest }) => smallest.deviations.map(({ is }) => is))).toEqual([
      ["duplicated", "overlapping"],
    ]);
  });

  test("only if both kinds may happen", async () => {
    for (const kind of ["duplicated", "overlapping"] as const)
      expect((await sendsOnce(false, { atMost: 1, kinds: [kind] })).passed).toBe(true);
    const both = { atMost: 1, kinds: ["duplicated", "overlapping"] } as const;
    expect((await sendsOnce(false, { ...both, kinds: [...both.kinds] })).passed).toBe(false);
  });
});

test("Work after an answer overlaps no request of a later time, though nothing comes in between", async () => {
  const { failures, worlds } = await exploreReport({
    scenario: parseScenario(`
scenario: An event arrives again a second later
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT9S, hangup: { call: c1, by: caller } }
deviations:
  - { attempt: PT9S call.ended, webhook: crm, number: 1, is: duplicated, after: PT1S }
`),
    app(sim: Simulator) {
      const texts: string[] = [];
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        const sendOnce = async () => {
          const wasSent = texts.includes(id);
          await turn((done) => setImmediate(done));
          if (!wasSent) texts.push(id);
        };
        void sendOnce();
        return 204;
      });
      return texts;
    },
    eventually: { "one text is sent": (_, texts) => expect(texts).toEqual(["call-1"]) },
    deviations: { kinds: ["overlapping"] },
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(worlds).toBe(1);
});

test("A third request does not overlap the first if the second lets that end", async () => {
  const most = { open: 0 };
  const report = await exploreReport({
    scenario: threeAtOnce,
    subject(sim: Simulator) {
      let open = 0;
      let release: (() => void) | undefined;
      sim.network.route(url, async () => {
        open++;
        most.open = Math.max(most.open, open);
        const isFirst = release === undefined;
        release?.();
        if (isFirst)
          await turn((done) => {
            release = done;
            setImmediate(done);
          });
        open--;
        return 204;
      });
    },
    deviations: { atMost: 2, kinds: ["overlapping"] },
  });
  expect(most.open).toBe(2);
  // without any, and with the second overlapping the first
  expect(report.worlds).toBe(2);
});

test("A third request overlaps the first, though the second has ended", async () => {
  const orders = new Set<string>();
  await exploreReport({
    scenario: threeAtOnce,
    subject(sim: Simulator) {
      const order: string[] = [];
      let count = 0;
      sim.network.route(url, async () => {
        const own = ++count;
        order.push(`${own} begins`);
        if (own === 1) await sim.fetch("/webhooks");
        order.push(`${own} ends`);
        return 204;
      });
      return order;
    },
    eventually: { "is noted": (_, order) => void orders.add(order.join(", ")) },
    deviations: { atMost: 2, kinds: ["overlapping"] },
  });
  expect([...orders]).toEqual([
    "1 begins, 1 ends, 2 begins, 2 ends, 3 begins, 3 ends",
    "1 begins, 2 begins, 2 ends, 1 ends, 3 begins, 3 ends",
    "1 begins, 2 begins, 2 ends, 3 begins, 3 ends, 1 ends",
  ]);
});

test("A right app that waits before it answers passes with two deviations", async () => {
  const report = await exploreReport({
    ...{ scenario: missedLater, forged: false, deviations: 2 },
    app(sim: Simulator) {
      const stored = new Set<string>();
      sim.network.route(url, async ({ body }) => {
        await turn((done) => setTimeout(done, 200));
        stored.add(JSON.parse(body).data.call.id);
        return 204;
      });
      return { stored: () => stored.size };
    },
    eventually: { "is stored": (_: Simulator, { stored }) => stored() === 1 },
  });
  expect(report.failures.map(({ story }) => story)).toEqual([]);
});
