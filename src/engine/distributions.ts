import * as v from "valibot";
import { duration, either, object } from "./input.ts";
import type { DurationInput } from "./instants.ts";

/** Durations that are drawn from the seed: plain data, so that an organisation or a journal can hold them. */

/** Exponentially distributed with this mean: the talk times and arrival intervals of queueing theory. */
export function exponential(mean: DurationInput): { exponential: DurationInput } {
  return { exponential: mean };
}

/** Uniformly distributed over the whole milliseconds from `shortest` to `longest`, both included. */
export function uniform(
  shortest: DurationInput,
  longest: DurationInput,
): { uniform: [DurationInput, DurationInput] } {
  return { uniform: [shortest, longest] };
}

/** Always the same: what a duration by itself means too. */
export function fixed(value: DurationInput): { fixed: DurationInput } {
  return { fixed: value };
}

/** A duration, or a distribution that one is drawn from: `{ exponential: "PT3M" }`, `{ uniform: [a, b] }`, `{ fixed: d }`. */
export const drawnDuration = either(
  [
    object({
      /** The mean of an exponential distribution. */
      exponential: duration(),
    }),
    v.pipe(
      object({
        /** The shortest and the longest duration; all between are equally likely. */
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

/** A duration to draw, as `exponential`, `uniform` and `fixed` make it, or one that is always the same. */
export type DrawnDuration = v.InferInput<typeof drawnDuration>;
/** The same in milliseconds. */
export type DrawnMs = v.InferOutput<typeof drawnDuration>;

/**
 * Draws a duration, ms.
 * @param next a number from 0 (included) to 1 (excluded); asked for only where chance has a say
 */
export function draw(drawn: DrawnMs, next: () => number): number {
  if (typeof drawn === "number") return drawn;
  if ("fixed" in drawn) return drawn.fixed;
  if ("exponential" in drawn) return Math.round(-drawn.exponential * Math.log(1 - next()));
  const [shortest, longest] = drawn.uniform;
  return shortest + Math.floor(next() * (longest - shortest + 1));
}

/** The longest that can be drawn, ms. */
export function longestOf(drawn: DrawnMs): number {
  if (typeof drawn === "number") return drawn;
  if ("fixed" in drawn) return drawn.fixed;
  if ("uniform" in drawn) return drawn.uniform[1];
  return drawn.exponential > 0 ? Number.POSITIVE_INFINITY : 0;
}
