import * as v from "valibot";
import { duration, object, text } from "../../engine/input.ts";

export const leaveVoicemailSchema = object({
  call: text(),
  duration: duration(),
  transcript: v.optional(v.string()),
});
export type LeaveVoicemailArguments = v.InferOutput<typeof leaveVoicemailSchema>;
