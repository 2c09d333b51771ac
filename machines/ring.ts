import { assign, emit, setup } from "xstate";

/** What the machine of the ringing of a party begins with. */
export interface RingInput {
  /** The endpoints that begin to ring, all at once. */
  readonly endpoints: readonly string[];
  /** How long they ring, ms; null for as long as whoever began it lets them, as a team's offer does. */
  readonly timeoutMs: number | null;
}

/** What the machine of the ringing of a party remembers. */
export interface RingContext {
  /** The endpoints that still ring. */
  readonly endpoints: readonly string[];
  readonly timeoutMs: number | null;
}

/** What the machine of the ringing of a party is told. */
export type RingEvent =
  | { readonly type: "ANSWER"; readonly endpoint: string }
  /** Without an endpoint: declined on all. */
  | { readonly type: "DECLINE"; readonly endpoint: string | null }
  /** An endpoint is no longer registered. */
  | { readonly type: "LOSE"; readonly endpoint: string }
  /** The call went elsewhere, or the one who was rung became unavailable. */
  | { readonly type: "WITHDRAW"; readonly outcome: "withdrawn" | "answeredElsewhere" | "timeout" };

/** What a ring tells the platform. */
export type RingFact =
  | { readonly type: "began" }
  /** One endpoint stopped, others ring on. */
  | { readonly type: "silenced"; readonly endpoint: string; readonly outcome: "declined" | "failed" }
  | { readonly type: "answered"; readonly endpoint: string }
  /** All that still rang stopped. */
  | {
      readonly type: "stopped";
      readonly outcome: "timeout" | "declined" | "failed" | "withdrawn" | "answeredElsewhere";
    };

const endpointOf = (event: RingEvent) => ("endpoint" in event ? (event.endpoint ?? "") : "");

/** What is heard while it rings, with a limit or without. */
const whileRinging = {
  ANSWER: {
    description: "Answered on an endpoint that rings.",
    guard: "rings",
    target: "answered",
    actions: "tellAnswered",
  },
  DECLINE: [
    {
      description: "Declined on one endpoint: the others ring on.",
      guard: "ringsBesideOthers",
      actions: ["silence", "tellDeclined"],
    },
    {
      description: "Declined on all, or on the last.",
      guard: "isLast",
      target: "declined",
      actions: "tellAllDeclined",
    },
  ],
  LOSE: [
    {
      description: "An endpoint is no longer registered: the others ring on.",
      guard: "ringsBesideOthers",
      actions: ["silence", "tellLost"],
    },
    {
      description: "The last endpoint is no longer registered.",
      guard: "isLast",
      target: "lost",
      actions: "tellAllLost",
    },
  ],
  WITHDRAW: {
    description: "The call went elsewhere, or the one who was rung became unavailable.",
    target: "withdrawn",
    actions: "tellWithdrawn",
  },
} as const;

/** One user or device that rings, on all endpoints at once. */
export const ringMachine = setup({
  types: {
    input: {} as RingInput,
    context: {} as RingContext,
    events: {} as RingEvent,
    emitted: {} as RingFact,
  },
  delays: {
    ringTimeout: ({ context }) => context.timeoutMs ?? 0,
  },
  guards: {
    hasLimit: ({ context }) => context.timeoutMs !== null,
    rings: ({ context, event }) =>
      "endpoint" in event && event.endpoint !== null && context.endpoints.includes(event.endpoint),
    ringsBesideOthers: ({ context, event }) =>
      "endpoint" in event &&
      event.endpoint !== null &&
      context.endpoints.length > 1 &&
      context.endpoints.includes(event.endpoint),
    isLast: ({ context, event }) =>
      "endpoint" in event &&
      (event.endpoint === null ||
        (context.endpoints.length === 1 && context.endpoints[0] === event.endpoint)),
  },
  actions: {
    silence: assign({
      endpoints: ({ context, event }) =>
        "endpoint" in event ? context.endpoints.filter((each) => each !== event.endpoint) : context.endpoints,
    }),
    tellAnswered: emit(({ event }) => ({ type: "answered", endpoint: endpointOf(event) })),
    tellDeclined: emit(({ event }) => ({
      type: "silenced",
      endpoint: endpointOf(event),
      outcome: "declined",
    })),
    tellLost: emit(({ event }) => ({ type: "silenced", endpoint: endpointOf(event), outcome: "failed" })),
    tellAllDeclined: emit({ type: "stopped", outcome: "declined" }),
    tellAllLost: emit({ type: "stopped", outcome: "failed" }),
    tellWithdrawn: emit(({ event }) => ({
      type: "stopped",
      outcome: event.type === "WITHDRAW" ? event.outcome : "withdrawn",
    })),
  },
}).createMachine({
  id: "ring",
  description:
    "The ringing of one user or device on all endpoints at once. The first answer wins and ends it. What is said of an endpoint that does not ring is ignored.",
  context: ({ input }) => ({ endpoints: input.endpoints, timeoutMs: input.timeoutMs }),
  initial: "ringing",
  states: {
    ringing: {
      description: "The endpoints that are left ring.",
      entry: emit({ type: "began" }),
      always: { description: "There is a limit.", guard: "hasLimit", target: "limited" },
      on: whileRinging,
    },
    limited: {
      description: "The endpoints that are left ring, until the limit.",
      on: whileRinging,
      after: {
        ringTimeout: {
          description: "Nobody answered in time.",
          target: "timedOut",
          actions: emit({ type: "stopped", outcome: "timeout" }),
        },
      },
    },
    answered: { type: "final", description: "The first answer won." },
    timedOut: { type: "final", description: "It rang for as long as it may." },
    declined: { type: "final", description: "Nobody is left who may answer." },
    lost: { type: "final", description: "No endpoint is left that could ring." },
    withdrawn: { type: "final", description: "It was called off." },
  },
});
