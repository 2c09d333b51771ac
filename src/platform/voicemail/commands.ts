import * as v from "valibot";
import { duration, object, text } from "../../engine/input.ts";

export const leaveVoicemailSchema = object({
  /** The call's id. */
  call: text(),
  /** How long the message is: it is cut at `timing.voicemailMaxMessage`. */
  duration: duration(),
  /** What the caller says; default: nothing that a transcript could hold. */
  transcript: v.optional(v.string()),
});
export type LeaveVoicemailArguments = v.InferOutput<typeof leaveVoicemailSchema>;
