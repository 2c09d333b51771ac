import { describe, expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { Crm, crmLog, hear, hook, or503, post, reads, Table } from "./parts.ts";

/** Apps of ten more kinds, each wrong and right: clients that retry, batches, caches, circuit breakers, transactions. */

// biome-ignore lint/suspicious/noExplicitAny: each app has a state of its own
type App = ExploreOptions<any, any>;
type Ask = Crm["fetch"];

interface World {
  readonly sim: Simulator;
  readonly crm: Ask;
  readonly db: Table<Record<string, unknown>>;
}

/** Calls that end ten seconds one after the other. */
const calls = (count: number) => {
  const steps = Array.from({ length: count }, (_, index) => {
    const call = `{ as: c${index}, from: "+642155500${index}", to: "+6495550100" }`;
    return [
      `  - { at: PT${index * 10}S, inbound: ${call} }`,
      `  - { at: PT${index * 10 + 2}S, answer: { call: c${index}, by: alice } }`,
      `  - { at: PT${index * 10 + 5}S, hangup: { call: c${index}, by: caller } }`,
    ];
  });
  const head = `  - { at: PT0S, createWebhook: { url: "${hook}", events: [call.ended] } }`;
  return parseScenario(["scenario: Short calls", "steps:", head, ...steps.flat(), ""].join("\n"));
};

/** An app that hears of calls that are over, with a CRM and a table. */
const app = (
  handle: (world: World, memory: Map<string, unknown>) => (id: string) => Promise<number>,
): App => ({
  scenario: calls(1),
  durable: () => ({ crm: new Crm(), rows: new Table() }),
  subject(sim, durable) {
    const crm = sim.dependency("crm", durable.crm.fetch as Ask);
    const db = sim.dependency("db", durable.rows as World["db"], { reads });
    const handler = handle({ sim, crm, db }, new Map());
    hear(sim, (id) => or503(() => handler(id)));
    return durable;
  },
  ...crmLog,
});

const okOr503 = ({ ok }: { readonly ok: boolean }) => (ok ? 204 : 503);

/** Asks again at once, as axios-retry and p-retry do: what throws, and what answers 429 or 5xx. */
async function retrying(send: () => Promise<Response>, times = 3): Promise<Response> {
  for (let left = times; ; left--) {
    const answer = await send().catch(() => undefined);
    if (answer !== undefined && answer.status < 429) return answer;
    if (left === 0) throw new Error("tried often enough");
  }
}

/** Opens after one failure, and answers by itself what `open` returns. */
const breaking = (open: () => number): App => ({
  ...app(({ crm }, memory) => async (id) => {
    if (memory.has("open")) return open();
    const answer = await post(crm, id, id).catch(() => undefined);
    if (answer?.ok === true) return 204;
    memory.set("open", true);
    setTimeout(() => memory.delete("open"), 30_000);
    return 503;
  }),
  scenario: calls(2),
});

/** The kinds, each with a deviation that finds the wrong one: its dependency, and how it fails. */
const kinds: Readonly<Record<string, readonly [wrong: App, right: App, named: string]>> = {
  "has several calls in flight, and forgets one": [
    app(({ crm, db }) => async (id) => {
      await Promise.allSettled([post(crm, id, id), db.put(id, {})]);
      return 204;
    }),
    app(({ crm, db }) => async (id) => {
      const [answer] = await Promise.all([post(crm, id, id), db.put(id, {})]);
      return okOr503(answer);
    }),
    "crm",
  ],
  "has a client that tries again by itself, without a key": [
    app(
      ({ crm }) =>
        async (id) =>
          okOr503(await retrying(() => post(crm, id))),
    ),
    app(
      ({ crm }) =>
        async (id) =>
          okOr503(await retrying(() => post(crm, id, id))),
    ),
    "crm",
  ],
  "marks inside what should be one transaction": [
    app(({ crm, db }) => async (id) => {
      if (!(await db.insert(id))) return 204;
      return okOr503(await post(crm, id, id));
    }),
    app(({ crm, db }) => async (id) => {
      const answer = await post(crm, id, id);
      if (answer.ok) await db.insert(id);
      return okOr503(answer);
    }),
    "crm",
  ],
  "has an outbox that gives up": [
    app(({ crm, db }) => outboxed({ crm, db }, 1)),
    app(({ crm, db }) => outboxed({ crm, db }, Number.POSITIVE_INFINITY)),
    "crm",
  ],
  "writes in batches from memory": [
    app(({ crm }, memory) => async (id) => {
      memory.set(id, true);
      setTimeout(() => void flush(crm, memory), 5_000);
      return 204;
    }),
    app(({ crm, db }) => outboxed({ crm, db }, Number.POSITIVE_INFINITY)),
    "crm",
  ],
  "answers 204 while its circuit breaker is open": [breaking(() => 204), breaking(() => 503), "crm"],
  "has a cache in front of the CRM that remembers before it is done": [
    app(({ crm }, memory) => async (id) => {
      if (memory.has(id)) return 204;
      memory.set(id, true);
      return okOr503(await post(crm, id, id));
    }),
    app(({ crm }, memory) => async (id) => {
      if (memory.has(id)) return 204;
      const answer = await post(crm, id, id);
      if (answer.ok) memory.set(id, true);
      return okOr503(answer);
    }),
    "crm",
  ],
  "asks the first of two dependencies only for news": [
    app(({ crm, db }) => async (id) => {
      const seen = await db.has(id).catch(() => true);
      return seen ? 204 : okOr503(await post(crm, id, id));
    }),
    app(({ crm, db }) => async (id) => {
      const seen = await db.has(id);
      return seen ? 204 : okOr503(await post(crm, id, id));
    }),
    "db",
  ],
  "reads a call by the REST API, and writes what it knows of": [
    app(({ sim, crm }) => async (id) => {
      await read(sim, id);
      await post(crm, id, id).catch(() => undefined);
      return 204;
    }),
    app(({ sim, crm }) => async (id) => {
      if ((await read(sim, id)) !== 200) return 503;
      return okOr503(await post(crm, id, id));
    }),
    "crm",
  ],
  "takes an answer of any status for done": [
    app(
      ({ crm }) =>
        async (id) =>
          (await post(crm, id, id)).status > 0 ? 204 : 503,
    ),
    app(
      ({ crm }) =>
        async (id) =>
          okOr503(await post(crm, id, id)),
    ),
    "crm",
  ],
};

async function read(sim: Simulator, id: string): Promise<number> {
  const headers = { authorization: `Bearer ${sim.token()}` };
  return (await sim.fetch(`https://api.ringback.test/calls/${id}`, { headers })).status;
}

async function flush(crm: Ask, memory: Map<string, unknown>): Promise<void> {
  for (const id of memory.keys()) {
    const answer = await post(crm, id, id).catch(() => undefined);
    if (answer?.ok === true) memory.delete(id);
  }
  if (memory.size > 0) setTimeout(() => void flush(crm, memory), 60_000);
}

/** Keeps a job in the table, and works on it each minute. @param times how often it tries each */
function outboxed({ crm, db }: Pick<World, "crm" | "db">, times: number) {
  const work = async (): Promise<void> => {
    const jobs = await db.all().catch(() => undefined);
    for (const { id, tries = 0, done } of jobs ?? []) {
      if (done === true) continue;
      const answer = await post(crm, id, id).catch(() => undefined);
      const isOver = answer?.ok === true || Number(tries) + 1 >= times;
      await db.put(id, { tries: Number(tries) + 1, done: isOver }).catch(() => undefined);
    }
    if (jobs === undefined || (await isLeft(db))) setTimeout(() => void work(), 60_000);
  };
  setTimeout(() => void work(), 1_000);
  return async (id: string) => {
    await db.insert(id, {});
    setTimeout(() => void work(), 1_000);
    return 204;
  };
}

const isLeft = (db: World["db"]): Promise<boolean> =>
  db.all().then(
    (jobs) => jobs.some(({ done }) => done !== true),
    () => true,
  );

/** Proofs play two deviations in a world, which takes long. */
const atMost = process.env.RUNS === undefined ? 1 : 2;
const PROOF_MS = 300_000;

describe.each(Object.entries(kinds))("An app that %s", (_, [wrong, right, named]) => {
  test("is found out, and the first sentence names what failed", async () => {
    const { failures } = await exploreReport({ ...wrong, deviations: { atMost: 1, on: [named] } });
    expect(failures[0]?.story).toMatch(
      new RegExp(`^When (the app restarts (before|once) )?.*\\b${named}\\b`),
    );
    expect(failures[0]?.smallest?.deviations).toHaveLength(1);
  });

  test(
    "has a right twin, which holds",
    async () => {
      const { failures } = await exploreReport({ ...right, deviations: atMost });
      expect(failures.map(({ story }) => story)).toEqual([]);
    },
    PROOF_MS,
  );
});
