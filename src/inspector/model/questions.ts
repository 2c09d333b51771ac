import { laneNames, listed, reasonText, revealsNext, situationText } from "./question-words.ts";
import type { Recording } from "./recording.ts";
import type { Lane, PageRow } from "./types.ts";

/** A quiz question, asked before the run shows the answer. It stands alone: who, how long, and what is asked. */
export interface Question {
  /** The last row that is visible with the question; -1 for none. */
  readonly row: number;
  /** The row that answers it. */
  readonly answerRow: number;
  readonly text: string;
  readonly choices: readonly string[];
  /** The index of the right choice. */
  readonly right: number;
  /** Why it is right, in a sentence or two. */
  readonly because: string;
}

/** The questions about a run. */
export interface Questions {
  readonly list: readonly Question[];
  /** The lanes of the run, and of all who occur in a choice: otherwise the lanes would give the answer. */
  readonly lanes: readonly Lane[];
}

/** The maximum number of questions in a lesson. */
const MAX_QUESTIONS = 8;

/** Makes quiz questions about a run, in order: who rings next, which event follows. */
export function questionsOf(recording: Recording): Questions {
  const people = new Set<string>();
  const all = recording.rows.flatMap((row) => {
    const question = questionOf(recording, row, people);
    return question === undefined ? [] : [question];
  });
  return { list: spread(all), lanes: recording.recorder.lanes.listWith([...people]) };
}

/** At most a few questions, over the whole run, with the first and the last. */
function spread(all: readonly Question[]): readonly Question[] {
  if (all.length <= MAX_QUESTIONS) return all;
  return Array.from(
    { length: MAX_QUESTIONS },
    (_, index) => all[Math.round((index * (all.length - 1)) / (MAX_QUESTIONS - 1))],
  ).filter((each) => each !== undefined);
}

function questionOf(recording: Recording, row: PageRow, people: Set<string>): Question | undefined {
  const before = recording.rows[row.index - 1];
  const cause = causeOf(recording, row);
  if (before === undefined || cause === undefined) return undefined;
  const about = { recording, row, cause };
  if (row.kind === "ring") return ringQuestion(about, people);
  if (row.kind === "voicemail" && row.verb.startsWith("hears the greeting")) return voicemailQuestion(about);
  const isDelivered = before.deliveries.some(({ id }) => row.deliveries.some((each) => each.id === id));
  // of several events at one instant, ask only for the first
  const isFirst = before.kind !== "event" || before.atMs !== row.atMs;
  return row.kind === "event" && isFirst && !isDelivered ? eventQuestion(about) : undefined;
}

interface About {
  readonly recording: Recording;
  readonly row: PageRow;
  /** What led to the row. */
  readonly cause: PageRow;
}

/** The last thing that somebody did, or that the clock did, before a row. */
function causeOf({ rows }: Recording, { index, atMs }: PageRow): PageRow | undefined {
  const effects = ["event", "ring", "retry", "lost", "failed", "cards"];
  const cause = rows.slice(0, index).findLast(({ kind }) => !effects.includes(kind));
  return cause?.atMs === atMs ? cause : undefined;
}

function ringQuestion({ recording, row, cause }: About, people: Set<string>): Question | undefined {
  const { rows, simulator } = recording;
  const rings = rows.filter(({ kind }) => kind === "ring");
  const earlier = rings.filter(({ index, record }) => index < row.index && record === row.record);
  const present = earlier.at(-1);
  const ringing = present === undefined ? "" : ringText(recording, present);
  const next = ringText(recording, row);
  const right = next === ringing ? `${next} again` : next;
  const inDirectory = simulator.directory
    .list()
    .filter((entry) => "endpoints" in entry || "sipAddress" in entry)
    .map(({ id }) => id);
  const others = [
    ...(present === undefined || next === ringing
      ? []
      : [`${ringing} ${present.to.length === 1 ? "rings" : "ring"} on`]),
    ...(present === undefined ? [] : ["Nobody: voicemail answers"]),
    ...rings.map((each) => ringText(recording, each)).filter((names) => names !== ringing && names !== next),
  ];
  // people who do not ring, until there are enough to choose from
  for (const id of inDirectory) {
    if (distinct([right, ...others]).length >= 4) break;
    if (rings.some(({ to }) => to.includes(id))) continue;
    people.add(id);
    others.push(recording.recorder.lanes.listWith([id]).find((lane) => lane.id === id)?.short ?? id);
  }
  const choices = pick(others, right);
  if (choices.length < 2) return undefined;
  const ask = earlier.length === 0 ? "Who rings first?" : "Who rings next?";
  return makeQuestion({ recording, row, cause }, ask, choices, right);
}

/** Who rings: `Bob and Carol`. */
const ringText = (recording: Recording, { to }: PageRow): string => listed(laneNames(recording, to));

function eventQuestion(about: About): Question {
  const { recording, row } = about;
  const events = recording.rows.filter(({ kind }) => kind === "event");
  const conversation = ["message.created", "inactive", "closed", "contact_assigned"];
  const usual = row.subject.startsWith("conversation.")
    ? conversation.map((name) => `conversation.${name}`)
    : ["call.ended", "call.answered", "call.not_answered", "call.hungup", "user.availability.updated"];
  const next = recording.rows[row.index + 1];
  const isFirst = events[0] === row || (next?.kind === "event" && next.atMs === row.atMs);
  const ask = isFirst ? "Which event is sent first?" : "Which event is sent?";
  const choices = pick([...events.map(({ subject }) => subject), ...usual], row.subject);
  return makeQuestion(about, ask, choices, row.subject);
}

function voicemailQuestion(about: About): Question {
  const { row } = about;
  const right = `${row.subject} ${row.verb}`;
  const others = ["The call ends", "The phones ring once more", `${row.subject} hears a busy tone`];
  return makeQuestion(about, `What happens to ${row.subject}?`, pick(others, right), right);
}

function makeQuestion(
  { recording, row, cause }: About,
  ask: string,
  choices: readonly string[],
  right: string,
): Question {
  const before = row.index - 1;
  return {
    // a row that names what comes next is covered too
    row: revealsNext(cause) && cause.index === before ? before - 1 : before,
    answerRow: row.index,
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
