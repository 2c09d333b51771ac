import { describe, expect, test } from "vitest";
import { type ExploreReport, exploreReport } from "../../src/explore/index.ts";
import type { Simulator } from "../../src/index.ts";
import { parseScenario } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import { hooks } from "./consumers/integration.ts";
import { keepsToken } from "./consumers/keeps-token.ts";
import { neverCloses } from "./consumers/never-closes.ts";
import { notIdempotent } from "./consumers/not-idempotent.ts";
import type { AnyProof } from "./consumers/proof.ts";
import { wallboard } from "./consumers/wallboard.ts";

/** Of the wallboard's many worlds, `npm test` runs those of some kinds. */
const bounds: readonly (readonly [AnyProof, object])[] = [
  [notIdempotent, {}],
  [keepsToken, isWhole ? {} : { kinds: ["tokenExpired"] }],
  [neverCloses, isWhole ? {} : { kinds: ["lost", "503"] }],
  [wallboard, isWhole ? {} : { kinds: ["lost", "429"] }],
];

describe.each(bounds.map(([proof, bound]) => ({ name: proof.name, proof, bound })))(
  "With a fork, the report of the consumer $name",
  ({ proof, bound }) => {
    test.each(["faulty", "corrected"] as const)(
      "is that of worlds from the start, if it is %s",
      async (which) => {
        const deviations = { ...bound, atMost: 2 };
        const [copied, whole] = [true, false].map((forks) => proof.explore(which, { deviations, forks }));
        expect((await copied)?.toJSON()).toEqual((await whole)?.toJSON());
      },
    );
  },
);

const scenario = parseScenario(`
scenario: Two calls that nobody answers
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT40S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`);

/** How often a subject was built, and copied. */
class Uses {
  built = 0;
  copied = 0;
}

/** Counts missed calls by their events' ids. */
class Counter {
  /** @param fork makes a copy */
  constructor(
    sim: Simulator,
    readonly seen: Set<string>,
    private readonly copy: (sim: Simulator, counter: Counter) => unknown,
  ) {
    sim.network.route(hooks, ({ body }) => {
      seen.add((JSON.parse(body) as { readonly id: string }).id);
      return 204;
    });
  }

  fork(sim: Simulator): unknown {
    return this.copy(sim, this);
  }
}

type Copy = (sim: Simulator, counter: Counter) => unknown;
const copies: Copy = (sim, { seen }) => new Counter(sim, new Set(seen), copies);

/** Explores a counter that is copied like this. */
function explored(copy: Copy, more: object = {}, uses = new Uses()): Promise<ExploreReport> {
  const counted: Copy = (sim, counter) => {
    uses.copied++;
    return copy(sim, counter);
  };
  return exploreReport({
    scenario,
    subject: (sim) => {
      uses.built++;
      return new Counter(sim, new Set(), counted);
    },
    eventually: {
      "counts two calls": (_: Simulator, { seen }: Counter) => expect(seen.size).toBe(2),
    },
    deviations: 2,
    ...more,
  });
}

const differs = "a copy of the subject goes on differently";

describe("A subject with fork(simulator)", () => {
  test("is built for few of the worlds: the others go on from a copy", async () => {
    const uses = new Uses();
    const report = await explored(
      (sim, { seen }) => {
        const copy: Copy = (other, counter) => {
          uses.copied++;
          return new Counter(other, new Set(counter.seen), copy);
        };
        return new Counter(sim, new Set(seen), copy);
      },
      {},
      uses,
    );
    expect(report.failures).toEqual([]);
    expect(uses.copied).toBeGreaterThan(report.worlds / 2);
    expect(uses.built).toBeLessThan(report.worlds);
    // one for each world, and those from which others go on: none before what has no choice point
    expect(uses.copied).toBeLessThan(2 * report.worlds);
  });

  test("is built for each world if the scenario has steps that wait for events", async () => {
    const uses = new Uses();
    const tied = parseScenario(`
scenario: A call that is answered when it rings
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: ["*"] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { on: call.started, of: c1, plus: PT5S, answer: { call: c1, by: carol } }
`);
    const report = await explored(copies, { scenario: tied, eventually: {}, deviations: 1 }, uses);
    expect(uses.copied).toBe(0);
    expect(uses.built).toBeGreaterThan(report.worlds);
  });

  test("may return undefined while it cannot be copied", async () => {
    let isBusy = false;
    const report = await explored((sim, counter) => {
      isBusy = !isBusy;
      return isBusy ? undefined : copies(sim, counter);
    });
    expect(report.failures).toEqual([]);
  });
});

describe("A copy that goes on differently is a failure of its own", () => {
  const shares: Copy = (sim, { seen }) => new Counter(sim, seen, shares);
  const forgets: Copy = (sim) => new Counter(sim, new Set(), forgets);
  const routesNothing: Copy = (_, counter) => ({
    seen: new Set(counter.seen),
    fork: () => ({ seen: new Set() }),
  });

  test.each([
    ["shares state with the original", shares],
    ["forgets what it knew", forgets],
    ["registers no route", routesNothing],
  ])("if it %s, and no world of a copy counts", async (_, copy) => {
    const report = await explored(copy);
    expect(report.failures.map(({ property }) => property)).toEqual([differs]);
    expect(report.failures[0]?.message).toMatch(
      /if it goes on from a copy of the subject|stands still changes/,
    );
    const whole = await explored(copies, {
      subject: (sim: Simulator) => ({ ...new Counter(sim, new Set(), copies) }),
    });
    expect({ ...report.toJSON(), failures: [] }).toEqual(whole.toJSON());
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no copy");
      },
      "fork(simulator) throws: no copy",
    ],
    [
      "returns a promise",
      async () => {},
      "fork(simulator) returns a promise: it must return the copy at once",
    ],
    [
      "returns the subject itself",
      (_: unknown, counter: Counter) => counter,
      "fork(simulator) returns the subject itself, not a copy",
    ],
  ] as const)("if fork %s", async (_, copy, message) => {
    const report = await explored(copy as Copy);
    expect(report.failures).toMatchObject([{ property: differs, message, worlds: 1 }]);
  });

  test("is not reported, given the subject itself goes on differently each time", async () => {
    let worlds = 0;
    const report = await explored(copies, {
      eventually: {},
      show: () => ++worlds,
    });
    expect(report.failures).toEqual([]);
  });
});
