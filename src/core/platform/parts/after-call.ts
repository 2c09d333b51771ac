import type { TranscriptRecord, TranscriptSegment } from "../../generated/records.ts";
import type { Recording } from "../../records/call.ts";
import { Table } from "../../records/table.ts";
import { definePart } from "./define-part.ts";

/** Recordings of calls. */
export const recordingsPart = definePart({
  tables: { recordings: () => new Table<Recording>() },
  tasks: { "call: recording available": { subject: "the recording", verb: "is ready" } },
  timing: {
    /** From the end of the call to `call.recording.available`. */
    recordingAvailable: 5_000,
  },
});

/** What was said in recordings. */
export const transcriptsPart = definePart({
  tables: {
    transcripts: () => new Table<TranscriptRecord>(),
    /** By the transcript's id. */
    segments: () => new Table<{ readonly id: string; readonly segments: readonly TranscriptSegment[] }>(),
  },
  tasks: { "call: transcript created": { subject: "the transcript", verb: "is ready" } },
  timing: {
    /** From the end of the call to `call.transcript.created`. */
    transcriptCreated: 30_000,
  },
});

/** What calls cost. */
export const tariffsPart = definePart({
  tasks: { "call: tariff calculated": { subject: "the tariff", verb: "is calculated" } },
  timing: {
    /** From the end of the call to `call.tariffed`. */
    callTariffed: 90_000,
  },
  eventWords: {
    "call.tariffed": ({ call: { tariff } }) => `${tariff?.amount} ${tariff?.currency}`,
  },
});
