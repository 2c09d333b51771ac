export type {
  AggregatedContent,
  AnalysisArtifact,
  AnalysisContent,
  AnalysisRecord,
} from "../generated/records.ts";
