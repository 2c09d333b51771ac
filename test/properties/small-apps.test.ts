import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeviationKind, exploreReport } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";
import { isWhole, runsOf } from "../counts.ts";
import { breakingWorlds } from "./small-apps/model.ts";
import {
  appOf,
  type Does,
  emptyStore,
  enter,
  isRight,
  type Program,
  programs,
  type Routine,
  type Store,
} from "./small-apps/program.ts";

const url = "https://crm.acme.test/hooks";

/** One call that nobody answers, or two that end at one instant. */
const scenarios = [1, 2].map((count) => ({
  calls: ["call-1", "call-2"].slice(0, count),
  scenario: parseScenario(`
scenario: Missed calls
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
${["101", "102"]
  .slice(0, count)
  .map((person) => `  - { at: PT0S, inbound: { from: "+64215550${person}", to: "+6495550${person}" } }`)
  .join("\n")}
`),
}));

/** Runs a routine as code of an app. */
async function run<T>(ask: Ask, routine: Routine<T>): Promise<T> {
  for (let isOk = false; ; ) {
    const step = routine.next(isOk);
    if (step.done === true) return step.value;
    isOk = false;
    const does = step.value;
    if (does.does === "begin") void run(ask, does.work);
    else if (does.does === "turn") await turn();
    else if (does.does === "sleep") await new Promise((resolve) => setTimeout(resolve, does.ms));
    else isOk = await ask(does).catch(() => false);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Asks the platform or the CRM. @returns whether it answers well */
type Ask = (asks: Extract<Does, { readonly does: "ask" }>) => Promise<boolean>;

/** A CRM that does at once what it is asked, and answers a turn later. */
const crmOf = (store: Store) => async (url: string, init: { readonly method: string }) => {
  enter(store, init.method, new URL(url).pathname);
  await turn();
  return new Response();
};

function build(program: Program, sim: Simulator, store: Store): Store {
  const app = appOf(program, store);
  const crm = sim.dependency("crm", crmOf(store));
  const ask: Ask = async ({ whom, method, path }) => {
    if (whom === "crm") return (await crm(`https://crm.example${path}`, { method })).ok;
    const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
    const body = method === "PUT" ? { body: JSON.stringify({ name: "Missed", contacts: [] }) } : {};
    return (await sim.fetch(path, { method, headers, ...body })).ok;
  };
  void run(ask, app.start());
  sim.network.route(url, ({ body }) => run(ask, app.take(JSON.parse(body).data.call.id)));
  return store;
}

const kinds = [
  ...["lost", "unanswered", "duplicated", "late", "overlapping", "refused", "rejected", "timers"],
  ...["503", "429", "slow", "tokenExpired", "answers", "outage", "restarted", "restartedAfter"],
] as readonly DeviationKind[];

/** All kinds alone, one kind alone, or two kinds against each other. */
const bounds: fc.Arbitrary<{ readonly atMost: number; readonly kinds?: readonly DeviationKind[] }> = fc.oneof(
  fc.constant({ atMost: 1 }),
  fc.constantFrom(...kinds).map((kind) => ({ atMost: 1, kinds: [kind] })),
  ...[1, 2].map(() =>
    fc.subarray([...kinds], { minLength: 2, maxLength: 2 }).map((pair) => ({ atMost: 2, kinds: pair })),
  ),
);

const property = "each call is stored once";

function explored(program: Program, count: number, deviations: { readonly atMost: number }) {
  const { calls, scenario } = scenarios[count - 1] as (typeof scenarios)[number];
  return exploreReport({
    scenario,
    app: (sim: Simulator, store?: Store) => build(program, sim, store ?? emptyStore()),
    ...(program.isDurable ? { durable: emptyStore } : {}),
    eventually: { [property]: (_: Simulator, store: Store) => isRight(program, store, calls) },
    ...{ deviations, forged: false },
  });
}

const fewest = (worlds: readonly (readonly string[])[]) => Math.min(...worlds.map(({ length }) => length));

test("A random small app is right or wrong by as few deviations as in a model of all worlds", async () => {
  await fc.assert(
    fc.asyncProperty(programs, fc.integer({ min: 1, max: 2 }), bounds, async (program, count, bound) => {
      // what is not durable cannot restart
      const named = bound.kinds?.filter((kind) => program.isDurable || !kind.startsWith("restarted"));
      const deviations = named === undefined ? bound : { ...bound, kinds: named };
      const { calls } = scenarios[count - 1] as (typeof scenarios)[number];
      const breaking = breakingWorlds(program, calls, deviations);
      const { complete, failures } = await explored(program, count, deviations);
      expect(complete).toBe(true);
      expect(failures.filter((each) => each.property !== property)).toEqual([]);
      const found = failures.map(({ smallest }) => smallest.deviations.map(({ is }) => is).sort());
      expect(fewest(found)).toBe(fewest(breaking));
      for (const each of found) expect(breaking).toContainEqual(each);
    }),
    { numRuns: isWhole ? runsOf(500) : 5 },
  );
});
