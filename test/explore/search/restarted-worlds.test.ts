import fc from "fast-check";
import { expect, test } from "vitest";
import type { Deviation } from "../../../src/core/engine/deviations.ts";
import { isRestart, namedDeviations } from "../../../src/core/network/request-deviations.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { WorldExecution } from "../../../src/explore/run/execution.ts";
import { prepare } from "../../../src/explore/run/prepare.ts";
import type { Simulator } from "../../../src/index.ts";
import { isWhole, runsOf } from "../../counts.ts";
import { scenario, twoAtOnce, url } from "../missed-call.ts";
import { withoutProperties } from "./without-properties.ts";

/** What outlives a restart: what the app heard, in which of its lives, and when. */
interface Log {
  lives: number;
  readonly heard: string[];
}

/** Asks for each call that it hears of, and notes it. */
function subject(sim: Simulator, log: Log): Log {
  const life = ++log.lives;
  sim.network.route(url, async ({ body }) => {
    const { id, data } = JSON.parse(body);
    const headers = { authorization: `Bearer ${sim.token()}` };
    const { status } = await sim.fetch(`/calls/${data.call.id}`, { headers });
    log.heard.push(`life ${life}: ${id} at ${sim.timestamp - sim.startTimestamp}: ${status}`);
    return status === 200 ? 204 : 503;
  });
  return log;
}

const textOf = ({ lives, heard }: Log) => `${lives}\n${heard.join("\n")}`;

/** Runs every set of deviations, restarts among them, without the explorer. */
async function byBruteForce(atMost: number) {
  const { recordedRun } = await prepare(scenario, false, {});
  const seen = new Set<string>();
  const below = async (deviations: readonly Deviation[], from: number) => {
    const log: Log = { lives: 0, heard: [] };
    const app = { app: (sim: Simulator) => subject(sim, log), durable: () => log };
    const setup = { ...withoutProperties(), ...app, recordedRun };
    const { points, failures } = await new WorldExecution(setup, deviations, { points: true }).run();
    expect(failures).toEqual([]);
    seen.add(textOf(log));
    if (deviations.length === atMost) return;
    for (const [index, { point, options }] of points.entries())
      for (const option of index >= from ? options : [])
        if (isRestart(option.is) || !namedDeviations.has(option.is))
          await below([...deviations, { ...point, ...option }], index + 1);
  };
  await below([], 0);
  return seen;
}

test.each(isWhole ? [1, 2] : [1])(
  "Worlds that are left out show an app that restarts nothing new, with at most %i deviations",
  async (atMost) => {
    const explored: string[] = [];
    const report = await exploreReport({
      scenario,
      subject,
      durable: (): Log => ({ lives: 0, heard: [] }),
      eventually: { "is noted": (_, log) => void explored.push(textOf(log)) },
      deviations: atMost,
    });
    expect(report.complete).toBe(true);
    const seen = await byBruteForce(atMost);
    expect([...seen].some((each) => each.startsWith("2"))).toBe(true);
    expect(new Set(explored)).toEqual(seen);
  },
);

/** What a job does, one after the other: it notes something in its database, asks the REST API, or waits for time. */
type Does = "note" | "ask" | "write" | "sleep";
/** What begins it. */
type Begins = "before the answer" | "after the answer" | "by a timer" | "by an interval";

/** What was noted each time that the app was built again, in all worlds with one restart. */
async function notedAtRestarts(job: readonly Does[], begins: Begins): Promise<Set<number>> {
  const seen = new Set<number>();
  await exploreReport({
    scenario,
    durable: () => ({ lives: 0, isBegun: false, noted: 0 }),
    app(sim, store) {
      if (store.lives++ > 0) seen.add(store.noted);
      const work = async () => {
        if (store.isBegun) return;
        store.isBegun = true;
        const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
        for (const does of job) {
          if (does === "note") store.noted++;
          if (does === "ask") await sim.fetch("/users/alice", { headers });
          if (does === "write")
            await sim.fetch("/users/alice", { method: "PATCH", headers, body: JSON.stringify({}) });
          if (does === "sleep") await new Promise((resolve) => setTimeout(resolve, 300));
        }
      };
      if (begins === "by a timer") setTimeout(work, 90_000);
      if (begins === "by an interval") setInterval(work, 90_000);
      sim.network.route(url, async () => {
        if (begins === "before the answer") await work();
        if (begins === "after the answer") void work();
        return 204;
      });
      return store;
    },
    deviations: { kinds: ["restarted", "restartedAfter"] },
  });
  return seen;
}

/** How much is noted when the job waits, and when it is done. */
function notedAtWaits(job: readonly Does[]): Set<number> {
  const before = (index: number) => job.slice(0, index).filter((does) => does === "note").length;
  return new Set(job.flatMap((does, index) => (does === "note" ? [] : [before(index)])));
}

test("A restart comes wherever a random job waits, whatever began it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Does>("note", "ask", "write", "sleep"), { minLength: 1, maxLength: 4 }),
      fc.constantFrom<Begins>("before the answer", "after the answer", "by a timer", "by an interval"),
      async (job, begins) => {
        const seen = await notedAtRestarts(job, begins);
        for (const noted of notedAtWaits(job)) expect([...seen]).toContain(noted);
        const end = job.filter((does) => does === "note").length;
        for (const noted of seen) expect([0, end, ...notedAtWaits(job)]).toContain(noted);
      },
    ),
    {
      numRuns: runsOf(240),
      seed: 42,
      examples: [
        [["ask", "note", "sleep", "note"], "after the answer"],
        [["sleep", "note", "sleep", "note"], "by a timer"],
        [["write", "note", "sleep", "note"], "by an interval"],
      ],
    },
  );
});

test("An outbox that restarts at a request which overlaps another does its jobs before it is judged", async () => {
  const calls = ["call-1", "call-2"];
  const { complete, failures } = await exploreReport({
    scenario: twoAtOnce,
    durable: () => ({ jobs: new Set<string>(), done: [] as string[] }),
    app(sim, store) {
      const later = (call: string) =>
        setImmediate(() => {
          store.jobs.delete(call);
          store.done.push(call);
        });
      for (const call of store.jobs) later(call);
      sim.network.route(url, ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        store.jobs.add(id);
        later(id);
        return 204;
      });
      return store;
    },
    eventually: { "each job is done": (_, { done }) => calls.every((call) => done.includes(call)) },
    deviations: { atMost: 2, kinds: ["overlapping", "restartedAfter"] },
    forged: false,
  });
  expect(complete).toBe(true);
  expect(failures.map(({ story }) => story)).toEqual([]);
});
