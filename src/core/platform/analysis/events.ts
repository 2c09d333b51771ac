import { eventDataSchema, one } from "../../records/fields.ts";
import { defineEvents, ownField } from "../base/define-events.ts";
import { endedAtWorkshop } from "../base/shortest.ts";
import { contentAnalysis } from "./record.ts";

/** The events of content analysis jobs. */
export const analysisEvents = defineEvents({
  "content_analysis.completed": {
    data: eventDataSchema("A content analysis job is done.", {
      contentAnalysis: one(contentAnalysis, "The job with what it found."),
    }),
    page: "after-a-call",
    begunBy: ["createAnalysis"],
    settings: ["organisation.features.analysis", "timing.contentAnalysisCompleted"],
    instant: ownField("contentAnalysis.completed"),
    laws: ["completed after it was made"],
    shortest: { title: "The analysis of a call is complete", ...endedAtWorkshop },
  },
});
