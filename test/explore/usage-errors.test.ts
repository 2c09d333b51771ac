import { expect, test } from "vitest";
import { InputError } from "../../src/core/foundation/errors.ts";
import { type ExploreOptions, explore, exploreReport } from "../../src/explore/index.ts";
import type { Simulator } from "../../src/index.ts";

/** Mistakes in how `explore` is used are no failures of the app. */

const url = "https://crm.acme.test/hooks";
const ring = (sim: Simulator) => sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });

function asynchronous(sim: Simulator) {
  sim.webhooks.create({ url, events: ["*"] });
  sim.network.route(url, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 204;
  });
}

/** The usage error that an exploration rejects with. */
async function mistake(options: Partial<ExploreOptions<unknown>>): Promise<string> {
  const all = { scenario: ring, subject: asynchronous, deviations: 0, ...options } as ExploreOptions<unknown>;
  const error = await explore(all).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return (error as Error).message;
}

test.each([
  ["advance", (sim: Simulator) => void sim.advance("PT60S")],
  ["runUntilIdle", (sim: Simulator) => void sim.runUntilIdle()],
])("A function that calls %s with an asynchronous subject is a usage error", async (_, pass) => {
  const message = await mistake({
    scenario: (sim) => {
      ring(sim);
      pass(sim);
    },
  });
  expect(message).toContain("a synchronous run cannot wait for");
  expect(message).toContain("This is not a defect of the app");
});

test("A function that does not await an advance is a usage error", async () => {
  const message = await mistake({
    scenario: (sim) => {
      ring(sim);
      void sim.advanceAsync("PT60S");
      void sim.advanceAsync("PT60S");
    },
  });
  expect(message).toContain("time is already moving");
});

test("A property that lets time pass while it passes is a usage error", async () => {
  const message = await mistake({
    scenario: async (sim) => {
      ring(sim);
      await sim.advanceAsync("PT60S");
    },
    always: { "looks ahead": (sim) => void sim.advance("PT1S") },
  });
  expect(message).toContain("time is already moving");
});

test.each([
  ["is refused a command", (sim: Simulator) => void ring(sim).answer("bob"), "bob cannot answer"],
  ["has a defect", () => (undefined as unknown as string[]).push("x"), "Cannot read properties of undefined"],
])("A function that %s without any deviation is a usage error", async (_, scenario, words) => {
  const message = await mistake({ scenario: scenario as (sim: Simulator) => void });
  expect(message).toContain("scenario: the function throws without any deviation: ");
  expect(message).toContain(words);
});

test.each([
  ["An option", { patiense: "PT1S" }, 'patiense: unknown key; did you mean "patience"?'],
  ["A group of properties", { allways: {} }, 'allways: unknown key; did you mean "always"?'],
])("%s that does not exist is a usage error that names the right one", async (_, options, words) => {
  expect(await mistake(options as object)).toContain(words);
});

test("What the app throws while a function lets time pass is a failure of the app", async () => {
  const report = await exploreReport({
    scenario: (sim) => {
      ring(sim);
      sim.advance("PT60S");
    },
    subject: (sim) => {
      sim.webhooks.create({ url, events: ["*"] });
      sim.network.route(url, () => {
        throw new TypeError("the app's own");
      });
    },
    deviations: 0,
  });
  expect(report.failures.map(({ identity }) => identity)).toEqual(["the app throws: TypeError"]);
});

test("A function may return what its command returns", async () => {
  const scenario = ring as (sim: Simulator) => void;
  const report = await exploreReport({ scenario, subject: asynchronous, deviations: 0 });
  expect(report.passed).toBe(true);
});

test("A function ends where a world with deviations does not allow its next command", async () => {
  // the app answers for carol when it hears of the call, so a lost event leaves nobody to hang up
  const options: ExploreOptions<unknown> = {
    scenario: (sim) => {
      const call = ring(sim);
      sim.advance("PT5S");
      call.hangup("carol");
    },
    subject: (sim) => {
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        const call = sim.calls.get(id);
        if (call.ringing().length > 0) call.answer("carol");
        return 204;
      });
    },
    deviations: { atMost: 1, kinds: ["lost", "refused"] },
  };
  const report = await exploreReport(options);
  expect(report.worlds).toBeGreaterThan(1);
  expect(report.failures).toEqual([]);
});

test("A function that has a defect in a world with deviations fails there, and not the app", async () => {
  const report = await exploreReport({
    scenario: (sim) => {
      ring(sim);
      sim.advance("PT5S");
      const [answered] = sim.calls.list().filter(({ record }) => record.connections.length > 1);
      if (answered === undefined) throw new TypeError("nobody answered");
    },
    subject: (sim) => {
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, ({ body }) => {
        sim.calls.get(JSON.parse(body).data.call.id).answer("carol");
        return 204;
      });
    },
    deviations: { atMost: 1, kinds: ["lost"] },
  });
  expect(report.failures.map(({ property, message }) => [property, message])).toEqual([
    ["the scenario throws", "nobody answered"],
  ]);
});

const nested = "`explore` was called within a world of another exploration";
const inner = () =>
  exploreReport({ scenario: (sim) => void ring(sim), subject: asynchronous, deviations: 0 });

test.each<[string, Partial<ExploreOptions<unknown>>]>([
  ["the app", { subject: inner }],
  ["a handler", { subject: (sim) => sim.network.route(url, () => inner().then(() => 204)) }],
  ["what is durable", { durable: inner }],
  ["a property", { eventually: { "another one passes": async () => (await inner()).passed } }],
  [
    "the scenario",
    { scenario: (sim) => inner().then(() => void sim.webhooks.create({ url, events: ["*"] })) },
  ],
  ["show", { show: inner, eventually: { "nothing rings": () => false } }],
  ["disposing", { subject: () => ({ [Symbol.asyncDispose]: async () => void (await inner()) }) }],
])("An exploration that begins within %s of another one is a usage error", async (_, options) => {
  const scenario = (sim: Simulator) => {
    sim.webhooks.create({ url, events: ["*"] });
    ring(sim);
  };
  expect(await mistake({ scenario, ...options })).toContain(nested);
  // and the next one runs
  expect((await inner()).passed).toBe(true);
});
