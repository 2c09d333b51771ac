import { type DomainEventReactions, type FactReactions, onlyIf, publish } from "./reaction.ts";

/** What follows from the machine of a content analysis job. */
export const analysisFactReactions: Pick<FactReactions, "analysis"> = {
  analysis: {
    completed: [
      (p, { recordId }) => p.analysis.writeArtifacts(recordId),
      publish("content_analysis.completed", (p, { recordId }) => ({
        contentAnalysis: p.tables.analysis.mustGet(recordId),
      })),
      (p, { recordId }) => p.analysis.finish(recordId),
    ],
  },
};

/** What follows when something is made of a call that is over. */
export const afterCallReactions = {
  recordingAvailable: [
    publish("call.recording.available", (_p, of) => of),
    onlyIf(
      (p) => p.settings.features.analysis,
      (p, { call, recording }) => p.analysis.createFor(call, recording),
    ),
  ],
  transcriptCreated: [
    publish("call.transcript.created", (_p, of) => of),
    publish("transcript.created", (_p, { transcript }) => ({ transcript })),
  ],
  transcriptionCompleted: [publish("call.transcription_completed", (_p, of) => of)],
  callTariffed: [publish("call.tariffed", (_p, of) => of)],
} satisfies Partial<DomainEventReactions>;
