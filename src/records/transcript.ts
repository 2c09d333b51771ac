import type { Moment } from "./moments.ts";

/** One stretch of a transcript, in the order of time. */
export interface TranscriptSegment {
  /** Someone joined or left, or spoke. */
  readonly type: "JOIN" | "LEAVE" | "SPEECH";
  readonly speaker: string;
  /** Empty for who joined or left. */
  readonly text: string;
  /** Milliseconds from the start of the recording. */
  readonly startOffset: number;
  readonly endOffset: number;
}

/** What was said in a recording. Its segments are read separately. */
export interface TranscriptRecord extends Moment<"created"> {
  readonly id: string;
  readonly callId: string;
  readonly recordingId: string;
  /** One line a segment: `JOIN Alice Ng`, or what was said. */
  readonly text: string;
}
