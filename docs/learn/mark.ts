/**
 * Marks a prediction. Pages do this in the browser, so this file imports nothing. Cards are numbers: places in the table
 * of a lesson's cards. Cards that say the same have the same number.
 */

/** A run near the lesson's, in which something else comes. */
export interface NearRun {
  /** How it differs, to follow "Your guess would be right" or "would come": `if Bob answered at 0:15`. */
  readonly words: string;
  /** Its cards, in order. */
  readonly cards: readonly number[];
  /** For each card its instant, where cards of one instant may be in any order. */
  readonly instants?: readonly number[];
}

/** What a prediction is compared with. */
export interface MarkedRun {
  /** The cards that come before the question, which the page shows. */
  readonly given: number;
  /** All cards of the run, in order. */
  readonly cards: readonly number[];
  /** For each card its instant, where cards of one instant may be in any order. */
  readonly instants?: readonly number[];
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
  /** The place of the nearest run in which the whole guess is right. */
  readonly nearRun: number | undefined;
  /** Where there is no such run: the one that begins like the guess for longest, if beyond the difference. */
  readonly alikeRun: AlikeRun | undefined;
}

/** A run that begins like a guess. */
export interface AlikeRun {
  /** Its place among the near runs. */
  readonly run: number;
  /** How many cards of the guess come in it, from the first that is asked for. More than in the lesson's run. */
  readonly cards: number;
  /** The card that comes next in it; undefined if nothing more comes. */
  readonly next: number | undefined;
}

/** Finds where a prediction first differs from the run. @returns undefined if it is right */
export function markPrediction(run: MarkedRun, guess: readonly number[]): FirstDifference | undefined {
  const { given, asked, instants } = run;
  const isWhole = given + asked === run.cards.length;
  const { at, cards } = likeGuess(run.cards.slice(given), guess, instants?.slice(given));
  // of a long run only a part is asked for, so what follows that part is not wrong
  if (at >= asked && (at === guess.length || !isWhole)) return undefined;
  const guessed = guess[at];
  const later = guessed === undefined ? -1 : cards.indexOf(guessed, at);
  return {
    at,
    guessed,
    right: at < asked ? cards[at] : undefined,
    comesAt: later < 0 ? undefined : later,
    ...runsOfGuess(run, guess, at),
  };
}

/** The first of the near runs in which the guess is right, or else the one that begins like it for longest. */
function runsOfGuess(
  { given, cards, asked, nearRuns }: MarkedRun,
  guess: readonly number[],
  at: number,
): Pick<FirstDifference, "nearRun" | "alikeRun"> {
  const whole = [...cards.slice(0, given), ...guess];
  const asksWhole = given + asked === cards.length;
  let alike: AlikeRun | undefined;
  for (const [run, near] of nearRuns.entries()) {
    const { at: same, cards: ordered } = likeGuess(near.cards, whole, near.instants);
    if (same === whole.length && (!asksWhole || near.cards.length === same))
      return { nearRun: run, alikeRun: undefined };
    if (same - given > Math.max(at, alike?.cards ?? 0))
      alike = { run, cards: same - given, next: ordered[same] };
  }
  return { nearRun: undefined, alikeRun: alike };
}

/**
 * How many cards a run begins with as a guess does, and the run's cards in the order of the guess as far as it may be:
 * those of one instant may be in any order.
 */
function likeGuess(cards: readonly number[], guess: readonly number[], instants?: readonly number[]) {
  const ordered = [...cards];
  for (const [at, card] of guess.entries()) {
    const found = ordered.findIndex(
      (each, place) =>
        each === card &&
        (place === at || (place > at && instants !== undefined && instants[place] === instants[at])),
    );
    if (found < 0 || at >= ordered.length) return { at, cards: ordered };
    ordered.splice(at, 0, ...ordered.splice(found, 1));
  }
  return { at: guess.length, cards: ordered };
}
