import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { recordedCall } from "../../guards/example.ts";
import type { AfterCall } from "../after-call.ts";

export interface Needs extends CoreServices {
  readonly afterCall: AfterCall;
}

/** Deletes a transcript. Its recording and its voicemail no longer refer to one. */
export const removeTranscript = defineCommand({
  summary: "deletes a transcript",
  schema: object({
    /** The transcript's id. */
    transcript: text(),
  }),
  actor: thePlatform,
  describe: ({ transcript }) => ({ subject: { transcript }, verb: "is removed" }),
  run({ afterCall, tables }: Needs, { transcript: id }) {
    const transcript = afterCall.transcript(id);
    tables.transcripts.remove(id);
    tables.segments.remove(id);
    if (tables.recordings.get(transcript.recordingId) !== undefined)
      tables.recordings.patch(transcript.recordingId, { transcript: null });
    afterCall.setTranscript(transcript, null);
  },
  example: (before) => ({ transcript: recordedCall(before).transcript }),
});
