import type { JournalEnd, JournalEntry } from "../engine/journal.ts";
import { CommandError, InputError, type Keys } from "../foundation/errors.ts";
import { iso } from "../foundation/instants.ts";
import { DEPENDENCY_ENTRY, replayCalled } from "../network/dependencies/called.ts";
import { ANSWER_ENTRY } from "../network/network.ts";
import type { CommandInput, CommandName } from "../platform/base/core-services.ts";
import { commands } from "../platform/catalogue/commands.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { replayMove, URLS_ENTRY } from "../platform/move.ts";
import { expectAnswer } from "../platform/network/journal-answers.ts";
import { LEFT_OUT_ENTRY, leftOutBy } from "../platform/webhooks/left-out.ts";
import type { JournalDocument } from "./options.ts";

/** The command of a journal entry for a skipped step. */
export const SKIPPED_ENTRY = "scenario.skipped";

/** Journal entries that are no commands. */
const internal: ReadonlySet<string> = new Set([ANSWER_ENTRY, URLS_ENTRY, SKIPPED_ENTRY, DEPENDENCY_ENTRY]);

/**
 * Plays the rest of a journal step by step. After each step, where the run may be forked, yields the index of the next
 * entry, from which a fork can resume.
 * @param from the index of the first entry to play
 * @throws {InputError} if the run does not reach an entry's position, or its command is refused
 */
export function* resume(services: Services, journal: JournalDocument, from = 0): Generator<number, void> {
  const { engine } = services;
  foresee(services, journal.entries);
  for (const [index, entry] of journal.entries.entries()) {
    if (index < from || entry.command === LEFT_OUT_ENTRY) continue;
    while (engine.loop.replayStep(entry.step)) yield index;
    replayEntry(services, entry, index);
    if (entry.command !== ANSWER_ENTRY) yield index + 1;
  }
  while (engine.loop.replayStep(journal.end.step)) yield journal.entries.length;
  replayTo(services, journal.end, ["journal", "end"]);
}

/** Plays a whole journal to its end. @throws {InputError} as `resume` */
export function replayAll(services: Services, { entries, end }: JournalDocument): void {
  replayEntries(services, entries);
  replayTo(services, end, ["journal", "end"]);
}

/** Plays entries of a journal, up to the position of the last. @throws {InputError} as `resume` */
export function replayEntries(services: Services, entries: readonly JournalEntry[]): void {
  foresee(services, entries);
  for (const [index, entry] of entries.entries()) replayEntry(services, entry, index);
}

/** Records in the journal that a scenario's step was skipped, since the state did not allow it. */
export function recordSkippedStep({ engine }: Services, command: string, why: string): void {
  engine.record(SKIPPED_ENTRY, { command, why });
  engine.tracer?.command(SKIPPED_ENTRY, { command, why });
}

/** Reads which events the dialect left out. A journal says so behind the step that made the event. */
function foresee({ settings }: Services, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    const left = leftOutBy(entry);
    if (left !== undefined) settings.leftOut.add(left);
  }
}

function replayEntry(services: Services, { atMs, step, command, args }: JournalEntry, index: number): void {
  if (command === LEFT_OUT_ENTRY) return;
  const keys = ["journal", "entries", index];
  if (!internal.has(command) && !isCommand(command))
    throw new InputError(
      [...keys, "command"],
      `no command is named "${command}"; was the journal written by a later version?`,
    );
  replayTo(services, { atMs, step }, keys);
  if (command === ANSWER_ENTRY) expectAnswer(services.network, args, [...keys, "args"]);
  else if (command === URLS_ENTRY) replayMove(services, args, [...keys, "args"]);
  else if (command === DEPENDENCY_ENTRY) replayCalled(services.engine, args, [...keys, "args"]);
  else if (command === SKIPPED_ENTRY) services.engine.tracer?.command(SKIPPED_ENTRY, args);
  else if (isCommand(command)) replayCommand(services, command, args, keys);
}

function replayCommand(services: Services, command: CommandName, args: unknown, keys: Keys): void {
  try {
    services.command(command, args as CommandInput<CommandName>);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new InputError(keys, error.message);
  }
}

function isCommand(command: string): command is CommandName {
  return Object.hasOwn(commands, command);
}

function replayTo({ engine }: Services, { atMs, step }: JournalEnd, keys: Keys): void {
  if (engine.loop.replayTo({ atMs, step })) return;
  throw new InputError(
    keys,
    `the run does not reach ${iso(atMs)} after ${step} timers: replay the unchanged journal with the version that wrote it`,
  );
}
