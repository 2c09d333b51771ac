import { describe, expect, test } from "vitest";
import type { Deviation } from "../../../src/core/engine/deviations.ts";
import { WorldExecution } from "../../../src/explore/run/execution.ts";
import { prepare } from "../../../src/explore/run/prepare.ts";
import type { WorldRun } from "../../../src/explore/run/world-run.ts";
import { Frontier } from "../../../src/explore/search/frontier.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { withoutProperties } from "./without-properties.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: A call that is answered
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.answered, call.hungup, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT66S, hangup: { call: c1, by: caller } }
`);

/** Runs each world once: another shard gets the result of the first run. */
async function runnerOf() {
  const { recordedRun } = await prepare(scenario, false, {});
  const subject = (simulator: Simulator) => simulator.network.route(url, () => 204);
  const setup = { ...withoutProperties(), app: subject, recordedRun };
  const runs = new Map<string, Promise<WorldRun>>();
  return (deviations: readonly Deviation[]) => {
    const key = JSON.stringify(deviations);
    const run =
      runs.get(key) ?? new WorldExecution(setup, deviations, { points: true, unjudged: true }).run();
    runs.set(key, run);
    return run;
  };
}

/** How many deviations the divided worlds have at most, and how many worlds there are. */
const [atMost, count] = isWhole ? [3, 3_380] : [2, 390];

describe(`The worlds of ${atMost} deviations`, () => {
  test("are divided evenly among shards, without gaps or repeats", async () => {
    const runner = await runnerOf();
    const worldsOf = async (index: number, shards: number) => {
      const worlds = new Frontier(
        runner,
        { atMost, kinds: undefined, on: undefined, restarts: false },
        undefined,
      );
      const taken: string[] = [];
      for (const part of await worlds.parts({ index, count: shards }))
        await worlds.run(part, {
          whyToStop: () => undefined,
          visit: (order) => void taken.push(order.join()),
        });
      return taken;
    };
    const whole = await worldsOf(1, 1);
    expect(whole).toHaveLength(count);
    const efficiency: number[] = [];
    for (const parts of isWhole ? [16, 48] : [16]) {
      const shards: string[][] = [];
      for (let index = 1; index <= parts; index++) shards.push(await worldsOf(index, parts));
      expect(shards.flat().sort()).toEqual(whole.toSorted());
      efficiency.push(whole.length / parts / Math.max(...shards.map(({ length }) => length)));
    }
    const [of16 = 0, of48 = 1] = efficiency;
    expect(of16).toBeGreaterThan(isWhole ? 0.8 : 0.5);
    expect(of48).toBeGreaterThan(0.6);
  });
});
