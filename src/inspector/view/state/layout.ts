import { withoutGroups } from "../../../core/foundation/phone-number.ts";
import { type PageRow, showsFailure } from "../../model/types.ts";
import { listTones, type Tone } from "../common/tones.ts";
import type { Chosen } from "./chosen.ts";
import type { LoadedRun } from "./loading.ts";

/** Computes the position of everything in the ladder from the rows and the filter, without reading the screen. */

/** The filter of the ladder. */
export interface RowFilter {
  readonly query: string;
  readonly hidden: ReadonlySet<Tone>;
  readonly onlyFailures: boolean;
  readonly folded: boolean;
  /** The calls of which all steps stay when the run is folded. */
  readonly chosen: Chosen;
  /** Whether steps that repeat the one before share a row. */
  readonly foldRepeats: boolean;
}

/** A pause between two rows. */
export interface Gap {
  readonly top: number;
  readonly height: number;
  readonly ms: number;
  /** Whether places of expected events stand in it, so that there is no room for its length. */
  readonly isTaken: boolean;
}

/** Where an expected event would be. */
export interface ExpectedPlace {
  /** From the start of the run, ms. */
  readonly atMs: number;
  /** The instant and the type, such as `0:20` and `call.not_answered`. */
  readonly time: string;
  readonly type: string;
  /** The row of the event that came in its place, if one did: the place is above it. */
  readonly row: number | undefined;
}

/** Where the place of an expected event is drawn. */
export interface PlaceTop {
  readonly top: number;
  readonly place: ExpectedPlace;
}

export interface Layout {
  /** The indices of the shown rows, in order. */
  readonly visible: Int32Array;
  /** The top of each shown row, px. */
  readonly tops: Float64Array;
  readonly height: number;
  /** The height of each shown row, px: one whose text needs two lines is higher. */
  readonly heights: Float64Array;
  /** The pauses that are drawn as a zigzag with their length. */
  readonly gaps: readonly Gap[];
  readonly places: readonly PlaceTop[];
  /** How many rows each representative row stands for. */
  readonly repeats: ReadonlyMap<number, number>;
  /** For each row, the position of the last shown row at or before it; -1 before the first. */
  readonly positionOf: Int32Array;
}

/** Pauses of at least this length are folded. */
const FOLD_FROM_MS = 15_000;
const FOLD_HEIGHT = 28;
/** The height of the place of an expected event. */
export const PLACE_HEIGHT = 28;
/** Without folds, how many px a second has, up to a maximum. */
const PX_A_SECOND = 3;
const MAX_GAP = 700;

/** The indices of the rows to show. */
export function shownRows(run: LoadedRun, filter: RowFilter): Pick<Layout, "visible" | "repeats"> {
  const visible = matchingRows(run, filter);
  return filter.foldRepeats ? foldRepeats(run, visible) : { visible, repeats: new Map() };
}

function matchingRows(run: LoadedRun, filter: RowFilter): Int32Array {
  const { rows } = run;
  const parts = filterParts(filter.query);
  const kept = new Int32Array(rows.length);
  let count = 0;
  for (const row of rows) {
    if (filter.hidden.size > 0 && listTones(row).some((tone) => filter.hidden.has(tone))) continue;
    if (filter.onlyFailures && !showsFailure(row)) continue;
    if (filter.folded && parts.length === 0 && !staysFolded(run, row, filter.chosen)) continue;
    if (parts.length > 0 && !matches(run, row, parts)) continue;
    kept[count++] = row.index;
  }
  return kept.slice(0, count);
}

/** From this many equal rows on, one represents all. */
const LEAST_REPEATS = 4;

/** The first of rows that repeat each other, with their number. */
function foldRepeats(
  { rows }: LoadedRun,
  visible: Int32Array,
): { visible: Int32Array; repeats: Map<number, number> } {
  const kept = new Int32Array(visible.length);
  const repeats = new Map<number, number>();
  let count = 0;
  for (let position = 0; position < visible.length; ) {
    const first = visible[position] ?? 0;
    let end = position + 1;
    while (end < visible.length && isAlike(rows[first], rows[visible[end] ?? 0])) end++;
    const isFolded = end - position >= LEAST_REPEATS;
    if (isFolded) repeats.set(first, end - position);
    for (const last = isFolded ? position + 1 : end; position < last; position++)
      kept[count++] = visible[position] ?? 0;
    position = end;
  }
  return { visible: kept.slice(0, count), repeats };
}

/** Whether the same happens again, with the same result. */
function isAlike(one: PageRow | undefined, other: PageRow | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const { kind, subject, verb, source, record } = one;
  if (other.kind !== kind || other.subject !== subject || other.verb !== verb) return false;
  if (other.source !== source || other.record !== record || other.outcome?.text !== one.outcome?.text)
    return false;
  return (
    one.targets.join() === other.targets.join() &&
    one.endpoints.length === 0 &&
    one.deliveries.length === other.deliveries.length &&
    one.deliveries.every((each, at) => each.outcome.text === other.deliveries[at]?.outcome.text)
  );
}

/**
 * Whether a row stays when the run is folded: a row of the chosen call; if none is chosen, the beginning of a call or a
 * failure.
 */
function staysFolded({ summary }: LoadedRun, row: PageRow, chosen: Chosen): boolean {
  if (chosen !== undefined) return chosen.has(row.record);
  return summary.records[row.record]?.fromRow === row.index || showsFailure(row) || row.record < 0;
}

/** A text as filters read it: in lower case, with phone numbers as data has them. */
export function searchText(text: string): string {
  return withoutGroups(text.toLowerCase());
}

/** Splits a filter into parts: a text must match all of them, as `searchText` makes it. */
export function filterParts(query: string): ((text: string) => boolean)[] {
  const parts = searchText(query.trim()).split(/\s+/);
  return parts.filter((part) => part !== "").map(matcher);
}

/**
 * Matches a part of the filter. `call.*` matches everything that starts like this, and `503` only a whole number, since
 * three digits occur in most phone numbers. Four digits also match the end of a phone number, as lanes show it.
 */
function matcher(part: string): (text: string) => boolean {
  if (/^\d{1,4}$/.test(part)) {
    const before = part.length === 4 ? "(?<![\\w.])(\\+\\d+)?" : "(?<![\\w+.])";
    const whole = new RegExp(`${before}${part}(?![\\w.])`);
    return (text) => whole.test(text);
  }
  if (!part.includes("*")) return (text) => text.includes(part);
  const pattern = part.split("*").map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(pattern.join(".*"));
  return (text) => whole.test(text);
}

function matches(
  { summary }: LoadedRun,
  row: PageRow,
  parts: readonly ((text: string) => boolean)[],
): boolean {
  const record = summary.records[row.record];
  const outcomes = [row.outcome, ...row.deliveries.map(({ outcome }) => outcome)].map(
    (each) => each?.text ?? "",
  );
  const lanes = [row.source, ...row.targets, row.deliveries.map(({ lane }) => lane).join(" ")];
  const phones = row.endpoints.map(({ lane, endpoint, does }) => `${lane} ${endpoint} ${does}`);
  const text = [
    row.subject,
    row.verb,
    row.detail,
    row.kind,
    ...outcomes,
    ...lanes,
    ...phones,
    record?.title ?? "",
    // letters would match almost any text
    /^\d/.test(record?.label ?? "") ? record?.label : "",
  ].join(" ");
  const searched = searchText(text);
  return parts.every((part) => part(searched));
}

/** @param places where expected events would be, in the order of time */
export function layOutRows(
  run: LoadedRun,
  { visible, repeats }: Pick<Layout, "visible" | "repeats">,
  foldGaps: boolean,
  heightOf: (row: PageRow) => number,
  places: readonly ExpectedPlace[] = [],
): Layout {
  const { rows } = run;
  const tops = new Float64Array(visible.length);
  const heights = new Float64Array(visible.length);
  const gaps: Gap[] = [];
  const placed: PlaceTop[] = [];
  let top = 8;
  let before: PageRow | undefined;
  const placeAll = (isDue: (place: ExpectedPlace) => boolean) => {
    const start = top;
    for (let next = places[placed.length]; next !== undefined && isDue(next); next = places[placed.length]) {
      placed.push({ top, place: next });
      top += PLACE_HEIGHT;
    }
    return top - start;
  };
  for (let position = 0; position < visible.length; position++) {
    const row = rows[visible[position] ?? 0] as PageRow;
    const beforeMs = before?.atMs ?? row.atMs;
    const ms = row.atMs - beforeMs;
    if (before !== undefined && ms > 0) placeAll(({ atMs }) => atMs <= beforeMs);
    if (ms >= FOLD_FROM_MS && foldGaps) {
      const start = top;
      const taken = placeAll(({ atMs }) => atMs < row.atMs);
      const height = Math.max(FOLD_HEIGHT, taken);
      gaps.push({ top: start, height, ms, isTaken: taken > 0 });
      top = start + height;
    } else if (ms > 0) top += foldGaps ? pauseHeight(ms) : Math.min(MAX_GAP, (ms / 1000) * PX_A_SECOND);
    placeAll((place) => place.atMs < row.atMs || place.row === row.index);
    const rowHeight = heightOf(row);
    tops[position] = top;
    heights[position] = rowHeight;
    top += rowHeight;
    before = row;
  }
  placeAll(() => true);
  const positionOf = listPositions(rows, visible);
  return { visible, repeats, tops, height: top + 120, heights, gaps, places: placed, positionOf };
}

/** For each row, the position of the last shown row at or before it. */
function listPositions(rows: readonly PageRow[], visible: Int32Array): Int32Array {
  const positionOf = new Int32Array(rows.length).fill(-1);
  let position = -1;
  for (const row of rows) {
    if (visible[position + 1] === row.index) position++;
    positionOf[row.index] = position;
  }
  return positionOf;
}

/** The height of a pause, 5 to 14 px: a longer pause is a little higher. */
function pauseHeight(ms: number): number {
  return 5 + 9 * Math.min(1, Math.log2(1 + ms / 1000) / 4);
}

/** The middle of a row. For a hidden row, that of the one before it. */
export function findMiddle(layout: Layout, row: number): number {
  const position = layout.positionOf[row] ?? -1;
  return position < 0 ? 0 : middleAt(layout, position);
}

/** The middle of a shown row, by its position. */
export function middleAt({ tops, heights }: Layout, position: number): number {
  return (tops[position] ?? 0) + (heights[position] ?? 0) / 2;
}

/** The bottom of a shown row, by its position. */
export function bottomAt({ tops, heights }: Layout, position: number): number {
  return (tops[position] ?? 0) + (heights[position] ?? 0);
}

/** The first visible row whose bottom is below `top`. */
export function firstBelow(layout: Layout, top: number): number {
  let low = 0;
  let high = layout.tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottomAt(layout, middle) < top) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The columns of the ladder. */
export interface Columns {
  readonly isNarrow: boolean;
  readonly time: number;
  readonly text: number;
  /** The left edge of each lane, and the right edge of the last. */
  readonly edges: readonly number[];
  /** The left edge of the lanes. */
  readonly left: number;
  readonly width: number;
}

/** The largest width of a narrow window, px. style/narrow.css has the same. */
export const NARROW = 760;
/** The width of a row's text beyond which lanes get wider, px. */
const TEXT = 400;
/** The width of a ladder in which callers share a lane, so that names and texts have room, px. */
export const TIGHT = 800;
/** The minimum width of the text beside lanes with full names, px. */
const LEAST_TEXT = 296;
/** The same while a class is taught: texts have as many lines as they need. */
const LEAST_TAUGHT = 180;

/**
 * @param needs the width that the head of each lane needs, px
 * @param isNarrow whether the window is narrow, as on a phone: lanes at the left as in a git graph, text in two lines
 * @param time the width of the column of times, px
 * @param keepsNames whether no name gives up its width: then texts have more lines, and the ladder may be wider than the window
 */
export function chooseColumns(
  needs: readonly number[],
  available: number,
  isNarrow: boolean,
  time: number,
  keepsNames = false,
): Columns {
  const laneCount = needs.length;
  if (isNarrow) {
    const lane = laneCount > 10 ? Math.max(12, Math.floor((available * 0.45) / laneCount)) : 16;
    const lanes = laneCount * lane;
    return {
      isNarrow: true,
      time: 0,
      left: 8,
      edges: listEdges(8, Array(laneCount).fill(lane)),
      text: Math.max(150, available - lanes - 24),
      width: Math.max(available, lanes + 174),
    };
  }
  const [least, most] = [36, 84];
  const rest = available - time - 16;
  const lane = Math.max(least, Math.min(most, (rest - TEXT) / Math.max(1, laneCount)));
  // without room for all names, each lane gives up some of its width
  const room = rest - LEAST_TEXT;
  const wanted = needs.reduce((sum, need) => sum + Math.max(0, need - least), 0);
  const spare = room - laneCount * least;
  const share = !keepsNames && spare > 0 && spare < wanted ? spare / wanted : 1;
  const widths = needs.map((need) => Math.max(least + Math.max(0, need - least) * share, lane));
  const lanes = widths.reduce((sum, width) => sum + width, 0);
  // with little room, texts have two lines
  const leastOwn = keepsNames ? LEAST_TAUGHT : available < TIGHT ? LEAST_TEXT : 316;
  const own = Math.max(Math.min(leastOwn, available * 0.43), rest - lanes);
  return {
    isNarrow: false,
    time,
    text: own,
    edges: listEdges(time + own, widths),
    left: time + own,
    width: Math.max(available, time + own + lanes + 8),
  };
}

function listEdges(left: number, widths: readonly number[]): number[] {
  const edges = [left];
  for (const width of widths) edges.push((edges.at(-1) ?? left) + width);
  return edges;
}

/** The middle of a lane. */
export function laneX(columns: Columns, position: number): number {
  const { left, width } = laneExtent(columns, position);
  return left + width / 2;
}

/** The left edge of a lane, and the width from there to the end of another. */
export function laneExtent(
  { edges, left }: Columns,
  from: number,
  to = from,
): { readonly left: number; readonly width: number } {
  const start = edges[from] ?? left;
  return { left: start, width: (edges[to + 1] ?? start) - start };
}
