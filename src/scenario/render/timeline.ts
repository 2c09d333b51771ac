import { iso } from "../../engine/instants.ts";
import type { Beat, RunStory } from "./story.ts";
import { exactDurationText, oneLine } from "./words.ts";

/** How a timeline is drawn. `plain` is safe in any log; a terminal may use colours and finer signs. */
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

/** A longer gap between two beats is said in words. */
const FOLD_FROM_MS = 10 * 60_000;
const INDENT = " ".repeat(12);
const TYPE_WIDTH = 30;

/** A run as text: time on the left, causes before effects, the few fields that matter beside each event. */
export function toTimeline(story: RunStory, style: TimelineStyle = plainStyle): string {
  const head = `${style.strong(oneLine(story.title))}   ${style.faint(`${clockText(story.startMs)} - seed ${story.seed}`)}`;
  const lines = [head, ""];
  let lastMs = story.startMs;
  let lastShown: number | undefined;
  for (const beat of story.beats) {
    const gapMs = beat.atMs - lastMs;
    if (gapMs >= FOLD_FROM_MS)
      lines.push(`${INDENT}${style.faint(`${style.fold} ${exactDurationText(gapMs)} ${style.fold}`)}`);
    lines.push(
      ...beatLines(beat, beat.atMs === lastShown ? "" : offsetText(beat.atMs - story.startMs), style),
    );
    lastMs = beat.atMs;
    lastShown = beat.atMs;
  }
  const events = `${story.eventCount} ${story.eventCount === 1 ? "event" : "events"}`;
  const verdict = story.verdict === undefined ? "" : ` ${story.verdict},`;
  lines.push("", `${events},${verdict} ${exactDurationText(story.endMs - story.startMs)} of platform time`);
  return `${lines.join("\n")}\n`;
}

function beatLines(beat: Beat, time: string, style: TimelineStyle): string[] {
  const text = oneLine(beat.text);
  const cause = beat.who.kind === "platform" ? style.faint(text) : `${oneLine(beat.who.name)} ${text}`;
  return [
    `${style.strong(time.padStart(10))}  ${cause}`,
    ...beat.lines.map((line) =>
      line.kind === "background"
        ? `${INDENT}${style.faint(`${style.bar} ${oneLine(`${line.who.name}: ${line.text}`)}`)}`
        : `${INDENT}${style.event(`${style.dot} ${line.type.padEnd(TYPE_WIDTH)}`)} ${oneLine(line.note)}`,
    ),
  ];
}

/** `0:06.000`, `1:06.000`, `2:48:00.000`, from the start of the run. */
function offsetText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  return `${clock}.${String(ms % 1000).padStart(3, "0")}`;
}

/** `2026-07-01 09:00:00Z`. */
function clockText(ms: number): string {
  return iso(ms)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}
