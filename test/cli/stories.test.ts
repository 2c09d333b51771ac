import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { folderWith, ringback } from "./support.ts";

const plain = `scenario: A call is answered
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: c1, by: carol } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`;

describe("ringback stories", () => {
  test("writes scenarios that play as they expect, each with what only it reaches", () => {
    const folder = folderWith({ "plain.yaml": plain });
    const out = join(folder, "stories");
    const { out: said, code } = ringback("stories", join(folder, "plain.yaml"), "--acts", "1", "-o", out);
    expect(code).toBe(0);
    const names = readdirSync(out);
    expect(said).toMatch(
      new RegExp(`\n${names.length} scenarios of \\d+ stories: \\d+ of \\d+ transitions, `),
    );
    for (const name of names) {
      const text = readFileSync(join(out, name), "utf8");
      expect(text).toMatch(/^# Only here:\n(# {3}[^\n]+\n)+scenario: "[A-Z+]/);
      expect(runScenario(parseScenario(text)).report).toBe("");
      expect(said).toContain(name);
    }
  });

  test("reaches with the fewest scenarios what all stories reach", () => {
    const { out: said } = ringback("stories", "+6495550103", "--acts", "1", "--json");
    const { scenarios, reached, missing, told } = JSON.parse(said);
    expect(scenarios.length).toBeLessThan(told / 2);
    expect(new Set(scenarios.map(({ title }: { title: string }) => title)).size).toBe(scenarios.length);
    const onlyHere = scenarios.flatMap((each: { onlyHere: string[] }) => each.onlyHere);
    expect(onlyHere.length).toBeGreaterThanOrEqual(scenarios.length);
    expect(reached).toEqual(expect.arrayContaining(onlyHere));
    expect(missing).toContain("call: accepted: HANGUP [twoRemain]");
  });

  test("writes no file where there is one already, and says which", () => {
    const folder = folderWith({ "plain.yaml": plain });
    const given = ["stories", join(folder, "plain.yaml"), "--acts", "1", "-o", join(folder, "out")] as const;
    expect(ringback(...given).code).toBe(0);
    const again = ringback(...given);
    expect(again).toMatchObject({ code: 2, out: "" });
    expect(again.err).toContain("this file is there already; give an empty folder");
  });

  test.each([
    [["stories"], "expected a number, the file of a scenario, or --all"],
    [["stories", "+6495559999"], "the demo organisation does not have this number; it has +6495550100"],
    [["stories", "+6495550100", "--all"], "--all begins from each number: give no other"],
    [["stories", "+6495550100", "--acts", "0"], "Expected a whole number from 1 on."],
    [["stories", "+6495550100", "--who", "zoe"], 'unknown user "zoe"; there are: alice, bob'],
  ])("refuses %j", (args, message) => {
    const { code, err } = ringback(...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
