import { clock } from "../../../src/core/foundation/clock.ts";
import { exactDurationText } from "../../../src/core/foundation/instants.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import type { Lane, PageRow } from "../../../src/inspector/model/types.ts";
import { markDefinitions } from "../../../src/look/marks.ts";
import type { RecordedRun } from "../../learn/recorded-run.ts";
import { restOf } from "../../learn/shown-row.ts";
import { drawWires, type Geometry } from "./wires.ts";

/**
 * Draws a run as a ladder: a row for each thing that happens, and beside it the lanes of those who take part. The rows
 * are text, drawn once; the lanes are drawn for a wide and for a narrow box, and CSS shows those that fit.
 */

/** A pause of this length is drawn as a gap, ms. */
const GAP_FROM_MS = 15_000;
/** The room of all lanes in a wide box, and the widths of one lane, px. */
const ROOM = 360;
const NARROWEST = 45;
const WIDEST = 76;
/** The least width of a wide box and of a narrow one, px. */
const WIDE_BOX = 798;
const NARROW_BOX = 338;
/** The height of a further line of text, px. */
const LINE = 18;

/** A row, or the pause before one. */
export type LadderLine = { readonly row: PageRow } | { readonly pauseMs: number };

/** The shapes that ladders and cards use, once for each page. */
export const shapes = `<svg width="0" height="0" class="hidden-shapes" aria-hidden="true"><defs>${markDefinitions}</defs></svg>`;

/** The mark of a kind of row. */
export function mark(name: string): string {
  return `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><use href="#mark-${name}"/></svg>`;
}

/** Draws a run. @param label says what the run is, for those who cannot see it */
export function runLadder(run: RecordedRun, label: string): string {
  const lanes = shownLanes(run);
  const lines = linesOf(run.rows);
  const width = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(ROOM / Math.max(1, lanes.length))));
  const wide: Geometry = {
    ...{ lane: width, gap: 26, mark: 13, bar: 8, hasHeads: true },
    row: (row) => 29 + moreLines(wordsOf(row), 6.9, WIDE_BOX - 104 - lanes.length * width),
  };
  const narrow: Geometry = {
    ...{ lane: 16, gap: 28, mark: 9, bar: 6, hasHeads: false },
    row: (row) =>
      50 +
      moreLines(row.subject, 8, NARROW_BOX - 80 - lanes.length * 16) +
      moreLines(restOf(row), 6.2, NARROW_BOX - 92 - lanes.length * 16),
  };
  const drawing = { lines, lanes, bars: run.bars };
  return [
    `<div class="ladder" role="group" aria-label="${escapeHtml(label)}">`,
    `<div class="run" style="--lanes:${lanes.length};--lane:${width}px">`,
    `<ol class="lanes" aria-label="Who takes part">${lanes.map((lane) => head(lane, run)).join("")}</ol>`,
    '<div class="rows">',
    linesHtml(lines, (row) => ({
      start: `<li class="row" style="--wide:${wide.row(row)}px;--narrow:${narrow.row(row)}px">`,
      text: '<span class="text">',
      hasChip: true,
    })),
    drawWires(drawing, wide, "in-wide"),
    drawWires(drawing, narrow, "in-narrow"),
    "</div></div></div>",
  ].join("\n");
}

/** Those who do something, or to whom something happens. */
function shownLanes({ rows, lanes, bars }: RecordedRun): Lane[] {
  const used = new Set([...bars.map(({ lane }) => lane), ...rows.flatMap(lanesOf)]);
  return lanes.filter(({ id, kind }) => kind === "platform" || used.has(id));
}

/** The lanes in which a row draws something. */
export function lanesOf({ source, targets, deliveries }: PageRow): string[] {
  return [source, ...targets, ...deliveries.map(({ lane }) => lane)];
}

function head({ short, name, team }: Lane, { teams }: RecordedRun): string {
  const of = teams.find(({ id }) => id === team)?.name;
  const above = of === undefined ? "" : `<small>${escapeHtml(of)}</small>`;
  return `<li>${above}<span class="short" aria-hidden="true">${escapeHtml(short)}</span><span class="full">${escapeHtml(name)}</span></li>`;
}

/** The rows, with the pauses between them. */
export function linesOf(rows: readonly PageRow[]): LadderLine[] {
  return rows.flatMap((row, index) => {
    const pauseMs = row.atMs - (rows[index - 1]?.atMs ?? 0);
    return pauseMs >= GAP_FROM_MS ? [{ pauseMs }, { row }] : [{ row }];
  });
}

/** How much higher a row is because its text needs more than a line. @param letter the width of a letter, px */
function moreLines(text: string, letter: number, room: number): number {
  return LINE * Math.max(0, Math.ceil((text.length * letter) / Math.max(80, room)) - 1);
}

const wordsOf = (row: PageRow): string => `${row.subject} ${restOf(row)}`;

/** How a ladder draws a row. */
export interface RowLook {
  /** The tag of the row, and that of its text. */
  readonly start: string;
  readonly text: string;
  /** Whether it says what became of its request. */
  readonly hasChip: boolean;
}

/** The lines of a ladder, as a list. A wide one hides a time that the row before has. */
export function linesHtml(lines: readonly LadderLine[], lookOf: (row: PageRow) => RowLook): string {
  const items = lines.map((line, index) => {
    if ("pauseMs" in line) return `<li class="pause">${exactDurationText(line.pauseMs)}</li>`;
    const { row } = line;
    const before = lines[index - 1];
    const isSame = before !== undefined && "row" in before && before.row.atMs === row.atMs;
    const { start, text, hasChip } = lookOf(row);
    const outcome = outcomeOf(row);
    const rest = `<span class="verb">${escapeHtml(row.verb)}</span> ${escapeHtml(row.detail)}`;
    return [
      start,
      `<span class="at${isSame ? " same" : ""}">${clock(row.atMs)}</span>${mark(row.kind)}`,
      `${text}<b>${escapeHtml(row.subject)}</b> <span>${rest}</span></span>`,
      hasChip && outcome !== undefined
        ? `<span class="chip ${outcome.kind}">${escapeHtml(outcome.text)}</span>`
        : "",
      "</li>",
    ].join("");
  });
  return `<ol>${items.join("")}</ol>`;
}

/** What became of the request that a row is about. */
export const outcomeOf = ({ outcome, deliveries }: PageRow) => outcome ?? deliveries[0]?.outcome;
