import type { ComparedRow } from "./compare.ts";

/** How many rows are shown before and after a difference. */
const AROUND = 3;
/** The most rows of a report. */
const LONGEST = 40;

/** The headings of the tables, by the kind of difference. */
const headings = {
  events: { differs: "the stream differs", place: "event" },
  attempts: { differs: "the deliveries differ", place: "attempt" },
  steps: { differs: "a step waits in vain", place: "step" },
} as const;

/** Shows expected and actual rows side by side around the differences, with the seed. */
export function mismatchReport(run: {
  readonly title: string;
  readonly seed: string | number;
  /** The rows of each comparison. */
  readonly comparisons: readonly (readonly ComparedRow[])[];
}): string {
  return run.comparisons
    .map((rows) => {
      const first = rows.find(isDifferent);
      if (first === undefined) return "";
      const { differs, place } = headings[first.of];
      const line = first.line === undefined ? "" : ` (line ${first.line})`;
      const head = `${run.title}: ${differs} at ${place} ${first.index + 1}${line}, seed ${run.seed}`;
      return [head, ...drawTable(rows), ""].join("\n");
    })
    .filter((report) => report !== "")
    .join("\n");
}

/** The rows around the differences. Others are folded. */
function drawTable(rows: readonly ComparedRow[]): string[] {
  const near = new Set(
    rows.flatMap((row, place) =>
      isDifferent(row) ? Array.from({ length: 2 * AROUND + 1 }, (_, offset) => place - AROUND + offset) : [],
    ),
  );
  const shown = rows.flatMap((row, place) => (near.has(place) ? [{ row, place }] : [])).slice(0, LONGEST);
  const hidden = rows.slice((shown.at(-1)?.place ?? 0) + 1).filter(isDifferent).length;
  const width = Math.max(8, ...shown.map(({ row }) => textOf(row.expected).length));
  const actualWidth = Math.max(6, ...shown.map(({ row }) => textOf(row.actual).length));
  const line = (mark: string, place: string, wanted: string, was: string, problem: string) =>
    `${mark} ${place.padStart(4)}  ${wanted.padEnd(width)}  ${was.padEnd(actualWidth)}  ${problem}`.trimEnd();
  return [
    line(" ", "", "expected", "actual", ""),
    ...shown.flatMap(({ row, place }, index) => {
      const isFolded = index > 0 && shown[index - 1]?.place !== place - 1;
      const mark = isDifferent(row) ? ">" : " ";
      // a missing event has no number
      const number = row.actual === undefined ? "" : String(row.index + 1);
      return [
        ...(isFolded ? [line(" ", "...", "", "", "")] : []),
        line(mark, number, textOf(row.expected), textOf(row.actual), row.problem ?? ""),
      ];
    }),
    ...(hidden === 0
      ? []
      : [line(" ", "...", `and ${hidden} more ${hidden === 1 ? "difference" : "differences"}`, "", "")]),
  ];
}

function isDifferent({ problem }: ComparedRow): boolean {
  return problem !== undefined;
}

function textOf(text: string | undefined): string {
  return text ?? "(nothing)";
}
