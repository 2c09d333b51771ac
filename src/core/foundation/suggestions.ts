/** Returns the candidate closest to a misspelt word; undefined if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lowerCase = word.toLowerCase();
  let best: string | undefined;
  let fewest = lowerCase.length < 3 ? 0 : lowerCase.length < 4 ? 1 : lowerCase.length < 8 ? 2 : 3;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > fewest) continue;
    const count = typosBetween(lowerCase, candidate.toLowerCase());
    if (count > fewest || (count === fewest && best !== undefined)) continue;
    best = candidate;
    fewest = count;
  }
  return best;
}

/** Counts the typos between two words: letters added, missing, wrong or swapped. */
export function typosBetween(word: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= word.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1];
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** The list of choices in a message, which a suggestion replaces. */
const listOfChoices = /(, expected one of:|, expected a command|; known:|; named by).*$/s;

/** Adds a suggestion to a message and drops its list of choices. */
export function withSuggestion(message: string, suggestion: string | undefined): string {
  if (suggestion === undefined) return message;
  const question = `did you mean ${JSON.stringify(suggestion)}?`;
  const [, expected, given] = /^expected (one of .*), got (.*)$/s.exec(message) ?? [];
  return given === undefined
    ? `${message.replace(listOfChoices, "")}; ${question}`
    : `got ${given}; ${question} Expected ${expected}`;
}
