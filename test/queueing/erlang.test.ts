import { beforeAll, describe, expect, test } from "vitest";
import { createSimulator, exponential, type OrganisationInput } from "../../src/index.ts";
import { isWhole } from "../counts.ts";

/**
 * A team whose members answer at once, offered random calls with exponential talk times, is the queue M/M/c. The
 * simulator must agree with queueing theory, seen only through its public interface.
 */

const number = "+6495550200";
const meanTalkMs = 180_000;

/**
 * Members, load in erlangs, the probability of waiting from tables of Erlang's C formula, and how many calls it
 * takes. The busier a team, the longer its queues, and the more waits depend on each other.
 */
const rows = [
  { members: 1, load: 0.5, published: 0.5, calls: 8_000 },
  { members: 2, load: 1, published: 0.3333, calls: 8_000 },
  { members: 3, load: 2, published: 0.4444, calls: 10_000 },
  { members: 5, load: 4, published: 0.5541, calls: 15_000 },
  { members: 10, load: 8, published: 0.4092, calls: 22_500 },
] as const;

/** The rows that are played: in `npm test`, a team of two. */
const played = isWhole ? rows : rows.slice(1, 2);

const warmUpCalls = 1_000;
const batches = 25;
/** The two-sided 99.9 % quantile of Student's t with 24 degrees of freedom. */
const studentsT = 3.745;

describe.each(played)("$members members offered $load erlangs", ({ members, load, published, calls }) => {
  let waitsMs: number[] = [];
  beforeAll(() => {
    waitsMs = play(members, load, calls);
  });

  test("match the published table", () => {
    expect(erlangC(members, load)).toBeCloseTo(published, 4);
  });

  test("make callers wait as often as Erlang's C formula predicts", () => {
    const { mean, halfWidth } = estimate(waitsMs.map((waitMs) => (waitMs > 0 ? 1 : 0)));
    expect(halfWidth).toBeLessThan(0.2 * erlangC(members, load));
    expect(Math.abs(mean - erlangC(members, load))).toBeLessThan(halfWidth);
  });

  test("make callers wait on average as long as the formula predicts", () => {
    const { mean, halfWidth } = estimate(waitsMs);
    const expectedMs = (erlangC(members, load) * meanTalkMs) / (members - load);
    expect(halfWidth).toBeLessThan(0.5 * expectedMs);
    expect(Math.abs(mean - expectedMs)).toBeLessThan(halfWidth);
  });
});

/** How long each caller waited, ms, in the order in which they were answered, which is the order of their calls. */
function play(members: number, load: number, calls: number): number[] {
  const sim = createSimulator({
    seed: 1,
    ids: "counter",
    organisation: team(members),
    retain: { events: 0, calls: 0, journal: false },
  });
  const wanted = warmUpCalls + calls;
  const waitsMs: number[] = [];
  sim.on("call.answered", ({ data }) => {
    if (waitsMs.length < wanted) waitsMs.push(data.call.waitTime ?? Number.NaN);
  });
  const every = exponential(meanTalkMs / load);
  sim.traffic({ to: number, every, for: "P1000D", behaviour: { talk: exponential(meanTalkMs) } });
  while (waitsMs.length < wanted) sim.advance("PT12H");
  sim.dispose();
  return waitsMs;
}

function team(members: number): OrganisationInput {
  const users = Array.from({ length: members }, (_, index) => ({
    id: `member-${index}`,
    email: `member-${index}@example.test`,
    displayName: `Member ${index}`,
    extension: String(100 + index),
    behaviour: { answer: { after: 0 } },
  }));
  return {
    id: "office",
    users,
    teams: [
      {
        id: "desk",
        displayName: "Desk",
        extension: "500",
        members: users.map(({ id }) => ({ user: id })),
        timeout: "P1000D", // so long that no call times out
      },
    ],
    numbers: [{ number, owner: "desk" }],
  };
}

/** The probability that a call waits: Erlang's C, by the recursion for Erlang's B. */
function erlangC(members: number, load: number): number {
  let blocked = 1;
  for (let count = 1; count <= members; count++) blocked = (load * blocked) / (count + load * blocked);
  return (members * blocked) / (members - load * (1 - blocked));
}

/**
 * A mean and half the width of its confidence interval, by batch means: neighbouring waits depend on each other,
 * batches hardly do.
 */
function estimate(values: readonly number[]) {
  const steady = values.slice(warmUpCalls);
  const size = steady.length / batches;
  const means = Array.from({ length: batches }, (_, index) =>
    average(steady.slice(index * size, (index + 1) * size)),
  );
  const mean = average(means);
  const variance = means.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (batches - 1);
  return { mean, halfWidth: studentsT * Math.sqrt(variance / batches) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
