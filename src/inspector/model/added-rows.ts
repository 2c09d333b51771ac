import type { StateAt } from "../data.ts";
import type { Drawn } from "./draw-rows.ts";
import { APP } from "./lanes.ts";
import { changesOf } from "./state-lines.ts";
import type { Row } from "./types.ts";

/** A row that the run's own story does not have. */
export type AddedRow = Omit<Row, "index" | "step" | "deliveries" | "endpoints">;

/** Adds rows, each behind all others of its instant. @param added in the order of time */
export function withRows({ rows, places }: Drawn, added: readonly AddedRow[]): Drawn {
  const all: Row[] = [];
  const newPlaces: number[] = [];
  const coming = [...added];
  const insert = (until: number) => {
    while ((coming[0]?.atMs ?? until) < until) {
      const row = coming.shift() as AddedRow;
      all.push({ ...row, index: 0, step: all.at(-1)?.step ?? 0, deliveries: [], endpoints: [] });
    }
  };
  for (const row of rows) {
    insert(row.atMs);
    newPlaces[row.index] = all.length;
    all.push(row);
  }
  insert(Number.POSITIVE_INFINITY);
  return {
    rows: all.map((row, index) => ({
      ...row,
      index,
      ...(row.first === undefined ? {} : { first: newPlaces[row.first] ?? 0 }),
    })),
    places: places.map((place) => newPlaces[place] ?? 0),
  };
}

/** How much of a change a row says. */
const LONGEST = 90;

/** Adds a row for each instant at which the app's state changed. @param states the app's states, in order */
export function withStates(drawn: Drawn, states: readonly StateAt[]): Drawn {
  const added: AddedRow[] = [];
  let before: string | undefined;
  for (const [index, { at, state }] of states.entries()) {
    // the last state of an instant counts
    if (state === undefined || state === before || states[index + 1]?.at === at) continue;
    added.push(stateRow(at, before, state));
    before = state;
  }
  return withRows(drawn, added);
}

function stateRow(atMs: number, before: string | undefined, after: string): AddedRow {
  const text = changesOf(before, after)
    .filter(({ sign }) => sign !== " ")
    .map(({ sign, text }) => `${sign} ${text.trim().replace(/,$/, "")}`)
    .join("  ");
  const detail = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return {
    ...{
      atMs,
      kind: "state",
      record: -1,
      subject: "Your app",
      verb: before === undefined ? "begins" : "changes",
    },
    ...{ detail, from: APP, to: [], state: { before, after } },
  };
}
