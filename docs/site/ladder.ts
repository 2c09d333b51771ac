import { exactDurationText } from "../../src/core/foundation/instants.ts";
import { fullName, type Lifeline } from "../../src/core/narration/lifelines.ts";
import { type NarrationRow, type RunNarration, rowsByCause } from "../../src/core/narration/rows.ts";
import { oneLine, rowText } from "../../src/core/narration/words.ts";
import { escapeHtml } from "../../src/inspector/markup.ts";

/** Sizes in pixels. */
const WIDEST_LANE = 180;
const NARROWEST_LANE = 96;
/** The width of a page's text beside the list of pages, in a window of 1280. */
const PAGE = 950;
const ROW = 24;
const HEAD = 34;
const MARGIN = 12;
const TIME_WIDTH = 56;
/** The approximate width of a letter, and of one in wide fonts. */
const LETTER = 6.3;
const WIDE_LETTER = 7.2;

/** The width between two lifelines, and of the whole. */
interface Size {
  readonly lane: number;
  readonly width: number;
}

/** Draws a run as a ladder diagram in SVG: a lifeline for each participant, an arrow for each thing that happens. */
export function ladder(story: RunNarration): string {
  const count = story.lifelines.length;
  const room = Math.floor((PAGE - TIME_WIDTH) / Math.max(1, count));
  const lane = Math.min(WIDEST_LANE, Math.max(NARROWEST_LANE, room));
  const lanes = new Map(
    story.lifelines.map((line, index) => [line.id, TIME_WIDTH + lane / 2 + index * lane] as const),
  );
  const platform = lanes.get(story.platform.id) ?? TIME_WIDTH;
  const width = Math.max(PAGE, TIME_WIDTH + count * lane);
  const size = { lane, width };
  const rows: string[] = [];
  let y = HEAD + MARGIN + ROW;
  let lastMs: number | undefined;
  for (const { cause, effects } of rowsByCause(story)) {
    const { atMs, actor } = cause;
    const time = atMs === lastMs ? "" : text(0, y, `+${exactDurationText(atMs - story.startMs)}`, "faint");
    lastMs = atMs;
    rows.push(time + causeOf(cause, lanes.get(actor.id) ?? platform, platform, y, size));
    for (const row of effects) {
      y += ROW;
      if (row.event !== undefined) rows.push(told(platform, y, row.event.type, rowText(row), size));
      else
        rows.push(arrow(platform, lanes.get(row.actor.id) ?? platform, y, rowText(row), "arrow inner", size));
    }
    y += ROW + MARGIN;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" role="img" aria-label="Ladder diagram of: ${escapeHtml(oneLine(story.title))}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>',
    ...story.lifelines.map((line) => head(line, lanes.get(line.id) ?? platform, y, lane)),
    ...rows,
    "</svg>",
  ].join("\n");
}

function head(line: Lifeline, x: number, bottom: number, lane: number): string {
  const half = lane / 2 - 4;
  const letters = Math.floor(lane / LETTER) - 2;
  const name = fullName(line);
  // a number in brackets is the first thing to go
  const shown = name.length > letters ? name.replace(/ \([^)]*\)$/, "") : name;
  return [
    `<line class="life" x1="${x}" y1="${HEAD}" x2="${x}" y2="${bottom}"/>`,
    `<g><title>${escapeHtml(name)}</title><rect class="box" x="${x - half}" y="4" width="${half * 2}" height="${HEAD - 8}" rx="4"/>`,
    `${text(x, HEAD / 2 + 4, short(shown, letters), "", "middle")}</g>`,
  ].join("");
}

/** Draws what someone does, or what the platform does by itself. */
function causeOf(row: NarrationRow, x: number, platform: number, y: number, size: Size): string {
  if (row.actor.kind !== "platform") return arrow(x, platform, y, rowText(row), "arrow", size);
  return text(platform + 6, y, fitting(rowText(row), platform + 6, size), "faint");
}

/**
 * Draws an arrow with its words above it. Words that are too long, and those of a long arrow, begin at its left end.
 * They may cross the lifelines, since nothing else is in this row. What someone does to themselves is only words.
 */
function arrow(from: number, to: number, y: number, words: string, kind: string, size: Size): string {
  if (from === to) return text(from + 6, y, fitting(words, from + 6, size), "faint");
  const { lane } = size;
  const label = fitting(words, Math.min(from, to) + 8, size);
  const isShort = Math.abs(to - from) === lane && label.length <= lane / LETTER - 3;
  const [x, anchor] = isShort ? [(from + to) / 2, "middle"] : [Math.min(from, to) + 8, "start"];
  const line = `<line class="${kind}" x1="${from}" y1="${y}" x2="${to}" y2="${y}" marker-end="url(#tip)"/>`;
  return `<g>${line}${text(x, y - 4, label, kind === "arrow inner" ? "faint" : "", anchor)}</g>`;
}

/** Draws an event: a diamond on the platform's lifeline, and its words. Nothing else is in this row. */
function told(platform: number, y: number, type: string, note: string, size: Size): string {
  const mark = `<path class="told" d="M${platform} ${y - 5}l5 5-5 5-5-5z"/>`;
  const words = fitting(`${type} ${note}`, platform + 10, size).slice(type.length);
  return `<g>${mark}<text x="${platform + 10}" y="${y + 4}"><tspan class="event">${escapeHtml(type)}</tspan>${escapeHtml(words)}</text></g>`;
}

function text(x: number, y: number, words: string, kind: string, anchor = "start"): string {
  const style = kind === "" ? "" : ` class="${kind}"`;
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${style}>${escapeHtml(words)}</text>`;
}

/** Words in one line, from a place to the right edge. */
function fitting(words: string, x: number, { width }: Size): string {
  return short(words, Math.floor((width - x) / WIDE_LETTER));
}

function short(words: string, letters: number): string {
  const line = oneLine(words);
  return line.length <= letters ? line : `${line.slice(0, letters - 1)}…`;
}
