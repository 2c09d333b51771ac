import { assign, emit, setup } from "xstate";

/** The input of the machine of a ring. */
export interface RingInput {
  /** The endpoints that begin to ring, all at once. */
  readonly endpoints: readonly string[];
  /** How long they ring, ms; null if the sender ends the ring, as an offer to a team does. */
  readonly timeoutMs: number | null;
}

/** The context of the machine of a ring. */
export interface RingContext {
  /** The endpoints that still ring. */
  readonly endpoints: readonly string[];
  /** How long they ring, ms; null for no limit of their own. */
  readonly timeoutMs: number | null;
}

/** The events of the machine of a ring. */
export type RingEvent =
  | { readonly type: "ANSWER"; readonly endpoint: string }
  /** Without an endpoint, it is declined on all. */
  | { readonly type: "DECLINE"; readonly endpoint: string | null }
  /** An endpoint is no longer registered. */
  | { readonly type: "LOSE"; readonly endpoint: string }
  /** The call was answered elsewhere or is over, or the person who is rung became unavailable. */
  | { readonly type: "WITHDRAW"; readonly outcome: "withdrawn" | "answeredElsewhere" | "timeout" };

/** The facts that the machine of a ring emits to the platform. */
export type RingFact =
  | { readonly type: "began" }
  /** One endpoint stopped; others ring on. */
  | { readonly type: "silenced"; readonly endpoint: string; readonly outcome: "declined" | "failed" }
  | { readonly type: "answered"; readonly endpoint: string }
  /** All endpoints that still rang stopped. */
  | {
      readonly type: "stopped";
      readonly outcome: "timeout" | "declined" | "failed" | "withdrawn" | "answeredElsewhere";
    };

const endpointOf = (event: RingEvent) => ("endpoint" in event ? (event.endpoint ?? "") : "");

/** The transitions while it rings, with a limit or without. */
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
    description: "The call was answered elsewhere or is over, or the person became unavailable.",
    target: "withdrawn",
    actions: "tellWithdrawn",
  },
} as const;

/**
 * The ring of one user or device, on all endpoints at once.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { ringMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(ringMachine, { endpoints: ["mobile"], timeoutMs: null });
 * const [after] = transition(ringMachine, before, { type: "ANSWER", endpoint: "mobile" });
 * [before.value, after.value]; // => ["ringing", "answered"]
 */
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
    "The ring of one user or device, on all endpoints at once. The first answer ends it. Events about an endpoint that does not ring are ignored.",
  context: ({ input }) => ({ endpoints: input.endpoints, timeoutMs: input.timeoutMs }),
  initial: "ringing",
  states: {
    ringing: {
      description: "The remaining endpoints ring.",
      entry: emit({ type: "began" }),
      always: { description: "There is a limit.", guard: "hasLimit", target: "limited" },
      on: whileRinging,
    },
    limited: {
      description: "The remaining endpoints ring until the limit.",
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
    timedOut: { type: "final", description: "It rang until the limit." },
    declined: { type: "final", description: "It was declined on every endpoint." },
    lost: { type: "final", description: "No endpoint is left." },
    withdrawn: { type: "final", description: "It was cancelled." },
  },
});
