import { inChunks } from "../core/foundation/chunks.ts";
import { InputError } from "../core/foundation/errors.ts";
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
  about: "play a journal again",
  now: "run <journal>",
  declare: (command, output) => {
    command
      .argument("<journal>", "a file with the result of sim.journal(), as JSON")
      .addOption(formatOption("how to show the run", formats).default("timeline"))
      .addOption(jsonOption())
      .action((path: string, flags: { format: Format }) => replayJournal(path, flags.format, output));
  },
};

/** Plays a journal to its end, and shows the run. @throws {UsageError} for a file that is none */
export function replayJournal(path: string, format: Format, output: CommandOutput, journey?: string): void {
  if (output.isJson) output.out(output.result([], endFacts(replayFile(path))));
  else for (const text of inChunks(render(replayFile(path), format, output, { journey }))) output.out(text);
}

function replayFile(path: string): Simulator {
  const journal = readJournalText(path);
  try {
    return replay(journal);
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message, path) : error;
  }
}

/** Where a run ended. */
function endFacts({ events, now }: Simulator): object {
  return { events: events.length, endedAt: now.toISO() };
}
