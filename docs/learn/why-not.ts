import { capital } from "../../src/inspector/model/question-words.ts";
import type { Recording } from "../../src/inspector/model/recording.ts";
import type { Lane } from "../../src/inspector/model/types.ts";
import type { Cause } from "../../src/inspector/model/why-answer.ts";
import { whyAnswer } from "../../src/inspector/model/why-not.ts";
import type { PlayedCard } from "./cards.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** Why a guess is wrong in a lesson's run, in the words of the inspector's *Why not?*. */
export interface WhyNot {
  /** `Why not Bob?` */
  readonly question: string;
  readonly answer: string;
}

/** A card of a run near a lesson's, and where the lesson's own run has another. */
interface Guess {
  readonly near: RecordedRun;
  readonly guessed: PlayedCard;
  /** The row of the card that comes instead; the last row if nothing more comes. */
  readonly instead: number;
}

/**
 * Says why a card does not come in a lesson's run.
 * @returns undefined if *Why not?* has no question about such a card, as about the order of events at one instant
 */
export function whyNot(lesson: Recording, guess: Guess): WhyNot | undefined {
  const { near, guessed, instead } = guess;
  const { kind, title: type, detail } = guessed.card;
  const record = near.records[near.rows[guessed.row]?.record ?? -1];
  const call = lesson.recorder.records.find(({ kind, id }) => kind === "call" && id === record?.id);
  const isOfCall = kind === "event" && type.startsWith("call.") && type !== "call.started";
  if (call === undefined || !isOfCall) return undefined;
  const ask = (question: string) => whyAnswer(lesson, instead, question).causes;
  const { has, comesAtOnce } = eventsOf(lesson, call.id, instead);
  const person = near.lanes.find((lane) => isInside(lane) && namesOf(detail).includes(lane.name));
  if (type === "call.answered" && person !== undefined && !talks(lesson, person)) {
    const rang = call.people.includes(person.id);
    const causes = ask(rang ? `answered ${call.id}` : `rings ${call.id} ${person.id}`);
    return words(person.short, rang ? causes.filter(({ title }) => title.includes(person.name)) : causes);
  }
  if (type === "call.not_answered") {
    if (has("call.answered")) return words(type, ask(`notAnswered ${call.id}`));
    const [outcome = type] = detail.split(",");
    // it ends without an answer in both runs, perhaps in another way
    if (has(type) && lesson.rows[instead]?.detail.startsWith(outcome)) return undefined;
    const ends = ask(`answered ${call.id}`).filter(
      (cause) => cause.kind === "ring" || cause.kind === "failed",
    );
    if (has(type)) return words(outcome, ends);
  }
  if (comesAtOnce(type)) return undefined;
  const state = `Call ${call.label}: `;
  const states = ask(`event ${type}`).filter(({ title }) => title.startsWith(state));
  return words(
    type,
    states.map((cause) => ({ ...cause, title: cause.title.slice(state.length) })),
  );
}

const isInside = ({ kind }: Lane) => kind === "member" || kind === "other";

/** The names that a card may hold: `by Carol Diaz`, `Lobby, call of Jane Smith`. */
const namesOf = (detail: string) => detail.split(", ").map((part) => part.replace(/^by /, ""));

const talks = ({ recorder }: Recording, { id }: Lane) =>
  recorder.bars.some(({ kind, lane }) => kind === "talk" && lane === id);

/** Which events a call has, and which come at the instant of a row. */
function eventsOf({ recorder, rows, summary }: Recording, call: string, index: number) {
  const own = recorder.events.filter(({ data }) => "call" in data && data.call.id === call);
  const at = summary.startMs + (rows[index]?.atMs ?? 0);
  return {
    has: (wanted: string) => own.some(({ type }) => type === wanted),
    comesAtOnce: (wanted: string) =>
      own.some(({ type, createdTimestamp }) => type === wanted && createdTimestamp === at),
  };
}

function words(what: string, causes: readonly Cause[]): WhyNot | undefined {
  if (causes.length === 0) return undefined;
  const answer = causes.map(({ title, text }) => `${capital(title)}. ${text}`.trim()).join(" ");
  return { question: `Why not ${what}?`, answer };
}
