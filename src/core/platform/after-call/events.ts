import { eventDataSchema, many, one } from "../../records/fields.ts";
import { defineEvents, ownField, sharedField } from "../base/define-events.ts";
import { alice, endedAtWorkshop, inboundStep, jane, workshop } from "../base/shortest.ts";
import { callInEvent, callLaws } from "../calls/events.ts";
import { recording } from "../calls/record.ts";
import { transcript as transcriptRecord } from "./record.ts";

const transcript = one(transcriptRecord, "The transcript.");

/** The events that follow on the end of a call. */
export const recordingEvents = defineEvents({
  "call.recording.available": {
    data: eventDataSchema("A recording of a call is ready.", {
      call: callInEvent,
      recording: one(recording, "The recording."),
    }),
    page: "after-a-call",
    settings: ["organisation.features.recording", "timing.recordingAvailable"],
    instant: sharedField("call.lastModified"),
    laws: [...callLaws, "after the end", "recording of the call"],
    shortest: { title: "The recording of a call is ready", ...endedAtWorkshop },
  },
  "call.transcript.created": {
    data: eventDataSchema("A transcript of a call's recording is ready.", { call: callInEvent, transcript }),
    page: "after-a-call",
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: ownField("transcript.created"),
    laws: [...callLaws, "after the end", "transcript of the call"],
    shortest: { title: "A transcript of a call is ready", ...endedAtWorkshop },
  },
  "call.transcription_completed": {
    data: eventDataSchema("All transcripts of a call are ready.", {
      call: callInEvent,
      transcripts: many(transcriptRecord, "The transcripts of the call."),
    }),
    page: "after-a-call",
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: ownField("transcripts.[].created"),
    laws: [...callLaws, "after the end"],
    shortest: { title: "All transcripts of a call are ready", ...endedAtWorkshop },
  },
  "call.tariffed": {
    data: eventDataSchema("The cost of a call is known.", { call: callInEvent }),
    page: "after-a-call",
    settings: ["organisation.features.tariff", "organisation.tariff", "timing.callTariffed"],
    instant: sharedField("call.lastModified"),
    laws: [...callLaws, "after the end"],
    shortest: {
      title: "The cost of a call is known",
      organisation: workshop,
      steps: [inboundStep(jane, alice)],
    },
  },
});

/** The events of transcripts by themselves. */
export const transcriptEvents = defineEvents({
  "transcript.created": {
    data: eventDataSchema("A transcript is ready.", { transcript }),
    page: "after-a-call",
    settings: ["organisation.features.transcription", "timing.transcriptCreated"],
    instant: ownField("transcript.created"),
    laws: [],
    shortest: { title: "A transcript is ready", ...endedAtWorkshop },
  },
});
