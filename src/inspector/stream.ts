import { InputError } from "../core/foundation/errors.ts";
import { durationMs } from "../core/foundation/instants.ts";
import type { CompareSource } from "./data.ts";

/** The expected events that a page compares a run with. */
export type ExpectedEvents = NonNullable<CompareSource["events"]>;

/**
 * Reads a golden stream: an event on each line, as JSON or as offset and type, such as `PT6S call.answered`.
 * @param startMs the start of the run to compare with, ms since the epoch
 * @throws {InputError} naming the first invalid line
 */
export function readStream(text: string, startMs: number): ExpectedEvents {
  const lines = text.split("\n").map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const events = lines
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => {
      const event = line.startsWith("{") ? parseJsonEvent(line) : parseShortEvent(line, startMs);
      if (event !== undefined) return event;
      throw new InputError(
        [`line ${number}`],
        "expected an event, as JSON or as `PT6S call.answered`, or the first line of a journal",
      );
    });
  if (events.length > 0) return events;
  throw new InputError(["line 1"], "expected an event, or a journal; there is nothing");
}

function parseJsonEvent(line: string): ExpectedEvents[number] | undefined {
  try {
    const { type, createdTimestamp } = JSON.parse(line) as Record<string, unknown>;
    if (typeof type === "string" && typeof createdTimestamp === "number") return { type, createdTimestamp };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}

function parseShortEvent(line: string, startMs: number): ExpectedEvents[number] | undefined {
  const [offset = "", type = ""] = line.split(/\s+/);
  const ms = durationMs(offset);
  return ms === undefined || !/^[a-z]\w*(\.\w+)+$/.test(type)
    ? undefined
    : { type, createdTimestamp: startMs + ms };
}
