import { defineResource } from "../base/define-resource.ts";
import { recordingEvents, transcriptEvents } from "./events.ts";
import { recordingOperations } from "./recording-operations.ts";
import { transcriptOperations } from "./transcript-operations.ts";

/** Recordings of calls, and what else follows on the end of a call. */
export const recordingsResource = defineResource({
  events: recordingEvents,
  operations: recordingOperations,
});

/** What was said in recordings. */
export const transcriptsResource = defineResource({
  events: transcriptEvents,
  operations: transcriptOperations,
});
