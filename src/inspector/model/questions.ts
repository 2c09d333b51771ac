import type { Scenario } from "../../index.ts";
import { fileQuestions } from "./file-questions.ts";
import type { Question, Questions } from "./question.ts";
import { laneNames, listedWithAnd, reasonText, revealsNext, situationText } from "./question-words.ts";
import type { Recording } from "./recording.ts";
import type { PageRow } from "./types.ts";

/** The maximum number of questions in a lesson. */
const MAX_QUESTIONS = 8;

/**
 * The questions about a run: those of its scenario file, or, where it has none, questions made of the run, in order: who rings
 * next, which event follows.
 */
export function makeQuestions(recording: Recording, scenario?: Scenario): Questions {
  if (scenario !== undefined && scenario.questions.length > 0) return fileQuestions(recording, scenario);
  const run = toAskAbout(recording);
  const asked = recording.rows.flatMap((row) => askAbout(run, row) ?? []);
  return {
    list: spread(asked).map((each) => makeQuestion(recording, each)),
    lanes: recording.recorder.lanes.listWith([...run.silentNames.keys()]),
    left: 0,
  };
}

/** What the questions about a run have in common. */
interface Run {
  readonly recording: Recording;
  readonly rings: readonly PageRow[];
  /** Who rings, for each row of `rings`, without repetitions: `Bob and Carol`. */
  readonly ringTexts: readonly string[];
  readonly eventTypes: readonly string[];
  /** Users and devices that never ring. */
  readonly neverRinging: readonly string[];
  /** The names of those of them who occur in a choice. */
  readonly silentNames: Map<string, string>;
}

function toAskAbout(recording: Recording): Run {
  const { rows, simulator } = recording;
  const rings = rows.filter(({ kind }) => kind === "ring");
  const ringing = new Set(rings.flatMap(({ targets }) => targets));
  return {
    recording,
    rings,
    ringTexts: distinct(rings.map((row) => ringText(recording, row))),
    eventTypes: distinct(rows.filter(({ kind }) => kind === "event").map(({ subject }) => subject)),
    neverRinging: simulator.directory
      .list()
      .filter((entry) => "endpoints" in entry || "sipAddress" in entry)
      .flatMap(({ id }) => (ringing.has(id) ? [] : [id])),
    silentNames: new Map(),
  };
}

/** At most a few questions, over the whole run, with the first and the last. */
function spread(all: readonly Asked[]): readonly Asked[] {
  if (all.length <= MAX_QUESTIONS) return all;
  return Array.from(
    { length: MAX_QUESTIONS },
    (_, index) => all[Math.round((index * (all.length - 1)) / (MAX_QUESTIONS - 1))],
  ).filter((each) => each !== undefined);
}

/** A question before it is put in words. */
interface Asked {
  readonly row: PageRow;
  /** What led to the row. */
  readonly cause: PageRow;
  readonly ask: string;
  readonly choices: readonly string[];
  readonly right: string;
}

function askAbout(run: Run, row: PageRow): Asked | undefined {
  const { rows } = run.recording;
  const before = rows[row.index - 1];
  const cause = findCause(rows, row);
  if (before === undefined || cause === undefined) return undefined;
  if (row.kind === "ring") return askWhoRings(run, row, cause);
  if (row.kind === "voicemail" && row.verb.startsWith("hears the greeting"))
    return askAboutVoicemail(row, cause);
  const isDelivered = before.deliveries.some(({ id }) => row.deliveries.some((each) => each.id === id));
  // of several events at one instant, ask only for the first
  const isFirst = before.kind !== "event" || before.atMs !== row.atMs;
  return row.kind === "event" && isFirst && !isDelivered ? askWhichEvent(run, row, cause) : undefined;
}

const effects: readonly string[] = ["event", "ring", "retry", "lost", "failed", "cards"];

/** The last thing that somebody did, or that the clock did, before a row. */
function findCause(rows: readonly PageRow[], { index, atMs }: PageRow): PageRow | undefined {
  let at = index - 1;
  while (effects.includes(rows[at]?.kind ?? "")) at--;
  const cause = rows[at];
  return cause?.atMs === atMs ? cause : undefined;
}

function askWhoRings(run: Run, row: PageRow, cause: PageRow): Asked | undefined {
  const { recording, rings } = run;
  const present = rings.findLast(({ index, record }) => index < row.index && record === row.record);
  const ringing = present === undefined ? "" : ringText(recording, present);
  const next = ringText(recording, row);
  const right = next === ringing ? `${next} again` : next;
  const others = [
    ...(present === undefined || next === ringing
      ? []
      : [`${ringing} ${present.targets.length === 1 ? "rings" : "ring"} on`]),
    ...(present === undefined ? [] : ["Nobody: voicemail answers"]),
    ...run.ringTexts.filter((names) => names !== ringing && names !== next),
  ];
  // people who do not ring, until there are enough to choose from
  for (const id of run.neverRinging) {
    if (distinct([right, ...others]).length >= 4) break;
    others.push(nameOfSilent(run, id));
  }
  const choices = pick(others, right);
  if (choices.length < 2) return undefined;
  return { row, cause, ask: present === undefined ? "Who rings first?" : "Who rings next?", choices, right };
}

/** Who rings: `Bob and Carol`. */
const ringText = (recording: Recording, { targets }: PageRow): string =>
  listedWithAnd(laneNames(recording, targets));

/** The name of someone who never rings, as the head of their lane would have it. */
function nameOfSilent({ recording, silentNames }: Run, id: string): string {
  const known = silentNames.get(id);
  if (known !== undefined) return known;
  const lane = recording.recorder.lanes.listWith([id]).find((each) => each.id === id);
  const name = lane?.short ?? id;
  silentNames.set(id, name);
  return name;
}

function askWhichEvent({ recording, eventTypes }: Run, row: PageRow, cause: PageRow): Asked {
  const { rows } = recording;
  const conversation = ["message.created", "inactive", "closed", "contact_assigned"];
  const usual = row.subject.startsWith("conversation.")
    ? conversation.map((name) => `conversation.${name}`)
    : ["call.ended", "call.answered", "call.not_answered", "call.hungup", "user.availability.updated"];
  const next = rows[row.index + 1];
  const isFirst =
    rows.find(({ kind }) => kind === "event") === row || (next?.kind === "event" && next.atMs === row.atMs);
  const choices = pick([...eventTypes, ...usual], row.subject);
  return {
    row,
    cause,
    ask: isFirst ? "Which event is sent first?" : "Which event is sent?",
    choices,
    right: row.subject,
  };
}

function askAboutVoicemail(row: PageRow, cause: PageRow): Asked {
  const right = `${row.subject} ${row.verb}`;
  const others = ["The call ends", "The phones ring once more", `${row.subject} hears a busy tone`];
  return { row, cause, ask: `What happens to ${row.subject}?`, choices: pick(others, right), right };
}

function makeQuestion(recording: Recording, { row, cause, ask, choices, right }: Asked): Question {
  const before = row.index - 1;
  return {
    // a row that names what comes next is covered too
    row: revealsNext(cause) && cause.index === before ? before - 1 : before,
    answerRow: row.index,
    atMs: row.atMs,
    text: `${situationText(recording, cause)} ${ask}`,
    choices,
    right: choices.indexOf(right),
    because: reasonText(recording, row),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Picks up to four choices, the right one among them, in an order that gives nothing away. */
function pick(others: readonly string[], right: string): string[] {
  const wrong = distinct(others).filter((each) => each !== right);
  return [right, ...wrong.slice(0, 3)].sort((a, b) => hash(a + right) - hash(b + right));
}

function hash(text: string): number {
  let value = 7;
  for (const sign of text) value = (value * 31 + sign.charCodeAt(0)) % 9973;
  return value;
}
