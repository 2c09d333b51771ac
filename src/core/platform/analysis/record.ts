import * as v from "valibot";
import { anyObject } from "../../foundation/input-schemas.ts";
import {
  dateField,
  many,
  nullable,
  nullableText,
  one,
  optionalDateField,
  record,
  textField,
  whole,
} from "../../records/fields.ts";
import { userReference } from "../directory/record.ts";

export const analysisArtifact = record({ type: "AnalysisArtifact" }, "Something that an analysis found.", {
  type: textField("What kind of finding it is, such as `summary`."),
  content: textField("The finding in words."),
  usage: v.pipe(
    v.strictObject({
      inputTokens: whole("Tokens that the model read."),
      outputTokens: whole("Tokens that the model wrote."),
    }),
    v.description("What the analysis took."),
  ),
});

export const analysisContent = record({ type: "AnalysisContent" }, "Recordings to analyse.", {
  recordings: many(
    v.strictObject({
      id: textField("The recording's id."),
      transcriptionModel: nullableText("The model to transcribe it with; null for the default."),
    }),
    "The recordings.",
  ),
});

export const aggregatedContent = record(
  { type: "AggregatedContent" },
  "Scorecards of one agent to aggregate: those of other content analysis jobs.",
  {
    agent: one(userReference, "The agent whose scorecards they are."),
    contentAnalysis: many(
      v.strictObject({ id: textField("The content analysis's id.") }),
      "The content analyses to aggregate.",
    ),
  },
);

export const contentAnalysis = record(
  { type: "AnalysisRecord", component: "ContentAnalysis" },
  "A content analysis job.",
  {
    id: textField("The job's id."),
    analyzer: textField("The name of the analyzer that does it."),
    status: v.pipe(v.picklist(["pending", "completed"]), v.description("Whether it is done.")),
    callId: nullableText("The call that the service made it for; null for jobs made through the API."),
    request: nullable(
      v.strictObject({
        source: v.pipe(
          v.strictObject({
            type: v.pipe(v.literal("call"), v.description("Always `call`.")),
            id: textField("The call's id."),
          }),
          v.description("What the job was made from."),
        ),
      }),
      "What had the service make the job; null for jobs made through the API.",
    ),
    content: v.pipe(
      v.union([analysisContent, aggregatedContent]),
      v.description("What is analysed: recordings, or the scorecards of one agent."),
    ),
    artifacts: many(analysisArtifact, "What was found; empty until it is done."),
    passthroughParameters: v.pipe(
      anyObject(),
      v.description("As submitted; those of the call for a job that the service made."),
    ),
    ...dateField("created", "When the job was made"),
    ...optionalDateField("completed", "When the job was done"),
  },
);
