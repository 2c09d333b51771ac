import * as v from "valibot";
import { dateField, record, textField, whole } from "../../records/fields.ts";

export const transcript = record(
  { type: "TranscriptRecord", component: "Transcript" },
  "What was said in a recording. Its segments are read separately.",
  {
    id: textField("The transcript's id."),
    callId: textField("The call that it is of."),
    recordingId: textField("The recording that it is of."),
    text: textField("What was said, one line a segment: `JOIN Alice Ng`, or the words."),
    ...dateField("created", "When it was made"),
  },
);

export const transcriptSegment = record(
  { type: "TranscriptSegment", component: "TranscriptSegment" },
  "One stretch of a transcript.",
  {
    type: v.pipe(
      v.picklist(["JOIN", "LEAVE", "SPEECH"]),
      v.description("Whether someone joined, left or spoke."),
    ),
    speaker: textField("Who joined, left or spoke."),
    text: textField("What they said; empty for who joined or left."),
    startOffset: whole("When it begins, ms from the start of the recording."),
    endOffset: whole("When it ends, ms from the start of the recording."),
  },
);
