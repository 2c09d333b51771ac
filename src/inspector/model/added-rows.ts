import type { StateAt } from "../data.ts";
import type { DrawnRows } from "./draw-rows.ts";
import { APP } from "./lanes.ts";
import { stateChanges } from "./state-lines.ts";
import type { PageRow } from "./types.ts";

/** A row that is not in the narration. */
export type AddedRow = Omit<PageRow, "index" | "step" | "deliveries" | "endpoints">;

/** Inserts rows, each after all others of its instant. @param added in order of time */
export function insertRows({ rows, pageRowOf }: DrawnRows, added: readonly AddedRow[]): DrawnRows {
  const all: PageRow[] = [];
  const newRowOf: number[] = [];
  const pending = [...added];
  const insert = (until: number) => {
    while ((pending[0]?.atMs ?? until) < until) {
      const row = pending.shift() as AddedRow;
      all.push({ ...row, index: 0, step: all.at(-1)?.step ?? 0, deliveries: [], endpoints: [] });
    }
  };
  for (const row of rows) {
    insert(row.atMs);
    newRowOf[row.index] = all.length;
    all.push(row);
  }
  insert(Number.POSITIVE_INFINITY);
  return {
    rows: all.map((row, index) => ({
      ...row,
      index,
      ...(row.firstRow === undefined ? {} : { firstRow: newRowOf[row.firstRow] ?? 0 }),
    })),
    pageRowOf: pageRowOf.map((row) => newRowOf[row] ?? 0),
  };
}

/** The maximum length of a change in a row's detail, characters. */
const MAX_DETAIL = 90;

/** Inserts a row for each instant at which the app's state changed. @param states in order of time */
export function insertStateRows(drawn: DrawnRows, states: readonly StateAt[]): DrawnRows {
  const added: AddedRow[] = [];
  let before: string | undefined;
  for (const [index, { at, state }] of states.entries()) {
    // the last state of an instant counts
    if (state === undefined || state === before || states[index + 1]?.at === at) continue;
    added.push(stateRow(at, before, state));
    before = state;
  }
  return insertRows(drawn, added);
}

function stateRow(atMs: number, before: string | undefined, after: string): AddedRow {
  const text = stateChanges(before, after)
    .filter(({ sign }) => sign !== " ")
    .map(({ sign, text }) => `${sign} ${text.trim().replace(/,$/, "")}`)
    .join("  ");
  const detail = text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;
  return {
    ...{
      atMs,
      kind: "state",
      record: -1,
      subject: "Your app",
      verb: before === undefined ? "begins" : "changes",
    },
    ...{ detail, source: APP, targets: [], state: { previous: before, next: after } },
  };
}
