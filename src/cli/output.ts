import pc from "picocolors";
import { type InspectOptions, inspectHtml } from "../inspect/index.ts";
import type { Simulator } from "../simulator.ts";
import { toMermaid } from "../story/mermaid.ts";
import type { RunStory } from "../story/story.ts";
import { plainStyle, type TimelineStyle, timelineLines } from "../story/timeline.ts";
import { RefusedFile } from "./files.ts";

export const formats = ["timeline", "jsonl", "mermaid", "html"] as const;
export type Format = (typeof formats)[number];

/** Where a command's words go. */
export interface Output {
  /** The words have colours and finer signs: someone reads them on a terminal. */
  readonly isTerminal: boolean;
  /** The same of errors; default: as the words. */
  readonly isErrTerminal?: boolean;
  out(text: string): void;
  err(text: string): void;
}

export function processOutput(): Output {
  const { stdout, stderr } = process;
  return {
    isTerminal: isColoured(stdout),
    isErrTerminal: isColoured(stderr),
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
  };
}

/** As other tools have it: `NO_COLOR` set to anything means no, `FORCE_COLOR` (but 0 and false) yes, else a terminal does. */
function isColoured({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && TERM !== "dumb";
}

/** The colours of errors. */
export function errorColours({ isTerminal, isErrTerminal = isTerminal }: Output) {
  return pc.createColors(isErrTerminal);
}

/** Why a command was refused what it was given, as it is printed. */
export function refusal(error: Error, output: Output): string {
  const { isTerminal, isErrTerminal = isTerminal } = output;
  const text = error instanceof RefusedFile ? error.shown(isErrTerminal) : error.message;
  return `${errorColours(output).red("ringback:")} ${text}\n`;
}

/** What the renderers of Mermaid, GitHub's among them, draw at most: its option `maxTextSize`. */
const LONGEST_DIAGRAM = 50_000;

/**
 * One run in one format, in pieces: a long run is longer than a string can be.
 * @param more parts of the story to replace, such as its title, and what a page says beside it
 */
export function* render(
  simulator: Simulator,
  format: Format,
  output: Output,
  more: Partial<RunStory> & InspectOptions = {},
): Generator<string> {
  if (format === "jsonl") {
    for (const event of simulator.events) yield `${JSON.stringify(event)}\n`;
    return;
  }
  if (format === "html") {
    yield inspectHtml(simulator, more);
    return;
  }
  const { title, verdict } = more;
  const told = { ...(title === undefined ? {} : { title }), ...(verdict === undefined ? {} : { verdict }) };
  const story = { ...simulator.story(), ...told };
  if (format === "timeline") yield* timelineLines(story, styleFor(output));
  else yield diagram(story, output);
}

function diagram(story: RunStory, output: Output): string {
  const text = toMermaid(story);
  if (text.length > LONGEST_DIAGRAM)
    output.err(
      `ringback: this diagram has ${text.length} characters, and Mermaid draws ${LONGEST_DIAGRAM} at most unless its maxTextSize is raised; GitHub does not raise it: show a shorter run\n`,
    );
  return text;
}

/** Colours and finer signs only on a terminal. */
function styleFor(output: Output): TimelineStyle {
  if (!output.isTerminal) return plainStyle;
  const colours = pc.createColors(true);
  return {
    bar: "│",
    dot: "●",
    fold: "· · ·",
    strong: colours.bold,
    faint: colours.dim,
    event: colours.cyan,
  };
}
