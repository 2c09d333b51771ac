import { InvalidArgumentError, Option } from "commander";
import { printableLines } from "../core/foundation/printable.ts";
import { narrationOfJourney } from "../core/narration/journeys.ts";
import { mermaidLines } from "../core/narration/mermaid.ts";
import type { RunNarration } from "../core/narration/rows.ts";
import { plainStyle, type TimelineStyle, timelineLines } from "../core/narration/timeline.ts";
import { jsonLines } from "../core/platform/declare/event-stream.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { type InspectOptions, inspectChunks } from "../inspector/inspectable.ts";
import { coloursIf } from "./colours.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import { RefusedFile } from "./scenario-files.ts";

export const formats = ["timeline", "jsonl", "mermaid", "html"] as const;
export type Format = (typeof formats)[number];

/** The option `--format`. @param allowed its values */
export function formatOption(help: string, allowed: readonly string[]): Option {
  const option = new Option("--format <format>", help).choices(allowed);
  const { parseArg: read } = option;
  return option.argParser((text, before) => {
    if (text === "trace") throw new InvalidArgumentError("It has gone: html shows the run.");
    return read?.(text, before);
  });
}

/** Where a command prints. */
export interface Output {
  /** Standard output is a terminal: use colours and signs. */
  readonly isTerminal: boolean;
  /** Standard error is a terminal; default: the same as `isTerminal`. */
  readonly isErrTerminal?: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Where one command prints, and how. */
export interface CommandOutput extends Output {
  /** Whether the standard output gets JSON, and nothing else. */
  readonly isJson: boolean;
  /** What the command prints with `--json`: what is not as expected, and its own facts. */
  result(failures: readonly CommandFailure[], facts?: object): string;
}

export function processOutput(): Output {
  const { stdout, stderr } = process;
  return {
    isTerminal: isColoured(stdout),
    isErrTerminal: isColoured(stderr),
    out: stdout.write.bind(stdout),
    err: stderr.write.bind(stderr),
  };
}

/** As other tools do: any `NO_COLOR` means no, `FORCE_COLOR` (except 0 and false) means yes, else a terminal has colours. */
function isColoured({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && TERM !== "dumb";
}

/** The colours of errors. */
export function errorColours({ isTerminal, isErrTerminal = isTerminal }: Output) {
  return coloursIf(isErrTerminal);
}

/** An error as it is printed. */
export function errorText(error: Error, output: Output): string {
  const { isTerminal, isErrTerminal = isTerminal } = output;
  const text =
    error instanceof RefusedFile ? error.textWithFrames(isErrTerminal) : printableLines(error.message);
  return `${errorColours(output).red("ringback:")} ${text}\n`;
}

/** The longest diagram that Mermaid's renderers draw, GitHub's among them: its option `maxTextSize`. */
const LONGEST_DIAGRAM = 50_000;

/**
 * One run in one format, in chunks, because a long run can be longer than the longest string.
 * @param more replaces parts of the story, such as its title, and adds what a page shows beside it
 */
export function* render(
  simulator: Simulator,
  format: Format,
  output: Output,
  {
    journey,
    ...more
  }: Partial<RunNarration> & InspectOptions & { readonly journey?: string | undefined } = {},
): Generator<string> {
  if (journey !== undefined && (format === "jsonl" || format === "html"))
    throw new UsageError(
      "expected --format timeline or mermaid: the page of a run shows journeys by itself, and a stream is whole",
      "--journey",
    );
  if (format === "jsonl") {
    yield* jsonLines(simulator.events);
    return;
  }
  if (format === "html") {
    yield* inspectChunks(simulator, more);
    return;
  }
  const { title, verdict } = more;
  const heading = {
    ...(title === undefined ? {} : { title }),
    ...(verdict === undefined ? {} : { verdict }),
  };
  const whole = { ...simulator.narration(), ...heading };
  const story = journey === undefined ? whole : storyOfJourney(whole, journey);
  if (format === "timeline") yield* timelineLines(story, styleFor(output));
  else yield* diagram(story, output);
}

/** @throws {UsageError} if the run has no such call */
function storyOfJourney(whole: RunNarration, named: string): RunNarration {
  const story = narrationOfJourney(whole, named);
  if (story !== undefined) return story;
  const calls = whole.records.slice(0, 20).map(({ label, id, title }) => `${label} (${id}, ${title})`);
  throw new UsageError(`no call "${named}"; the run's: ${calls.join(", ") || "none"}`, "--journey");
}

function* diagram(story: RunNarration, output: Output): Generator<string> {
  let length = 0;
  for (const line of mermaidLines(story)) {
    length += line.length;
    yield line;
  }
  if (length > LONGEST_DIAGRAM)
    output.err(
      `ringback: this diagram has ${length} characters, and Mermaid draws ${LONGEST_DIAGRAM} unless its maxTextSize is raised. GitHub does not raise it: show a shorter run\n`,
    );
}

/** Colours and finer signs only on a terminal. */
function styleFor(output: Output): TimelineStyle {
  if (!output.isTerminal) return plainStyle;
  const colours = coloursIf(true);
  return {
    bar: "│",
    dot: "●",
    fold: "· · ·",
    strong: colours.bold,
    faint: colours.dim,
    event: colours.cyan,
  };
}
