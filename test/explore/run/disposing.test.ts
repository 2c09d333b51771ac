import { describe, expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { provideSymbol } from "../../../src/explore/sandbox/dispose-symbols.ts";
import type { Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";

/** Explores restarts of an app that keeps calls. */
function exploring(more: Pick<ExploreOptions<object, Calls>, "app" | "durable">) {
  return exploreReport<object, Calls>({
    scenario: (sim) => {
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
    },
    deviations: { atMost: 1, kinds: ["restarted", "restartedAfter"] },
    patience: "PT0.4S",
    eventually: { "the call is kept": (sim, app) => app === undefined || sim.calls.list().length === 1 },
    ...more,
  });
}

class Calls extends Set<string> {}

/** Keeps calls, once the REST API has told of them. @returns how many requests it handles now */
function keeps(sim: Simulator, calls: Calls): () => number {
  let busy = 0;
  sim.network.route(url, async ({ body }) => {
    busy++;
    const { id } = JSON.parse(body).data.call;
    await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } });
    calls.add(id);
    busy--;
    return 204;
  });
  return () => busy;
}

describe("What an exploration disposes of", () => {
  test("is each app and each durable once", async () => {
    const counts = { durables: 0, disposedDurables: 0, apps: 0, disposedApps: 0 };
    const report = await exploring({
      durable: () => {
        counts.durables++;
        return Object.assign(new Calls(), { [Symbol.asyncDispose]: async () => counts.disposedDurables++ });
      },
      app: (sim, calls) => {
        counts.apps++;
        keeps(sim, calls);
        return { calls, [Symbol.dispose]: () => counts.disposedApps++ };
      },
    });
    expect(report.failures).toEqual([]);
    expect(counts.disposedDurables).toBe(counts.durables);
    expect(counts.disposedApps).toBe(counts.apps);
    // restarts made some
    expect(counts.apps).toBeGreaterThan(counts.durables);
  });

  test("may not stop gracefully: nothing answers an app that is killed", async () => {
    const { failures } = await exploring({
      durable: () => new Calls(),
      app: (sim, calls) => {
        const busy = keeps(sim, calls);
        return {
          calls,
          async [Symbol.asyncDispose]() {
            while (busy() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
          },
        };
      },
    });
    expect(failures).toMatchObject([
      {
        property: "the app hangs",
        message: expect.stringMatching(
          /^Symbol\.asyncDispose of the app did not end within 200 ms; it waits for setTimeout of 10 ms, started at disposing\.test\.ts:\d+\. Disposing stands for a process that is killed: free what is held, and finish no work$/,
        ),
        smallest: { deviations: [{ is: "restarted" }] },
      },
    ]);
  });

  test("is named where it is what outlives the app", async () => {
    const { failures } = await exploring({
      durable: () => Object.assign(new Calls(), { [Symbol.asyncDispose]: () => new Promise(() => {}) }),
      app: (sim, calls) => {
        keeps(sim, calls);
        return {};
      },
    });
    expect(failures).toMatchObject([
      {
        message: expect.stringMatching(
          /^Symbol\.asyncDispose of what `durable` made did not end within \d+ ms\. /,
        ),
        smallest: { deviations: [] },
      },
    ]);
  });
});

test("Where a runner has no Symbol.asyncDispose, as Jest 29 before Node 24, it gets one", () => {
  const bare: { asyncDispose?: symbol } = {};
  const provided = provideSymbol("asyncDispose", bare);
  expect({ [bare.asyncDispose as symbol]: 1 }).toEqual({ [provided]: 1 });
  expect(provideSymbol("asyncDispose", Symbol)).toBe(Symbol.asyncDispose);
});
