import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import type { CallRecords } from "../../call-record/call-records.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { recordedCall } from "../../guards/example.ts";
import { mustFindRecording } from "../after-call.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
}

/** Deletes a recording. Its transcript stays if it exists, and is never made otherwise. */
export const removeRecording = defineCommand({
  summary: "deletes a recording",
  schema: object({
    /** The call's id. */
    call: text(),
    /** The recording's id. */
    recording: text(),
  }),
  actor: thePlatform,
  describe: ({ recording }) => ({ subject: { recording }, verb: "is removed" }),
  run({ callRecords, tables }: Needs, { call: callId, recording: id }) {
    const { recordings } = callRecords.find(callId);
    mustFindRecording(recordings, callId, id);
    tables.recordings.remove(id);
    callRecords.change(callId, { recordings: recordings.filter((each) => each.id !== id) });
  },
  example(before) {
    const { call, recording } = recordedCall(before);
    return { call, recording };
  },
});
