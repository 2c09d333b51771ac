import fc from "fast-check";
import { expect, test } from "vitest";
import { exploreReport, wallboard } from "../../../src/explore/index.ts";
import { type PlatformEvent, parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { alwaysAsync } from "../../properties/support.ts";
import { hooks, onEvent } from "../consumers/hooks.ts";

/** A wallboard that never changes, or shows nothing, is found wherever the platform's own states change at rest. */

interface Board {
  readonly people: Record<string, string> | undefined;
  readonly live: readonly string[] | undefined;
}
const properties = wallboard({ people: ({ people }: Board) => people, live: ({ live }: Board) => live });
const [people, live] = [
  "the wallboard shows people as they are",
  "the wallboard shows the calls that are live",
];
const everyone = ["alice", "bob", "carol", "dave"] as const;

/** A board that follows the newest event of each person and call. @param delayMs how late it works */
function right(sim: Simulator, delayMs = 0): Board {
  const newest = new Map<string, number>();
  const people: Record<string, string> = {};
  const calls = new Map<string, boolean>();
  const take = (event: PlatformEvent) => {
    const { data } = event;
    if (event.type === "user.availability.updated") {
      const { id, availability } = event.data.user;
      if ((newest.get(id) ?? 0) > event.createdTimestamp) return;
      newest.set(id, event.createdTimestamp);
      people[id] = availability.status;
    }
    if ("call" in data) {
      const call = data.call as { readonly id: string; readonly endedAt: string | null };
      calls.set(call.id, calls.get(call.id) === false ? false : call.endedAt === null);
    }
  };
  onEvent(sim, (event) => (delayMs === 0 ? take(event) : void setTimeout(() => take(event), delayMs)));
  return {
    people,
    get live() {
      return [...calls].flatMap(([id, isLive]) => (isLive ? [id] : []));
    },
  };
}
const stands =
  (board: Board) =>
  (sim: Simulator): Board => {
    onEvent(sim, () => {});
    return board;
  };
const frozen = stands({ people: Object.fromEntries(everyone.map((id) => [id, "available"])), live: [] });
const empty = stands({ people: {}, live: [] });
const absent = stands({ people: undefined, live: undefined });

const head = `scenario: A morning
seed: 1
steps:
  - { at: PT0S, createWebhook: { url: "${hooks}", events: ["*"] } }
`;
const call = `
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT26S, hangup: { call: c1, by: caller } }
`;

async function failing(steps: string, app: (sim: Simulator) => Board, deviations: 0 | 1 = 0) {
  const { failures } = await exploreReport({
    ...{ scenario: parseScenario(`${head}${steps}`), app, ...properties },
    ...{ deviations: { atMost: deviations, on: [hooks] }, shrinkFor: "PT0S", forged: false },
  });
  return failures.map(({ property, message }) => [property, message.split("\n")[0]]);
}

test.each<readonly [what: string, app: (sim: Simulator) => Board, peopleSay: string, liveSay: string]>([
  ["is as it was at the beginning", frozen, "it shows available all the time", "it never shows that call"],
  ["is empty", empty, "it never shows them", "it never shows that call"],
  ["is undefined", absent, "it never shows them", "it never shows that call"],
])("A board that %s is never updated", async (_, app, peopleSay, liveSay) => {
  expect(await failing(call, app)).toEqual([
    [people, `the board is never updated: alice was busy at PT6S, and ${peopleSay}`],
    [live, `the board is never updated: call-1 was live at PT1S, and ${liveSay}`],
  ]);
});

test("A board is judged by what it was told, however a dialect writes it", async () => {
  const { failures } = await exploreReport({
    ...{ scenario: parseScenario(`${head}${call}`), app: frozen, ...properties },
    ...{ dialect: { fieldNames: { data: "payload" } }, deviations: 0, shrinkFor: "PT0S", forged: false },
  });
  expect(failures.map(({ message }) => message.split("\n")[0])).toEqual([
    "the board is never updated: alice was busy at PT6S, and it shows available all the time",
    "the board is never updated: call-1 was live at PT1S, and it never shows that call",
  ]);
});

test("A board of an app that nothing reaches is never updated", async () => {
  const scenario = parseScenario(`scenario: It\nsteps:${call}`);
  const { failures } = await exploreReport({
    ...{ scenario, deviations: 0, shrinkFor: "PT0S", ...properties },
    app: (): Board => ({ people: Object.fromEntries(everyone.map((id) => [id, "available"])), live: [] }),
  });
  expect(failures.map(({ message }) => message)).toEqual([
    "the board is never updated: alice was busy at PT6S, and it shows available all the time. The app has no webhook, and asks the REST API for nothing",
    "the board is never updated: call-1 was live at PT1S, and it never shows that call. The app has no webhook, and asks the REST API for nothing",
  ]);
});

test("A board that only has people, or works four seconds late, passes", async () => {
  expect(await failing(call, (sim) => ({ people: right(sim).people, live: undefined }), 1)).toEqual([]);
  expect(await failing(call, (sim) => right(sim, 4_000))).toEqual([]);
});

/** What people do: somebody sets a status, or is called, answers and hangs up. */
const mornings = fc.array(
  fc.record({
    // nothing tells the order of two changes of one instant
    waits: fc.integer({ min: 1, max: 20 }),
    who: fc.constantFrom(...everyone),
    does: fc.constantFrom("busy", "available", "call", "call"),
    lasts: fc.integer({ min: 1, max: 15 }),
  }),
  { minLength: 1, maxLength: 4 },
);
type Morning = typeof mornings extends fc.Arbitrary<infer M> ? M : never;

/** A morning as steps. One call begins when the one before it is over, so that nobody is in two. */
function stepsOf(morning: Morning): string {
  let at = 1;
  const away = new Set<string>();
  const lines = morning.flatMap(({ waits, who, does: wanted, lasts }, index) => {
    at += waits;
    // who is busy misses a call at once, and nobody can hang up
    const does = wanted === "call" && away.has(who) ? "available" : wanted;
    if (does === "busy") away.add(who);
    if (does === "available") away.delete(who);
    const given = `  - { at: PT${at}S, setAvailability: { user: ${who}, status: ${does} } }`;
    if (does !== "call") return [given];
    const to = `+649555010${everyone.indexOf(who) + 1}`;
    const call = `inbound: { as: c${index}, from: "+6421555001", to: "${to}" }`;
    const called = `  - { at: PT${at}S, ${call} }`;
    at += lasts;
    return [called, `  - { at: PT${at}S, hangup: { call: c${index}, by: caller } }`];
  });
  return lines.join("\n");
}

/** Whether a status other than `available`, or a live call, stood for at least five seconds, by the platform's own events. */
function standsLong(steps: string): { readonly status: boolean; readonly call: boolean } {
  const { simulator } = runScenario(parseScenario(`${head}${steps}`));
  const { events } = simulator;
  const changes = events.ofType("user.availability.updated").map(({ createdTimestamp, data: { user } }) => ({
    id: user.id,
    status: user.availability.status,
    at: createdTimestamp,
  }));
  const status = changes.some(({ id, status: own, at }, index) => {
    const next = changes.slice(index + 1).find((each) => each.id === id);
    return own !== "available" && (next?.at ?? Number.POSITIVE_INFINITY) - at >= 5_000;
  });
  const call = simulator.calls
    .list()
    .some(
      ({ record: { startedTimestamp: from, endedTimestamp: to } }) =>
        (to ?? Number.POSITIVE_INFINITY) - from >= 5_000,
    );
  return { status, call };
}

test("In random mornings a right board passes, and a frozen or empty one fails wherever states stand", () =>
  alwaysAsync(200, mornings, async (morning) => {
    const steps = stepsOf(morning);
    expect(await failing(steps, right, 1)).toEqual([]);
    const stands = standsLong(steps);
    const expected = [...(stands.status ? [people] : []), ...(stands.call ? [live] : [])];
    for (const app of [frozen, empty, absent])
      expect((await failing(steps, app)).map(([property]) => property)).toEqual(
        expect.arrayContaining(expected),
      );
  }));
