import type { Deviation } from "../../engine/choices.ts";
import {
  CommandError,
  type CommandInput,
  type CommandName,
  InputError,
  type JournalDocument,
  replay,
  type Simulator,
} from "../../index.ts";
import { ANSWER_ENTRY } from "../../network/network.ts";
import { beginningOf } from "../../options.ts";
import { resume } from "../../replaying.ts";
import type { Act } from "./acts.ts";
import { answerAsRecorded } from "./recorded-answers.ts";
import { Recording } from "./recording.ts";

type JournalEntry = JournalDocument["entries"][number];

/** A run that left a recorded one, and the commands that it did not allow. */
interface Forked {
  readonly simulator: Simulator;
  readonly skipped: string[];
}

/** Makes a run that leaves a recorded one after a row, where something else is done. */
export function forkOf(recording: Recording, row: number, act: Act): Recording {
  const { simulator, skipped } = playFork(recording, row, act);
  return Recording.of(simulator.journal(), { title: act.label, skipped });
}

/**
 * Plays the rest of a run after something else was done. Commands and answers still come at their instants. Those
 * that the state no longer allows are skipped and listed.
 */
export function playFork(recording: Recording, row: number, act: Act): Forked {
  const { simulator, nextEntry } = recording.at(recording.rows[row]?.step ?? 0);
  const before = () => simulator.command(act.command, act.args as CommandInput<CommandName>);
  return playOn(recording, simulator, recording.journal.entries.slice(nextEntry), before);
}

/** What may become of a request to a webhook. */
export type RequestFate = "lost" | "unanswered" | "duplicated";

/** A request to a webhook, as a row shows it. */
export interface ToWebhook {
  readonly delivery: string;
  readonly attempt: number;
}

/**
 * Makes a run in which one request of a recorded one is lost, its answer is lost, or it comes twice. What happened to
 * it in the recorded run does not happen.
 * @throws {InputError} if that cannot happen to this request
 */
export function deviatingRun(recording: Recording, request: ToWebhook, is: RequestFate): Recording {
  const { journal, rows, simulator: recorded } = recording;
  const delivery = recorded.webhooks.delivery(request.delivery);
  const attempt = delivery.attempts[request.attempt - 1];
  const row = rows.find((each) => isAttempt(each, request));
  if (attempt === undefined || row === undefined)
    throw new InputError(["attempt"], `the delivery has no attempt ${request.attempt}`);
  const place: Omit<Deviation, "is"> = {
    ...{ what: "attempt", at: attempt.startedTimestamp - recorded.startTimestamp },
    ...{ of: delivery.event.type, webhook: delivery.webhookId, number: request.attempt },
  };
  const entries = journal.entries.filter((entry) => !isDeviationAt(entry, place));
  // a command is a step too
  const steps = row.step - 1 - (journal.entries.length - entries.length);
  const simulator = replay({ ...journal, entries: [], end: beginningOf(journal) });
  let from = 0;
  const resuming = resume(simulator.inside, { ...journal, entries });
  for (let step = 0; step < steps; step++) {
    const next = resuming.next();
    if (next.done === true) break;
    from = next.value;
  }
  const planned = () => simulator.command("deviate", { ...place, is } as CommandInput<"deviate">);
  const { skipped } = playOn(recording, simulator, entries.slice(from), planned);
  if (recorded.pending().length === 0) simulator.runUntilIdle();
  const isUnmet = simulator.inside.engine.choices.unmet.some(
    ({ of, is: each }) => of === place.of && each === is,
  );
  if (isUnmet)
    throw new InputError(["attempt"], `this request cannot be ${is}: it is not sent at this instant`);
  return Recording.of(simulator.journal(), { title: place.of, skipped });
}

function isAttempt({ kind, deliveries, first }: Recording["rows"][number], request: ToWebhook): boolean {
  const isOwn = kind === "retry" || (kind === "event" && first === undefined);
  return (
    isOwn && deliveries.some(({ id, attempt }) => id === request.delivery && attempt === request.attempt)
  );
}

function isDeviationAt({ command, args }: JournalEntry, place: Omit<Deviation, "is">): boolean {
  if (command !== "deviate") return false;
  const { what, at, of, number = 1, webhook = place.webhook } = args as Partial<Deviation>;
  return (
    what === place.what &&
    at === place.at &&
    of === place.of &&
    number === place.number &&
    webhook === place.webhook
  );
}

/** Plays the rest of a recorded run on another, in which something else happens. */
function playOn(
  recording: Recording,
  simulator: Simulator,
  entries: readonly JournalEntry[],
  begin: () => unknown,
): Forked {
  const { journal, shape } = recording;
  const skipped: string[] = [];
  const refused = ({ atMs, command }: JournalEntry, error: Error) =>
    skipped.push(`${(atMs - shape.startMs) / 1000} s: ${command}: ${error.message}`);
  const given = answerAsRecorded(simulator, recording, refused);
  begin();
  for (const entry of entries) {
    const { atMs, command, args } = entry;
    if (command === ANSWER_ENTRY || given.has(entry)) continue;
    simulator.advanceTo(Math.max(atMs, simulator.timestamp));
    try {
      simulator.command(command as CommandName, args as CommandInput<CommandName>);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
      refused(entry, error);
    }
  }
  simulator.advanceTo(Math.max(journal.end.atMs, simulator.timestamp));
  return { simulator, skipped };
}
