import { clock } from "../../src/core/foundation/clock.ts";
import type { Scenario } from "../../src/index.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";
import { cardsOf, type EventCard, hasManyCallers, isSameCard, type PlayedCard } from "./cards.ts";
import type { MarkedRun, NearRun } from "./mark.ts";
import { areSame, firstDifference, type NearPlayed, playNearRuns } from "./near-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { type ShownRow, shownRow } from "./shown-row.ts";
import { type WhyNot, whyNot } from "./why-not.ts";

/** Makes the question of a lesson: the cards to put in order, and the runs that explain a wrong order. */

/** A near run with the rows that differ. */
export interface ShownNearRun extends NearRun {
  /** From the first row that differs from the lesson's. */
  readonly rows: readonly ShownRow[];
  /** Why the card that differs does not come in the lesson's run. */
  readonly why?: WhyNot | undefined;
}

/** Everything that a page needs to ask for a prediction and to mark it, without a simulator. */
export interface Prediction extends MarkedRun {
  /** The table of cards. */
  readonly table: readonly EventCard[];
  /** The time of each card of the run. */
  readonly times: readonly string[];
  /** The cards to choose from, by places in the table, in an order that tells nothing. */
  readonly deck: readonly number[];
  readonly rows: readonly ShownRow[];
  readonly nearRuns: readonly ShownNearRun[];
}

/** More cards than these are too many to put in order. */
const MAX_ASKED = 8;
/** How many cards of near runs lie among those of the run. */
const MAX_WRONG = 4;
/** How many runs explain wrong orders. */
const MAX_NEAR = 10;
/** How many rows of a near run a page can show. */
const MAX_ROWS = 14;

/**
 * Makes the question of a lesson.
 * @param exercise the scenario as the lesson's exercise changes it
 */
export function makePrediction(scenario: Scenario, run: RecordedRun, exercise?: Scenario): Prediction {
  const saysWhose = hasManyCallers(run);
  const cards = cardsOf(run, saysWhose);
  const near = chooseNearRuns(cards, playNearRuns(scenario, run, exercise), saysWhose);
  const { given, asked } = chooseWindow(cards, near);
  const table: EventCard[] = [];
  const numberOf = ({ card }: PlayedCard) => {
    const known = table.findIndex((each) => isSameCard(each, card));
    return known >= 0 ? known : table.push(card) - 1;
  };
  const numbers = cards.map(numberOf);
  const recording = Recording.from(run.simulator.journal());
  const nearRuns = near.map((each) => ({
    words: each.words,
    cards: each.cards.map(numberOf),
    rows: differingRows(run, each.run, each.cards),
    why: whyOf(recording, each, cards),
  }));
  const wanted = numbers.slice(given, given + asked);
  return {
    given,
    asked,
    cards: numbers,
    nearRuns,
    table,
    times: cards.map(({ atMs }) => clock(atMs)),
    deck: shuffle([...wanted, ...wrongCards(wanted, nearRuns, given)], table),
    rows: shownRows(run, cards),
  };
}

interface ChosenRun extends NearPlayed {
  readonly cards: readonly PlayedCard[];
  /** The place of the first card that differs. */
  readonly differsAt: number;
}

/** Keeps the nearest run for each thing that can come at each place. */
function chooseNearRuns(
  cards: readonly PlayedCard[],
  played: readonly NearPlayed[],
  saysWhose: boolean,
): ChosenRun[] {
  const chosen: ChosenRun[] = [];
  for (const each of played) {
    const own = cardsOf(each.run, saysWhose);
    const differsAt = firstDifference(cards, own);
    if (differsAt === undefined) continue;
    const isKnown = chosen.some(
      (known) => known.differsAt === differsAt && areSame(known.cards[differsAt]?.card, own[differsAt]?.card),
    );
    if (!isKnown) chosen.push({ ...each, cards: own, differsAt });
  }
  return chosen.slice(0, MAX_NEAR);
}

/** Asks for all cards, or, in a long run, for those from an instant at which most near runs go another way. */
function chooseWindow(cards: readonly PlayedCard[], near: readonly ChosenRun[]) {
  if (cards.length <= MAX_ASKED + 1) return { given: 0, asked: cards.length };
  const starts = cards.flatMap(({ atMs }, index) => (cards[index - 1]?.atMs === atMs ? [] : [index]));
  let best = { given: 0, asked: MAX_ASKED, forks: -1 };
  for (const given of starts) {
    const asked = Math.min(MAX_ASKED, cards.length - given);
    const forks = near.filter(({ differsAt }) => differsAt >= given && differsAt < given + asked).length;
    if (forks > best.forks) best = { given, asked, forks };
  }
  return best;
}

/** Cards of near runs that could come instead, the nearest first. */
function wrongCards(wanted: readonly number[], near: readonly NearRun[], given: number): number[] {
  const wrong: number[] = [];
  for (const { cards } of near) {
    const at = wanted.findIndex((card, place) => card !== cards[given + place]);
    const card = at < 0 ? undefined : cards[given + at];
    const isPossible = cards.length > given && card !== undefined;
    if (isPossible && !wanted.includes(card) && !wrong.includes(card)) wrong.push(card);
  }
  return wrong.slice(0, MAX_WRONG);
}

/** By their words, so that the order tells nothing. */
function shuffle(numbers: readonly number[], table: readonly EventCard[]): number[] {
  const words = (number: number) => `${table[number]?.title} ${table[number]?.detail}`;
  return [...numbers].sort((a, b) => (words(a) < words(b) ? -1 : words(a) > words(b) ? 1 : 0));
}

function shownRows(run: RecordedRun, cards: readonly PlayedCard[]): ShownRow[] {
  return run.rows.map((row) => withCard(row, cards));
}

function withCard(row: PageRow, cards: readonly PlayedCard[]): ShownRow {
  const card = cards.findIndex((each) => each.row === row.index);
  return { ...shownRow(row), ...(card < 0 ? {} : { card }) };
}

function whyOf(lesson: Recording, { run, cards, differsAt }: ChosenRun, own: readonly PlayedCard[]) {
  const guessed = cards[differsAt];
  const instead = own[differsAt]?.row ?? lesson.rows.length - 1;
  return guessed === undefined ? undefined : whyNot(lesson, { near: run, guessed, instead });
}

/** The rows of a near run from the first that differs. */
function differingRows(base: RecordedRun, near: RecordedRun, cards: readonly PlayedCard[]): ShownRow[] {
  const from = near.rows.findIndex((row, index) => {
    const other = base.rows[index];
    return (
      other === undefined ||
      ["atMs", "kind", "subject", "verb", "detail"].some(
        (key) => key in row && row[key as "kind"] !== other[key as "kind"],
      )
    );
  });
  return near.rows
    .slice(Math.max(0, from))
    .slice(0, MAX_ROWS)
    .map((row) => withCard(row, cards));
}
