import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { jsonl, type Line, lesson, lessons, received, withReceiver } from "./support.ts";

/** What a receiver gets in a lesson from a platform of the profile `observed`. */
function observed(name: string): Line[] {
  const { options, ...scenario } = withReceiver(lesson(name));
  const { assume: _, timing: _timing, dialect: _dialect, ...given } = options;
  return received(runScenario({ ...scenario, options: { ...given, profile: "observed" } }).simulator);
}

const told = lessons.filter((name) => observed(name).length > 0);

describe("importCapture, given what a run of the profile observed sent", () => {
  test.each(told)("finds the run of %s", async (name) => {
    const lines = observed(name);
    const result = await importCapture(jsonl(lines));
    const { verdict, explained, problems, unexplained, differences, invented } = result;
    expect({ verdict, explained, problems, unexplained, differences, invented }).toEqual({
      ...{ verdict: "possible", problems: [], unexplained: [], differences: [], invented: [] },
      explained: lines.length,
    });
    expect(runScenario(parseScenario(result.yaml)).mismatches).toEqual([]);
  });
});
