import type * as v from "valibot";
import { object, text } from "../../engine/input.ts";

export const removeTranscriptSchema = object({ transcript: text() });
export type RemoveTranscriptArguments = v.InferOutput<typeof removeTranscriptSchema>;

export const removeRecordingSchema = object({ call: text(), recording: text() });
export type RemoveRecordingArguments = v.InferOutput<typeof removeRecordingSchema>;
