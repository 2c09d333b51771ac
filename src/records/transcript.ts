import type { Moment } from "./moments.ts";

/** What was said in a recording. */
export interface TranscriptRecord extends Moment<"created"> {
  readonly id: string;
  readonly callId: string;
  readonly recordingId: string;
  readonly text: string;
}
