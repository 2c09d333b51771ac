import type * as v from "valibot";
import { object, text } from "../../foundation/input-schemas.ts";

export const removeTranscriptSchema = object({
  /** The transcript's id. */
  transcript: text(),
});
export type RemoveTranscriptArguments = v.InferOutput<typeof removeTranscriptSchema>;

export const removeRecordingSchema = object({
  /** The call's id. */
  call: text(),
  /** The recording's id. */
  recording: text(),
});
export type RemoveRecordingArguments = v.InferOutput<typeof removeRecordingSchema>;
