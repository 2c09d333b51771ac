import type { CoreServices } from "../base/core-services.ts";
import { done, type Operation, ok, okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineList, nothing } from "../declare/wire-schemas.ts";
import type { AfterCall } from "./after-call.ts";
import { transcript, transcriptSegment } from "./record.ts";

export interface Needs extends CoreServices {
  readonly afterCall: AfterCall;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Transcripts", description: "What was said in recordings" };
const params: Operation<Needs>["params"] = {
  transcriptId: {
    description: "The transcript's id.",
    example: "transcript-1",
    candidates: ({ tables }) => tables.transcripts,
  },
};

export const transcriptOperations = [
  operation({
    method: "get",
    path: "/transcripts",
    id: "listTranscripts",
    tag,
    summary: "List transcripts, oldest first",
    description: "All transcripts of recordings and voicemail messages.",
    answers: { 200: defineList("transcripts", transcript) },
    handle: ({ platform }) => okPage("transcripts", singlePage([...platform.tables.transcripts])),
  }),
  operation({
    method: "get",
    path: "/transcripts/{transcriptId}",
    id: "getTranscript",
    tag,
    summary: "Read a transcript",
    description: "The whole text. `segments` has it by speaker.",
    params,
    answers: { 200: transcript },
    handle: ({ platform, params: { transcriptId = "" } }) => ok(platform.afterCall.transcript(transcriptId)),
  }),
  operation({
    method: "delete",
    path: "/transcripts/{transcriptId}",
    id: "deleteTranscript",
    tag,
    summary: "Delete a transcript",
    description: "Its recording stays, without a transcript. It cannot be undone.",
    params,
    commands: ["removeTranscript"],
    answers: { 200: nothing },
    handle({ platform, params: { transcriptId = "" } }) {
      platform.command("removeTranscript", { transcript: transcriptId });
      return done;
    },
  }),
  operation({
    method: "get",
    path: "/transcripts/{transcriptId}/segments",
    id: "listTranscriptSegments",
    tag,
    summary: "List who joined, left and spoke, in the order of time",
    description:
      "Each segment is someone who joins (`JOIN`), leaves (`LEAVE`) or speaks (`SPEECH`), with its offset from the start.",
    params,
    answers: { 200: defineList("segments", transcriptSegment) },
    handle({ platform, params: { transcriptId = "" } }) {
      const { id } = platform.afterCall.transcript(transcriptId);
      return okPage("segments", singlePage([...platform.tables.segments.mustGet(id).segments]));
    },
  }),
];
