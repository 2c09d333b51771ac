import * as v from "valibot";
import { drawnDuration } from "../../engine/distributions.ts";
import { duration, e164, either, object, text, wholeNumber } from "../../engine/input.ts";

const optional = v.optional;

/** How a simulated user acts by themselves. What is left out, they leave to commands. */
export const userBehaviourSchema = object({
  /** From their beginning to ring, on this endpoint if it rings then, else on the first that does. */
  answer: optional(
    either(
      [
        v.literal("never"),
        object({
          /** How long they let it ring. */
          after: drawnDuration,
          /** On which endpoint, by its id; default: the first that rings. */
          endpoint: optional(text()),
        }),
      ],
      'expected "never" or { after, endpoint? }',
    ),
  ),
  /** From their beginning to ring; the earlier of the two happens. */
  decline: optional(
    object({
      /** How long they let it ring. */
      after: drawnDuration,
    }),
  ),
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
      [
        v.literal("hangUp"),
        object({
          /** How long the message is. */
          duration: drawnDuration,
          /** What they say; default: nothing that a transcript could hold. */
          transcript: optional(v.string()),
        }),
      ],
      'expected "hangUp" or { duration, transcript? }',
    ),
  ),
});

export const behaveSchema = object({
  /** The user, by id or e-mail address. */
  user: text(),
  /** How they act from now on; an empty behaviour takes away the one they have. */
  behaviour: userBehaviourSchema,
});

export const trafficSchema = object({
  /** The organisation's number that is called, E.164. */
  to: e164(),
  /** How long it is between one call and the next. */
  every: drawnDuration,
  /** For how long calls begin, from now. */
  for: duration(),
  /** How the callers act by themselves. */
  behaviour: optional(callerBehaviourSchema),
  /** The first caller's number, E.164; the next ones count up from it. */
  from: optional(e164()),
  /** The order in a team's queue, 1 (first) to 9; default 5. */
  priority: optional(wholeNumber(1, 9)),
});

export type { CallerBehaviour, UserBehaviour } from "../../generated/inputs.ts";
/** What they do, with every duration in milliseconds. */
export type UserBehaviourMs = v.InferOutput<typeof userBehaviourSchema>;
export type CallerBehaviourMs = v.InferOutput<typeof callerBehaviourSchema>;
export type BehaveArguments = v.InferOutput<typeof behaveSchema>;
export type TrafficArguments = v.InferOutput<typeof trafficSchema>;
