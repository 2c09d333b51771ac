import type { Deviation } from "../../core/engine/deviations.ts";
import {
  DEPENDENCY_ENTRY,
  type DependencyCalled,
  replayCalled,
} from "../../core/network/dependencies/called.ts";
import { ANSWER_ENTRY } from "../../core/network/network.ts";
import type { RestServedArguments } from "../../core/platform/rest-traffic/schemas.ts";
import { LEFT_OUT_ENTRY } from "../../core/platform/webhooks/left-out.ts";
import { journalStart } from "../../core/simulator/options.ts";
import { resume } from "../../core/simulator/replay.ts";
import {
  CommandError,
  type CommandInput,
  type CommandName,
  InputError,
  type JournalDocument,
  replay,
  type Simulator,
} from "../../index.ts";
import type { OfferedAct } from "./acts.ts";
import {
  type ForkableRequest,
  findRequest,
  type RequestDeviation,
  requestPoint,
  restRefusal,
} from "./forkable-requests.ts";
import { answerAsRecorded } from "./recorded-answers.ts";
import { Recording } from "./recording.ts";
import { groupRestEntries } from "./rest-entries.ts";

type JournalEntry = JournalDocument["entries"][number];

/** The parts of a recording that a fork needs. */
type PlayedRecording = Pick<Recording, "journal" | "summary" | "simulator">;

/** A fork, and the recorded commands that its state refused. */
interface Fork {
  readonly simulator: Simulator;
  readonly skipped: string[];
}

/** Forks a recorded run after a row, where `act` is done instead. */
export function forkAt(recording: Recording, row: number, act: OfferedAct): Recording {
  const { simulator, skipped } = playFork(recording, row, act);
  return Recording.from(simulator.journal(), { title: act.label, skipped });
}

/**
 * Plays the rest of a run after `act`. Recorded commands and answers keep their instants; commands that the fork's
 * state refuses are skipped and listed.
 */
export function playFork(recording: Recording, row: number, act: OfferedAct): Fork {
  const { simulator, nextEntry } = recording.at(recording.rows[row]?.step ?? 0);
  const before = () => simulator.command(act.command, act.args as CommandInput<CommandName>);
  return playOn(recording, simulator, recording.journal.entries.slice(nextEntry), before);
}

/**
 * Forks a recorded run with another deviation of one request: lost, answer lost or duplicated. It replaces the
 * deviation that the request had in the recording.
 * @throws {InputError} if that cannot happen to this request
 */
export function forkWithDeviation(
  recording: Recording,
  request: ForkableRequest,
  is: RequestDeviation,
): Recording {
  if ("restRow" in request) return deviateRest(recording, request.restRow, is);
  const { journal, simulator: recorded } = recording;
  const sent = findRequest(recorded, request);
  const point = requestPoint(recorded, sent);
  const entries = journal.entries.filter((entry) => !isDeviationAt(entry, point));
  const removed = journal.entries.length - entries.length;
  const steps = recording.stepsUntil((run) => run.services.network.request(sent.id) !== undefined) - removed;
  const start = replayStart(journal);
  start.command("deviate", { ...point, is } as CommandInput<"deviate">);
  const played = playFrom({ ...recording, journal: { ...journal, entries } }, start, (made) => made >= steps);
  const { unmet } = played.simulator.services.engine.deviations;
  if (unmet.some(({ of, is: each }) => of === point.of && each === is))
    throw new InputError(["request"], `this request cannot be ${is}: it is not sent at this instant`);
  return Recording.from(played.simulator.journal(), { title: point.of, skipped: played.skipped });
}

/** Forks a recorded run in which a request to the REST API is lost, so that it has no effect, or is duplicated. */
function deviateRest(recording: Recording, row: number, is: RequestDeviation): Recording {
  const { journal } = recording;
  const group = restEntriesAt(recording, row);
  const [first, last] = [group[0], group.at(-1)] as [JournalEntry, JournalEntry];
  const { method, path, during } = last.args as RestServedArguments;
  const why = restRefusal(group.length === 1, is);
  if (why !== undefined) throw new InputError(["request"], `${method} ${path}: ${why}`);
  const entries =
    is === "lost"
      ? journal.entries.filter((entry) => !group.includes(entry))
      : journal.entries.flatMap((entry) => (entry === last ? [entry, ...group] : [entry]));
  const firstIndex = journal.entries.indexOf(first);
  // a handler repeats its REST requests when its own request is repeated
  const steps =
    during === undefined
      ? Number.POSITIVE_INFINITY
      : recording.stepsUntil((run) => run.services.network.request(during) !== undefined);
  const changed = { ...recording, journal: { ...journal, entries } };
  const isThere = (made: number, next: number) => made >= steps || next >= firstIndex;
  const { simulator, skipped } = playFrom(changed, replayStart(journal), isThere);
  return Recording.from(simulator.journal(), { title: `${method} ${path}`, skipped });
}

/** The deviation point of a request. @throws {InputError} if the run has no such request */
export function deviationPointIn(recording: Recording, request: ForkableRequest): Omit<Deviation, "is"> {
  const { simulator, journal } = recording;
  if (!("restRow" in request)) return requestPoint(simulator, findRequest(simulator, request));
  const nameOf = ({ args }: JournalEntry) => {
    const { method, path } = args as RestServedArguments;
    return `${method} ${path.replace(/\?.*/, "")}`;
  };
  const own = restEntriesAt(recording, request.restRow).at(-1) as JournalEntry;
  const alike = journal.entries.filter(
    (entry) => entry.command === "restServed" && entry.atMs === own.atMs && nameOf(entry) === nameOf(own),
  );
  const at = own.atMs - simulator.startTimestamp;
  return { what: "rest", at, of: nameOf(own), nth: alike.indexOf(own) + 1 };
}

/** The entries of the request to the REST API whose answer a row shows. */
function restEntriesAt({ rows, journal }: Recording, row: number): readonly JournalEntry[] {
  const isAnswer = (name: string | undefined) => name === "restServed";
  if (!isAnswer(rows[row]?.command?.name))
    throw new InputError(["request"], `expected the row of an answer of the REST API, got row ${row}`);
  const nth = rows.slice(0, row).filter(({ command }) => isAnswer(command?.name)).length;
  const group = groupRestEntries(journal.entries)[nth];
  if (group === undefined) throw new Error(`the journal has no request ${nth} to the REST API`);
  return group;
}

function replayStart(journal: JournalDocument): Simulator {
  return replay({ ...journal, entries: [], end: journalStart(journal) });
}

/**
 * Replays a run up to a point, and plays on with the recorded commands and answers.
 * @param isThere whether the point is reached, after `steps` and before `nextEntry`
 */
function playFrom(
  recording: PlayedRecording,
  simulator: Simulator,
  isThere: (steps: number, nextEntry: number) => boolean,
): Fork {
  const { journal, simulator: recorded } = recording;
  let [steps, next] = [0, 0];
  const resuming = resume(simulator.services, journal);
  while (!isThere(steps, next)) {
    const made = resuming.next();
    if (made.done === true) break;
    next = made.value;
    steps++;
  }
  const played = playOn(recording, simulator, journal.entries.slice(next), () => undefined);
  if (recorded.pending().length === 0) simulator.runUntilIdle();
  return played;
}

function isDeviationAt({ command, args }: JournalEntry, point: Omit<Deviation, "is">): boolean {
  if (command !== "deviate") return false;
  const {
    what,
    at,
    of,
    number = point.number,
    nth = 1,
    webhook = point.webhook,
  } = args as Partial<Deviation>;
  return (
    what === point.what &&
    at === point.at &&
    of === point.of &&
    number === point.number &&
    nth === point.nth &&
    webhook === point.webhook
  );
}

/** Plays the recorded entries on a fork, after `begin` has changed it. */
function playOn(
  recording: PlayedRecording,
  simulator: Simulator,
  entries: readonly JournalEntry[],
  begin: () => unknown,
): Fork {
  const { journal, summary } = recording;
  const skipped: string[] = [];
  const refused = ({ atMs, command }: JournalEntry, error: Error) =>
    skipped.push(`${(atMs - summary.startMs) / 1000} s: ${command}: ${error.message}`);
  const given = answerAsRecorded(simulator, recording, refused);
  begin();
  for (const entry of entries) {
    const { atMs, command, args } = entry;
    if (command === ANSWER_ENTRY || command === LEFT_OUT_ENTRY || given.has(entry)) continue;
    simulator.advanceTo(Math.max(atMs, simulator.timestamp));
    if (command === DEPENDENCY_ENTRY) {
      const { during } = args as DependencyCalled;
      // the app called while it handled a request that is not sent here
      if (during !== undefined && simulator.services.network.request(during) === undefined) continue;
      replayCalled(simulator.services.engine, args, []);
      continue;
    }
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

/** Whether a deviation keeps a host from taking a request: refuses one of its own, or all of them in an outage. */
function isDownBy(
  { webhooks, network, startTimestamp }: Simulator,
  { what, is, at, of, webhook }: Deviation,
  isAt: (url: unknown) => boolean,
): boolean {
  if (what !== "attempt" && what !== "request" && what !== "overlap") return false;
  // an outage refuses the requests to every host
  if (is === "outage") return true;
  if (is !== "refused") return false;
  if (webhook !== undefined) return isAt(webhooks.list().find(({ id }) => id === webhook)?.url);
  return network.requests.some(
    ({ why, startedTimestamp, to }) => why === of && startedTimestamp - startTimestamp === at && isAt(to),
  );
}

/**
 * Plays a whole run again with a host up: without the faults of its URLs, and where the app answered with an error in an outage,
 * it answers 200.
 * @param isDown whether an instant is in an outage, ms from the start of the run
 */
export function playUp(recording: PlayedRecording, host: string, isDown: (atMs: number) => boolean): Fork {
  const { journal, simulator: recorded } = recording;
  const sent = new Map(
    recorded.network.requests
      .filter(({ startedTimestamp }) => isDown(startedTimestamp - recorded.startTimestamp))
      .map(({ id, to }) => [id, to]),
  );
  const isAt = (url: unknown) => typeof url === "string" && URL.canParse(url) && new URL(url).host === host;
  const entries = journal.entries.flatMap((entry): JournalEntry[] => {
    const { command, args } = entry as { command: string; args: Readonly<Record<string, unknown>> };
    if (command === "fault" && isAt(args.url)) return [];
    if (command === "deviate" && isDownBy(recorded, entry.args as Deviation, isAt)) return [];
    const isError = args.failure !== undefined || Number(args.status ?? 0) >= 300;
    if (command !== ANSWER_ENTRY || !isError || !isAt(sent.get(String(args.request)))) return [entry];
    return [{ ...entry, args: { request: args.request, status: 200 } }];
  });
  return playFrom({ ...recording, journal: { ...journal, entries } }, replayStart(journal), () => true);
}
