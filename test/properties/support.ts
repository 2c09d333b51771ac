import fc from "fast-check";

/** More runs than usual, for a long soak: `SEED=$RANDOM RUNS=20 npm run test:properties`. */
const factor = Number(process.env.RUNS ?? 1);

/** How many runs that is, where a soak wants more. */
export function runsOf(usual: number): number {
  return Math.ceil(usual * factor);
}

/** Checks that `holds` throws for none of so many values. A failure prints the seed and the counter-example. */
export function always<T>(runs: number, values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  fc.assert(fc.property(values, holds), { numRuns: runsOf(runs) });
}

export function alwaysAsync<T>(
  runs: number,
  values: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(values, holds), { numRuns: runsOf(runs) });
}

/** The types of events that a timeline or a diagram shows, in their order. */
export function typesIn(drawn: string): string[] {
  return (
    drawn.match(/\b(call|user|team|transcript|content_analysis|contact|conversation)\.[a-z_.]+(?=\s|<)/g) ??
    []
  );
}
