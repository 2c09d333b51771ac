import { exactClock } from "../foundation/clock.ts";
import { exactDurationText, iso } from "../foundation/instants.ts";
import { counted } from "../platform/declare/words.ts";
import { fullName } from "./lifelines.ts";
import { type CausedRows, type NarrationRow, type RunNarration, rowsByCause } from "./rows.ts";
import { oneLine, rowText } from "./words.ts";

/** The symbols and colours of a timeline. */
export interface TimelineStyle {
  readonly bar: string;
  readonly dot: string;
  readonly fold: string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly event: (text: string) => string;
}

const same = (text: string) => text;

export const plainStyle: TimelineStyle = {
  bar: "|",
  dot: "*",
  fold: ". . .",
  strong: same,
  faint: same,
  event: same,
};

/** The shortest gap between two causes that gets a line. */
const FOLD_FROM_MS = 10 * 60_000;
const INDENT = " ".repeat(12);
const MARK = `>${INDENT.slice(1)}`;
const TYPE_WIDTH = 30;

/** Draws a run as text: the time, then causes with their effects below, each event with its main fields. */
export function toTimeline(narration: RunNarration, style: TimelineStyle = plainStyle): string {
  return [...timelineLines(narration, style)].join("");
}

/** The same timeline in lines: a long run's may exceed the longest string. */
export function* timelineLines(
  narration: RunNarration,
  style: TimelineStyle = plainStyle,
): Generator<string> {
  const { startMs, sinceMs } = narration;
  yield `${head(narration, style)}\n\n`;
  if (sinceMs !== undefined)
    yield `${INDENT}${style.faint(`${style.fold} the journal was compacted at ${exactClock(sinceMs - startMs)}: earlier instants are gone ${style.fold}`)}\n`;
  for (const line of linesByCause(narration, sinceMs ?? startMs, rowsByCause(narration), style))
    yield `${line}\n`;
  const verdict = narration.verdict === undefined ? "" : ` ${narration.verdict},`;
  const duration = exactDurationText(narration.endMs - narration.startMs);
  yield `\n${counted(narration.eventCount, "event")},${verdict} ${duration} of platform time\n`;
}

/** How many causes an excerpt shows before and after its event. */
const AROUND = 2;
/** How many more causes it shows at the event's instant, such as requests of the app. */
const FOLLOWING = 8;

/**
 * Draws the part of a timeline around an event, which is marked.
 * @param index the event's index in the whole stream, from 0; for a missing event, the end is shown
 */
export function toExcerpt(narration: RunNarration, index: number, style: TimelineStyle = plainStyle): string {
  const groups = [...rowsByCause(narration)];
  const found = groups.findIndex(({ cause, effects }) =>
    [cause, ...effects].some(({ event }) => event?.place === index),
  );
  const place = found < 0 ? groups.length - 1 : found;
  const from = Math.max(0, place - AROUND);
  const following = groups.findLastIndex(({ cause }) => cause.atMs === groups[place]?.cause.atMs);
  const end = Math.max(place + AROUND, Math.min(following, place + FOLLOWING)) + 1;
  const shown = groups.slice(from, end);
  const before = eventsIn(groups.slice(0, from));
  const after = eventsIn(groups.slice(end));
  const left = (count: number, where: string) =>
    count === 0
      ? []
      : [`${INDENT}${style.faint(`${style.fold} ${counted(count, "event")} ${where} ${style.fold}`)}`];
  return [
    head(narration, style),
    "",
    ...left(before, "before"),
    ...linesByCause(narration, groups[from - 1]?.cause.atMs ?? narration.startMs, shown, style, index),
    ...left(after, "after"),
    "",
  ].join("\n");
}

function head({ title, startMs, seed }: RunNarration, style: TimelineStyle): string {
  return `${style.strong(oneLine(title))}   ${style.faint(`${clockText(startMs)} - seed ${seed}`)}`;
}

function eventsIn(groups: readonly CausedRows[]): number {
  const events = groups.flatMap(({ effects }) => effects.filter(({ event }) => event !== undefined));
  return events.length;
}

/**
 * @param lastMs the time of the cause before these
 * @param marked the index of the marked event
 */
function* linesByCause(
  narration: RunNarration,
  lastMs: number,
  groups: Iterable<CausedRows>,
  style: TimelineStyle,
  marked?: number,
): Generator<string> {
  let [shownMs, beforeMs]: [number | undefined, number] = [undefined, lastMs];
  for (const { cause, effects } of groups) {
    const { atMs } = cause;
    const gapMs = atMs - beforeMs;
    const fold = `${INDENT}${style.faint(`${style.fold} ${exactDurationText(gapMs)} ${style.fold}`)}`;
    const time = atMs === shownMs ? "" : exactClock(atMs - narration.startMs);
    beforeMs = atMs;
    shownMs = atMs;
    if (gapMs >= FOLD_FROM_MS) yield fold;
    const text = oneLine(rowText(cause));
    const isPlatform = cause.actor.kind === "platform";
    yield `${style.strong(time.padStart(10))}  ${isPlatform ? style.faint(text) : `${oneLine(fullName(cause.actor))} ${text}`}`;
    for (const row of effects) yield effectLine(row, style, marked);
  }
}

function effectLine(row: NarrationRow, style: TimelineStyle, marked: number | undefined): string {
  const { event, actor } = row;
  if (event === undefined)
    return `${INDENT}${style.faint(`${style.bar} ${row.during === undefined ? "" : "  "}${oneLine(`${fullName(actor)}: ${rowText(row)}`)}`)}`;
  const indent = event.place === marked ? MARK : INDENT;
  return `${indent}${style.event(`${style.dot} ${event.type.padEnd(TYPE_WIDTH)}`)} ${oneLine(rowText(row))}`;
}

/** An instant, such as `2026-07-01 09:00:00Z`. */
function clockText(ms: number): string {
  return iso(ms)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}
