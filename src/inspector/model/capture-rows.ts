import type { CaptureSource, StepReference, UnexplainedRequest } from "../data.ts";
import { type AddedRow, insertRows } from "./added-rows.ts";
import type { DrawnRows } from "./draw-rows.ts";
import { PLATFORM } from "./lanes.ts";
import type { PageRow } from "./types.ts";

/** Marks a run that was imported from a capture: assumed steps get their reasons, unexplained requests get rows. */
export function insertCaptureRows(
  { rows, pageRowOf }: DrawnRows,
  { assumed, unexplained }: CaptureSource,
): DrawnRows {
  const steps = commandRowsByStep(rows);
  const reasons = new Map<PageRow, string[]>();
  for (const { what, step } of assumed) {
    const row = step && steps.get(stepKey(step));
    if (row !== undefined) reasons.set(row, [...(reasons.get(row) ?? []), what]);
  }
  const sorted = [...unexplained].sort((a, b) => a.at - b.at || a.line - b.line);
  const added = sorted.map((request) => {
    const call = request.step && steps.get(stepKey(request.step));
    return unexplainedRow(request, call?.record ?? -1);
  });
  const marked = rows.map((row) => {
    const because = reasons.get(row);
    return because === undefined ? row : { ...row, assumed: because };
  });
  return insertRows({ rows: marked, pageRowOf }, added);
}

const stepKey = ({ at, command, nth }: StepReference) => `${at} ${command} ${nth}`;

/** The rows of commands, by the keys of their steps. */
function commandRowsByStep(rows: readonly PageRow[]): Map<string, PageRow> {
  const counts = new Map<string, number>();
  const found = new Map<string, PageRow>();
  for (const row of rows) {
    if (row.command === undefined) continue;
    const { atMs: at, command } = row;
    const same = `${at} ${command.name}`;
    const nth = (counts.get(same) ?? 0) + 1;
    counts.set(same, nth);
    found.set(stepKey({ at, command: command.name, nth }), row);
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
    source: PLATFORM,
    targets: [],
    unexplained: request,
  };
}
