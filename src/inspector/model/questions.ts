import type { Recording } from "./recording.ts";
import { isFailure, type PageRow } from "./types.ts";

/** A quiz question, asked before the run shows the answer. */
export interface Question {
  /** The last row that is visible with the question. */
  readonly row: number;
  /** The row that answers it. */
  readonly answerRow: number;
  readonly text: string;
  /** What has just happened. */
  readonly situation: string;
  readonly choices: readonly string[];
  /** The index of the right choice. */
  readonly right: number;
  /** Why it is right. */
  readonly because: string;
}

/** The maximum number of questions in a lesson. */
const MAX_QUESTIONS = 8;

/** Makes quiz questions about a run, in order: who rings next, which event follows. */
export function questionsOf(recording: Recording): Question[] {
  const { rows } = recording;
  const all = rows.flatMap((row) => {
    const question = questionOf(recording, row);
    return question === undefined ? [] : [question];
  });
  if (all.length <= MAX_QUESTIONS) return all;
  // spread over the run, with the first and the last
  return Array.from(
    { length: MAX_QUESTIONS },
    (_, index) => all[Math.round((index * (all.length - 1)) / (MAX_QUESTIONS - 1))],
  ).filter((each) => each !== undefined);
}

function questionOf(recording: Recording, row: PageRow): Question | undefined {
  const before = recording.rows[row.index - 1];
  if (before === undefined) return undefined;
  if (row.kind === "ring") return ringQuestion(recording, row, before);
  if (row.kind === "voicemail" && row.subject === "Voicemail")
    return nextQuestion(recording, row, before, "What happens now?");
  if (
    row.kind === "event" &&
    !before.deliveries.some(({ id }) => row.deliveries.some((each) => each.id === id))
  )
    return eventQuestion(recording, row, before);
  return undefined;
}

function ringQuestion(recording: Recording, row: PageRow, before: PageRow): Question | undefined {
  const rings = distinct(recording.rows.filter(({ kind }) => kind === "ring").map(namesOf));
  const people = recording.simulator.directory
    .list()
    .filter((entry) => "endpoints" in entry || "sipAddress" in entry)
    .map(({ id }) => recording.recorder.lanes.name(id));
  const choices = pick([...rings, ...people], namesOf(row));
  if (choices.length < 2) return undefined;
  const isFirst = !recording.rows.slice(0, row.index).some(({ kind }) => kind === "ring");
  const text = isFirst ? "Who rings first?" : "Who rings next?";
  return makeQuestion(row, before, text, choices, namesOf(row), row.detail);
}

function eventQuestion(recording: Recording, row: PageRow, before: PageRow): Question | undefined {
  // of several events at one instant, ask only for the first
  if (before.kind === "event" && before.atMs === row.atMs) return undefined;
  const types = distinct(recording.rows.filter(({ kind }) => kind === "event").map(({ subject }) => subject));
  const usual = [
    "call.ended",
    "call.answered",
    "call.not_answered",
    "call.hungup",
    "user.availability.updated",
  ];
  const text = "Which event says so?";
  const choices = pick([...types, ...usual], row.subject);
  return makeQuestion(row, before, text, choices, row.subject, row.detail);
}

function nextQuestion(recording: Recording, row: PageRow, before: PageRow, text: string): Question {
  const right = `${row.subject} ${row.verb}`;
  const others = ["The call ends", "The first team rings again", "The caller hears a busy tone"];
  const choices = pick(others, right);
  return makeQuestion(row, before, text, choices, right, recording.rows[row.index]?.detail ?? "");
}

function makeQuestion(
  row: PageRow,
  before: PageRow,
  text: string,
  choices: readonly string[],
  right: string,
  because: string,
): Question {
  const situation = `${before.subject} ${before.verb}${before.detail === "" ? "" : `, ${before.detail}`}.`;
  return {
    row: before.index,
    answerRow: row.index,
    text,
    situation: situation.replace(/\s+/g, " "),
    choices,
    right: choices.indexOf(right),
    because: isFailure(row) ? `${because}; its delivery fails` : because,
  };
}

const namesOf = ({ subject }: PageRow) => subject;

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
