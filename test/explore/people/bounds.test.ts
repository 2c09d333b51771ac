import { describe, expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import { InputError, parseScenario, type Simulator } from "../../../src/index.ts";
import { StoryTeller } from "../../../src/stories/story-teller.ts";
import { answeredCall, appOf } from "./apps.ts";

type Explored = Partial<ExploreOptions<unknown>>;

/** Explores an app that loses each call which nobody answers. */
function explored(people: Explored["people"], more: Explored = {}) {
  const app = appOf(({ id, answeredAt }) => (answeredAt === null ? undefined : { callId: id }));
  const isLogged = (sim: Simulator, rows: unknown) =>
    expect([...(rows as Map<string, unknown>).keys()]).toEqual(
      sim.calls.list().flatMap(({ id, record }) => (record.endedAt === null ? [] : [id])),
    );
  const options = { scenario: answeredCall, deviations: 0, forged: false, ...more } as const;
  return exploreReport({ ...options, people, subject: app, eventually: { "each call is logged": isLogged } });
}

describe("Stories", () => {
  test("leave a step of the scenario undone, as one act", async () => {
    const report = await explored({ acts: 1, who: ["alice"], kinds: ["move"] });
    expect(report.failures.map(({ order }) => order[0])).toEqual([1_001]);
    expect(report.failures[0]?.smallest.scenario).not.toContain("answer:");
  });

  test("are counted in the report, with who acts", async () => {
    const report = await explored({ acts: 1, kinds: ["decline"] });
    const { stories = 0, alike } = report.result.people ?? {};
    expect(report.worlds).toBe(stories + 1);
    expect(report.toText()).toContain(
      `of them ${stories} stories with at most 1 act of alice, bob, callers; ${alike} more would look the same to the app`,
    );
  });

  test("are told of a scenario whose steps wait for events, at the times at which these come", async () => {
    const scenario = parseScenario(`
scenario: A call is answered soon
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { on: call.started, of: c1, plus: PT4S, answer: { call: c1, by: alice } }
  - { on: call.answered, of: c1, plus: PT30S, hangup: { call: c1, by: caller } }
`);
    const teller = new StoryTeller(scenario, { acts: 1, kinds: ["hangup"] });
    const told = [...teller.stories()].map(({ steps }) => steps.map(({ name, atMs }) => `${atMs} ${name}`));
    expect(told[0]).toEqual(["0 inbound", "4000 answer", "34000 hangup"]);
    expect(told).toContainEqual(["0 inbound", "4000 answer", "4400 hangup"]);
  });

  test("are told of a function, where it runs without the app", async () => {
    const report = await explored(
      { acts: 1, kinds: ["hangup"] },
      {
        scenario: (sim) => {
          sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.not_answered", "call.ended"] });
          const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
          sim.advance("PT5S");
          call.answer("alice");
          sim.advance("PT60S");
          call.hangup("caller");
        },
      },
    );
    expect(report.failures.map(({ property }) => property)).toEqual(["each call is logged"]);
  });

  test("take deviations of the network besides", async () => {
    const right = await explored({ acts: 1, kinds: ["move"], deviations: 1 }, { eventually: {} });
    const alone = await explored({ acts: 1, kinds: ["move"] }, { eventually: {} });
    expect(right.worlds).toBeGreaterThan(alone.worlds);
    expect(right.toText()).toContain("each with at most 1 deviation");
  });

  test("count one act for members of a tier who are alike until one acts", () => {
    const users = ["ann", "ben", "cat"].map((id, index) => ({
      ...{ id, email: `${id}@small.test`, displayName: id },
      ...{ extension: `10${index}`, endpoints: ["mobile"] },
    }));
    const members = users.map(({ id }) => ({ user: id, priority: 1 }));
    const organisation = {
      ...{
        id: "small",
        users,
        teams: [{ id: "desk", displayName: "Desk", extension: "200", members, timeout: "PT30S" }],
      },
      numbers: [{ number: "+6495550900", owner: "desk" }],
    };
    const scenario = parseScenario(
      JSON.stringify({
        ...{ scenario: "A call to a team", organisation },
        steps: [{ at: "PT0S", inbound: { from: "+6421555001", to: "+6495550900" } }],
      }),
    );
    const whoAnswers = (merge: "received" | "none") => {
      const teller = new StoryTeller(scenario, { acts: 1, kinds: ["answer"], merge });
      return new Set(
        [...teller.stories()].flatMap(({ steps }) => steps.map(({ args }) => args.by)).filter(Boolean),
      );
    };
    expect(whoAnswers("none")).toContain("cat");
    expect([...whoAnswers("received")].filter((by) => ["ann", "ben", "cat"].includes(String(by)))).toEqual([
      "ann",
    ]);
  });

  test("are divided among shards, of which each has others", async () => {
    const texts: string[][] = [];
    for (const index of [1, 2]) {
      const report = await explored({ acts: 1 }, { shard: { index, count: 2 }, eventually: {} });
      texts.push([String(report.worlds)]);
    }
    const whole = await explored({ acts: 1 }, { eventually: {} });
    expect(texts.flat().reduce((sum, each) => sum + Number(each), 0)).toBe(whole.worlds);
  });

  test.each([
    [{ acts: 1, who: ["zoe"] }, 'people.who[0]: unknown user "zoe"; there are: alice, bob'],
    [{ acts: 0 }, "people.acts: expected a whole number"],
    [{ acts: 1, kinds: ["shout"] }, "people.kinds[0]: expected one of answer, decline"],
    [{ who: ["bob"] }, "people.acts"],
  ])("refuses %j, and says where and why", async (people, message) => {
    await expect(explored(people as never)).rejects.toThrow(message);
    await expect(explored(people as never)).rejects.toThrow(InputError);
  });
});
