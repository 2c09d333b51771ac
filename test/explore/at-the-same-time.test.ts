import { expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../src/explore/index.ts";
import type { Simulator } from "../../src/index.ts";

/** Explorations of one process that go on at the same time run their worlds in turns, so that what happens is known as of one. */

const url = "https://crm.acme.test/hooks";
type Options = ExploreOptions<string[], string[]>;

const app = (take: (id: string, rows: string[], sim: Simulator) => number | Promise<number>): Options => ({
  scenario(sim) {
    sim.webhooks.create({ url, events: ["call.started", "call.not_answered"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  },
  app(sim, rows = []) {
    sim.network.route(url, ({ body }) => take(JSON.parse(body).id, rows, sim));
    return rows;
  },
  eventually: { "each event is stored once": (_, rows) => rows.length === 2 && new Set(rows).size === 2 },
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const boom = () => {
  throw new Error("boom");
};

/** Each fails in another way, or passes. */
const options: Readonly<Record<string, () => Options>> = {
  "stores an event twice": () => app((id, rows) => rows.push(id) && 204),
  "works late, and loses it": () => ({
    ...app((id, rows) => {
      setTimeout(() => rows.includes(id) || rows.push(id), 1_000);
      return 204;
    }),
    durable: () => [],
  }),
  "is right over the REST API": () =>
    app(async (id, rows, sim) => {
      await sim.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
      if (!rows.includes(id)) rows.push(id);
      return 204;
    }),
  "throws in a handler": () => app(boom),
  "throws where nothing catches it": () =>
    app(() => {
      setTimeout(boom, 500);
      return 204;
    }),
  "has the real clock": () => ({ ...app(() => wait(1).then(() => 204)), clock: "real" }),
};

const textOf = async (given: Options) => (await exploreReport(given)).toText({ verbose: true });

test("Explorations that go on at the same time find what each finds alone", async () => {
  const alone: Record<string, string> = {};
  for (const [name, given] of Object.entries(options)) alone[name] = await textOf(given());
  expect(Object.values(alone).filter((text) => !text.startsWith("FAILS"))).toHaveLength(1);
  const together = Object.entries(options).map(async ([name, given]) => [name, await textOf(given())]);
  expect(Object.fromEntries(await Promise.all(together))).toEqual(alone);
});

test("One that is broken off leaves the others as they are", async () => {
  const { "stores an event twice": twice = boom } = options;
  const mistake = app(async (_, __, sim) => {
    sim.advance("PT1S");
    return 204;
  });
  const [text, error] = await Promise.all([
    textOf(twice()),
    textOf(mistake).catch((thrown) => thrown.message),
  ]);
  expect(error).toContain("This is not a defect of the app");
  expect(text).toBe(await textOf(twice()));
});
