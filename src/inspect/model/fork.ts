import {
  CommandError,
  type CommandInput,
  type CommandName,
  type HandlerResult,
  InputError,
  type JournalDocument,
  type Simulator,
} from "../../index.ts";
import { ANSWER_ENTRY } from "../../network/network.ts";
import type { Act } from "./acts.ts";
import { Recording } from "./recording.ts";

/** Makes a run that leaves a recorded one after a row, where something else is done. */
export function forkOf(recording: Recording, row: number, act: Act): Recording {
  const { simulator, skipped } = playFork(recording, row, act);
  return Recording.of(simulator.journal(), { title: act.label, skipped });
}

/**
 * Plays the rest of a run after something else was done. Commands and answers still come at their instants. Those
 * that the state no longer allows are skipped and listed.
 */
export function playFork(
  recording: Recording,
  row: number,
  act: Act,
): { simulator: Simulator; skipped: string[] } {
  const { journal } = recording;
  const { simulator, nextEntry } = recording.at(recording.rows[row]?.step ?? 0);
  answerAsRecorded(simulator, recording);
  const skipped: string[] = [];
  simulator.command(act.command, act.args as CommandInput<CommandName>);
  for (const { atMs, command, args } of journal.entries.slice(nextEntry)) {
    if (command === ANSWER_ENTRY) continue;
    simulator.advanceTo(Math.max(atMs, simulator.timestamp));
    try {
      simulator.command(command as CommandName, args as CommandInput<CommandName>);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
      skipped.push(`${(atMs - recording.shape.startMs) / 1000} s: ${command}: ${error.message}`);
    }
  }
  simulator.advanceTo(Math.max(journal.end.atMs, simulator.timestamp));
  return { simulator, skipped };
}

/** Lets endpoints that were functions answer as recorded: each URL in the order of its answers. */
function answerAsRecorded({ network }: Simulator, { journal, simulator }: Recording): void {
  const urls = new Map(simulator.network.requests.map(({ id, to }) => [id, to]));
  const answers = new Map<string, JournalDocument["entries"][number]["args"][]>();
  for (const { command, args } of journal.entries) {
    if (command !== ANSWER_ENTRY || "pending" in (args as object)) continue;
    const url = urls.get((args as { request: string }).request);
    if (url !== undefined) answers.set(url, [...(answers.get(url) ?? []), args]);
  }
  for (const [url, [first]] of answers) {
    const { request: _, ...answer } = first as { request: string };
    network.route(url, () => answer as HandlerResult);
  }
}
