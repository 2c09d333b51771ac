import type { CaptureSource, StepPlace, UnexplainedRequest } from "../data.ts";
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
  const all: Row[] = [];
  const newPlaces: number[] = [];
  const insert = (until: number) => {
    while ((coming[0]?.at ?? until) < until) {
      const request = coming.shift() as UnexplainedRequest;
      const call = request.step && steps.get(keyOf(request.step));
      all.push(unexplainedRow(request, call?.record ?? -1, all));
    }
  };
  for (const row of rows) {
    insert(row.atMs);
    newPlaces[row.index] = all.length;
    all.push(row);
  }
  insert(Number.POSITIVE_INFINITY);
  return {
    rows: all.map((row, index) => {
      const because = reasons.get(row);
      return {
        ...row,
        index,
        ...(row.first === undefined ? {} : { first: newPlaces[row.first] ?? 0 }),
        ...(because === undefined ? {} : { assumed: because }),
      };
    }),
    places: places.map((place) => newPlaces[place] ?? 0),
  };
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

function unexplainedRow(request: UnexplainedRequest, record: number, before: readonly Row[]): Row {
  const { at, line, event, because } = request;
  return {
    index: before.length,
    atMs: at,
    kind: "unexplained",
    record,
    subject: event,
    verb: `of line ${line} is not explained`,
    detail: because,
    from: PLATFORM,
    to: [],
    step: before.at(-1)?.step ?? 0,
    deliveries: [],
    endpoints: [],
    unexplained: request,
  };
}
