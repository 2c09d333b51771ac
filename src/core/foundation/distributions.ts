import * as v from "valibot";
import { duration, either, object } from "./input-schemas.ts";
import type { DurationInput } from "./instants.ts";

/** Distributions of durations, drawn from the seed. Plain data, so organisations and journals can hold them. */

/**
 * An exponential distribution with this mean, as queueing theory assumes for talk times and arrival intervals.
 * @param mean the mean duration
 * @example
 * sim.traffic({ to: "+6495550200", every: exponential("PT2M"), for: "PT1H" });
 */
export function exponential(mean: DurationInput): { exponential: DurationInput } {
  return { exponential: mean };
}

/**
 * A uniform distribution over the whole milliseconds from `shortest` to `longest`, both included.
 * @param shortest the shortest duration
 * @param longest the longest duration
 * @example
 * sim.users.get("alice").behave({ answer: { after: uniform("PT2S", "PT8S") } });
 */
export function uniform(
  shortest: DurationInput,
  longest: DurationInput,
): { uniform: [DurationInput, DurationInput] } {
  return { uniform: [shortest, longest] };
}

/**
 * Always the same duration. A plain duration means the same.
 * @param value the duration
 * @example
 * sim.users.get("alice").behave({ answer: { after: fixed("PT5S") } });
 */
export function fixed(value: DurationInput): { fixed: DurationInput } {
  return { fixed: value };
}

/**
 * A duration, or a distribution to draw one from: `{ exponential: "PT3M" }`, `{ uniform: [a, b] }`, `{ fixed: d }`.
 */
export const drawnDuration = either(
  [
    object({
      /** The mean of an exponential distribution. */
      exponential: duration(),
    }),
    v.pipe(
      object({
        /** The shortest and the longest duration. All between them are equally likely. */
        uniform: v.tuple([duration(), duration()]),
      }),
      v.check(({ uniform: [shortest, longest] }) => shortest <= longest, "expected the shorter one first"),
    ),
    object({
      /** A duration that is always the same. */
      fixed: duration(),
    }),
    duration(),
  ],
  'expected a duration or a distribution such as { exponential: "PT3M" }',
);

/** A duration, or a distribution made by `exponential`, `uniform` or `fixed`. */
export type DrawnDuration = v.InferInput<typeof drawnDuration>;
/** The same, with all durations in milliseconds. */
export type DrawnMs = v.InferOutput<typeof drawnDuration>;

/**
 * Draws a duration, in ms.
 * @param next returns a number from 0 (included) to 1 (excluded); not called for a fixed duration
 */
export function draw(drawn: DrawnMs, next: () => number): number {
  if (typeof drawn === "number") return drawn;
  if ("fixed" in drawn) return drawn.fixed;
  if ("exponential" in drawn) return Math.round(-drawn.exponential * Math.log(1 - next()));
  const [shortest, longest] = drawn.uniform;
  return shortest + Math.floor(next() * (longest - shortest + 1));
}

/** The longest duration that can be drawn, ms; infinity if there is no limit. */
export function findLongestMs(drawn: DrawnMs): number {
  if (typeof drawn === "number") return drawn;
  if ("fixed" in drawn) return drawn.fixed;
  if ("uniform" in drawn) return drawn.uniform[1];
  return drawn.exponential > 0 ? Number.POSITIVE_INFINITY : 0;
}
