import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceOf } from "../../../src/core/scenario/parse.ts";
import { loadApp } from "../../../src/explore/run/explored-app.ts";
import type { WorldOutcome } from "../../../src/explore/run/outcome.ts";
import { preparedText } from "../../../src/explore/run/prepare.ts";
import { Supervision } from "../../../src/explore/sandbox/supervision.ts";
import { WorldRunner } from "../../../src/explore/search/runner.ts";
import { startThreads } from "../../../src/explore/workers/worker-pool.ts";
import { scenario, url } from "../missed-call.ts";

/** An app in a module, whose ids of events outlive its worlds. */
const module = `
const seen = new Set();
export function subject(sim) {
  const types = [];
  sim.network.route(${JSON.stringify(url)}, ({ body }) => {
    const { id, type } = JSON.parse(body);
    if (!seen.has(id)) types.push(type);
    seen.add(id);
    return 204;
  });
  return { types };
}
export const eventually = { "is noted": () => true };
`;

test("The world without deviations is run once more in each thread that ran worlds, and in this one", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ringback-")), "app.mjs");
  writeFileSync(file, module);
  const source = sourceOf(scenario);
  if (source === undefined) throw new Error("the scenario has no text");
  const limits = { patienceMs: 5_000, steps: 10_000 };
  const supervision = new Supervision(limits);
  supervision.start();
  const [clock, horizonMs] = ["virtual" as const, 900_000];
  const bound = { atMost: 1, kinds: undefined, on: undefined, restarts: false };
  const prepared = preparedText(source, {});
  const task = { prepared, corpus: [], bound, seeds: undefined, clock, horizonMs };
  const runner = new WorldRunner(await loadApp(file), task, supervision);
  const parts = await runner.parts({ index: 1, count: 1 });
  const data = {
    module: file,
    scenario: source,
    readsNumbers: false,
    corpus: [],
    bound,
    seeds: undefined,
    clock,
    horizonMs,
  };
  const workers = startThreads(
    1,
    { ...data, ...limits, shardContents: undefined, leavesOutStates: false },
    runner,
  );
  try {
    const outcomes: WorldOutcome[] = [];
    const sink = {
      whyToStop: () => undefined,
      isFull: () => false,
      add: (each: WorldOutcome) => void outcomes.push(each),
    };
    const allowance = { worlds: 100, leftMs: 60_000 };
    for (const part of parts.slice(1, 3)) await workers.begin(part, allowance).finish(sink);
    expect(outcomes.length).toBeGreaterThan(1);
    const differs =
      'the app ends with {types: ["call.started", "call.not_answered"]} in the first run, and with {types: []} in a later one';
    const ends = await workers.endsOfPlainRuns();
    expect(ends.map(({ difference }) => difference)).toEqual([differs, differs]);
  } finally {
    await workers.close();
    await supervision.end();
  }
});
