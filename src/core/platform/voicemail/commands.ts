import * as v from "valibot";
import { duration, object, text } from "../../foundation/input-schemas.ts";

export const leaveVoicemailSchema = object({
  /** The call's id. */
  call: text(),
  /** The length of the message. It is cut at `timing.voicemailMaxMessage`. */
  duration: duration(),
  /** What the caller says; default: nothing. */
  transcript: v.optional(v.string()),
});
export type LeaveVoicemailArguments = v.InferOutput<typeof leaveVoicemailSchema>;
