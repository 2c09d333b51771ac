import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT100S, inbound: { from: "+6421555002", to: "+6495550103" } }
`);

/** Explores an app that fails each time with two calls. @param fails whether it fails with one call, in each of its runs */
async function explored(fails: (run: number) => boolean) {
  let runs = 0;
  return exploreReport({
    scenario,
    deviations: 0,
    subject(sim: Simulator) {
      const calls: string[] = [];
      sim.network.route(url, ({ body }) => {
        calls.push(JSON.parse(body).data.call.id);
        return 204;
      });
      return calls;
    },
    eventually: {
      "no call is missed": (_, calls) => {
        if (calls.length === 2 || (calls.length === 1 && fails(runs++))) throw new Error("a call is missed");
      },
    },
  });
}

test.each([
  [
    1,
    /which fails each time\. A smaller one, with \d steps and no deviation, fails in some of its runs only\.$/,
  ],
  [3, /A smaller one, with \d steps and no deviation, does not fail when it is played as a scenario\.$/],
])(
  "A failure that fails each time keeps its own world if a smaller one fails in %i runs",
  async (fails, named) => {
    const { failures } = await explored((run) => run < fails);
    expect(failures.map(({ property }) => property)).toEqual(["no call is missed"]);
    expect(failures[0]?.smallest.isMinimal).toBe(false);
    expect(failures[0]?.smallest.scenario?.match(/inbound/g)).toHaveLength(2);
    expect(failures[0]?.story).toMatch(/This is the world as it was found/);
    expect(failures[0]?.story).toMatch(named);
  },
);

test("A failure is shrunk to a smaller world that fails each time", async () => {
  const { failures } = await explored(() => true);
  expect(failures[0]?.smallest).toMatchObject({ isMinimal: true });
  expect(failures[0]?.smallest.scenario?.match(/inbound/g)).toHaveLength(1);
});

/**
 * Explores an app that answers 500 to a call which nobody takes, so it counts none.
 * @param throws in which of its runs it throws instead, before its property is checked
 */
async function exploredThrowing(throws: (run: number) => boolean, atMost = 0) {
  let runs = 0;
  return exploreReport({
    scenario,
    deviations: { atMost, kinds: ["lost"] },
    subject(sim: Simulator) {
      const run = runs++;
      const notes: string[] = [];
      sim.network.route(url, () => {
        if (throws(run)) throw new TypeError("fetch failed");
        return 500;
      });
      return notes;
    },
    eventually: {
      "each call has a note": (_, notes) => {
        if (notes.length === 0) throw new Error("no note");
      },
    },
  });
}

test.each([
  ["after the first run", (run: number) => run > 2 && run % 3 !== 0],
  ["in five of six runs", (run: number) => run > 2 && run % 6 !== 0],
])("A failure is never told as deterministic because the app throws %s", async (_, throws) => {
  const { failures } = await exploredThrowing(throws);
  const found = failures.find(({ property }) => property === "each call has a note");
  expect(found).toMatchObject({ message: "no note", smallest: { isMinimal: true } });
  expect(failures.filter(({ message }) => /^"each call has a note" failed/.test(message))).toEqual([]);
});

test("A failure that an error only hides at times is caused by no deviation", async () => {
  const { failures } = await exploredThrowing((run) => run > 2 && run % 3 !== 0, 1);
  const found = failures.filter(({ property }) => property === "each call has a note");
  expect(found.map(({ smallest }) => smallest.deviations)).toEqual([[]]);
});

/** Explores an app that stores a call twice if its second arrival overlaps the first. @param fails in which of these runs the machine lets it */
async function exploredRacing(fails: (run: number) => boolean) {
  let runs = 0;
  return exploreReport({
    scenario,
    deviations: { atMost: 1, kinds: ["duplicated", "overlapping"] },
    subject(sim: Simulator) {
      const stored: string[] = [];
      sim.network.route(url, async ({ body }) => {
        const { id } = JSON.parse(body).data.call;
        const isThere = stored.includes(id);
        await new Promise((resolve) => setImmediate(resolve));
        if (!isThere) stored.push(id);
        return 204;
      });
      return stored;
    },
    eventually: {
      "each call is stored once": (_, stored) => {
        if (stored.length > 2 && fails(runs++)) throw new Error("a call is stored twice");
      },
    },
  });
}

test.each([
  ["each run", () => true, undefined],
  [
    "every third run",
    (run: number) => run % 3 === 0,
    /fails in some of its runs only\. Its requests overlap/,
  ],
])("A race that the machine decides is told by its property if it fails in %s", async (_, fails, told) => {
  const { failures } = await exploredRacing(fails);
  expect(new Set(failures.map(({ property }) => property))).toEqual(new Set(["each call is stored once"]));
  for (const { story, smallest } of failures) {
    expect(smallest.deviations.map(({ is }) => is)).toEqual(["duplicated", "overlapping"]);
    if (told === undefined) expect(story).not.toContain("in some of its runs only");
    else expect(story).toMatch(told);
  }
});

test("A race that is never seen again is told as runs that differ", async () => {
  const { failures } = await exploredRacing((run) => run === 0);
  expect(failures.map(({ property }) => property)).toEqual(["deterministic"]);
});
