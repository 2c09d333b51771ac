/** How sections are found: the same where the index is made and where it is read. */
export const searchOptions = {
  fields: ["title", "text"],
  storeFields: ["page", "title"],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: "AND" as const },
};
