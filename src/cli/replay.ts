import { inChunks } from "../core/foundation/chunks.ts";
import { InputError } from "../core/foundation/errors.ts";
import { printable } from "../core/foundation/printable.ts";
import { type JournalDocument, readJournal } from "../core/simulator/options.ts";
import { replay, type Simulator } from "../core/simulator/simulator.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readJournalText } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { type CommandOutput, type Format, formatOption, formats, render } from "./output.ts";

/** `ringback replay`. */
export const replayCommand: CommandRow = {
  name: "replay",
  group: "scenarios",
  summary: "play a journal again",
  now: "run <journal>",
  declare: (command, output) => {
    command
      .argument("<journal>", "a file with the result of sim.journal(), as JSON")
      .addOption(formatOption("how to show the run", formats).default("timeline"))
      .addOption(jsonOption())
      .action((path: string, flags: { format: Format }) => replayJournal(path, flags.format, output));
  },
};

/**
 * Plays a journal to its end, and shows the run. If a failing test left it, says so last: the run itself is as it was.
 * @throws {UsageError} for a file that is none
 */
export function replayJournal(path: string, format: Format, output: CommandOutput, journey?: string): void {
  const { run, failed } = replayFile(path);
  if (output.isJson) {
    output.out(output.result([], endFacts(run, failed)));
    return;
  }
  for (const text of inChunks(render(run, format, output, { journey }))) output.out(text);
  // data and pages stay as they are
  if (failed !== undefined) output[format === "timeline" ? "out" : "err"](failedText(failed));
}

type Failed = JournalDocument["failed"];

function replayFile(path: string): { readonly run: Simulator; readonly failed: Failed } {
  const text = readJournalText(path);
  try {
    const journal = readJournal(text);
    return { run: replay(journal), failed: journal.failed };
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message, path) : error;
  }
}

/** Where a run ended, and which test failed in it. */
function endFacts({ events, now }: Simulator, failed: Failed): object {
  const { test, file = null, line = null, message } = failed ?? {};
  const facts = { events: events.length, endedAt: now.toISO() };
  return failed === undefined ? facts : { ...facts, failed: { test, file, line, message } };
}

/** The line that says which test failed, where, and with what message. */
function failedText({ test, file, line, message }: NonNullable<Failed>): string {
  const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  const [problem = ""] = message.trim().split("\n", 1);
  return `\n${printable(`failed: ${test}${place}: ${problem}`)}\n`;
}
