import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { altered, example } from "./support.ts";

describe("the report", () => {
  test("is empty where all is as expected", () => {
    expect(runScenario(parseScenario(example)).report).toBe("");
  });

  test("shows the streams side by side around the first difference, with the seed and the line", () => {
    const text = altered(
      ["- PT6S call.answered", "- PT5S call.answered"],
      ["PT66S call.ended", "PT67S call.ended"],
    );
    expect(runScenario(parseScenario(text)).report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 2 (line 11), seed 1
              expected                        actual
           1  PT0S call.started               PT0S call.started
      >    2  PT5S call.answered              PT6S call.answered              1000 ms late
           3  PT6S user.availability.updated  PT6S user.availability.updated
           4  PT66S call.hungup               PT66S call.hungup
           5  PT66S call.hungup               PT66S call.hungup
      "
    `);
  });

  test("shows where nothing more was expected", () => {
    const text = altered(["  - PT66S user.availability.updated\n  - PT66S call.ended\n", ""]);
    expect(runScenario(parseScenario(text)).report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 6, seed 1
              expected                        actual
           3  PT6S user.availability.updated  PT6S user.availability.updated
           4  PT66S call.hungup               PT66S call.hungup
           5  PT66S call.hungup               PT66S call.hungup
      >    6  (nothing)                       PT66S user.availability.updated  not expected
      >    7  (nothing)                       PT66S call.ended                 not expected
      "
    `);
  });

  test("shows where nothing more happened, and the seed as it is written", () => {
    const text = altered(["seed: 1", "seed: tuesday"]);
    const { report } = runScenario(parseScenario(`${text}  - PT71S call.recording.available\n`));
    expect(report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 8 (line 17), seed tuesday
              expected                         actual
           5  PT66S call.hungup                PT66S call.hungup
           6  PT66S user.availability.updated  PT66S user.availability.updated
           7  PT66S call.ended                 PT66S call.ended
      >    8  PT71S call.recording.available   (nothing)                        did not happen
      "
    `);
  });
});
