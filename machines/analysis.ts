import { emit, setup } from "xstate";

/** The input of the machine of a content analysis job. */
export interface AnalysisInput {
  /** How long the analysis takes, ms. */
  readonly durationMs: number;
}

/** The events of the machine of a content analysis job. */
export type AnalysisEvent =
  /** The job completes now. */
  | { readonly type: "COMPLETE" }
  /** The job is removed. */
  | { readonly type: "CANCEL" };

/** The facts that the machine of a content analysis job emits to the platform. */
export interface AnalysisFact {
  /** The job is complete. */
  readonly type: "completed";
}

/**
 * One content analysis job.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { analysisMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(analysisMachine, { durationMs: 60_000 });
 * const [after] = transition(analysisMachine, before, { type: "COMPLETE" });
 * [before.value, after.value]; // => ["pending", "completed"]
 */
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
      after: { analysis: { description: "The analysis is done.", target: "completed" } },
      on: {
        COMPLETE: { description: "Completed by hand.", target: "completed" },
        CANCEL: { description: "The job was removed.", target: "cancelled" },
      },
    },
    completed: { type: "final", description: "Its artifacts are there.", entry: emit({ type: "completed" }) },
    cancelled: { type: "final", description: "The job was removed." },
  },
});
