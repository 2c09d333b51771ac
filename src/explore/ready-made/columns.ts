import { typosBetween } from "../../core/foundation/suggestions.ts";

/**
 * Refuses a column that is one typo or the case of its letters away from a known one: it would be compared with nothing.
 * @param columns the names that a row has
 * @param place where it stands, such as `[0]`
 * @throws {Error} naming the column that was probably meant
 */
export function mustBeWellSpelt(columns: readonly string[], known: readonly string[], place: string): void {
  const missing = known.filter((each) => !columns.includes(each));
  for (const column of columns) {
    if (known.includes(column)) continue;
    const meant = missing.find((each) => typosBetween(each.toLowerCase(), column.toLowerCase()) <= 1);
    if (meant !== undefined)
      throw new Error(
        `what the app shows cannot be read: ${place}${column}: unknown column; did you mean ${JSON.stringify(meant)}?`,
      );
  }
}
