import { expect } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { twoAtOnce as scenario, url } from "../missed-call.ts";

/** Handlers of two requests that overlap while each waits for something else. */
export const overlapping = { scenario, deviations: { kinds: ["overlapping"] } } as const;

/** Notes calls after some work, and counts them by reading before it and writing after it. That of the first call may take longer. */
export const countsAfter = (work: (isFirst: boolean) => Promise<unknown>) => (sim: Simulator) => {
  const app = { count: 0, ended: [] as string[] };
  sim.network.route(url, async ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const before = app.count;
    await work(id === "call-1");
    app.count = before + 1;
    app.ended.push(id);
    return 204;
  });
  return app;
};
type Counts = ReturnType<ReturnType<typeof countsAfter>>;

export const firstEndsFirst = (_: Simulator, { ended }: Counts) => ended[0] === "call-1";
export const bothHaveEnded = (_: Simulator, { ended }: Counts) => ended.length === 2;

/** Expects handlers to end in the order in which they asked for their work, and to lose one of two counts. */
export async function mustLoseInOrder(work: (isFirst: boolean) => Promise<unknown>): Promise<void> {
  const { failures } = await exploreReport({
    ...{ ...overlapping, app: countsAfter(work) },
    eventually: {
      "the first ends first": firstEndsFirst,
      "both are counted": (_: Simulator, { count }: Counts) => count === 2,
    },
  });
  expect(
    failures.map(({ property, smallest }) => [property, smallest.deviations.map(({ is }) => is)]),
  ).toEqual([["both are counted", ["overlapping"]]]);
}
