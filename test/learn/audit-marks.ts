import { markPrediction, type PutCard } from "../../docs/learn/mark.ts";
import type { Prediction } from "../../docs/learn/prediction.ts";

/** Asks Mark for its judgement of many guesses, and judges it by other means: what stands in a run before which instant. */

/** What Mark said of guesses. */
export interface MarkAudit {
  readonly guesses: number;
  /** Guesses that are right. */
  readonly right: number;
  /** Guesses of which it says that they would be right in another run. */
  readonly would: number;
  /** Guesses of which it says so of their first cards. */
  readonly alike: number;
  /** What is said and is not so. */
  readonly untrue: readonly string[];
}

/** The order of the run, each card at its time. */
export function rightGuess(prediction: Prediction): PutCard[] {
  const { given, asked, cards, instants } = prediction;
  return cards
    .slice(given, given + asked)
    .map((card, at) => ({ card, moment: momentOf(prediction, instants[given + at] ?? 0) }));
}

/** Guesses that leave a card out, swap two, stop early, have another card in a place, or put one at another time. */
export function guessesOneMoveAway(prediction: Prediction): PutCard[][] {
  return movesFrom(prediction, rightGuess(prediction));
}

/** Some of the guesses that are two moves away: each `every`-th. */
export function guessesTwoMovesAway(prediction: Prediction, every: number): PutCard[][] {
  const all = guessesOneMoveAway(prediction).flatMap((guess) => movesFrom(prediction, guess));
  return all.filter((_, index) => index % every === 0);
}

function movesFrom(
  { deck, shownMoments: [first, last] }: Prediction,
  guess: readonly PutCard[],
): PutCard[][] {
  const moments = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return guess.flatMap((put, at) => {
    const next = guess[at + 1];
    const isAfterLast = at === guess.length - 1;
    return [
      guess.toSpliced(at, 1),
      guess.slice(0, at),
      ...(next === undefined
        ? []
        : [guess.with(at, { ...put, card: next.card }).with(at + 1, { ...next, card: put.card })]),
      ...moments
        .filter((moment) => moment !== put.moment)
        .map((moment) => inOrder(guess.with(at, { ...put, moment }))),
      ...deck.flatMap((card) => [
        guess.with(at, { ...put, card }),
        guess.toSpliced(at, 0, { ...put, card }),
        [...guess.slice(0, at), { ...put, card }],
        ...(isAfterLast ? [[...guess, { ...put, card }]] : []),
      ]),
    ];
  });
}

/** As the board has them: by their times. */
const inOrder = (guess: readonly PutCard[]): PutCard[] => [...guess].sort((a, b) => a.moment - b.moment);

/** Judges what Mark says of each guess. */
export function auditMarks(prediction: Prediction, guesses: readonly PutCard[][]): MarkAudit {
  const { given, asked, cards, instants, nearRuns } = prediction;
  const isWhole = given + asked === cards.length;
  const first = cards
    .slice(0, given)
    .map((card, at) => ({ card, moment: momentOf(prediction, instants[at] ?? 0) }));
  const counts = { guesses: guesses.length, right: 0, would: 0, alike: 0 };
  const untrue: string[] = [];
  for (const guess of guesses) {
    const whole = [...first, ...guess];
    const says = (claim: string) => untrue.push(`${JSON.stringify(guess)} ${claim}`);
    const difference = markPrediction(prediction, guess);
    const own = { cards, instants };
    if (difference === undefined) {
      counts.right++;
      const asFar = isWhole ? whole : whole.slice(0, given + asked);
      if (!begins(prediction, own, asFar) || asFar.length < given + asked) says("is right");
      if (isWhole && whole.length !== cards.length) says("is all");
      continue;
    }
    if (isWhole && whole.length === cards.length && begins(prediction, own, whole)) says("is wrong");
    if (!begins(prediction, own, whole.slice(0, given + difference.at)))
      says(`is right before ${difference.at}`);
    const { nearRun, alikeRun, comesAt, isOtherTime, rightPlace, nearPlace } = difference;
    const asFarAsRight = whole.slice(0, given + difference.at);
    if (!isNext(own, asFarAsRight, difference.right, rightPlace)) says(`differs from ${rightPlace}`);
    if (comesAt !== undefined) {
      const at = instants[given + comesAt] ?? 0;
      const comesThen = cards.some((card, place) => card === difference.guessed && instants[place] === at);
      if (!comesThen || at > (instants[given + difference.at] ?? 0) === isOtherTime) says("comes then");
    }
    const near = nearRuns[nearRun ?? alikeRun?.run ?? -1];
    if (near === undefined) {
      const isRight = nearRuns.some(
        (each) => begins(prediction, each, whole) && (!isWhole || each.cards.length === whole.length),
      );
      if (isRight) says("is right in no other run");
    } else if (alikeRun === undefined) {
      counts.would++;
      const isRight = begins(prediction, near, whole) && (!isWhole || near.cards.length === whole.length);
      if (!isRight) says(`would be right ${near.words}`);
      const marked = difference.guessed ?? near.cards[nearPlace ?? -1];
      if (!isNext(near, asFarAsRight, marked, nearPlace)) says(`shows ${nearPlace} ${near.words}`);
    } else {
      counts.alike++;
      const { cards: same, next } = alikeRun;
      const asFar = whole.slice(0, given + same);
      const goesOn = next === undefined ? [] : [{ card: next.card, moment: momentOf(prediction, next.atMs) }];
      if (!begins(prediction, near, [...asFar, ...goesOn])) says(`begins like the run ${near.words}`);
      if (!isNext(near, asFar, next?.card, nearPlace)) says(`shows ${nearPlace} ${near.words}`);
      if (next === undefined && near.cards.length !== asFar.length) says(`ends like the run ${near.words}`);
    }
  }
  return { ...counts, untrue };
}

/** Whether a card that is not guessed yet has that place in a run, and is the next of its instant; or the run ends there. */
function isNext(
  { cards, instants }: Cards,
  guessed: readonly PutCard[],
  card: number | undefined,
  place: number | undefined,
): boolean {
  if (place === undefined) return card === undefined && guessed.length === cards.length;
  const isSame = (each: number) => each === card;
  return (
    cards[place] === card &&
    instants[place] === instants[guessed.length] &&
    cards.slice(0, place).filter(isSame).length === guessed.filter((each) => isSame(each.card)).length
  );
}

interface Cards {
  readonly cards: readonly number[];
  readonly instants: readonly number[];
}

/**
 * Whether a run can be seen to begin with a guess, if the platform chooses the order within an instant: what the guess has
 * holds every card of all instants but its last, of that some, and each at its time.
 */
function begins(prediction: Prediction, run: Cards, guess: readonly PutCard[]): boolean {
  if (guess.length > run.cards.length) return false;
  let from = 0;
  while (from < guess.length) {
    const instant = run.instants[from];
    const size = run.instants.filter((each) => each === instant).length;
    const left = run.cards.slice(from, from + size);
    for (const { card, moment } of guess.slice(from, from + size)) {
      const at = left.indexOf(card);
      if (at < 0 || moment !== momentOf(prediction, instant ?? 0)) return false;
      left.splice(at, 1);
    }
    from += size;
  }
  return true;
}

/** The time in which an instant lies: the last that has begun. */
function momentOf({ moments }: Prediction, atMs: number): number {
  return moments.filter(({ fromMs }) => fromMs <= atMs).length - 1;
}
