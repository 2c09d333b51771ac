import { expect } from "vitest";

/** Lists that a test keeps on purpose, so that nobody adds or loses something unnoticed. */

/** Fails with one line for each problem. */
export function expectNone(problems: readonly string[]): void {
  expect(problems, `\n${problems.join("\n")}\n`).toEqual([]);
}

/**
 * Compares a list with what there is, in any order. The failure says what to write, and in which file.
 * @param place the file, and where in it
 */
export function expectListed(place: string, listed: readonly string[], present: readonly string[]): void {
  expectNone([
    ...present.filter((each) => !listed.includes(each)).map((each) => `${place}: add ${each}`),
    ...listed
      .filter((each) => !present.includes(each))
      .map((each) => `${place}: remove ${each}, which does not exist`),
  ]);
}
