import { inspect } from "node:util";
import { expect, test } from "vitest";
import { CounterexampleError, type ExploreOptions, explore, exploreReport } from "../../src/explore/index.ts";
import { endLine, headLine, mergeResults } from "../../src/explore/results.ts";
import { appDefects } from "../../src/findings/property-failure.ts";
import type { Simulator } from "../../src/index.ts";

/** A failure that is marked as known stays green until it is gone. */

const url = "https://crm.test/";
const property = "one activity a call";

function exploring(isMended: boolean): ExploreOptions<Set<string> | string[]> {
  return {
    scenario(sim: Simulator) {
      sim.webhooks.create({ url, events: ["call.ended"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    },
    subject(sim: Simulator) {
      const ids: string[] = [];
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body);
        if (!isMended || !ids.includes(id)) ids.push(id);
        return 204;
      });
      return ids;
    },
    eventually: { [property]: (_, ids) => expect(ids).toHaveLength(1) },
  };
}

const known = { [property]: "CRM-12: it does not remember ids" };

test("A failure that `known` marks does not count, and the report tells it in short", async () => {
  const report = await explore({ ...exploring(false), known });
  expect(report.failures).toEqual([]);
  expect(report.known).toMatchObject([{ property, reason: known[property], failures: [{ worlds: 3 }] }]);
  expect(report.toText()).toContain(
    `KNOWN in 3 worlds: ${property}\n  because: CRM-12: it does not remember ids\n  says: `,
  );
  expect(report.toText()).toContain("every other property holds in each of these worlds");
});

test("A failure that `known` marks and that is gone fails the exploration until the mark is taken away", async () => {
  const thrown = await explore({ ...exploring(true), known }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(CounterexampleError);
  const { cause, report } = thrown as CounterexampleError;
  expect(cause).toBe(
    `GONE: "${property}" is marked as known, but holds in each of these worlds: take it out of \`known\``,
  );
  expect(report.gone).toEqual([property]);
  expect((await explore(exploring(true))).gone).toEqual([]);
});

test("`known` takes the names that defects had before", async () => {
  const throwing = () => {
    throw new Error("cannot be built");
  };
  const report = await explore({
    scenario: () => {},
    app: throwing,
    known: {
      "the subject throws": "CRM-12",
      "the subject was here": "no defect",
      "the app throws": "CRM-13",
    },
    deviations: 0,
  }).catch((error: CounterexampleError) => error.report);
  expect(report.failures).toEqual([]);
  // one defect by both names is listed once
  expect(report.known).toMatchObject([{ property: "the app throws", reason: "CRM-13" }, {}]);
  expect(report.gone).toEqual(["the subject was here"]);
});

test("Only an exploration of all worlds says that a known failure is gone", async () => {
  const report = await explore({ ...exploring(true), known, worlds: 2 });
  expect(report).toMatchObject({ complete: false, gone: [], passed: true });
});

test("A failure of another property counts beside a known one", async () => {
  const more = { "nobody calls": (sim: Simulator) => sim.calls.list().length === 0 };
  const { eventually, ...options } = exploring(false);
  const report = await exploreReport({ ...options, eventually: { ...eventually, ...more }, known });
  expect(report.failures.map((failure) => failure.property)).toEqual(["nobody calls"]);
  expect(report.passed).toBe(false);
});

test("`known` without reasons is a usage error", async () => {
  const wrong = (given: unknown) => explore({ ...exploring(true), known: given as Record<string, string> });
  await expect(wrong([property])).rejects.toThrow(
    "known: expected an object of properties with reasons, got",
  );
  await expect(wrong({ [property]: true })).rejects.toThrow("known: expected a reason for each property");
});

test("What is not certain can neither be known nor be gone", async () => {
  const { eventually: _, ...options } = exploring(true);
  const uncertain = { [appDefects.unsteady]: "CRM-13" };
  await expect(explore({ ...options, known: uncertain })).rejects.toThrow(
    "known: expected other properties than `deterministic`: where runs of one world differ, no other verdict is certain",
  );
  let runs = 0;
  const eventually = { [property]: () => ++runs === 1 };
  const report = await exploreReport({ ...options, eventually, known });
  expect(report.failures.map((failure) => failure.property)).toEqual(["deterministic"]);
  expect(report.gone).toEqual([]);
});

test("Shards have their known failures together, and only all of them tell that one is gone", async () => {
  const merged = async (isMended: boolean) => {
    const files = [1, 2].map(async (index) => {
      const shard = { index, count: 2 };
      const report = await exploreReport({ ...exploring(isMended), known, shard });
      expect(report.gone).toEqual([]);
      const about = { title: report.result.title, seed: 1, source: undefined };
      const limits = { bound: { atMost: 1, kinds: undefined, on: undefined }, seeds: undefined, shard };
      const head = headLine(about, { ...limits, patienceMs: 1, steps: 1 } as Parameters<typeof headLine>[1]);
      const worlds = Array.from({ length: report.worlds }, (_, world) => `{"world":[${world}]}\n`);
      return { name: `${index}`, text: head + worlds.join("") + endLine(report.result) };
    });
    return mergeResults(await Promise.all(files));
  };
  expect((await merged(false)).known).toMatchObject([{ property, failures: [{ worlds: 3 }] }]);
  expect((await merged(true)).gone).toEqual([property]);
});

test("The error of an exploration keeps its report from those who print every field, and has a short cause", async () => {
  const error = await explore(exploring(false)).catch((thrown: unknown) => thrown as CounterexampleError);
  const { report, cause } = error as CounterexampleError;
  expect(report.failures).toHaveLength(1);
  expect(Object.keys(error)).toEqual(["name"]);
  expect(cause).toMatch(/^one activity a call: .*to have a length of 1 but got 2$/);
  const printed = inspect(error, { depth: 20 });
  expect(printed).not.toContain('"entries"');
  expect(printed.length).toBeLessThan((error as Error).message.length + 3_000);
});
