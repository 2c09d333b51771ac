import { describe, expect, test } from "vitest";
import { Budget, ShrinkingTime } from "../../../src/explore/search/budget.ts";

const unlimited = Number.POSITIVE_INFINITY;
/** How long each of some failures may take, ms. */
const shares = (failures: number, forMs: number, shrinkForMs: number, leftMs = forMs) => {
  const time = new ShrinkingTime({ forMs, shrinkForMs }, new Budget({ worlds: unlimited, leftMs }), failures);
  return Array.from({ length: failures }, () => time.next());
};

describe("The time for shrinking", () => {
  test("is `shrinkFor` for each failure if the exploration has no limit", () => {
    expect(shares(3, unlimited, 30_000)).toEqual([30_000, 30_000, 30_000]);
  });

  test("is shared by the failures if the exploration has a limit", () => {
    // no failure took anything yet, so the next one's share is larger
    const [first = 0, second = 0] = shares(2, 60_000, unlimited);
    expect(first).toBeLessThanOrEqual(30_000);
    expect(second).toBeGreaterThan(30_000);
    expect(second).toBeLessThanOrEqual(60_000);
  });

  test("is a fifth of the limit if exploring took all of it", () => {
    const [only = 0] = shares(1, 60_000, unlimited, 0);
    expect(only).toBeGreaterThan(0);
    expect(only).toBeLessThanOrEqual(12_000);
  });
});
