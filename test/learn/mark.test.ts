import { describe, expect, test } from "vitest";
import { type MarkedRun, markPrediction } from "../../docs/learn/mark.ts";

/** The marking of a prediction: cards are numbers. */

const run: MarkedRun = {
  given: 0,
  cards: [0, 1, 2, 3],
  asked: 4,
  nearRuns: [
    { words: "if the call ended early", cards: [0, 1] },
    { words: "if Bob answered", cards: [0, 5, 2] },
    { words: "if Bob answered and stayed", cards: [0, 5, 6, 3] },
  ],
};

describe("markPrediction", () => {
  test("finds nothing in the order of the run", () => {
    expect(markPrediction(run, [0, 1, 2, 3])).toBeUndefined();
  });

  test("finds the first card that differs, and the run in which the guess is right", () => {
    const expected = { at: 1, guessed: 5, right: 1, comesAt: undefined, nearRun: 2, alikeRun: undefined };
    expect(markPrediction(run, [0, 5, 6, 3])).toEqual(expected);
  });

  test("says of a run that only begins like the guess how far it does, and what comes then", () => {
    expect(markPrediction(run, [0, 5, 6, 2])).toMatchObject({
      ...{ nearRun: undefined, alikeRun: { run: 2, cards: 3, next: 3 } },
    });
  });

  test("takes the nearest of the runs that agree equally long", () => {
    expect(markPrediction(run, [0, 5, 4])?.alikeRun).toEqual({ run: 1, cards: 2, next: 2 });
  });

  test("names no run if the guess would be right in none", () => {
    expect(markPrediction(run, [3])).toEqual({
      ...{ at: 0, guessed: 3, right: 0 },
      // it comes, but as the last one
      ...{ comesAt: 3, nearRun: undefined, alikeRun: undefined },
    });
  });

  test("finds where a prediction ends too early, and the run that ends there", () => {
    expect(markPrediction(run, [0, 1])).toMatchObject({ at: 2, guessed: undefined, right: 2, nearRun: 0 });
  });

  test("finds where the run ends before the prediction", () => {
    expect(markPrediction(run, [0, 1, 2, 3, 5])).toMatchObject({ at: 4, guessed: 5, right: undefined });
  });

  test("compares only the part of a long run that is asked for", () => {
    const part = { ...run, given: 1, asked: 2 };
    expect(markPrediction(part, [1, 2])).toBeUndefined();
    expect(markPrediction(part, [1, 2, 5])).toBeUndefined();
    expect(markPrediction(part, [5])).toMatchObject({ at: 0, guessed: 5, right: 1, nearRun: 1 });
    // a part that is right so far is right, whatever comes after it
    expect(markPrediction(part, [5, 6])).toMatchObject({ at: 0, nearRun: 2 });
  });
});
