import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { type DeviationKind, type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT20S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`);

/** The tables of a database. */
class Store {
  readonly events = new Set<string>();
  readonly inbox: string[] = [];
  readonly tasks: string[] = [];
  /** When each call is to become a task, ms. */
  readonly due = new Map<string, number>();
}

/** How long after a missed call it becomes a task, ms. */
const HALF_AN_HOUR = 1_800_000;

interface Hook {
  readonly id: string;
  readonly data: { readonly call: { readonly id: string } };
}

/** Lets a function handle events. */
function hear(sim: Simulator, handle: (event: Hook) => unknown): void {
  sim.network.route(url, async ({ body }) => {
    await handle(JSON.parse(body));
    return 204;
  });
}

/** Looks up a call until that works. */
async function lookedUp(sim: Simulator, id: string): Promise<string> {
  for (;;) {
    const headers = { authorization: `Bearer ${sim.token()}` };
    const answer = await sim.fetch(`/calls/${id}`, { headers }).catch(() => Response.error());
    const waitS = Number(answer.headers.get("retry-after"));
    if (waitS > 0) await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
    if (answer.ok) return ((await answer.json()) as { id: string }).id;
  }
}

/** Each missed call has one task. */
function once(sim: Simulator, { tasks }: { readonly tasks: readonly string[] }): void {
  const missed = sim.events.ofType("call.not_answered").map(({ data }) => data.call.id);
  expect([...tasks].sort()).toEqual(missed.sort());
}

type Subject<D> = Required<Pick<ExploreOptions<{ readonly tasks: readonly string[] }, D>, "app">> &
  Pick<ExploreOptions<unknown, D>, "durable">;

function explored<D>(
  app: Subject<D>,
  kinds: readonly DeviationKind[] | "usual" = ["restarted", "restartedAfter"],
  atMost = 2,
) {
  return exploreReport({
    ...{ scenario, ...app },
    eventually: { "each missed call is dealt with once": once },
    show: ({ tasks }) => ({ tasks }),
    deviations: kinds === "usual" ? atMost : { atMost, kinds },
  });
}

/** Makes tasks of a queue, one after the other. */
function worker(sim: Simulator, queue: string[], { tasks }: Store): () => Promise<void> {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    for (let [id] = queue; id !== undefined; [id] = queue) {
      tasks.push(await lookedUp(sim, id));
      queue.shift();
    }
    isBusy = false;
  };
}

/** An app, with a name for what it does, and whether it survives restarts. */
const apps: readonly [name: string, survives: boolean, subject: Subject<Store>][] = [
  [
    "remembers events in memory",
    false,
    {
      durable: () => new Store(),
      app(sim, store) {
        const known = new Set<string>();
        hear(sim, ({ id, data }) => {
          if (known.has(id)) return;
          known.add(id);
          store.tasks.push(data.call.id);
        });
        return store;
      },
    },
  ],
  [
    "remembers events in its store",
    true,
    {
      durable: () => new Store(),
      app(sim, store) {
        hear(sim, ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          store.tasks.push(data.call.id);
        });
        return store;
      },
    },
  ],
  [
    "notes the event, and then asks for its call",
    false,
    {
      durable: () => new Store(),
      app(sim, store) {
        hear(sim, async ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          store.tasks.push(await lookedUp(sim, data.call.id));
        });
        return store;
      },
    },
  ],
  [
    "asks for the call, and then notes the event",
    true,
    {
      durable: () => new Store(),
      app(sim, store) {
        hear(sim, async ({ id, data }) => {
          if (store.events.has(id)) return;
          const call = await lookedUp(sim, data.call.id);
          store.tasks.push(call);
          store.events.add(id);
        });
        return store;
      },
    },
  ],
  [
    "keeps a queue in memory",
    false,
    {
      durable: () => new Store(),
      app(sim, store) {
        const queue: string[] = [];
        const work = worker(sim, queue, store);
        hear(sim, ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          queue.push(data.call.id);
          setImmediate(work);
        });
        return store;
      },
    },
  ],
  [
    "keeps its queue in its store",
    true,
    {
      durable: () => new Store(),
      app(sim, store) {
        const work = worker(sim, store.inbox, store);
        hear(sim, ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          store.inbox.push(data.call.id);
          setImmediate(work);
        });
        setImmediate(work);
        return store;
      },
    },
  ],
  [
    "sets a timer in memory",
    false,
    {
      durable: () => new Store(),
      app(sim, store) {
        hear(sim, ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          setTimeout(() => store.tasks.push(data.call.id), HALF_AN_HOUR);
        });
        return store;
      },
    },
  ],
  [
    "sets its timers again when it starts",
    true,
    {
      durable: () => new Store(),
      app(sim, store) {
        const wait = (id: string, dueMs: number) =>
          setTimeout(
            () => {
              if (store.due.delete(id)) store.tasks.push(id);
            },
            Math.max(0, dueMs - Date.now()),
          );
        for (const [id, dueMs] of store.due) wait(id, dueMs);
        hear(sim, ({ id, data }) => {
          if (store.events.has(id)) return;
          store.events.add(id);
          const dueMs = Date.now() + HALF_AN_HOUR;
          store.due.set(data.call.id, dueMs);
          wait(data.call.id, dueMs);
        });
        return store;
      },
    },
  ],
];

describe("An app that restarts", () => {
  test.each(apps.filter(([, survives]) => survives))(
    "and %s is right in every world",
    async (_, __, subject) => {
      const report = await explored(subject);
      expect(report.failures.map(({ story }) => story)).toEqual([]);
      // an app that asks the REST API is also restarted there
      expect([report.complete, [13, 26, 32].includes(report.worlds)]).toEqual([true, true]);
    },
  );

  test.each(apps.filter(([, survives]) => !survives))("and %s is found", async (_, __, subject) => {
    const report = await explored(subject);
    expect(report.failures.map(({ property }) => property)).toEqual(["each missed call is dealt with once"]);
    const [failure] = report.failures;
    expect(failure?.story).toContain(
      'When the app restarts while it handles call.not_answered, "each missed call is dealt with once" does not hold: ',
    );
    const { scenario: text = "" } = failure?.smallest ?? {};
    expect(text.match(/at: /g)).toHaveLength(2);
    expect(text).toContain("{ attempt: PT30S call.not_answered, webhook: crm, number: 1, is: restarted }");
    const again = { scenario: parseScenario(text), ...subject, deviations: 0 };
    const { failures } = await playWorld({ ...again, eventually: { once } });
    expect(failures.map(({ property }) => property)).toEqual(["once"]);
  });

  test.each(apps)("and %s is right in every world without a restart", async (_, __, subject) => {
    const kinds = ["lost", "unanswered", "duplicated", "late", "503", "slow"] as const;
    expect((await explored(subject, kinds, 1)).failures.map(({ story }) => story)).toEqual([]);
  });

  test("is restarted in random worlds too", async () => {
    const given = (name: string) => ({
      ...{
        scenario,
        seeds: 12,
        vary: { conditions: { rate: 1 } },
        ...apps.find(([each]) => each === name)?.[2],
      },
      ...{ deviations: { kinds: ["restarted", "restartedAfter"] }, eventually: { once } },
    });
    const wrong = await exploreReport(given("remembers events in memory") as never);
    expect(wrong.failures.map(({ property }) => property)).toEqual(["once"]);
    expect(wrong.failures[0]?.smallest.deviations).toMatchObject([{ is: "restarted" }]);
    const right = await exploreReport(given("keeps its queue in its store") as never);
    expect([right.failures.length, right.worlds]).toEqual([0, 12]);
  });

  const self = new URL(import.meta.url);

  test.each([
    ["not between two writes while it handles a request", "handled", ["0 and 0", "1 and 1", "2 and 2"]],
    ["between two writes once it has answered", "later", ["0 and 0", "1 and 0", "2 and 1"]],
    ["and goes on by a callback, as its report says", "by a callback", ["0 and 0", "1 and 1", "2 and 2"]],
  ])("is restarted %s", async (_, how, states) => {
    const seen = new Set<string>();
    const report = await exploreReport({
      scenario,
      durable: () => ({ first: 0, second: 0 }),
      app: (sim, store) => {
        seen.add(`${store.first} and ${store.second}`);
        const write = async () => {
          store.first++;
          await fs.promises.readFile(self);
          store.second++;
        };
        const writeByCallback = () => {
          store.first++;
          fs.readFile(self, () => fs.stat(self, () => store.second++));
        };
        hear(sim, () => {
          const written = how === "by a callback" ? writeByCallback() : write();
          return how === "handled" ? written : undefined;
        });
        return store;
      },
      deviations: { kinds: ["restarted", "restartedAfter"] },
    });
    expect(report.result.untried.restarts).toEqual(
      how === "by a callback" ? expect.stringMatching(/^not all: callbacks of .* went on/) : undefined,
    );
    expect(report.failures).toEqual([]);
    expect([...seen].sort()).toEqual(states);
  });

  test("is restarted only if it says what outlives a restart", async () => {
    const [[, , { app, durable }]] = apps as [(typeof apps)[number]];
    const usual = await explored<Store>({ app: (sim) => app(sim, new Store()) }, "usual", 1);
    const restarting = await explored<Store>({ app, durable }, "usual", 1);
    expect(restarting.worlds - usual.worlds).toBe(4);
    for (const kind of ["restarted", "restartedAfter"] as const)
      await expect(explored<Store>({ app: (sim) => app(sim, new Store()) }, [kind])).rejects.toThrow(
        `deviations.kinds: \`${kind}\` needs \`durable\``,
      );
    const planned = parseScenario(`
scenario: A restart
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
deviations:
  - { attempt: PT30S call.not_answered, webhook: crm, is: restarted }
`);
    const given = { scenario: planned, app: (sim: Simulator) => app(sim, new Store()) };
    await expect(exploreReport({ ...given, deviations: 0 })).rejects.toThrow("needs `durable`");
    await expect(playWorld(given)).rejects.toThrow("needs `durable`");
  });

  test("gets a store for each world, which is disposed of once, after the app", async () => {
    const seen: string[] = [];
    const dispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
    await explored<Store>(
      {
        durable: async () => {
          seen.push("durable");
          return Object.assign(new Store(), { [dispose]: async () => void seen.push("disposed of durable") });
        },
        app(sim, store) {
          seen.push("subject");
          hear(sim, ({ data }) => void store.tasks.push(data.call.id));
          return Object.assign(
            { tasks: store.tasks },
            { [dispose]: async () => void seen.push("disposed of subject") },
          );
        },
      },
      ["restartedAfter"],
      1,
    );
    const world = ["durable", "subject", "disposed of subject", "disposed of durable"];
    const restarted = ["durable", "subject", "disposed of subject", ...world.slice(1)];
    // the first is played once more at the end
    expect(seen).toEqual([...world, ...restarted, ...restarted, ...world]);
  });

  test("may return its store, which is not disposed of at a restart", async () => {
    const fileStore = () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ringback-store-"));
      const file = path.join(folder, "log");
      fs.writeFileSync(file, "");
      return {
        append: (line: object) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`),
        get all(): { id?: string; task: string }[] {
          const lines = fs.readFileSync(file, "utf8").split("\n");
          return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
        },
        get tasks(): string[] {
          return this.all.map(({ task }) => task);
        },
        [Symbol.dispose ?? Symbol.for("Symbol.dispose")]: () => fs.rmSync(folder, { recursive: true }),
      };
    };
    const right = await explored({
      durable: fileStore,
      app(sim, store) {
        hear(sim, ({ id, data }) => {
          if (!store.all.some((each) => each.id === id)) store.append({ id, task: data.call.id });
        });
        return store;
      },
    });
    expect(right.failures.map(({ story }) => story)).toEqual([]);
    const wrong = await explored({
      durable: fileStore,
      app(sim, store) {
        const known = new Set<string>();
        hear(sim, ({ id, data }) => {
          if (!known.has(id)) store.append({ task: data.call.id });
          known.add(id);
        });
        return store;
      },
    });
    expect(wrong.failures.map(({ property }) => property)).toEqual(["each missed call is dealt with once"]);
  });

  test("loses its routes, listeners and callbacks, but not those of the scenario", async () => {
    const heard: string[] = [];
    let lives = 0;
    await exploreReport({
      scenario(sim) {
        sim.webhooks.create({ url, events: ["call.started"] });
        sim.network.route("https://other.acme.test/", () => 204);
        sim.on("call.started", () => {
          heard.push("scenario hears");
          sim.schedule("PT10S", () => heard.push("scenario calls back"));
        });
        sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
      },
      durable: () => ({}),
      app(sim) {
        const life = `life ${++lives}`;
        heard.push(`${life} begins`);
        sim.network.route(url, async () => {
          heard.push(`${life} handles`);
          sim.on("call.not_answered", () => void heard.push(`${life} hears what it asked for`));
          await null;
          sim.schedule("PT5S", () => void heard.push(`${life} calls back`));
          return 204;
        });
        if (lives === 1) sim.network.route("https://only-once.acme.test/", () => 204);
        sim.on("call.not_answered", () => void heard.push(`${life} hears`));
        return {};
      },
      eventually: { "has its routes": (sim) => void heard.push(sim.network.routes.join(" ")) },
      deviations: { kinds: ["restartedAfter"] },
    });
    const world = heard.slice(heard.indexOf("life 2 begins"), heard.indexOf("life 4 begins"));
    expect(world).toEqual([
      "life 2 begins",
      "scenario hears",
      "life 2 handles",
      "life 3 begins",
      "scenario calls back",
      "life 3 hears",
      `${url} https://other.acme.test/`,
    ]);
  });

  test("needs a scenario that awaits the passing of time", async () => {
    const explored = (advance: (sim: Simulator) => void | Promise<void>) =>
      exploreReport({
        scenario(sim) {
          sim.webhooks.create({ url, events: ["call.not_answered"] });
          sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
          return advance(sim);
        },
        durable: () => new Set<string>(),
        app(sim, stored) {
          sim.network.route(url, ({ body }) => stored.add(JSON.parse(body).id) && 204);
          return stored;
        },
        eventually: { "the event is stored": (_, { size }) => size === 1 },
      });
    await expect(explored((sim) => sim.advance("PT60S"))).rejects.toThrow(
      `scenario: the app restarts while ${url} is asked, which a synchronous run cannot wait for; nothing is lost: use the Async method`,
    );
    expect((await explored((sim) => sim.advanceAsync("PT60S"))).passed).toBe(true);
  });

  test("goes on with the steps that wait for an event", async () => {
    const report = await exploreReport({
      scenario: parseScenario(`
scenario: A call that Carol answers
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { on: call.started, plus: PT5S, answer: { call: c1, by: carol } }
  - { on: call.answered, plus: PT9S, hangup: { call: c1, by: caller } }
`),
      durable: () => new Set<string>(),
      app(sim, types) {
        sim.network.route(url, ({ body }) => {
          types.add(JSON.parse(body).type);
          return 204;
        });
        return types;
      },
      eventually: {
        "hears all": (_, types) =>
          expect([...types].sort()).toEqual(["call.answered", "call.ended", "call.started"]),
      },
      deviations: { atMost: 2, kinds: ["restarted", "restartedAfter"] },
    });
    expect(report.failures.map(({ story }) => story)).toEqual([]);
    expect(report.worlds).toBeGreaterThan(13);
  });

  test("while other handlers and listeners wait leaves nothing behind that another life waits for", async () => {
    const report = await exploreReport({
      scenario: parseScenario(`
scenario: Two calls that are missed at one instant
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT1S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`),
      durable: () => new Store(),
      app(sim, store) {
        sim.on("call.not_answered", ({ data }) => lookedUp(sim, data.call.id));
        hear(sim, async ({ id, data }) => {
          if (store.events.has(id)) return;
          const call = await lookedUp(sim, data.call.id);
          if (!store.events.has(id)) store.tasks.push(call);
          store.events.add(id);
        });
        return store;
      },
      eventually: { once },
      deviations: {
        atMost: 2,
        kinds: ["overlapping", "slow", "answers", "unanswered", "restarted", "restartedAfter"],
      },
    });
    expect(report.failures.map(({ story }) => story)).toEqual([]);
    expect(report.complete).toBe(true);
  });

  test("while an answer is slow never gets that answer, and the world ends", async () => {
    const answers: string[] = [];
    const report = await exploreReport({
      scenario,
      durable: () => new Store(),
      app(sim, store) {
        const life = Symbol("life");
        hear(sim, async ({ data }) => {
          const before = life;
          const id = await lookedUp(sim, data.call.id);
          answers.push(before === life ? id : "an answer to another life");
          store.tasks.push(id);
        });
        return store;
      },
      eventually: {
        "both are dealt with": (_, { tasks }) => expect([...new Set(tasks)]).toHaveLength(2),
      },
      deviations: { atMost: 2, kinds: ["slow", "restarted", "restartedAfter"] },
    });
    expect(report.failures.map(({ story }) => story)).toEqual([]);
    expect(report.complete).toBe(true);
  });
});
