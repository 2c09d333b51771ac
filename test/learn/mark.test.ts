import { describe, expect, test } from "vitest";
import { type MarkedRun, markPrediction } from "../../docs/learn/mark.ts";

/** The marking of a prediction: cards are numbers. */

/** A run with a card in each second, of which two people act at 0:00 and 0:02. */
const seconds = (...cards: readonly number[]) => ({ cards, instants: cards.map((_, at) => at * 1000) });

const run: MarkedRun = {
  ...seconds(0, 1, 2, 3),
  given: 0,
  asked: 4,
  moments: [{ fromMs: 0 }, { fromMs: 2000 }],
  nearRuns: [
    { words: "if the call ended early", ...seconds(0, 1) },
    { words: "if Bob answered", ...seconds(0, 5, 2) },
    { words: "if Bob answered and stayed", ...seconds(0, 5, 6, 3) },
  ],
};

/** Cards put where a card of their place belongs. */
const put = (...cards: readonly number[]) => cards.map((card, at) => ({ card, moment: at < 2 ? 0 : 1 }));
/** Cards that follow the first one. */
const putNext = (...cards: readonly number[]) => put(-1, ...cards).slice(1);

describe("markPrediction", () => {
  test("finds nothing in the order of the run", () => {
    expect(markPrediction(run, put(0, 1, 2, 3))).toBeUndefined();
  });

  test("finds the first card that differs, and the run in which the guess is right", () => {
    expect(markPrediction(run, put(0, 5, 6, 3))).toEqual({
      ...{ at: 1, guessed: 5, right: 1, rightPlace: 1, comesAt: undefined, isOtherTime: false },
      ...{ nearRun: 2, alikeRun: undefined, nearPlace: 1 },
    });
  });

  test("says of a run that only begins like the guess how far it does, and what comes then", () => {
    expect(markPrediction(run, put(0, 5, 6, 2))).toMatchObject({
      ...{ nearRun: undefined, alikeRun: { run: 2, cards: 3, next: { card: 3, atMs: 3000 } } },
    });
  });

  test("takes the nearest of the runs that agree equally long", () => {
    expect(markPrediction(run, put(0, 5, 4))?.alikeRun).toEqual({
      run: 1,
      cards: 2,
      next: { card: 2, atMs: 2000 },
    });
  });

  test("names no run if the guess would be right in none", () => {
    expect(markPrediction(run, put(3))).toEqual({
      ...{ at: 0, guessed: 3, right: 0, rightPlace: 0, nearPlace: undefined },
      // it comes, but as the last one
      ...{ comesAt: 3, isOtherTime: false, nearRun: undefined, alikeRun: undefined },
    });
  });

  test("finds where a prediction ends too early, and the run that ends there", () => {
    expect(markPrediction(run, put(0, 1))).toMatchObject({ at: 2, guessed: undefined, right: 2, nearRun: 0 });
  });

  test("finds where the run ends before the prediction", () => {
    expect(markPrediction(run, put(0, 1, 2, 3, 5))).toMatchObject({ at: 4, guessed: 5, right: undefined });
  });

  test("compares only the part of a long run that is asked for", () => {
    const part = { ...run, given: 1, asked: 2 };
    expect(markPrediction(part, putNext(1, 2))).toBeUndefined();
    expect(markPrediction(part, putNext(1, 2, 5))).toBeUndefined();
    expect(markPrediction(part, putNext(5))).toMatchObject({ at: 0, guessed: 5, right: 1, nearRun: 1 });
    // a part that is right so far is right, whatever comes after it
    expect(markPrediction(part, putNext(5, 6))).toMatchObject({ at: 0, nearRun: 2 });
  });

  test("takes a card as wrong that comes next at another time, and names the run in which it comes then", () => {
    const late = { words: "if Bob waited", cards: [0, 1], instants: [0, 2500] };
    const timed = { ...run, cards: [0, 1], instants: [0, 1000], asked: 2, nearRuns: [late] };
    const guess = [
      { card: 0, moment: 0 },
      { card: 1, moment: 1 },
    ];
    expect(markPrediction(timed, guess)).toMatchObject({ at: 1, right: 1, isOtherTime: true, nearRun: 0 });
    expect(markPrediction(timed, put(0, 1))).toBeUndefined();
  });

  test("takes every order of cards of one instant, and no other", () => {
    const together = { ...run, instants: [0, 1000, 1000, 3000], moments: [{ fromMs: 0 }] };
    const marked = (...cards: readonly number[]) =>
      markPrediction(
        together,
        cards.map((card) => ({ card, moment: 0 })),
      );
    expect(marked(0, 2, 1, 3)).toBeUndefined();
    expect(marked(0, 1, 3, 2)).toMatchObject({ at: 2, guessed: 3, right: 2, comesAt: 3 });
    // the card at the second place is left, though one card of its instant is right
    expect(marked(0, 2, 3, 1)).toMatchObject({ at: 2, guessed: 3, right: 1, rightPlace: 1 });
  });
});
