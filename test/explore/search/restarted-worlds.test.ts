import { expect, test } from "vitest";
import type { Deviation } from "../../../src/core/engine/deviations.ts";
import { isRestart, namedDeviations } from "../../../src/core/network/request-deviations.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { WorldExecution } from "../../../src/explore/run/execution.ts";
import { prepare } from "../../../src/explore/run/prepare.ts";
import type { Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { scenario, url } from "../missed-call.ts";
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
