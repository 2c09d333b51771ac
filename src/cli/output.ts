import pc from "picocolors";
import type { Simulator } from "../simulator.ts";
import { type PageContent, toHtml } from "../story/html.ts";
import { toMermaid } from "../story/mermaid.ts";
import type { RunStory } from "../story/story.ts";
import { plainStyle, type TimelineStyle, toTimeline } from "../story/timeline.ts";

export const formats = ["timeline", "jsonl", "mermaid", "html"] as const;
export type Format = (typeof formats)[number];

/** Where a command's words go, and whether someone watches them on a terminal. */
export interface Output {
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
}

export function processOutput(): Output {
  const { env, stdout, stderr } = process;
  return {
    isTerminal: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
  };
}

/**
 * One run in one format.
 * @param more parts of the story to replace, such as its title, and what a page says beside it
 */
export function render(
  simulator: Simulator,
  format: Format,
  output: Output,
  more: Partial<RunStory> & Omit<PageContent, "stream"> = {},
): string {
  if (format === "jsonl") return simulator.events.toJSONL();
  const story = { ...simulator.story(), ...more };
  if (format === "html") return toHtml(story, { ...more, stream: simulator.events.toJSONL() });
  return format === "mermaid" ? toMermaid(story) : toTimeline(story, styleFor(output));
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
