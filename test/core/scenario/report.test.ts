import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../../src/index.ts";
import { altered, example } from "./support.ts";

describe("the report", () => {
  test("is empty if the streams are equal", () => {
    expect(runScenario(parseScenario(example)).report).toBe("");
  });

  test("shows the streams side by side around the differences, with the seed and the line", () => {
    const text = altered(
      ["- PT6S call.answered", "- PT5S call.answered"],
      ["PT66S call.ended", "PT67S call.ended"],
    );
    expect(runScenario(parseScenario(text)).report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 2 (line 11), seed 1
              expected                         actual
           1  PT0S call.started                PT0S call.started
      >    2  PT5S call.answered               PT6S call.answered               1000 ms late
           3  PT6S user.availability.updated   PT6S user.availability.updated
           4  PT66S call.hungup                PT66S call.hungup
           5  PT66S call.hungup                PT66S call.hungup
           6  PT66S user.availability.updated  PT66S user.availability.updated
      >    7  PT67S call.ended                 PT66S call.ended                 1000 ms early
      "
    `);
  });

  test("shows events after the last expected one", () => {
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

  test("shows expected events after the last actual one, and the seed as written", () => {
    const text = altered(["seed: 1", "seed: tuesday"]);
    const { report } = runScenario(parseScenario(`${text}  - PT71S call.recording.available\n`));
    expect(report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 8 (line 17), seed tuesday
              expected                         actual
           5  PT66S call.hungup                PT66S call.hungup
           6  PT66S user.availability.updated  PT66S user.availability.updated
           7  PT66S call.ended                 PT66S call.ended
      >       PT71S call.recording.available   (nothing)                        did not happen
      "
    `);
  });

  test("shows a missing and an extra event as one line each", () => {
    const text = altered(
      ["- PT6S call.answered", "- PT3S call.started\n  - PT6S call.answered"],
      ["  - PT66S call.ended\n", ""],
    );
    expect(runScenario(parseScenario(text)).report).toMatchInlineSnapshot(`
      "The first endpoint to answer wins: the stream differs at event 2 (line 11), seed 1
              expected                         actual
           1  PT0S call.started                PT0S call.started
      >       PT3S call.started                (nothing)                        did not happen
           2  PT6S call.answered               PT6S call.answered
           3  PT6S user.availability.updated   PT6S user.availability.updated
           4  PT66S call.hungup                PT66S call.hungup
           5  PT66S call.hungup                PT66S call.hungup
           6  PT66S user.availability.updated  PT66S user.availability.updated
      >    7  (nothing)                        PT66S call.ended                 not expected
      "
    `);
  });

  test("folds equal events between two differences", () => {
    const steps = Array.from({ length: 12 }, (_, minute) => [
      `  - { at: PT${minute}M, inbound: { from: "+6421555001", to: "+6495550103" } }`,
      `  - PT${minute * 60}S call.started`,
      `  - PT${minute * 60 + 30}S call.not_answered`,
    ]);
    const expected = steps.flatMap(([, started, closed]) => [started, closed]);
    expected[1] = "  - PT31S call.not_answered";
    expected.splice(22, 1);
    const text = ["scenario: Twelve calls", "steps:", ...steps.map(([step]) => step), "expect:", ...expected];
    expect(runScenario(parseScenario(`${text.join("\n")}\n`)).report).toMatchInlineSnapshot(`
      "Twelve calls: the stream differs at event 2 (line 17), seed 1
              expected                  actual
           1  PT0S call.started         PT0S call.started
      >    2  PT31S call.not_answered   PT30S call.not_answered   1000 ms early
           3  PT60S call.started        PT60S call.started
           4  PT90S call.not_answered   PT90S call.not_answered
           5  PT120S call.started       PT120S call.started
         ...
          20  PT570S call.not_answered  PT570S call.not_answered
          21  PT600S call.started       PT600S call.started
          22  PT630S call.not_answered  PT630S call.not_answered
      >   23  (nothing)                 PT660S call.started       not expected
          24  PT690S call.not_answered  PT690S call.not_answered
      "
    `);
  });
});
