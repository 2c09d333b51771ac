import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { capturedObserved, importable, jsonl } from "./support.ts";

const told = importable().filter((name) => capturedObserved(name).length > 0);

describe("importCapture, given what a run of the profile observed sent", () => {
  test.each(told)("finds the run of %s", async (name) => {
    const lines = capturedObserved(name);
    const result = await importCapture(jsonl(lines));
    const { verdict, explained, problems, unexplained, differences, invented } = result;
    expect({ verdict, explained, problems, unexplained, differences, invented }).toEqual({
      ...{ verdict: "possible", problems: [], unexplained: [], differences: [], invented: [] },
      explained: lines.length,
    });
    expect(runScenario(parseScenario(result.yaml)).mismatches).toEqual([]);
  });
});
