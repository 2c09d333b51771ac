import { parsePhoneNumberFromString } from "libphonenumber-js";
import { describe, expect, test } from "vitest";
import { exploreAs } from "../../../src/explore/explore.ts";
import { type ExploreOptions, ExploreReport, exploreReport } from "../../../src/explore/index.ts";
import type { WorldOutcome } from "../../../src/explore/run/outcome.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";

const url = "https://crm.acme.test/hooks";
const scenario = parseScenario(`
scenario: An answered call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT66S, hangup: { call: c1, by: caller } }
`);

/** Counts its requests, and takes the first event to arrive for the beginning of a call. */
function wallboard(sim: Simulator) {
  const board = { started: 0, isInOrder: true };
  const begun = new Set<string>();
  sim.network.route(url, ({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { call: { id: string } } };
    if (type === "call.started") {
      board.started++;
      begun.add(data.call.id);
    } else if (!begun.has(data.call.id)) board.isInOrder = false;
    return 200;
  });
  return board;
}
type Board = ReturnType<typeof wallboard>;

const options: ExploreOptions<Board> = {
  scenario,
  subject: wallboard,
  always: { "calls begin before they end": (_, { isInOrder }) => expect(isInOrder).toBe(true) },
  eventually: {
    "each call is counted once": (sim, { started }) =>
      expect(started).toBe(sim.events.ofType("call.started").length),
  },
  seeds: 20,
};

/** The result of each world. */
async function outcomesOf(more: Partial<ExploreOptions<Board>>): Promise<WorldOutcome[]> {
  const outcomes: WorldOutcome[] = [];
  await exploreAs({ ...options, ...more }, { onWorld: (outcome) => outcomes.push(outcome) });
  return outcomes;
}

describe("The worlds of seeds", () => {
  test("find failures whose smallest scenarios replay without randomness", async () => {
    const vary = { conditions: { rate: 1 }, traffic: { calls: 2 }, behaviour: true };
    const report = await exploreReport({ ...options, vary });
    expect(report.toText()).toMatch(
      /^An answered call: 20 worlds of the seeds 1 to 20, with at most 10 deviations, all of them$/m,
    );
    expect(report.failures.length).toBeGreaterThan(1);
    for (const { fingerprint, smallest } of report.failures) {
      const { scenario: text = "" } = smallest;
      expect(text).toContain("deviations:");
      const again = await exploreReport({
        ...options,
        ...{ scenario: parseScenario(text), seeds: undefined, deviations: 0 },
      } as ExploreOptions<Board>);
      expect(again.failures.map((each) => each.fingerprint)).toEqual([fingerprint]);
    }
  });

  test("have callers whose numbers libphonenumber takes, each another", async () => {
    const called = new Set<string>();
    let calls = 0;
    await exploreReport({
      ...options,
      seeds: 8,
      always: {},
      eventually: {
        "callers differ": (sim) => {
          const numbers = sim.calls.list().map(({ record }) => record.contactNumber ?? "withheld");
          for (const number of numbers) called.add(number);
          calls = Math.max(calls, numbers.length);
          expect(new Set(numbers).size).toBe(numbers.length);
        },
      },
    });
    expect(calls).toBeGreaterThan(1);
    const callers = [...called].filter((number) => number !== "+6421555001");
    expect(callers.filter((number) => parsePhoneNumberFromString(number)?.isValid() !== true)).toEqual([]);
  });

  test("call from no number that the scenario has", async () => {
    const known = "+12025550100";
    const called = new Set<string>();
    await exploreReport({
      scenario: parseScenario(`
scenario: A caller of the numbers that nobody has
steps:
  - { at: PT0S, inbound: { as: c1, from: "${known}", to: "+6495550101" } }
`),
      ...{ seeds: 8, app: () => ({}) },
      eventually: {
        "callers differ": (sim) => {
          const numbers = sim.calls.list().map(({ record }) => record.contactNumber);
          expect(numbers.filter((number) => number === known)).toHaveLength(1);
          for (const number of numbers) called.add(number ?? "withheld");
        },
      },
    });
    expect(called.size).toBeGreaterThan(2);
  });

  test("are equal each time, and shards have each of them once", async () => {
    const seeds = isWhole ? 20 : 8;
    const whole = await outcomesOf({ seeds });
    const parts = [1, 2, 3].map((index) => outcomesOf({ seeds, shard: { index, count: 3 } }));
    const together = (await Promise.all(parts)).flat();
    expect(together.toSorted((a, b) => (a.order[1] ?? 0) - (b.order[1] ?? 0))).toEqual(whole);
    expect(new Set(whole.map(({ steps }) => steps)).size).toBeGreaterThan(5);
  });

  test("have no deviations if conditions do not vary", async () => {
    const outcomes = await outcomesOf({ vary: { traffic: true, behaviour: true } });
    expect(outcomes.flatMap(({ deviations }) => deviations)).toEqual([]);
    expect(new Set(outcomes.map(({ steps }) => steps)).size).toBeGreaterThan(5);
  });

  test("have the scenario's calls and people if only conditions vary", async () => {
    const people = new Set<string>();
    const always = {
      "has one call": (sim: Simulator) => {
        expect(sim.calls.list()).toHaveLength(1);
        for (const { command } of sim.journal().entries) people.add(command);
      },
    };
    await outcomesOf({ vary: { conditions: true }, always });
    expect(people).toContain("inbound");
    expect(people).not.toContain("behave");
  });

  test("have the number and kinds of deviations given by deviations", async () => {
    const outcomes = await outcomesOf({ deviations: { kinds: ["lost", "503"], atMost: 2 } });
    const all = outcomes.map(({ deviations }) => deviations);
    expect(new Set(all.flat().map(({ is }) => is))).toEqual(new Set(["lost"]));
    expect(Math.max(...all.map(({ length }) => length))).toBe(2);
  });

  test("have ten deviations at most by default", async () => {
    const vary = { conditions: { rate: 1 }, traffic: { calls: 20 } };
    const outcomes = await outcomesOf({ vary, always: {}, eventually: {}, seeds: 6 });
    expect(Math.max(...outcomes.map(({ deviations }) => deviations.length))).toBe(10);
  });

  test.each([
    [{ seeds: 0 }, /seeds: expected a whole number from 1 on, got 0/],
    [{ seeds: { from: 5, to: 4 } }, /seeds.to: expected a whole number from 5 on, got 4/],
    [{ vary: { conditions: { rate: 2 } } }, /vary.conditions.rate: expected a number from 0 to 1, got 2/],
  ])("are rejected for %j", async (more, message) => {
    await expect(outcomesOf(more)).rejects.toThrow(message);
  });
});

test("A report of seeds without a failure says how common a missed failure may be", async () => {
  const { scenario, subject } = options;
  const text = async (more: Partial<ExploreOptions<Board>>) =>
    (await exploreReport({ scenario, subject, ...more })).toText();
  const drawn = await text({ seeds: 20 });
  expect(drawn).toContain("20 worlds of the seeds 1 to 20, with at most 10 deviations, all of them");
  // 0.861 ** 20 is 0.05
  expect(drawn).toContain(
    "a failure that occurs in at least 14 % of such worlds would have been missed with a probability of at most 5 %\n",
  );
  expect(await text({ deviations: 1 })).not.toContain("of such worlds");
  // the figure of docs/bounded-proof.md
  const { result } = await exploreReport({ scenario, subject, seeds: 1 });
  expect(new ExploreReport({ ...result, worlds: 300 }).toText()).toContain("at least 0.99 % of such worlds");
});
