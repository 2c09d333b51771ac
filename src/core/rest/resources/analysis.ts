import { createAnalysisSchema } from "../../platform/analysis/schemas.ts";
import { runValidated } from "../../platform/catalogue/run-command.ts";
import { contentAnalysis } from "../../records/schemas/transcript.ts";
import { created, noContent, type Operation, ok, okPage, operation, type Tag } from "../operation.ts";
import { pageOf, pagingQuery } from "../paging.ts";
import { bodyOf, listOf } from "../schemas.ts";

export const contentAnalysisTag: Tag = {
  name: "Content analysis",
  description: "What is found in recordings",
};
const params: Operation["params"] = {
  id: {
    description: "The content analysis's id.",
    example: "analysis-1",
    candidates: ({ analysis }) => analysis.list(),
  },
};

export const analysisOperations = [
  operation({
    method: "post",
    path: "/contentAnalysis",
    id: "createContentAnalysis",
    tag: contentAnalysisTag,
    summary: "Submit content for analysis",
    description:
      "`content` names recordings; or an agent, by id or e-mail address, and other content analyses whose scorecards of that agent are aggregated. `passthroughParameters` is free and comes back as submitted.",
    body: bodyOf("NewContentAnalysis", createAnalysisSchema),
    answers: { 201: contentAnalysis },
    example: {
      body: {
        analyzer: "agent-scorecard",
        content: { recordings: [{ id: "recording-1", transcriptionModel: "default" }] },
        passthroughParameters: { ticket: 42 },
      },
    },
    handle: ({ platform, body }) =>
      created(platform.analysis.get(runValidated(platform, "createAnalysis", body))),
  }),
  operation({
    method: "get",
    path: "/contentAnalysis",
    id: "listContentAnalysis",
    tag: contentAnalysisTag,
    summary: "List content analyses, oldest first",
    description:
      "Every job with its state and, once it is completed, its artifacts: those that programs submitted and those that the service made of recorded calls.",
    query: pagingQuery,
    answers: { 200: listOf("contentAnalysis", contentAnalysis) },
    handle: (request) => okPage("contentAnalysis", pageOf(request, request.platform.tables.analysis)),
  }),
  operation({
    method: "get",
    path: "/contentAnalysis/{id}",
    id: "getContentAnalysis",
    tag: contentAnalysisTag,
    summary: "Read a content analysis",
    description:
      "The job's state, its artifacts once it is completed, and the `passthroughParameters` that it was submitted with.",
    params,
    answers: { 200: contentAnalysis },
    handle: ({ platform, params: { id = "" } }) => ok(platform.analysis.get(id)),
  }),
  operation({
    method: "delete",
    path: "/contentAnalysis/{id}",
    id: "deleteContentAnalysis",
    tag: contentAnalysisTag,
    summary: "Delete a content analysis; one that is pending stops",
    description: "A job that is pending sends no `content_analysis.completed`. It cannot be undone.",
    params,
    answers: { 204: null },
    handle({ platform, params: { id = "" } }) {
      platform.command("removeAnalysis", { analysis: id });
      return noContent;
    },
  }),
];
