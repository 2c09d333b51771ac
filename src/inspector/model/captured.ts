import type { CaptureSource, StepPlace, UnexplainedRequest } from "../data.ts";
import { type AddedRow, withRows } from "./added-rows.ts";
import type { Drawn } from "./draw-rows.ts";
import { PLATFORM } from "./lanes.ts";
import type { Row } from "./types.ts";

/**
 * Marks what a capture does not say in the run that it was imported as: steps that are assumed get their reasons, and
 * each request that no run explains gets a row at its instant.
 */
export function withCapture({ rows, places }: Drawn, { assumed, unexplained }: CaptureSource): Drawn {
  const steps = rowsOfSteps(rows);
  const reasons = new Map<Row, string[]>();
  for (const { what, step } of assumed) {
    const row = step && steps.get(keyOf(step));
    if (row !== undefined) reasons.set(row, [...(reasons.get(row) ?? []), what]);
  }
  const coming = [...unexplained].sort((a, b) => a.at - b.at || a.line - b.line);
  const added = coming.map((request) => {
    const call = request.step && steps.get(keyOf(request.step));
    return unexplainedRow(request, call?.record ?? -1);
  });
  const marked = rows.map((row) => {
    const because = reasons.get(row);
    return because === undefined ? row : { ...row, assumed: because };
  });
  return withRows({ rows: marked, places }, added);
}

const keyOf = ({ at, command, nth }: StepPlace) => `${at} ${command} ${nth}`;

/** The rows about commands, by the places of their steps. */
function rowsOfSteps(rows: readonly Row[]): Map<string, Row> {
  const counts = new Map<string, number>();
  const found = new Map<string, Row>();
  for (const row of rows) {
    if (row.command === undefined) continue;
    const { atMs: at, command } = row;
    const same = `${at} ${command.name}`;
    const nth = (counts.get(same) ?? 0) + 1;
    counts.set(same, nth);
    found.set(keyOf({ at, command: command.name, nth }), row);
  }
  return found;
}

function unexplainedRow(request: UnexplainedRequest, record: number): AddedRow {
  const { at, line, event, because } = request;
  return {
    atMs: at,
    kind: "unexplained",
    record,
    subject: event,
    verb: `of line ${line} is not explained`,
    detail: because,
    from: PLATFORM,
    to: [],
    unexplained: request,
  };
}
