/** A line of two texts: in both, only in the first (`-`), or only in the second (`+`). */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** The maximum size of the comparison table. Beyond it, everything that differs counts as replaced. */
const MAX_CELLS = 250_000;

/** How many items two lists have in common at their start. */
export function sameAtStart<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): number {
  const first = a.findIndex((each, index) => index >= b.length || !isSame(each, b[index] as T));
  return first < 0 ? a.length : first;
}

/** Compares two texts line by line, with as many lines in common as possible. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const start = sameAtStart(before, after, (one, other) => one === other);
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ sign: " ", text }));
  const between =
    a.length * b.length > MAX_CELLS
      ? [
          ...a.map((text) => ({ sign: "-" as const, text })),
          ...b.map((text) => ({ sign: "+" as const, text })),
        ]
      : longestCommonDiff(a, b);
  return [...same(before.slice(0, start)), ...between, ...same(before.slice(before.length - end))];
}

/** Keeps the longest common subsequence; other lines are removed or added. */
function longestCommonDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  const longest: number[][] = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  const of = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (longest[i] as number[])[j] =
        a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ sign: " ", text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || of(i + 1, j) >= of(i, j + 1))) {
      lines.push({ sign: "-", text: left });
      i++;
    } else {
      lines.push({ sign: "+", text: right ?? "" });
      j++;
    }
  }
  return lines;
}
