import { diffArrays } from "diff";

/** A row of two lists side by side: an index in one or both of them. */
export interface AlignedPair {
  readonly expected: number | undefined;
  readonly actual: number | undefined;
}

/** The most differences that are aligned, which takes long. Lists with more are compared index by index. */
const MOST_EDITS = 2_000;

/**
 * Puts two lists side by side, so that one missing or extra item is one row instead of a difference in every later
 * row. Items that are alike but not equal, such as one type at another time, share a row.
 */
export function align(
  expectedCount: number,
  actualCount: number,
  isSame: (expected: number, actual: number) => boolean,
  isAlike: (expected: number, actual: number) => boolean,
): AlignedPair[] {
  const expected = indices(expectedCount);
  const actual = indices(actualCount);
  return alignBy(expected, actual, isSame, (missing, extra) => alignBy(missing, extra, isAlike, pairByIndex));
}

type AlignRest = (expected: readonly number[], actual: readonly number[]) => AlignedPair[];

/** @param rest aligns a stretch in which nothing matches */
function alignBy(
  expected: readonly number[],
  actual: readonly number[],
  matches: (expected: number, actual: number) => boolean,
  rest: AlignRest,
): AlignedPair[] {
  const changes = diffArrays([...expected], [...actual], {
    comparator: matches,
    maxEditLength: MOST_EDITS,
  });
  if (changes === undefined) return rest(expected, actual);
  const rows: AlignedPair[] = [];
  let [from, to] = [0, 0];
  let [missing, extra]: [number[], number[]] = [[], []];
  for (const { added, removed, count } of changes) {
    if (removed) missing = expected.slice(from, from + count);
    else if (added) extra = actual.slice(to, to + count);
    else {
      rows.push(...rest(missing, extra));
      [missing, extra] = [[], []];
      for (let index = 0; index < count; index++)
        rows.push({ expected: expected[from + index], actual: actual[to + index] });
    }
    if (!added) from += count;
    if (!removed) to += count;
  }
  return [...rows, ...rest(missing, extra)];
}

/** Pairs the items of stretches of equal length. Otherwise all expected items are missing, all actual ones extra. */
function pairByIndex(expected: readonly number[], actual: readonly number[]): AlignedPair[] {
  if (expected.length === actual.length)
    return expected.map((each, index) => ({ expected: each, actual: actual[index] }));
  return [
    ...expected.map((index) => ({ expected: index, actual: undefined })),
    ...actual.map((index) => ({ expected: undefined, actual: index })),
  ];
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
