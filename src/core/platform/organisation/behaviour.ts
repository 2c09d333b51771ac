import * as v from "valibot";
import { drawnDuration } from "../../foundation/distributions.ts";
import { duration, e164, either, flag, object, text, wholeNumber } from "../../foundation/input-schemas.ts";

const optional = v.optional;

/** How a simulated user acts by themselves. Anything left out is done only by commands. */
export const userBehaviourSchema = object({
  /** When they answer, counted from the beginning of the ring. */
  answer: optional(
    either(
      [
        v.literal("never"),
        object({
          /** How long they let it ring. */
          after: drawnDuration,
          /** The id of the endpoint to answer on, if it still rings. @default the first that rings */
          endpoint: optional(text()),
        }),
      ],
      'expected "never" or { after, endpoint? }',
    ),
  ),
  /**
   * When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens.
   */
  decline: optional(
    object({
      /** How long they let it ring. */
      after: drawnDuration,
    }),
  ),
  /** How long they talk before they hang up, from joining a call or from the answer to a call that they dialled. */
  talk: optional(drawnDuration),
  /** How long they stay busy after a call. */
  wrapUp: optional(drawnDuration),
});

/** How a simulated outside caller acts by themselves. */
export const callerBehaviourSchema = object({
  /**
   * How long they wait before they give up, from the start of the call. An answer, also by voicemail, ends the wait.
   */
  patience: optional(drawnDuration),
  /** How long they talk before they hang up, from the answer. */
  talk: optional(drawnDuration),
  /** The message that they leave at the tone. Without one they hang up when voicemail takes the call. */
  voicemail: optional(
    either(
      [
        v.literal("hangUp"),
        object({
          /** How long the message is. */
          duration: drawnDuration,
          /** What they say. @default nothing */
          transcript: optional(v.string()),
        }),
      ],
      'expected "hangUp" or { duration, transcript? }',
    ),
  ),
});

export const behaveSchema = object({
  /** The user, by id or e-mail address. Either `user` or `number`. */
  user: optional(text()),
  /** An outside number, E.164: how whoever has it acts when they are dialled. */
  number: optional(e164()),
  /** How they act from now on. An empty behaviour removes the present one. */
  behaviour: object({
    ...userBehaviourSchema.entries,
    /** When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens. */
    decline: optional(
      object({
        /** How long they let it ring. */
        after: drawnDuration,
        /** Whether the number is engaged. Only for outside numbers. @default false */
        busy: optional(flag()),
      }),
    ),
  }),
});

export const trafficSchema = object({
  /** The organisation's number that is called, E.164. */
  to: e164(),
  /** The time between two calls. */
  every: drawnDuration,
  /** For how long calls begin, from now. */
  for: duration(),
  /** How the callers act by themselves. */
  behaviour: optional(callerBehaviourSchema),
  /** The first caller's number, E.164. The next callers' numbers count up from it. */
  from: optional(e164()),
  /** The priority in a team's queue, 1 (first) to 9. @default 5 */
  priority: optional(wholeNumber(1, 9)),
});

export type { UserBehaviour } from "../../generated/inputs.ts";
export type CallerBehaviourMs = v.InferOutput<typeof callerBehaviourSchema>;
export type BehaveArguments = v.InferOutput<typeof behaveSchema>;
export type TrafficArguments = v.InferOutput<typeof trafficSchema>;
