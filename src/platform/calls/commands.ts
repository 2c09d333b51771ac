import * as v from "valibot";
import { duration, e164, object, text, wholeNumber } from "../../engine/input.ts";

import { validEntries } from "../passthrough/passthrough.ts";

/**
 * The arguments of every command on calls. A scenario's steps have the same shapes, and the journal keeps them as
 * they are here. `by` is a user's id or e-mail, a device id, an external number, `caller` or `callee`.
 */

export const inboundSchema = object({
  from: e164(),
  to: e164(),
  vendorCallId: v.optional(text()),
  /** An object, or a query string to decode. What is not valid is ignored, never refused (specification, "Errors"). */
  passthroughParameters: v.optional(
    v.pipe(
      v.custom<Readonly<Record<string, unknown>> | string>(() => true),
      v.metadata({ type: ["object", "string"] }),
      v.transform((given) => validEntries(given)),
    ),
  ),
  /** 1 highest to 9 lowest, 5 by default: the order in a team's queue. */
  priority: v.optional(wholeNumber(1, 9)),
});

export const answerSchema = object({ call: text(), by: text(), endpoint: v.optional(text()) });
export const declineSchema = answerSchema;
export const hangupSchema = object({ call: text(), by: text() });
export const moveSchema = object({ call: text(), by: text(), to: text() });
export const leaveVoicemailSchema = object({
  call: text(),
  duration: duration(),
  transcript: v.optional(v.string()),
});

export type InboundArguments = v.InferOutput<typeof inboundSchema>;
export type AnswerArguments = v.InferOutput<typeof answerSchema>;
export type HangupArguments = v.InferOutput<typeof hangupSchema>;
export type MoveArguments = v.InferOutput<typeof moveSchema>;
export type LeaveVoicemailArguments = v.InferOutput<typeof leaveVoicemailSchema>;
