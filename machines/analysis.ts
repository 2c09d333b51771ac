import { emit, setup } from "xstate";

/** What the machine of an analysis begins with. */
export interface AnalysisInput {
  /** How long the analysis takes, ms. */
  readonly durationMs: number;
}

/** What the machine of an analysis is told. */
export type AnalysisEvent =
  /** It is done now, whatever time it had left. */
  | { readonly type: "COMPLETE" }
  /** Nobody wants it any more. */
  | { readonly type: "CANCEL" };

/** What an analysis tells the platform. */
export interface AnalysisFact {
  readonly type: "completed";
}

/** One content analysis job. */
export const analysisMachine = setup({
  types: {
    input: {} as AnalysisInput,
    context: {} as AnalysisInput,
    events: {} as AnalysisEvent,
    emitted: {} as AnalysisFact,
  },
  delays: {
    analysis: ({ context }) => context.durationMs,
  },
}).createMachine({
  id: "analysis",
  description:
    "A content analysis job: pending until its time is over, or it is completed by hand or removed.",
  context: ({ input }) => input,
  initial: "pending",
  states: {
    pending: {
      description: "The analysis runs.",
      after: { analysis: { description: "It took its time.", target: "completed" } },
      on: {
        COMPLETE: { description: "Completed by hand.", target: "completed" },
        CANCEL: { description: "The job was removed.", target: "cancelled" },
      },
    },
    completed: { type: "final", description: "Its artifacts are there.", entry: emit({ type: "completed" }) },
    cancelled: { type: "final", description: "It was removed; nothing comes of it." },
  },
});
