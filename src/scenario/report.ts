import type { PlatformEvent } from "../platform/events.ts";
import { eventText, expectedText, type Mismatch } from "./compare.ts";
import type { ExpectedLine, Position } from "./scenario.ts";

/** How many places before and after the first difference are shown. */
const AROUND = 3;

/** The expected and the actual stream side by side, around the first difference, with the seed. */
export function mismatchReport(run: {
  readonly title: string;
  readonly seed: string | number;
  readonly startMs: number;
  readonly expect: readonly (ExpectedLine & { readonly position?: Position })[];
  readonly events: readonly PlatformEvent[];
  readonly mismatches: readonly Mismatch[];
}): string {
  const [first] = run.mismatches;
  if (first === undefined) return "";
  const from = Math.max(0, first.index - AROUND);
  const to = Math.min(Math.max(run.expect.length, run.events.length), first.index + AROUND + 1);
  const rows = Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const [line, event] = [run.expect[index], run.events[index]];
    const problem = run.mismatches.find((each) => each.index === index)?.problem;
    return {
      mark: problem === undefined ? " " : ">",
      place: String(index + 1),
      expected: line === undefined ? "(nothing)" : expectedText(line),
      actual: event === undefined ? "(nothing)" : eventText(event, run.startMs),
      problem: problem ?? "",
    };
  });
  const width = Math.max(8, ...rows.map((row) => row.expected.length));
  const actualWidth = Math.max(6, ...rows.map((row) => row.actual.length));
  const line = (mark: string, place: string, expected: string, actual: string, problem: string) =>
    `${mark} ${place.padStart(4)}  ${expected.padEnd(width)}  ${actual.padEnd(actualWidth)}  ${problem}`.trimEnd();
  const position = run.expect[first.index]?.position;
  return [
    `${run.title}: the stream differs at event ${first.index + 1}${position ? ` (line ${position.line})` : ""}, seed ${run.seed}`,
    line(" ", "", "expected", "actual", ""),
    ...rows.map((row) => line(row.mark, row.place, row.expected, row.actual, row.problem)),
    "",
  ].join("\n");
}
