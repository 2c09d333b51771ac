import { readFile } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Simulator } from "ringback";
import { explore } from "ringback/explore";
import { expect, test } from "vitest";
import { isWhole } from "../counts.ts";
import { appThat, verdictOf, verdicts, ways } from "./late-work/ways.ts";

test.each(Object.entries(ways))(
  "An app that %s passes if it retries, and fails if it does not",
  async (_, way) => {
    expect(await verdictOf({ subject: appThat(way, true) })).toEqual(verdicts.right);
    expect(await verdictOf({ subject: appThat(way, false) })).toEqual(verdicts.wrong);
  },
);

/** How often a verdict is found beside two busy loops. */
const REPETITIONS = 50;
const repeated = [
  ...["does not await its work", "works in an immediate", "has a generator that waits for jobs for ever"],
  ...["writes and reads files", "writes and reads files with callbacks", "compresses its jobs"],
  ...["signs its jobs", "looks for jobs every five seconds", "tries again after 30 s of timers/promises"],
  "sends its jobs to a server of its own",
] as const;

// in `npm test` the checks keep the machine busy beside the test above, which has each of these ways once
test.runIf(isWhole).each(repeated)(
  "An app that %s has the same verdict each time on a busy machine",
  async (name) => {
    const way = ways[name] as (typeof ways)[string];
    const loops = [1, 2].map(() => new Worker("for (;;);", { eval: true }));
    try {
      for (const kind of ["right", "wrong"] as const)
        for (let left = REPETITIONS; left > 0; left--)
          expect(await verdictOf({ subject: appThat(way, kind === "right") })).toEqual(verdicts[kind]);
    } finally {
      await Promise.all(loops.map((each) => each.terminate()));
    }
  },
  // a hundred explorations on what two loops leave of a machine
  3_600_000,
);

test("An app's promises are waited for, also if a callback of Node lets time pass", async () => {
  const url = "https://app.acme.test/hooks";
  const call = (sim: Simulator) => sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  await explore({
    scenario: (sim) =>
      new Promise<void>((resolve, reject) => {
        sim.webhooks.create({ url, events: ["call.started"] });
        call(sim);
        const again = () => {
          call(sim);
          sim.advanceAsync(0).then(resolve, reject);
        };
        sim.advanceAsync(1).then(() => readFile(new URL(import.meta.url), again), reject);
      }),
    subject(sim) {
      const app = { begun: 0, done: 0 };
      const work = async () => {
        for (let microtasks = 0; microtasks < 40; microtasks++) await undefined;
        app.done++;
      };
      sim.network.route(url, () => {
        app.begun++;
        void work();
        return 204;
      });
      return app;
    },
    deviations: 0,
    always: { "each work is done": (_, { begun, done }) => expect(done).toBe(begun) },
    eventually: { "works twice": (_, { done }) => expect(done).toBe(2) },
  });
});
