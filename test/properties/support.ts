import fc from "fast-check";
import { expect } from "vitest";
import type { Simulator } from "../../src/index.ts";
import { runsOf } from "../counts.ts";

/**
 * Checks that `holds` throws for none of the values. A failure prints the seed and the counter-example.
 * @param runs how many values the whole proof has
 */
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

/** Checks that the timeline and the diagram of a run show all of its events, in order. */
export function checkDrawings({ events }: Simulator): void {
  const types = events.map(({ type }) => type);
  for (const drawn of [events.toTimeline(), events.toMermaid()]) expect(typesIn(drawn)).toEqual(types);
}

/** The types of events that a timeline or a diagram shows, in their order. */
function typesIn(drawn: string): string[] {
  return (
    drawn.match(/\b(call|user|team|transcript|content_analysis|contact|conversation)\.[a-z_.]+(?=\s|<)/g) ??
    []
  );
}
