/** What the search knows of a place in the site, and how words are read: shared by making and reading the index. */

/** The kinds of pages, in the order in which hits are shown. */
export const pageKinds = [
  "Reference",
  "Guides",
  "Lessons",
  "TypeScript",
  "For people who work on ringback itself",
] as const;
export type PageKind = (typeof pageKinds)[number];

/** A heading with the text below it, or a row of a table that begins with a name. */
export interface Place {
  /** Its address from the root of the site. Rows have a number behind it, as several share one. */
  readonly id: string;
  readonly kind: PageKind;
  /** The page, and the heading of a row. */
  readonly where: string;
  readonly title: string;
  readonly text: string;
  /** What is looked through and never shown: the answer of a lesson. */
  readonly answer?: string;
}

/** The words that sentences need and that nobody looks for. */
const SMALL_WORDS = new Set(
  "a an and are as at be been but by can did do does for from had has have how i if in into is it its me my of on or our should so than that the their them then there these they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);

export const searchOptions = {
  fields: ["title", "where", "text", "answer"],
  storeFields: ["kind", "where", "title", "text"],
  tokenize: wordsIn,
  processTerm,
};

/** Words, and the parts of names: `lastModifiedAt` is also last, modified and at. */
function wordsIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => {
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{L}\p{Ll}*|\p{N}+/gu) ?? [];
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** The stem of a word; null for words that nobody looks for. */
export function processTerm(word: string): string | null {
  const lower = word.toLowerCase();
  return lower === "" || SMALL_WORDS.has(lower) ? null : stem(lower);
}

/** The stem of an English word, so that "retry" finds "retries" and "answered" finds "answer". */
function stem(word: string): string {
  return word
    .replace(/(?<=\w{2})(ies|ied)$/, "y")
    .replace(/(?<=\w{2}(?:ss|sh|ch|x))es$/, "")
    .replace(/(?<=\w{3}[^s])s$/, "")
    .replace(/(?<=\w{3})(ing|ed)$/, "")
    .replace(/(?<=\w{3})e$/, "");
}
