import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FixtureJudge, type FixtureVerdict } from "../../../src/capture/judge/judge-fixture.ts";
import { createSimulator, parseScenario, runScenario } from "../../../src/index.ts";
import { readPhoneNumber } from "../../../src/phone-numbers/index.ts";
import { isWhole, runsOf } from "../../counts.ts";
import { Dice } from "../../digest/dice.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { breakingRules } from "./breaking-rules.ts";
import { trimmed } from "./trimmed.ts";

/** Bodies that random runs send, whole: 2,000 in the whole proof, spread over all themes of the digest. */
const BODIES = 2_000;
const bodies = collect();

function collect(): readonly object[] {
  const wanted = runsOf(BODIES);
  const step = isWhole ? 1 : 9;
  const found: object[] = [];
  const dice = new Dice(53);
  for (let group = 0; group < groups.length; group += step) {
    const share = Math.ceil((wanted * step) / groups.length);
    const { sim } = play(group * RUNS_PER_GROUP + dice.below(RUNS_PER_GROUP));
    const some = dice.some(sim.events, share / Math.max(1, sim.events.length));
    found.push(...(some.length > 0 ? some : sim.events).slice(0, 2 * share));
  }
  return found;
}

const judge = new FixtureJudge();

function verdictOn(body: unknown): FixtureVerdict {
  const verdict = judge.judge(body);
  if (typeof verdict === "object") return verdict;
  throw new Error(`expected a verdict, got ${verdict ?? "no event"}`);
}
const textOf = ({ flaws }: FixtureVerdict) => flaws.map(({ path, because }) => `${path}: ${because}`);

describe("A body of a run", () => {
  it("is possible", () => {
    expect(bodies.length).toBeGreaterThan(runsOf(BODIES) / 2);
    for (const body of bodies) expect(verdictOn(body)).toMatchObject({ verdict: "possible", flaws: [] });
  });

  it("is a part of a possible body however it is trimmed", () => {
    const dice = new Dice(2);
    let parts = 0;
    for (const body of bodies) {
      const verdict = verdictOn(trimmed(body, dice, dice.pick([0.05, 0.3, 0.7] as const)));
      expect(textOf(verdict)).toEqual([]);
      if (verdict.verdict === "part") parts++;
    }
    expect(parts).toBeGreaterThan(bodies.length * 0.9);
  });
});

describe("A body of a scenario", () => {
  const folder = new URL("../../../scenarios/", import.meta.url);
  const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

  // lessons have bodies that no other has
  it.each(lessons)("is possible by what the scenario assumes: %s", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const scenario = parseScenario(text, { phoneNumbers: readPhoneNumber });
    const { profile, assume, dialect } = scenario.options;
    const own = new FixtureJudge({ profile, assume, dialect });
    for (const event of runScenario(scenario).events)
      expect(own.judge(event)).toMatchObject({ verdict: "possible", flaws: [] });
  });

  it("is possible as a webhook gets it from a platform as observed, in its dialect", () => {
    const dialect = { fieldNames: { contactNumber: "customerNumber", parties: "legs" } };
    const sim = createSimulator({ profile: "observed", dialect });
    const got: unknown[] = [];
    sim.network.route("https://crm.test/", ({ body }) => {
      got.push(JSON.parse(body));
      return 204;
    });
    sim.webhooks.create({ url: "https://crm.test/", events: ["*"] });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
    sim.advance("PT5S");
    call.answer("bob");
    call.transfer("101", { by: "bob", warm: true });
    sim.advance("PT65S");
    call.hangup("caller");
    sim.runUntilIdle();
    const own = new FixtureJudge({ profile: "observed", dialect });
    expect(got.length).toBeGreaterThan(5);
    const dice = new Dice(4);
    for (const body of got) {
      expect(own.judge(body)).toMatchObject({ verdict: "possible", flaws: [] });
      for (const share of [0.1, 0.4])
        expect(own.judge(trimmed(body, dice, share))).toMatchObject({ flaws: [] });
    }
    expect(got.map((body) => new FixtureJudge().judge(body))).toContainEqual(
      expect.objectContaining({ verdict: "impossible" }),
    );
  });
});

describe("A body that is broken by one of twenty rules", () => {
  const dice = new Dice(3);
  let [broken, named] = [0, 0];

  it.each(Object.entries(breakingRules))("is impossible where %s", (_name, rule) => {
    const wanted = Math.ceil(runsOf(BODIES) / Object.keys(breakingRules).length);
    const missed: string[] = [];
    let tried = 0;
    for (let turn = 0; turn < bodies.length * 20 && tried < wanted; turn++) {
      const body = structuredClone(bodies[dice.below(bodies.length)]) as { readonly type: string };
      const paths = rule(body, dice);
      if (paths === undefined) continue;
      tried++;
      const verdict = verdictOn(body);
      const isNamed = verdict.flaws.some(
        ({ path, because }) => because !== "" && paths.some((each) => areRelated(each, path)),
      );
      if (!isNamed || verdict.verdict !== "impossible")
        missed.push(`${body.type} ${paths.join(" or ")}: ${textOf(verdict).join("; ")}`);
    }
    broken += tried;
    named += tried - missed.length;
    expect(tried).toBeGreaterThan(0);
    expect(missed.slice(0, 3)).toEqual([]);
  });

  it("is named with field and reason in 98 of 100 cases", () => {
    expect(named / broken).toBeGreaterThanOrEqual(0.98);
  });
});

/** Whether one path is the other, or the other of the same date. */
function areRelated(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/(At|Timestamp|Text)$/, "");
  return plain(one) === plain(other);
}
