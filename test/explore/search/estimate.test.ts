import { describe, expect, test } from "vitest";
import { RemainingTimeEstimate } from "../../../src/explore/search/estimate.ts";

const part = (size: number, expected: number) => ({ size, first: 0, choice: 0, expected });

describe("The outlook of an exploration", () => {
  test("expects as many worlds as parts of the same size had, otherwise as smaller ones had", () => {
    const outlook = new RemainingTimeEstimate();
    expect(outlook.worldsIn([part(2, 30), part(2, 20)])).toBe(50);
    outlook.note(part(1, 10), 20, 1);
    expect(outlook.worldsIn([part(2, 30)])).toBe(60);
    outlook.note(part(2, 20), 30, 1);
    expect(outlook.worldsIn([part(2, 30), part(1, 1)])).toBe(45 + 2);
  });

  test("counts seeds, and scenarios of the corpus", () => {
    const outlook = new RemainingTimeEstimate();
    expect(outlook.worldsIn([{ seeds: { from: 1, to: 32, step: 2 } }, { corpus: 0 }])).toBe(17);
  });

  test("knows the pace after a second behind the first two thousand worlds", () => {
    const outlook = new RemainingTimeEstimate();
    outlook.note(part(1, 2_000), 2_000, 4_000);
    expect(outlook.msFor(10)).toBeUndefined();
    outlook.note(part(1, 1_000), 1_000, 900);
    expect(outlook.msFor(10)).toBeUndefined();
    outlook.note(part(1, 1_000), 1_000, 1_100);
    expect(outlook.msFor(10)).toBe(10);
  });

  test("knows the pace of any worlds after five seconds", () => {
    const outlook = new RemainingTimeEstimate();
    outlook.note(part(1, 50), 50, 4_900);
    expect(outlook.msFor(10)).toBeUndefined();
    outlook.note(part(1, 50), 50, 100);
    expect(outlook.msFor(10)).toBe(500);
  });
});
