/**
 * How many of a proof's random runs are played. `npm test` plays the first twentieth of them, `npm run prove` all. A soak
 * plays more, with other values: `SEED=$RANDOM RUNS=20 npm run test:properties`.
 */
const share = Number(process.env.RUNS ?? 0.05);

/** Whether everything is played. */
export const isWhole = share >= 1;

/** How many runs to play of the number that the whole proof has. */
export function runsOf(whole: number): number {
  return Math.ceil(whole * share);
}

/** The cases to try of a list of which each takes seconds: the first and the last, or all in the whole proof. */
export function someOf<T>(cases: readonly T[]): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index === 0 || index === cases.length - 1);
}

/**
 * A sixth of a long list, spread over it, or all in the whole proof.
 * @param from the first that is tried, 0 to 5: tests that begin at others try all cases between them
 */
export function sixthOf<T>(cases: readonly T[], from = 0): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index % 6 === from);
}
