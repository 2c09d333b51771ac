import { exactDurationText } from "../../src/engine/instants.ts";
import { html } from "../../src/inspect/markup.ts";
import { fullName, type Lifeline } from "../../src/story/lifelines.ts";
import { type Row, type RunStory, rowsByCause } from "../../src/story/rows.ts";
import { oneLine, rowText } from "../../src/story/words.ts";

/** Sizes in pixels. */
const LANE = 180;
const ROW = 24;
const HEAD = 34;
const MARGIN = 12;
const TIME_WIDTH = 56;
/** The approximate width of a letter. */
const LETTER = 6.3;
/** How many letters of an event's words are shown. */
const LONGEST_NOTE = 40;
/** About how many letters of a label fit between two lifelines. */
const LETTERS_A_LANE = 25;

/** Draws a run as a ladder diagram in SVG: a lifeline for each participant, an arrow for each thing that happens. */
export function ladder(story: RunStory): string {
  const lanes = new Map(
    story.lifelines.map((line, index) => [line.id, TIME_WIDTH + LANE / 2 + index * LANE] as const),
  );
  const platform = lanes.get(story.platform.id) ?? TIME_WIDTH;
  const events = TIME_WIDTH + story.lifelines.length * LANE;
  const notes = events + 18 + widest(story, ({ event }) => event?.type ?? "");
  const rows: string[] = [];
  let y = HEAD + MARGIN + ROW;
  let lastMs: number | undefined;
  for (const { cause, effects } of rowsByCause(story)) {
    const { atMs, actor } = cause;
    const time = atMs === lastMs ? "" : text(0, y, `+${exactDurationText(atMs - story.startMs)}`, "faint");
    lastMs = atMs;
    rows.push(time + causeOf(cause, lanes.get(actor.id) ?? platform, platform, y));
    for (const row of effects) {
      y += ROW;
      if (row.event !== undefined) rows.push(told(platform, events, notes, y, row.event.type, rowText(row)));
      else rows.push(arrow(platform, lanes.get(row.actor.id) ?? platform, y, rowText(row), "arrow inner"));
    }
    y += ROW + MARGIN;
  }
  const width = Math.ceil(notes + widest(story, (row) => short(rowText(row), LONGEST_NOTE)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" role="img" aria-label="Ladder diagram of: ${html(oneLine(story.title))}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>',
    ...story.lifelines.map((line) => head(line, lanes.get(line.id) ?? platform, y)),
    ...rows,
    "</svg>",
  ].join("\n");
}

function head(line: Lifeline, x: number, bottom: number): string {
  const half = LANE / 2 - 6;
  return [
    `<line class="life" x1="${x}" y1="${HEAD}" x2="${x}" y2="${bottom}"/>`,
    `<rect class="box" x="${x - half}" y="4" width="${half * 2}" height="${HEAD - 8}" rx="4"/>`,
    text(x, HEAD / 2 + 4, short(fullName(line), LETTERS_A_LANE), "", "middle"),
  ].join("");
}

/** Draws what someone does, or what the platform does by itself. */
function causeOf(row: Row, x: number, platform: number, y: number): string {
  if (row.actor.kind !== "platform") return arrow(x, platform, y, rowText(row), "arrow");
  return text(platform + 6, y, oneLine(rowText(row)), "faint");
}

/**
 * Draws an arrow with its words above it. Words that are too long, and those of a long arrow, begin at its left end.
 * They may cross the lifelines, since nothing else is in this row. What someone does to themselves is only words.
 */
function arrow(from: number, to: number, y: number, words: string, kind: string): string {
  const label = oneLine(words);
  if (from === to) return text(from + 6, y, label, "faint");
  const isShort = Math.abs(to - from) === LANE && label.length <= LETTERS_A_LANE;
  const [x, anchor] = isShort ? [(from + to) / 2, "middle"] : [Math.min(from, to) + 8, "start"];
  const line = `<line class="${kind}" x1="${from}" y1="${y}" x2="${to}" y2="${y}" marker-end="url(#tip)"/>`;
  return `<g>${line}${text(x, y - 4, label, kind === "arrow inner" ? "faint" : "", anchor)}</g>`;
}

/** Draws an event. */
function told(from: number, to: number, noteAt: number, y: number, type: string, note: string): string {
  const line = `<line class="arrow told" x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke-dasharray="1 4"/>`;
  return `<g>${line}${text(to + 6, y + 4, type, "event")}${text(noteAt, y + 4, short(note, LONGEST_NOTE), "")}</g>`;
}

/** The approximate width of a column that contains some words of each event. */
function widest(story: RunStory, wordsOf: (event: Row) => string): number {
  const events = story.rows.filter(({ event }) => event !== undefined);
  return Math.max(0, ...events.map((row) => wordsOf(row).length)) * LETTER;
}

function text(x: number, y: number, words: string, kind: string, anchor = "start"): string {
  const style = kind === "" ? "" : ` class="${kind}"`;
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${style}>${html(words)}</text>`;
}

function short(words: string, letters: number): string {
  const line = oneLine(words);
  return line.length <= letters ? line : `${line.slice(0, letters - 1)}…`;
}
