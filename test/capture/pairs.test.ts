import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { isWhole } from "../counts.ts";
import { expectNone } from "../lists.ts";
import { captureOfPair, forms, lostPairs } from "./pairs.ts";
import { jsonl } from "./support.ts";

/** `npm run prove` draws another seed each time, and prints it: `SHUFFLE=4711 RUNS=1` plays the same pairs again. */
const seed = isWhole ? Number(process.env.SHUFFLE ?? 1) : 1;

const pairs = Object.keys(forms).flatMap((first) =>
  Object.keys(forms).map((second) => [first, second] as const),
);
/** All pairs in a whole proof, else so few that each form is first and second in one. */
const some = pairs.filter((_, index) => isWhole || index % (Object.keys(forms).length - 1) === 0);

const isLost = (first: string, second: string) =>
  lostPairs.some((pair) => pair[0] === first && pair[1] === second);

describe("importCapture given two forms, one after the other", () => {
  test("finds a run for each pair but those that the coverage page lists", async () => {
    const lost: string[] = [];
    for (const [first, second] of some) {
      const { verdict } = await importCapture(jsonl(captureOfPair(first, second, seed)));
      if (verdict !== "possible" && !isLost(first, second)) lost.push(`${first}, then ${second}: ${verdict}`);
    }
    expectNone(lost.map((each) => `seed ${seed}: ${each}`));
  }, 900_000);

  test("lists no pair that comes back", async () => {
    for (const [first, second] of lostPairs) {
      const { verdict } = await importCapture(jsonl(captureOfPair(first, second, 1)));
      expect(`${first}, then ${second}: ${verdict}`).not.toMatch(/possible$/);
    }
  });
});
