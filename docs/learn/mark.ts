/**
 * Marks a prediction. Pages do this in the browser, so this file imports nothing. Cards are numbers: places in the table
 * of a lesson's cards. Cards that say the same have the same number.
 */

/** A time of the story. It lasts until the next one begins. */
export interface Moment {
  /** From the start of the run, ms. */
  readonly fromMs: number;
}

/** What a run shows. Cards of one instant may be in any order. */
interface Cards {
  /** Its cards, in order. */
  readonly cards: readonly number[];
  /** For each card its instant, ms from the start. */
  readonly instants: readonly number[];
}

/** A run near the lesson's, in which something else comes. */
export interface NearRun extends Cards {
  /** How it differs, to follow "Your guess would be right" or "would come": `if Bob answered at 0:15`. */
  readonly words: string;
}

/** What a prediction is compared with. */
export interface MarkedRun extends Cards {
  /** The cards that come before the question, which the page shows. */
  readonly given: number;
  /** How many are asked for after those given. Fewer than are left if the run is long. */
  readonly asked: number;
  /** The times into which cards are put, in order; the first begins at 0. */
  readonly moments: readonly Moment[];
  readonly nearRuns: readonly NearRun[];
}

/** A card of a prediction. */
export interface PutCard {
  readonly card: number;
  /** The place of its time among the moments. */
  readonly moment: number;
}

/** The first place at which a prediction differs. */
export interface FirstDifference {
  /** Counted from the first card that is asked for, from 0. */
  readonly at: number;
  /** The card that was guessed; undefined if the prediction ends there. */
  readonly guessed: number | undefined;
  /** The card of the run, which is the guessed one if only its time differs; undefined if the run ends there. */
  readonly right: number | undefined;
  /** The place of that card in the run. Cards of its instant that are guessed already may come after it. */
  readonly rightPlace: number | undefined;
  /** Where the guessed card comes at that place or later in the run, counted like `at`. */
  readonly comesAt: number | undefined;
  /** Whether the guessed card comes next, at another time than that at which it was put. */
  readonly isOtherTime: boolean;
  /** The place of the nearest run in which the whole guess is right. */
  readonly nearRun: number | undefined;
  /** Where there is no such run: the one that begins like the guess for longest, if beyond the difference. */
  readonly alikeRun: AlikeRun | undefined;
  /**
   * The place in either of these runs of the card that tells them from the lesson's: the guessed one where the guess
   * differs, or the one that comes where the guess ends or goes another way. Undefined if nothing more comes there.
   */
  readonly nearPlace: number | undefined;
}

/** A run that begins like a guess. */
export interface AlikeRun {
  /** Its place among the near runs. */
  readonly run: number;
  /** How many cards of the guess come in it, from the first that is asked for. More than in the lesson's run. */
  readonly cards: number;
  /** The card that comes next in it, and when, ms from the start; undefined if nothing more comes. */
  readonly next: { readonly card: number; readonly atMs: number } | undefined;
}

/** Finds where a prediction first differs from the run. @returns undefined if it is right */
export function markPrediction(run: MarkedRun, guess: readonly PutCard[]): FirstDifference | undefined {
  const { given, asked, cards } = run;
  const isWhole = given + asked === cards.length;
  const { at, left } = likeGuess(played(run).slice(given), guess, run.moments);
  // of a long run only a part is asked for, so what follows that part is not wrong
  if (at >= asked && (at === guess.length || !isWhole)) return undefined;
  const guessed = guess[at]?.card;
  const later = guessed === undefined ? -1 : left.findIndex(({ card }) => card === guessed);
  const isOtherTime = later >= 0 && left[later]?.atMs === left[0]?.atMs;
  const right = at < asked ? left[isOtherTime ? later : 0] : undefined;
  return {
    at,
    guessed,
    right: right?.card,
    rightPlace: right?.place,
    comesAt: later < 0 ? undefined : at + later,
    isOtherTime,
    ...runsOfGuess(run, guess, at),
  };
}

/** The first of the near runs in which the guess is right, or else the one that begins like it for longest. */
function runsOfGuess(
  { given, asked, moments, nearRuns, ...run }: MarkedRun,
  guess: readonly PutCard[],
  at: number,
): Pick<FirstDifference, "nearRun" | "alikeRun" | "nearPlace"> {
  const first = played(run)
    .slice(0, given)
    .map(({ card, atMs }) => ({ card, moment: momentAt(moments, atMs) }));
  const whole = [...first, ...guess];
  const asksWhole = given + asked === run.cards.length;
  let alike: AlikeRun | undefined;
  let nearPlace: number | undefined;
  for (const [place, near] of nearRuns.entries()) {
    const { at: same, left, places } = likeGuess(played(near), whole, moments);
    if (same === whole.length && (!asksWhole || left.length === 0))
      return { nearRun: place, alikeRun: undefined, nearPlace: places[given + at] ?? left[0]?.place };
    if (same - given <= Math.max(at, alike?.cards ?? 0)) continue;
    const [next] = left;
    const comes = next === undefined ? undefined : { card: next.card, atMs: next.atMs };
    alike = { run: place, cards: same - given, next: comes };
    nearPlace = next?.place;
  }
  return { nearRun: undefined, alikeRun: alike, nearPlace };
}

const played = ({ cards, instants }: Cards) =>
  cards.map((card, place) => ({ card, atMs: instants[place] ?? 0, place }));

/**
 * How many cards a run begins with as a guess does, each at its time, their places in the run, and which cards of the
 * run are left then.
 */
function likeGuess(cards: ReturnType<typeof played>, guess: readonly PutCard[], moments: readonly Moment[]) {
  const left = [...cards];
  const places: number[] = [];
  for (const { card, moment } of guess) {
    const now = left[0]?.atMs;
    const found = left.findIndex(
      (each) => each.card === card && each.atMs === now && momentAt(moments, each.atMs) === moment,
    );
    if (found < 0) break;
    places.push(...left.splice(found, 1).map(({ place }) => place));
  }
  return { at: places.length, left, places };
}

/** The place of the moment in which an instant lies. */
export function momentAt(moments: readonly Moment[], atMs: number): number {
  return moments.findLastIndex(({ fromMs }) => fromMs <= atMs);
}
