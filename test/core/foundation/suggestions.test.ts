import { expect, test } from "vitest";
import { nearest } from "../../../src/core/foundation/suggestions.ts";
import { createSimulator, InputError } from "../../../src/index.ts";

/** What the error for an unknown option suggests. */
function suggestionFor(option: string): string | undefined {
  try {
    createSimulator({ [option]: 1 });
  } catch (error) {
    if (error instanceof InputError) return error.problems[0]?.suggestion;
  }
  throw new Error(`${option} is not refused`);
}

test.each([
  ["a letter that is missing", "star", "start"],
  ["a letter too many", "urlss", "urls"],
  ["a wrong letter", "rests", "rest"],
  ["two letters that are swapped", "dis", "ids"],
  ["two letters that are swapped in the middle", "netwrok", "network"],
  ["two typos in a word of four letters", "seqq", "seed"],
  ["three typos in a word of eight letters", "webhqqqs", "webhooks"],
  ["capitals", "SEED", "seed"],
  ["the closest of several", "restain", "retain"],
])("An unknown word with %s is corrected: %s", (_, given, meant) => {
  expect(suggestionFor(given)).toBe(meant);
});

test.each([
  ["one typo in a word of two letters", "id"],
  ["two typos in a word of three letters", "iqq"],
  ["one letter in the next place and another that is wrong", "dqs"],
  ["three typos in a word of four letters", "sqqq"],
  ["four typos in a word of eight letters", "weqqqqks"],
])("An unknown word with %s is not corrected: %s", (_, given) => {
  expect(suggestionFor(given)).toBeUndefined();
});

test("Of several words that are equally close, the first is suggested", () => {
  expect(nearest("calll", ["calls", "calla"])).toBe("calls");
});
