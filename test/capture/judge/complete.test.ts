import { expect, it } from "vitest";
import { complete } from "../../../src/capture/judge/complete.ts";
import { FixtureJudge } from "../../../src/capture/judge/judge-fixture.ts";
import { possibleBodies } from "../../../src/cli/possible-bodies.ts";
import { isWhole, runsOf } from "../../counts.ts";
import { Dice } from "../../digest/dice.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { trimmed } from "./trimmed.ts";

const judge = new FixtureJudge();

it("completes what is left of bodies of other organisations, keeps it all, and is possible", () => {
  const dice = new Dice(11);
  const [wanted, bodies] = [runsOf(600), possibleBodies(isWhole ? 2 : 1)];
  let [tried, completed] = [0, 0];
  for (let run = 3; tried < wanted; run = (run + 97) % (groups.length * RUNS_PER_GROUP))
    for (const event of dice.some(play(run).sim.events, 0.1)) {
      const fixture = trimmed(event, dice, dice.pick([0.95, 0.8])) as { readonly type: string };
      const found = complete(fixture, bodies.get(fixture.type) ?? [], judge);
      tried++;
      if (found === undefined) continue;
      completed++;
      expect(found.replaced).toEqual([]);
      expect(found.body).toMatchObject(fixture);
      expect(judge.judge(found.body)).toMatchObject({ verdict: "possible" });
      expect(Object.keys(found.body).slice(0, Object.keys(fixture).length)).toEqual(Object.keys(fixture));
    }
  expect(completed / tried).toBeGreaterThan(0.9);
});
