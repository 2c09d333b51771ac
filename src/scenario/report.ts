import type { Mismatch } from "./compare.ts";

/** How many places before and after the first difference are shown. */
const AROUND = 3;

/** What was expected and what happened, each in words, place by place. */
export interface Comparison {
  readonly of: Mismatch["of"];
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** How each differs, for the heads of the tables. */
const heads = {
  events: { differs: "the stream differs", place: "event" },
  attempts: { differs: "the deliveries differ", place: "attempt" },
} as const;

/** The expected and the actual side by side, around the first difference of each comparison, with the seed. */
export function mismatchReport(run: {
  readonly title: string;
  readonly seed: string | number;
  readonly comparisons: readonly Comparison[];
  readonly mismatches: readonly Mismatch[];
}): string {
  return run.comparisons
    .map((comparison) => {
      const mismatches = run.mismatches.filter((each) => each.of === comparison.of);
      const [first] = mismatches;
      if (first === undefined) return "";
      const { differs, place } = heads[comparison.of];
      const line = first.line === undefined ? "" : ` (line ${first.line})`;
      const head = `${run.title}: ${differs} at ${place} ${first.index + 1}${line}, seed ${run.seed}`;
      return [head, ...tableOf(comparison, mismatches, first.index), ""].join("\n");
    })
    .filter((report) => report !== "")
    .join("\n");
}

/** The places around one, side by side. */
function tableOf({ expected, actual }: Comparison, mismatches: readonly Mismatch[], first: number): string[] {
  const from = Math.max(0, first - AROUND);
  const to = Math.min(Math.max(expected.length, actual.length), first + AROUND + 1);
  const rows = Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const problem = mismatches.find((each) => each.index === index)?.problem;
    return {
      mark: problem === undefined ? " " : ">",
      place: String(index + 1),
      expected: expected[index] ?? "(nothing)",
      actual: actual[index] ?? "(nothing)",
      problem: problem ?? "",
    };
  });
  const width = Math.max(8, ...rows.map((row) => row.expected.length));
  const actualWidth = Math.max(6, ...rows.map((row) => row.actual.length));
  const line = (mark: string, place: string, wanted: string, was: string, problem: string) =>
    `${mark} ${place.padStart(4)}  ${wanted.padEnd(width)}  ${was.padEnd(actualWidth)}  ${problem}`.trimEnd();
  return [
    line(" ", "", "expected", "actual", ""),
    ...rows.map((row) => line(row.mark, row.place, row.expected, row.actual, row.problem)),
  ];
}
