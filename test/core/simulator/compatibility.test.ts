import { describe, expect, test } from "vitest";
import { RULES } from "../../../src/core/simulator/compatibility.ts";
import { createSimulator, parseScenario, replay } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";

describe("a journal", () => {
  test("carries the version of the rules, and replays by the same", () => {
    const journal = createSimulator().journal();
    expect(journal.rules).toBe(RULES);
    expect(replay(JSON.stringify(journal)).events.toJSONL()).toBe("");
  });

  test.each([
    ["without a version", undefined, /the rules before there was a version.*silence in voicemail/s],
    ["of earlier rules", 1, /version 1 of the rules.*silence in voicemail.*CHANGELOG\.md/s],
    ["of later rules", RULES + 1, /does not support: update ringback/],
  ])("%s is refused with the changed rules", (_which, rules, message) => {
    const { rules: _, ...journal } = createSimulator().journal();
    const other = rules === undefined ? journal : { ...journal, rules };
    expect(thrownBy(() => replay(JSON.stringify(other)))).toMatchObject({
      message: expect.stringMatching(message),
    });
  });
});

test("a scenario that names other rules is refused, one without a version is not", () => {
  const text = (head: string) => `scenario: A test\n${head}steps: []\n`;
  expect(parseScenario(text("")).title).toBe("A test");
  expect(parseScenario(text(`rules: ${RULES}\n`)).title).toBe("A test");
  expect(() => parseScenario(text("rules: 1\n"))).toThrow(/version 1 of the rules/);
});
