import { readStored, writeStored } from "./stored.ts";

/** What was tried in a lesson. The browser remembers it, so a reload or another day goes on where the reader was. */
export interface Tries {
  /** For each question, the places of the choices that were tried, in order. */
  readonly answers: readonly (readonly number[])[];
  /** How many wrong orders of cards were marked. */
  readonly wrong: number;
  /** The places in the deck of the cards of the last order that was marked. */
  readonly guess: readonly number[];
  /** For each of these cards, the place of its time. */
  readonly moments: readonly number[];
}

const KEY = "ringback:tries";
const NONE: Tries = { answers: [], wrong: 0, guess: [], moments: [] };

export function triesOf(lesson: string): Tries {
  const known = all()[lesson];
  if (!isRecord(known)) return NONE;
  return {
    answers: Array.isArray(known.answers) ? known.answers.map(numbers) : [],
    wrong: typeof known.wrong === "number" ? known.wrong : 0,
    guess: numbers(known.guess),
    moments: numbers(known.moments),
  };
}

export function keepTries(lesson: string, change: Partial<Tries>): void {
  writeStored(KEY, { ...all(), [lesson]: { ...triesOf(lesson), ...change } });
}

export const hasTries = (): boolean => Object.keys(all()).length > 0;

export function forgetTries(): void {
  writeStored(KEY, {});
}

function all(): Readonly<Record<string, unknown>> {
  const known = readStored(KEY);
  return isRecord(known) ? known : {};
}

const numbers = (list: unknown): number[] =>
  Array.isArray(list) ? list.filter((each) => Number.isInteger(each)) : [];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
