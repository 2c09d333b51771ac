import * as v from "valibot";
import { object } from "../../foundation/input-schemas.ts";
import { isRecord } from "../../foundation/values.ts";
import type { CoreServices } from "../base/core-services.ts";
import { created, done, type Operation, ok, okPage, operationsWith } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineBody, defineList, nothing } from "../declare/wire-schemas.ts";
import type { Analysis } from "./analysis.ts";
import { contentAnalysis } from "./record.ts";
import { createAnalysisSchema } from "./schemas.ts";
import { analysisTag } from "./tag.ts";

export interface Needs extends CoreServices {
  readonly analysis: Analysis;
}

const operation = operationsWith<Needs>();

const params: Operation<Needs>["params"] = {
  id: {
    description: "The content analysis's id.",
    example: "analysis-1",
    candidates: ({ tables }) => tables.analysis,
  },
};

const analysisBody = object({
  ...createAnalysisSchema.entries,
  /** Any plain data; the job returns it as it was given. What is no object is ignored. */
  passthroughParameters: v.optional(
    v.pipe(
      v.custom<Readonly<Record<string, unknown>>>(() => true),
      v.metadata({ type: "object", additionalProperties: true }),
      v.transform((given) => (isRecord(given) ? given : {})),
    ),
  ),
});

export const analysisOperations = [
  operation({
    method: "post",
    path: "/contentAnalysis",
    id: "createContentAnalysis",
    tag: analysisTag,
    summary: "Submit content for analysis",
    description:
      "`content` names recordings; or an agent, by id or e-mail address, and other content analyses whose scorecards of that agent are aggregated. `passthroughParameters` is free and comes back as submitted.",
    body: defineBody("NewContentAnalysis", analysisBody),
    commands: ["createAnalysis"],
    errors: [404],
    answers: { 201: contentAnalysis },
    example: {
      body: {
        analyzer: "agent-scorecard",
        content: { recordings: [{ id: "recording-1", transcriptionModel: "default" }] },
        passthroughParameters: { ticket: 42 },
      },
    },
    handle: ({ platform, body }) =>
      created(platform.analysis.get(platform.runValidated("createAnalysis", body))),
  }),
  operation({
    method: "get",
    path: "/contentAnalysis",
    id: "listContentAnalysis",
    tag: analysisTag,
    summary: "List content analyses, oldest first",
    description:
      "Every job with its state and, once it is completed, its artifacts: those that programs submitted and those that the service made of recorded calls.",
    answers: { 200: defineList("contentAnalysis", contentAnalysis) },
    handle: ({ platform }) => okPage("contentAnalysis", singlePage([...platform.tables.analysis])),
  }),
  operation({
    method: "get",
    path: "/contentAnalysis/{id}",
    id: "getContentAnalysis",
    tag: analysisTag,
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
    tag: analysisTag,
    summary: "Delete a content analysis; one that is pending stops",
    description: "A job that is pending sends no `content_analysis.completed`. It cannot be undone.",
    params,
    commands: ["removeAnalysis"],
    answers: { 200: nothing },
    handle({ platform, params: { id = "" } }) {
      platform.command("removeAnalysis", { analysis: id });
      return done;
    },
  }),
];
