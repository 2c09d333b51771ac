import type { UserReference } from "./directory.ts";
import type { Moment, OptionalMoment } from "./moments.ts";

/** Something that an analysis found. */
export interface AnalysisArtifact {
  readonly type: string;
  readonly content: string;
  /** What it took. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Recordings to analyse. */
export interface AnalysisContent {
  readonly recordings: readonly { readonly id: string; readonly transcriptionModel: string | null }[];
}

/** Scorecards of one agent to aggregate: those of other content analysis jobs. */
export interface AggregatedContent {
  readonly agent: UserReference;
  readonly contentAnalysis: readonly { readonly id: string }[];
}

/** A content analysis job. */
export interface AnalysisRecord extends Moment<"created">, OptionalMoment<"completed"> {
  readonly id: string;
  readonly analyzer: string;
  readonly status: "pending" | "completed";
  /** The call that the service made it for; null for those made through the API. */
  readonly callId: string | null;
  readonly content: AnalysisContent | AggregatedContent;
  readonly artifacts: readonly AnalysisArtifact[];
  /** As submitted; of a job that the service made, the call's. */
  readonly passthroughParameters: Readonly<Record<string, unknown>>;
}
