import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { type StoryBranch, type StoryEnd, storyTree, tooLargeForTree } from "../../src/stories/story-tree.ts";

const answered = `scenario: An answered call
description: Alice takes the call.
start: 2026-07-01T09:00:00Z
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT1M, hangup: { call: c1, by: caller } }
`;

/** The ends of a tree, each with the acts that lead to it. */
function endsOf(branches: readonly StoryBranch[], before: readonly string[] = []): [string, StoryEnd][] {
  return branches.flatMap(({ acts, next, end }) => {
    const path = [...before, ...acts.map(({ atMs, who, what }) => `${atMs / 1000} ${who} ${what}`)];
    return end === undefined ? endsOf(next, path) : [[path.slice(1).join(", "), end] as [string, StoryEnd]];
  });
}

describe("the tree of what can become of a scenario", () => {
  const tree = storyTree(parseScenario(answered), answered);
  const ends = endsOf(tree.branches);

  test("begins with the scenario, and has what people can do instead", () => {
    const [own] = ends;
    expect(own?.[0]).toBe("6 Alice Ng answers on mobile, 60 Jane Smith hangs up");
    expect(ends.filter(([, { isOwn }]) => isOwn)).toHaveLength(1);
    const byActs = Object.fromEntries(ends.map(([acts, { outcome }]) => [acts, outcome]));
    expect(byActs).toMatchObject({
      "0.4 Alice Ng declines": "Missed: declined",
      "0.4 Jane Smith hangs up": "Abandoned: the caller hung up",
      "60 Jane Smith hangs up": "Missed: nobody answered in time",
    });
    expect(tree.isCut).toBe(false);
    expect(tree.told).toBeGreaterThan(ends.length);
  });

  test("ends in scenarios that play as it says: the scenario as it stands, others with a title of their own", () => {
    for (const [acts, { text, outcome, events, isOwn }] of ends) {
      const { simulator } = runScenario(parseScenario(text));
      const outcomes = simulator.calls.list().map(({ record }) => record.summary.outcome);
      expect([outcomes.join("; "), simulator.events.length], acts).toEqual([outcome, events]);
      expect(text.includes("description")).toBe(isOwn);
    }
    expect(ends[0]?.[1].text).toBe(answered);
    expect(new Set(ends.map(([, { text }]) => text)).size).toBe(ends.length);
    expect(ends.find(([acts]) => acts === "0.4 Alice Ng declines")?.[1].text).toContain(
      "scenario: Alice Ng declines\n",
    );
  });

  test("is not told of an organisation or a script that takes long, and says so", () => {
    const users = Array.from(
      { length: 61 },
      (_, index) =>
        `    - { id: u${index}, email: u${index}@example.test, displayName: U ${index}, extension: "${1000 + index}" }`,
    );
    const large = `scenario: Large\norganisation:\n  id: large\n  users:\n${users.join("\n")}\nsteps: []\n`;
    expect(tooLargeForTree(parseScenario(large))).toBe(
      "This organisation has 61 people and devices, and stories are told here for up to 60: `ringback stories` tells those of any.",
    );
    const calls = Array.from(
      { length: 41 },
      (_, index) => `  - { at: PT${index}M, inbound: { from: "+6421555001", to: "+6495550101" } }`,
    );
    expect(tooLargeForTree(parseScenario(`scenario: Long\nsteps:\n${calls.join("\n")}\n`))).toContain(
      "41 steps",
    );
    expect(tooLargeForTree(parseScenario(answered))).toBeUndefined();
  });
});
