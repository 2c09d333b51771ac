/**
 * Marks a prediction. Pages do this in the browser, so this file imports nothing. Cards are numbers: places in the table
 * of a lesson's cards. Cards that say the same have the same number.
 */

/** A run near the lesson's, in which something else comes. */
export interface NearRun {
  /** How it differs, to follow "Your guess would be right": `if Bob answered at 0:15`. */
  readonly words: string;
  /** Its cards, in order. */
  readonly cards: readonly number[];
}

/** What a prediction is compared with. */
export interface MarkedRun {
  /** The cards that come before the question, which the page shows. */
  readonly given: number;
  /** All cards of the run, in order. */
  readonly cards: readonly number[];
  /** How many are asked for after those given. Fewer than are left if the run is long. */
  readonly asked: number;
  readonly nearRuns: readonly NearRun[];
}

/** The first place at which a prediction differs. */
export interface FirstDifference {
  /** Counted from the first card that is asked for, from 0. */
  readonly at: number;
  /** The card that was guessed; undefined if the prediction ends there. */
  readonly guessed: number | undefined;
  /** The card of the run; undefined if the run ends there. */
  readonly right: number | undefined;
  /** Where the guessed card comes later in the run, counted like `at`. */
  readonly comesAt: number | undefined;
  /** The place of the nearest run in which the guess would be right. */
  readonly nearRun: number | undefined;
}

/** Finds where a prediction first differs from the run. @returns undefined if it is right */
export function markPrediction(run: MarkedRun, guess: readonly number[]): FirstDifference | undefined {
  const { given, asked } = run;
  const isWhole = given + asked === run.cards.length;
  const right = run.cards.slice(given, given + asked);
  const at = sameLength(right, guess);
  // of a long run only a part is asked for, so what follows that part is not wrong
  if (at === asked && (at === guess.length || !isWhole)) return undefined;
  const guessed = guess[at];
  const later = guessed === undefined ? -1 : run.cards.indexOf(guessed, given + at);
  return {
    at,
    guessed,
    right: right[at],
    comesAt: later < 0 ? undefined : later - given,
    nearRun: nearestRun(run, guess, at),
  };
}

/** The first of the near runs that agree with the guess at the first difference, and for longest after it. */
function nearestRun({ given, cards, nearRuns }: MarkedRun, guess: readonly number[], at: number) {
  const whole = [...cards.slice(0, given), ...guess];
  const place = given + at;
  let best: number | undefined;
  let longest = place;
  for (const [index, near] of nearRuns.entries()) {
    const same = sameLength(near.cards, whole);
    const ends = same === whole.length && near.cards.length === whole.length ? same + 1 : same;
    if (ends > longest) [best, longest] = [index, ends];
  }
  return best;
}

/** How many cards two lists begin with alike. */
function sameLength(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((card, place) => card !== other[place]);
  return at < 0 ? one.length : at;
}
