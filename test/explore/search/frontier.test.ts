import { expect, test } from "vitest";
import type { Deviation, ReachedPoint } from "../../../src/core/engine/deviations.ts";
import type { WorldRun } from "../../../src/explore/run/world-run.ts";
import { Frontier } from "../../../src/explore/search/frontier.ts";

/** So many points are more than the worlds whose points are cached. */
const MANY = 250;

const pointAt = (at: number): ReachedPoint => ({
  point: { what: "attempt", at, of: "call.ended", number: 1, nth: 1 },
  options: [{ is: "refused" }, { is: "rejected" }],
});
const points = Array.from({ length: MANY }, (_, at) => pointAt(at));

/** Whether a world, which is run a second time for its points alone, is another one then. */
type Differs = (first: Deviation) => boolean;

/** Why worlds of the last two points but one did not run, of an app that cannot tell the two options of a point apart. */
async function notRun(differs: { readonly unmet?: Differs; readonly pointless?: Differs }) {
  const run = async (deviations: readonly Deviation[], { unjudged = false }) => {
    const [first] = deviations;
    const is = (some: Differs = () => false) => unjudged && first !== undefined && some(first);
    return {
      ...{ failures: [], equivalences: deviations.map(() => "yes"), readsPlatform: false },
      points: is(differs.pointless) ? [] : points,
      unmet: is(differs.unmet) ? deviations : [],
    } as unknown as WorldRun;
  };
  const frontier = new Frontier(
    run,
    { atMost: 2, kinds: undefined, on: undefined, restarts: false },
    undefined,
  );
  const visitor = { whyToStop: () => undefined, visit: () => {} };
  const parts = await frontier.parts({ index: 1, count: 1 });
  const firstOnes = parts.filter(({ size }) => size < 2);
  for (const part of firstOnes) await frontier.run(part, visitor);
  const last = parts.filter(({ first }) => first === MANY - 3 || first === MANY - 2);
  const ends = [];
  for (const part of last.filter(({ size }) => size === 2)) ends.push(await frontier.run(part, visitor));
  return ends.map((end) => end.notRun?.why);
}

test("Worlds that a later run of their first deviation shows as before all run", async () => {
  expect(await notRun({})).toEqual([undefined, undefined]);
});

test("Worlds that begin with a deviation which a later run does not reach are named as not run", async () => {
  expect(await notRun({ unmet: ({ at }) => at === MANY - 2 })).toEqual([
    undefined,
    `a world does not reach refused(PT0.248S call.ended), which another run of it did`,
  ]);
});

test("Worlds that were found to look the same as another, and do not come up, are named as not run", async () => {
  expect(await notRun({ pointless: ({ at, is }) => at === MANY - 2 && is === "rejected" })).toEqual([
    undefined,
    "2 worlds that would look the same as one that was run do not come up, so its points differ from run to run",
  ]);
});
