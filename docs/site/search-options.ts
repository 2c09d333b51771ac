/** The options of the search, shared by making and reading the index. */
export const searchOptions = {
  fields: ["title", "page", "text"],
  storeFields: ["page", "title"],
  processTerm: stem,
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" as const },
};

/** The stem of an English word, so that "retry" finds "retries" and "answered" finds "answer". */
function stem(term: string): string {
  return term
    .toLowerCase()
    .replace(/(?<=\w{2})(ies|ied)$/, "y")
    .replace(/(?<=\w{3}[^s])s$/, "")
    .replace(/(?<=\w{3})(ing|ed)$/, "");
}
