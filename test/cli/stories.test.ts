import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
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

  test("says of each transition that it does not reach why", () => {
    const { out } = ringback("stories", "+6495550103", "--acts", "1", "--json");
    const { missing, reasons } = JSON.parse(out);
    expect(Object.keys(reasons)).toEqual(missing);
    expect(reasons["availability: onCall: LOG_IN"]).toBe("A user on a call is logged in.");
    expect(reasons["call: started: BLOCK"]).toBe("No story here of at most 1 act gets there.");
    // a lesson is found by its number
    expect(ringback("stories", "03", "--acts", "1").out).toContain(" scenarios of ");
    expect(ringback("stories", "+6495550103", "--acts", "1").out).toContain(
      "\nNot reached:\n  availability: any state: CHOOSE [isOffline] <- No story",
    );
  });

  test("names what a step makes and what an act closes, also where the step has a shorter name", () => {
    const text = "Your parcel is on its way.";
    const folder = folderWith({
      "message.yaml": `scenario: A message
steps:
  - { at: PT0S, send: { from: "+6495550100", to: "+6421555001", body: ${text} } }
  - { at: PT5S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { on: call.started, plus: PT1S, send: { from: "+6495550100", to: "+6421555002", body: ${text} } }
`,
    });
    const out = join(folder, "out");
    expect(ringback("stories", join(folder, "message.yaml"), "--acts", "1", "-o", out).code).toBe(0);
    const texts = readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"));
    expect(texts.join("")).toMatch(/send: \{ as: c1[\s\S]*closeConversation: \{ conversation: c1 \}/);
    for (const each of texts) expect(runScenario(parseScenario(each)).report).toBe("");
  });

  test.runIf(isWhole)("reaches 103 transitions of the demo organisation in at most 100 files", () => {
    const out = join(folderWith({}), "out");
    const { code, out: said } = ringback("stories", "--all", "--acts", "2", "-o", out, "--json");
    expect(code).toBe(0);
    const { missing, scenarios } = JSON.parse(said);
    expect(122 - missing.length).toBeGreaterThanOrEqual(103);
    expect(scenarios.length).toBeLessThanOrEqual(100);
    for (const name of readdirSync(out))
      expect(runScenario(parseScenario(readFileSync(join(out, name), "utf8"))).report).toBe("");
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
    [["stories", "scenarios"], "this folder has several scenarios, expected one"],
    [["stories", "+6495559999"], "the demo organisation does not have this number; it has +6495550100"],
    [["stories", "+6495550100", "--all"], "--all begins from each number: give no other"],
    [["stories", "+6495550100", "--acts", "0"], "Expected a whole number from 1 on."],
    [["stories", "+6495550100", "--who", "zoe"], '--who: unknown user "zoe"; there are: alice, bob'],
  ])("refuses %j", (args, message) => {
    const { code, err } = ringback(...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
