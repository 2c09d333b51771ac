import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { isWhole } from "../counts.ts";
import { captureOfPair, forms } from "./pairs.ts";
import { jsonl } from "./support.ts";

const ownTime = "a redirect to a team with its own time";

/** Pairs of forms that an import does not find again, as docs/guides/turn-an-incident-into-a-test.md lists them. */
const lost: readonly (readonly [first: string, second: string])[] = [
  ["a team call that is answered", ownTime],
  [ownTime, "a call that nobody answers"],
  [ownTime, "a call that is declined"],
  [ownTime, "a caller who gives up"],
  [ownTime, "a team call that is answered"],
];

const isLost = (pair: readonly [string, string]) =>
  lost.some(([first, second]) => first === pair[0] && second === pair[1]);

const pairs = Object.keys(forms).flatMap((first) =>
  Object.keys(forms).map((second) => [first, second] as const),
);
/** All pairs in a whole proof, else one in nine. */
const some = pairs.filter((pair, index) => isWhole || index % 9 === 4 || isLost(pair));
/** How long after the first the second begins, in seconds. Long enough that nothing of the first goes on. */
const gapS = isWhole ? 200 + (Number(process.env.SEED ?? 1) % 97) * 7 : 300;

describe("importCapture given two calls, one after the other", () => {
  test("finds a run for each pair of forms but those listed", async () => {
    const others: (readonly [string, string])[] = [];
    for (const [first, second] of some) {
      const { verdict } = await importCapture(jsonl(captureOfPair(first, second, gapS)));
      if (verdict !== "possible") others.push([first, second]);
    }
    expect(others).toEqual(lost);
  }, 300_000);

  test("lists in the guide the pairs that do not come back", () => {
    const guide = readFileSync(
      join(import.meta.dirname, "../../docs/guides/turn-an-incident-into-a-test.md"),
      "utf8",
    );
    for (const [first, second] of lost) expect(guide).toContain(`| ${first} | ${second} |`);
  });
});
