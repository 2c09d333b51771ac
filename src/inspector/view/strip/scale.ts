import { showsFailure } from "../../model/types.ts";
import type { LoadedRun } from "../state/loading.ts";

/** The scale of the scrubber: linear, except that long pauses shrink to their logarithm. */

interface TimeSection {
  readonly fromMs: number;
  readonly toMs: number;
  /** Its start and width, 0 to 1. */
  readonly x: number;
  readonly width: number;
  readonly isFolded: boolean;
}

export interface Scale {
  readonly sections: readonly TimeSection[];
  /** The position of a time, 0 to 1. */
  xOf(atMs: number): number;
  /** The row nearest to a position. */
  rowAt(x: number): number;
}

/** With more instants than this, the scale is linear, since there are too many pauses to fold. */
const MAX_STRETCHES = 4_000;
const [LEAST, MOST, FOLDED] = [3_500, 15_000, 30_000];

export function makeScale({ rows, summary }: LoadedRun, foldGaps: boolean): Scale {
  const times = listTimes(rows, summary.endMs);
  const isFolding = foldGaps && times.length <= MAX_STRETCHES;
  // a linear scale is one section without folds
  if (!isFolding) times.splice(1, times.length - 2);
  const sections: TimeSection[] = [];
  let total = 0;
  for (let index = 1; index < times.length; index++) {
    const [fromMs = 0, toMs = 0] = [times[index - 1], times[index]];
    const ms = toMs - fromMs;
    const width = !isFolding
      ? ms
      : Math.max(LEAST, Math.min(ms, MOST)) + (ms > MOST ? 1500 * Math.log2(ms / MOST) : 0);
    sections.push({ fromMs, toMs, x: total, width, isFolded: isFolding && ms > FOLDED });
    total += width;
  }
  const whole = sections.map((each) => ({
    ...each,
    x: each.x / (total || 1),
    width: each.width / (total || 1),
  }));
  const xOf = (atMs: number) => {
    const at = firstFitting(whole, ({ toMs }) => toMs >= atMs);
    if (at === undefined) return whole.length === 0 ? 0 : 1;
    return at.x + at.width * Math.max(0, Math.min(1, (atMs - at.fromMs) / (at.toMs - at.fromMs)));
  };
  const rowAt = (x: number) => {
    const at = firstFitting(whole, (each) => each.x + each.width >= x);
    const ms = at === undefined ? summary.endMs : at.fromMs + ((x - at.x) / at.width) * (at.toMs - at.fromMs);
    return nearestRow(rows, ms, xOf, x);
  };
  return { sections: whole, xOf, rowAt };
}

/** The instants of a run, from its start to its end. Rows are in the order of time. */
function listTimes(rows: LoadedRun["rows"], endMs: number): number[] {
  const times = [0];
  let last = 0;
  for (const { atMs } of rows) {
    if (atMs > last) times.push(atMs);
    last = Math.max(last, atMs);
  }
  if (endMs > last) times.push(endMs);
  return times;
}

/** Binary search: the first item that fits, if all after it fit too. */
function firstFitting<T>(list: readonly T[], fits: (each: T) => boolean): T | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return list[low];
}

function nearestRow(rows: LoadedRun["rows"], ms: number, xOf: (atMs: number) => number, x: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.atMs ?? 0) > ms) high = middle;
    else low = middle + 1;
  }
  const [before, after] = [rows[low - 1], rows[low]];
  if (before === undefined) return 0;
  if (after === undefined) return low - 1;
  if (Math.abs(xOf(before.atMs) - x) <= Math.abs(xOf(after.atMs) - x)) return low - 1;
  // the last row of the instant, so that all of it has happened
  let last = low;
  while (rows[last + 1]?.atMs === after.atMs) last++;
  return last;
}

/** The rows above one position of the scrubber. */
export interface Column {
  readonly atMs: number;
  /** The rows, first to last. */
  readonly rows: readonly number[];
  /** The first failure among them. */
  readonly failure: number | undefined;
}

/** Groups rows by instant; in a long run, into this many columns at most. */
export function columnsIn({ rows, summary }: LoadedRun, most: number): Column[] {
  const step = Math.max(1, summary.endMs / most);
  const isMany = listTimes(rows, summary.endMs).length > most;
  const columns: { atMs: number; rows: number[]; failure: number | undefined }[] = [];
  for (const row of rows) {
    const atMs = isMany ? Math.floor(row.atMs / step) * step : row.atMs;
    const last = columns.at(-1);
    const column = last?.atMs === atMs ? last : { atMs, rows: [], failure: undefined };
    if (column !== last) columns.push(column);
    column.rows.push(row.index);
    if (column.failure === undefined && showsFailure(row)) column.failure = row.index;
  }
  return columns;
}
