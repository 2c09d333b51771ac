import { clock } from "../../src/core/foundation/clock.ts";
import type { Scenario } from "../../src/index.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";
import { cardsOf, type EventCard, hasManyCallers, isSameCard, type PlayedCard } from "./cards.ts";
import { type MarkedRun, markPrediction, momentAt, type NearRun } from "./mark.ts";
import { momentsOf, type ShownMoment } from "./moments.ts";
import { areSame, firstDifference, type NearPlayed, playNearRuns } from "./near-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { askedWebhook, requestCards, requestRows } from "./requests.ts";
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
  readonly moments: readonly ShownMoment[];
  /** The places of the first and the last time into which cards can be put. */
  readonly shownMoments: readonly [number, number];
  /** The webhook whose requests are asked for; undefined where events are. */
  readonly webhook?: { readonly host: string; readonly events: readonly string[] };
}

/** Whether cards can be put at several times, so that one is chosen. */
export const hasTimes = ({ shownMoments: [first, last] }: Prediction): boolean => first !== last;

/** What the reader does with the cards: `Put the first 8 events in order.` */
export function boardWords(prediction: Prediction): string {
  const { given, asked, cards, webhook } = prediction;
  const isWhole = given + asked === cards.length;
  const which = isWhole ? "the" : `the ${given === 0 ? "first" : "next"} ${asked}`;
  const end = `${hasTimes(prediction) ? ", each at its time" : ""}; those of one instant may be in any order.`;
  if (webhook === undefined) return `Put ${which} events in order${end}`;
  const events = webhook.events.includes("*") ? "all events" : webhook.events.join(", ");
  return `Its webhook asks for ${events}. Put ${which} requests in the order in which they arrive${end}`;
}

/** More cards than these are too many to put in order. */
const MAX_ASKED = 8;
/** How many cards of near runs lie among those of the run. */
const MAX_WRONG = 4;
/** How many wrong cards lie there at least. */
const LEAST_WRONG = 2;
/** How many runs explain wrong orders. */
const MAX_NEAR = 10;
/** How many rows of a near run a page can show. */
const MAX_ROWS = 14;

/** What a board is made of: the events of a run, or the requests of its webhook. */
interface Board {
  cardsOf(run: RecordedRun): PlayedCard[];
  rowsOf(run: RecordedRun, cards: readonly PlayedCard[]): ShownRow[];
}

/**
 * Makes the question of a lesson.
 * @param exercise the scenario as the lesson's exercise changes it
 * @param neighbours the runs of other lessons, the nearest first, of which some cards are wrong here
 */
export function makePrediction(
  scenario: Scenario,
  run: RecordedRun,
  exercise?: Scenario,
  neighbours: Iterable<RecordedRun> = [],
): Prediction {
  const saysWhose = hasManyCallers(run);
  const webhook = askedWebhook(run);
  const board: Board =
    webhook === undefined
      ? { cardsOf: (of) => cardsOf(of, saysWhose), rowsOf: shownRows }
      : { cardsOf: (of) => requestCards(of, webhook, saysWhose), rowsOf: requestRows };
  const cards = board.cardsOf(run);
  const played = playNearRuns(scenario, run, exercise);
  const moments = momentsOf(scenario, run, webhook !== undefined);
  const momentOf = (card: PlayedCard | undefined) => momentAt(moments, card?.atMs ?? 0);
  const near = chooseNearRuns(cards, played, board, moments);
  const { given, asked } = chooseWindow(cards, near);
  const table: EventCard[] = [];
  const numberOf = numbersIn(table);
  const numbers = cards.map(numberOf);
  const recording = Recording.from(run.simulator.journal());
  const nearRuns = near.map((each) => ({
    words: each.words,
    cards: each.cards.map(numberOf),
    instants: instantsOf(each.cards),
    rows:
      webhook === undefined
        ? differingRows(run, each.run, each.cards)
        : requestRows(each.run, each.cards).slice(0, MAX_ROWS),
    // *Why not?* is about events, not about requests
    why: webhook === undefined ? whyOf(recording, each) : undefined,
  }));
  const wanted = numbers.slice(given, given + asked);
  const wrong = wrongCards(wanted, nearRuns, given);
  const decoys = withDecoys(wrong, [...played.map((each) => each.run), run], neighbours, (other) => {
    const isPublished = ({ row }: PlayedCard) =>
      other.rows[row]?.kind === "event" && other.rows[row]?.verb === "";
    const events = cardsOf(other, saysWhose).filter(isPublished);
    const others = webhook === undefined ? events : [...board.cardsOf(other), ...events];
    return others.filter(({ card }) => !cards.some((each) => isSameCard(each.card, card))).map(numberOf);
  });
  return {
    given,
    asked,
    cards: numbers,
    instants: instantsOf(cards),
    moments,
    shownMoments: [
      given === 0 ? 0 : momentOf(cards[given - 1]),
      given + asked === cards.length ? moments.length - 1 : momentOf(cards[given + asked]),
    ],
    nearRuns,
    table,
    times: cards.map(({ atMs }) => clock(atMs)),
    deck: shuffle([...wanted, ...decoys], table),
    rows: board.rowsOf(run, cards),
    ...(webhook === undefined ? {} : { webhook: { host: webhook.host, events: webhook.events } }),
  };
}

const instantsOf = (cards: readonly PlayedCard[]): number[] => cards.map(({ atMs }) => atMs);

/** Gives cards their places in a table, to which it adds new ones. */
function numbersIn(table: EventCard[]): (played: PlayedCard) => number {
  return ({ card }) => {
    const known = table.findIndex((each) => isSameCard(each, card));
    return known >= 0 ? known : table.push(card) - 1;
  };
}

/** Adds cards of other runs until there are enough that are wrong. */
function withDecoys(
  wrong: readonly number[],
  near: readonly RecordedRun[],
  neighbours: Iterable<RecordedRun>,
  wrongOf: (run: RecordedRun) => readonly number[],
): number[] {
  const decoys = new Set(wrong);
  const addFrom = (run: RecordedRun) => {
    for (const card of wrongOf(run)) if (decoys.size < LEAST_WRONG) decoys.add(card);
  };
  for (const run of near) addFrom(run);
  if (decoys.size < LEAST_WRONG)
    for (const run of neighbours) {
      addFrom(run);
      if (decoys.size >= LEAST_WRONG) break;
    }
  return [...decoys];
}

interface ChosenRun extends NearPlayed {
  readonly cards: readonly PlayedCard[];
  /** The place of the first card that differs, where cards of one instant stand by their words. */
  readonly differsAt: number;
  /** The card that comes there, and the lesson's. */
  readonly other: PlayedCard | undefined;
  readonly own: PlayedCard | undefined;
  /** Whether the same card comes there, at another time. */
  readonly isOtherTime: boolean;
}

/** Keeps the nearest run for each thing that can come at each place, then those in which it comes at another time. */
function chooseNearRuns(
  cards: readonly PlayedCard[],
  played: readonly NearPlayed[],
  board: Board,
  moments: readonly ShownMoment[],
): ChosenRun[] {
  const momentOf = (card: PlayedCard | undefined) => momentAt(moments, card?.atMs ?? 0);
  const numberOf = numbersIn([]);
  const lesson = {
    ...{ cards: cards.map(numberOf), instants: instantsOf(cards), moments },
    ...{ given: 0, asked: cards.length, nearRuns: [] },
  };
  const chosen: ChosenRun[] = [];
  const ownCards = byWords(cards);
  for (const each of played) {
    const nearCards = board.cardsOf(each.run);
    const guess = nearCards.map((card) => ({ card: numberOf(card), moment: momentOf(card) }));
    // a run whose order the platform may choose in the lesson's too tells nothing
    if (markPrediction(lesson, guess) === undefined) continue;
    const others = byWords(nearCards);
    const atOther = firstDifference(ownCards, others);
    const inTime = ownCards.findIndex((own, at) => others[at] && momentOf(own) !== momentOf(others[at]));
    const differsAt = atOther ?? (inTime < 0 ? undefined : inTime);
    if (differsAt === undefined) continue;
    const [own, other] = [ownCards[differsAt], others[differsAt]];
    const isOtherTime = atOther === undefined;
    const isKnown = chosen.some(
      (known) =>
        known.differsAt === differsAt &&
        known.isOtherTime === isOtherTime &&
        areSame(known.other?.card, other?.card) &&
        (!isOtherTime || momentOf(known.other) === momentOf(other)),
    );
    if (!isKnown) chosen.push({ ...each, cards: nearCards, differsAt, own, other, isOtherTime });
  }
  return chosen.sort((a, b) => Number(a.isOtherTime) - Number(b.isOtherTime)).slice(0, MAX_NEAR);
}

/** Cards in the order of time, those of one instant by their words: their own order means nothing. */
function byWords(cards: readonly PlayedCard[]): PlayedCard[] {
  const words = ({ card }: PlayedCard) => `${card.title} ${card.detail}`;
  return [...cards].sort(
    (a, b) => a.atMs - b.atMs || (words(a) < words(b) ? -1 : words(a) > words(b) ? 1 : 0),
  );
}

/** Asks for all cards, or, in a long run, for those from an instant at which most near runs go another way. */
function chooseWindow(cards: readonly PlayedCard[], near: readonly ChosenRun[]) {
  if (cards.length <= MAX_ASKED + 1) return { given: 0, asked: cards.length };
  const starts = cards.flatMap(({ atMs }, index) => (cards[index - 1]?.atMs === atMs ? [] : [index]));
  let best = { given: 0, asked: MAX_ASKED, forks: -1 };
  for (const given of starts) {
    const asked = Math.min(MAX_ASKED, cards.length - given);
    const forks = near.filter(
      ({ differsAt, isOtherTime }) => !isOtherTime && differsAt >= given && differsAt < given + asked,
    ).length;
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

function whyOf(lesson: Recording, { run, own, other, isOtherTime }: ChosenRun) {
  if (other === undefined || isOtherTime) return undefined;
  return whyNot(lesson, { near: run, guessed: other, instead: own?.row ?? lesson.rows.length - 1 });
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
