import MiniSearch, { type SearchResult } from "minisearch";
import { type PageKind, type Place, pageKinds, processTerm, searchOptions } from "./search-options.ts";

/** Finds places in the index, and says why each was found. */

/** A part of a text: whether it is what was looked for. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A place that was found. */
export interface Hit {
  /** Its address from the root of the site. */
  readonly address: string;
  readonly kind: PageKind;
  readonly where: string;
  readonly title: readonly TextPart[];
  /** The text around the first match. */
  readonly snippet: readonly TextPart[];
}

/** The hits of one kind of pages, the best first. */
export interface HitGroup {
  readonly kind: PageKind;
  readonly hits: readonly Hit[];
}

export interface Found {
  /** The hit that fits best, whatever its kind; undefined if nothing was found. */
  readonly best: Hit | undefined;
  /** The others, by kind in a fixed order. */
  readonly groups: readonly HitGroup[];
  /** If nothing was found: the pages that are nearest to what was looked for, or else those where most people start. */
  readonly nearest: readonly Hit[];
  /** Whether those pages have words like what was looked for. */
  readonly isNear: boolean;
}

/** Where most people start. */
const STARTS = ["guides/webhook-receiver.html", "lessons/index.html", "scenarios.html", "glossary.html"];

/** How many hits of one kind are shown. */
const SHOWN = 5;
/** Hits with a smaller part of the best one's score are not shown. */
const LEAST = 0.06;
/** How many pages are offered where nothing is found. */
const NEAREST = 4;

/** How much a hit counts by its kind: somebody who uses ringback asks more often than somebody who changes it. */
const weights: Readonly<Record<PageKind, number>> = {
  Reference: 1,
  Guides: 1.15,
  Lessons: 0.75,
  TypeScript: 0.6,
  "For people who work on ringback itself": 0.15,
};

/** Whether a place is in the lists of rules, who decided them and which test proves them. */
const isRule = (id: string) => /^fidelity\b/.test(id);

/** How much a hit counts by what it is: a page stands for all of its headings, and lists of rules answer few questions. */
function weightOf(id: string, title: string): number {
  const isList = /^(causes|assumptions|errors)\b/.test(id);
  // an operation's parameter says less of a name than the page that explains it
  const isParameter = id.startsWith("reference/rest-") && /^\p{Ll}/u.test(title);
  return (
    (isRule(id) ? 0.3 : isParameter ? 0.4 : isList ? 0.7 : 1) *
    (id.includes("~") ? 0.7 : id.includes("#") ? 1 : 1.4)
  );
}

/** Reads the index that the site has. */
export function readIndex(json: string): MiniSearch<Place> {
  return MiniSearch.loadJSON<Place>(json, searchOptions);
}

/** Finds what fits all words, or else most of them. */
export function find(index: MiniSearch<Place>, words: string): Found {
  const terms = termsIn(words);
  if (terms.length === 0) return nothing(startsIn(index), false);
  // the changes have words of everything, and explain nothing
  const all = scoredBy(index, words, "AND").filter(({ id }) => !/^changelog\b/.test(String(id)));
  const fitting = all.length > 0 ? all : scoredBy(index, words, "OR").filter(fitsMost(terms.length));
  const found = closestFirst(fitting, words);
  const least = (found[0]?.score ?? 0) * LEAST;
  const [best, ...others] = withoutRepeats(found.filter(({ score }) => score >= least));
  if (best === undefined) {
    const near = nearestTo(index, words);
    return near.length > 0 ? nothing(near, true) : nothing(startsIn(index), false);
  }
  const groups = pageKinds.map((kind) => ({
    kind,
    hits: others
      .filter((each) => each.kind === kind)
      .sort((one, other) => Number(isRule(one.id)) - Number(isRule(other.id)))
      .slice(0, SHOWN)
      .map(hitOf),
  }));
  return {
    best: hitOf(best),
    groups: groups.filter(({ hits }) => hits.length > 0),
    nearest: [],
    isNear: false,
  };
}

const nothing = (nearest: readonly Hit[], isNear: boolean): Found => ({
  best: undefined,
  groups: [],
  nearest,
  isNear,
});

/** The pages where most people start. */
function startsIn(index: MiniSearch<Place>): Hit[] {
  return STARTS.flatMap((id) => {
    const stored = index.getStoredFields(id) as Place | undefined;
    return stored === undefined ? [] : [hitOf({ ...stored, id, terms: [] })];
  });
}

/** What the index returns for a place. */
type Scored = SearchResult & Place;

function scoredBy(index: MiniSearch<Place>, words: string, combineWith: "AND" | "OR"): Scored[] {
  return index.search(words, {
    ...{ combineWith, boost: { title: 5, where: 1.5 }, weights: { prefix: 0.3, fuzzy: 0 } },
    prefix: (term) => term.length > 2,
    boostDocument: (id, _, stored) => {
      const { kind, title } = stored as unknown as Place;
      return weights[kind] * weightOf(String(id), title);
    },
  }) as unknown as Scored[];
}

/** How much more a place counts that has the words side by side in its title, in its text, or whose name they are. */
const [IN_TITLE, IN_TEXT, NAMED] = [2, 1.4, 4];
/** How many of the best places are looked at for that. */
const LOOKED_AT = 100;

/** Puts places first that have the words side by side, as "working hours", or whose name was typed, as `call.hungup`. */
function closestFirst(found: readonly Scored[], words: string): Scored[] {
  const phrase = ` ${termsIn(words).join(" ")} `;
  const has = (text: string) =>
    phrase.trim().includes(" ") && ` ${termsIn(text).join(" ")} `.includes(phrase);
  // plain words are no names
  const name = /\p{Ll}\p{Lu}|[._/]/u.test(words) ? words.trim().toLowerCase() : undefined;
  const isNamed = (title: string) =>
    name !== undefined && (title === name || title.startsWith(`${name}(`) || title.endsWith(`.${name}`));
  return found
    .slice(0, LOOKED_AT)
    .map((each) => {
      const near = has(each.title) ? IN_TITLE : has(each.text) ? IN_TEXT : 1;
      return { ...each, score: each.score * near * (isNamed(each.title.toLowerCase()) ? NAMED : 1) };
    })
    .sort((one, other) => other.score - one.score);
}

const fitsMost = (count: number) => (found: Scored) => new Set(found.queryTerms).size * 2 > count;

/** The first hit at each address, and of each title on a page. */
function withoutRepeats(found: readonly Scored[]): Scored[] {
  const seen = new Set<string>();
  return found.filter(({ id, title }) => {
    const key = `${addressOf(id).split("#")[0]} ${title}`;
    const isNew = !seen.has(key) && !seen.has(addressOf(id));
    seen.add(key).add(addressOf(id));
    return isNew;
  });
}

/** The pages that have words like those that were looked for. */
function nearestTo(index: MiniSearch<Place>, words: string): Hit[] {
  const near = index.search(words, {
    ...{ combineWith: "OR", prefix: true, fuzzy: 0.25, fields: ["title"] },
    filter: ({ id, kind }) => !String(id).includes("~") && kind !== pageKinds.at(-1),
  }) as unknown as Scored[];
  return near.slice(0, NEAREST).map(hitOf);
}

const termsIn = (words: string) => words.split(/[^\p{L}\p{N}]+/u).flatMap((word) => processTerm(word) ?? []);

/** Rows have the address of their heading. */
const addressOf = (id: string) => id.replace(/#?~\d+$/, "");

function hitOf({ id, kind, where, title, text, terms }: Place & { readonly terms: readonly string[] }): Hit {
  const wanted = new Set(terms);
  return {
    ...{ address: addressOf(id), kind, where },
    title: marked(title, wanted),
    snippet: snippetOf(text, wanted),
  };
}

/** A text in parts, of which those are marked that have one of the terms. */
function marked(text: string, terms: ReadonlySet<string>): TextPart[] {
  const isTerm = (word: string) => terms.has(processTerm(word) ?? "");
  // a whole word, or else its part in a name such as lastModifiedAt
  const parts = text.split(/([\p{L}\p{N}]+)/u).flatMap((word) => {
    if (isTerm(word)) return [{ text: word, isMatch: true }];
    return word
      .split(/(\p{Lu}+(?!\p{Ll})|\p{L}\p{Ll}*|\p{N}+)/u)
      .map((part) => ({ text: part, isMatch: isTerm(part) }));
  });
  const merged: TextPart[] = [];
  for (const { text: own, isMatch } of parts) {
    const last = merged.at(-1);
    if (last?.isMatch === isMatch) merged[merged.length - 1] = { text: last.text + own, isMatch };
    else if (own !== "") merged.push({ text: own, isMatch });
  }
  return merged;
}

/** How long a snippet is, and how much of it stands before the match, characters. */
const LENGTH = 150;
const BEFORE = 50;

/** The text around the first match, from the beginning of a sentence or of a word on. */
function snippetOf(text: string, terms: ReadonlySet<string>): readonly TextPart[] {
  const parts = marked(text, terms);
  const first = parts.findIndex(({ isMatch }) => isMatch);
  const at = parts.slice(0, Math.max(0, first)).reduce((sum, part) => sum + part.text.length, 0);
  const from = at <= BEFORE ? 0 : startNear(text, at);
  const cut = text.slice(from, from + LENGTH);
  const isWhole = from + LENGTH >= text.length;
  const shown = `${from > 0 ? "…" : ""}${isWhole ? cut : `${cut.replace(/\s+\S*$/, "")}…`}`;
  return marked(shown, terms);
}

/** Where a sentence begins not long before a place, or else a word. */
function startNear(text: string, at: number): number {
  const before = text.slice(at - BEFORE, at);
  const sentence = before.search(/(?<=[.:] )\p{Lu}/u);
  return at - BEFORE + (sentence >= 0 ? sentence : before.indexOf(" ") + 1);
}
