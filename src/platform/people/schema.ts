import * as v from "valibot";
import { drawnDuration } from "../../engine/distributions.ts";
import { duration, e164, either, object, text, wholeNumber } from "../../engine/input.ts";

const optional = v.optional;

/** How a simulated user acts by themselves. What is left out, they leave to commands. */
export const userBehaviourSchema = object({
  /** From their beginning to ring, on this endpoint if it rings then, else on the first that does. */
  answer: optional(
    either(
      [v.literal("never"), object({ after: drawnDuration, endpoint: optional(text()) })],
      'expected "never" or { after, endpoint? }',
    ),
  ),
  /** From their beginning to ring; the earlier of the two happens. */
  decline: optional(object({ after: drawnDuration })),
  /** From their joining a call, or the answer to one that they dialled, to their hanging up. */
  talk: optional(drawnDuration),
  /** How long they stay busy after a call. */
  wrapUp: optional(drawnDuration),
});

/** How a simulated outside caller acts by themselves. */
export const callerBehaviourSchema = object({
  /** From the start of the call to their giving up, if nobody and no voicemail has answered by then. */
  patience: optional(drawnDuration),
  /** From the answer to their hanging up. */
  talk: optional(drawnDuration),
  /** At the tone they leave a message of this length, or they hang up as soon as voicemail takes the call. */
  voicemail: optional(
    either(
      [v.literal("hangUp"), object({ duration: drawnDuration, transcript: optional(v.string()) })],
      'expected "hangUp" or { duration, transcript? }',
    ),
  ),
});

/** `user` is an id or an e-mail address; an empty behaviour takes the one they have away. */
export const behaveSchema = object({ user: text(), behaviour: userBehaviourSchema });

export const trafficSchema = object({
  to: e164(),
  /** Between one call and the next. */
  every: drawnDuration,
  /** How long calls begin, from now. */
  for: duration(),
  behaviour: optional(callerBehaviourSchema),
  /** The first caller's number; the next ones count up from it. */
  from: optional(e164()),
  /** As on `inbound`. */
  priority: optional(wholeNumber(1, 9)),
});

export type { CallerBehaviour, UserBehaviour } from "../../generated/inputs.ts";
/** What they do, with every duration in milliseconds. */
export type UserBehaviourMs = v.InferOutput<typeof userBehaviourSchema>;
export type CallerBehaviourMs = v.InferOutput<typeof callerBehaviourSchema>;
export type BehaveArguments = v.InferOutput<typeof behaveSchema>;
export type TrafficArguments = v.InferOutput<typeof trafficSchema>;
