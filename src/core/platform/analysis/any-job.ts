import type { AnalysisRecord } from "../../generated/records.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import type { Analysis } from "./analysis.ts";

/** Any job of content analysis. */
export const anyJob: RecordGuard<
  { readonly analysis: Analysis },
  { readonly analysis: string },
  AnalysisRecord
> = {
  recordKind: "analysis",
  find: ({ analysis }, { analysis: id }) => analysis.get(id),
  refusal: () => undefined,
};
