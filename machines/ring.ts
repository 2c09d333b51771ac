import { assign, emit, setup } from "xstate";

export interface RingInput {
  /** The endpoints that begin to ring, all at once. */
  readonly endpoints: readonly string[];
  /** How long they ring, ms. */
  readonly timeoutMs: number;
}

export interface RingContext {
  /** The endpoints that still ring. */
  readonly endpoints: readonly string[];
  readonly timeoutMs: number;
}

export type RingEvent =
  | { readonly type: "ANSWER"; readonly endpoint: string }
  /** Without an endpoint: declined on all. */
  | { readonly type: "DECLINE"; readonly endpoint: string | null }
  /** An endpoint is no longer registered. */
  | { readonly type: "LOSE"; readonly endpoint: string }
  /** The call went elsewhere, or the one who was rung became unavailable. */
  | { readonly type: "WITHDRAW"; readonly outcome: "withdrawn" | "answeredElsewhere" };

/** What a ring tells the platform. */
export type RingFact =
  /** One endpoint stopped, others ring on. */
  | { readonly type: "silenced"; readonly endpoint: string; readonly outcome: "declined" | "failed" }
  | { readonly type: "answered"; readonly endpoint: string }
  /** All that still rang stopped. */
  | {
      readonly type: "stopped";
      readonly outcome: "timeout" | "declined" | "failed" | "withdrawn" | "answeredElsewhere";
    };

/** The ringing of one user or device on all endpoints at once: the first answer wins and ends it. */
export const ringMachine = setup({
  types: {
    input: {} as RingInput,
    context: {} as RingContext,
    events: {} as RingEvent,
    emitted: {} as RingFact,
  },
  delays: {
    ringTimeout: ({ context }) => context.timeoutMs,
  },
  guards: {
    othersRing: ({ context, event }) =>
      "endpoint" in event &&
      event.endpoint !== null &&
      context.endpoints.some((each) => each !== event.endpoint),
  },
}).createMachine({
  id: "ring",
  context: ({ input }) => ({ endpoints: input.endpoints, timeoutMs: input.timeoutMs }),
  initial: "ringing",
  states: {
    ringing: {
      after: {
        ringTimeout: { target: "timedOut", actions: emit({ type: "stopped", outcome: "timeout" }) },
      },
      on: {
        ANSWER: {
          target: "answered",
          actions: emit(({ event }) => ({ type: "answered", endpoint: event.endpoint })),
        },
        DECLINE: [
          {
            guard: "othersRing",
            actions: [
              assign({
                endpoints: ({ context, event }) =>
                  context.endpoints.filter((each) => each !== event.endpoint),
              }),
              emit(({ event }) => ({
                type: "silenced",
                endpoint: event.endpoint ?? "",
                outcome: "declined",
              })),
            ],
          },
          { target: "declined", actions: emit({ type: "stopped", outcome: "declined" }) },
        ],
        LOSE: [
          {
            guard: "othersRing",
            actions: [
              assign({
                endpoints: ({ context, event }) =>
                  context.endpoints.filter((each) => each !== event.endpoint),
              }),
              emit(({ event }) => ({ type: "silenced", endpoint: event.endpoint, outcome: "failed" })),
            ],
          },
          { target: "lost", actions: emit({ type: "stopped", outcome: "failed" }) },
        ],
        WITHDRAW: {
          target: "withdrawn",
          actions: emit(({ event }) => ({ type: "stopped", outcome: event.outcome })),
        },
      },
    },
    answered: { type: "final" },
    timedOut: { type: "final" },
    declined: { type: "final" },
    lost: { type: "final" },
    withdrawn: { type: "final" },
  },
});
