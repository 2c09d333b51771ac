import type { ErrorDetail } from "../../foundation/errors.ts";
import { show } from "../../foundation/show.ts";
import { isRecord } from "../../foundation/values.ts";
import type { CallInsightsRecord } from "../../generated/records.ts";
import { counted } from "../declare/words.ts";

/** The cards of the Call Insights data action: their order, and their names in words. */

/** What ringback reads of a card. All else is the customer's own. */
interface Card {
  /** The name by which `cardOrder` names it; without one, its title. */
  readonly id?: string;
  readonly title?: string;
  /** Where its content comes from. */
  readonly contextSource?: string;
}

/** How many cards words name at most, and how long a name is in words. */
const MOST_NAMED = 4;
const LONGEST_TITLE = 40;

interface Preferences {
  readonly contextSource: string | undefined;
  readonly cardOrder: readonly string[];
}

/**
 * Puts cards into the order that people see: those that `cardOrder` names, in its order, then those of the preferred
 * context source, then the others, each as they came. Preferences that cannot be followed change nothing.
 * @param preferences as they were answered: `{ contextSource?, cardOrder? }`; null for none
 * @returns the cards, and in words which preferences cannot be followed, and why
 */
export function inPreferredOrder(
  cards: readonly unknown[],
  preferences: unknown,
): Pick<CallInsightsRecord, "cards" | "problems"> {
  const { contextSource, cardOrder } = readPreferences(preferences);
  const problems = preferenceProblems(preferences).map(({ path, message }) => `${path}: ${message}`);
  const names = cards.map(nameOf);
  const unknown = [...new Set(cardOrder)].filter((name) => !names.includes(name)).map(show);
  if (unknown.length > 0) problems.push(`preferences.cardOrder: no card is named ${firstOf(unknown)}`);
  const sources = cards.map((card) => partsOf(card).contextSource);
  if (contextSource !== undefined && !sources.includes(contextSource))
    problems.push(`preferences.contextSource: no card is of ${show(contextSource)}`);
  const placed = cards.map((card, place) => {
    const ordered = cardOrder.indexOf(names[place] ?? "");
    const isPreferred = contextSource !== undefined && sources[place] === contextSource;
    return { card, rank: ordered >= 0 ? ordered : cardOrder.length + (isPreferred ? 0 : 1) };
  });
  // the sort keeps the order of equals
  return { cards: placed.sort((a, b) => a.rank - b.rank).map(({ card }) => card), problems };
}

/** What of an answer's preferences has not the form that it should have. */
export function preferenceProblems(given: unknown): ErrorDetail[] {
  if (given == null) return [];
  if (!isRecord(given)) return [{ path: "preferences", message: "expected { contextSource?, cardOrder? }" }];
  const { contextSource, cardOrder } = given;
  const isOrder = Array.isArray(cardOrder) && cardOrder.every((each) => typeof each === "string");
  return [
    ...(contextSource == null || typeof contextSource === "string"
      ? []
      : [{ path: "preferences.contextSource", message: "expected text" }]),
    ...(cardOrder == null || isOrder
      ? []
      : [{ path: "preferences.cardOrder", message: "expected a list of ids or titles of cards" }]),
  ];
}

function readPreferences(given: unknown): Preferences {
  const { contextSource, cardOrder } = isRecord(given) ? given : {};
  return {
    contextSource: typeof contextSource === "string" ? contextSource : undefined,
    cardOrder: Array.isArray(cardOrder) ? cardOrder.filter((each) => typeof each === "string") : [],
  };
}

function partsOf(card: unknown): Card {
  if (typeof card !== "object" || card === null) return {};
  const entries = Object.entries(card).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries);
}

function nameOf(card: unknown): string | undefined {
  const { id, title } = partsOf(card);
  return id ?? title;
}

/** What a card is called: its title, else its id. */
export function cardTitle(card: unknown): string {
  const { id, title } = partsOf(card);
  const text = title || id || "a card without a title";
  return text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE - 1)}…`;
}

/** Cards in words: `2 cards: Orders, Last visit`. */
export function cardsText(cards: readonly unknown[]): string {
  return `${counted(cards.length, "card")}: ${firstOf(cards.map(cardTitle))}`;
}

function firstOf(words: readonly string[]): string {
  const more = words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : "";
  return `${words.slice(0, MOST_NAMED).join(", ")}${more}`;
}
