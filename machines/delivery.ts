import { assign, emit, setup } from "xstate";

/** What the machine of a delivery begins with. */
export interface DeliveryInput {
  /** How many attempts there may be. */
  readonly attempts: number;
}

/** What the machine of a delivery remembers. */
export interface DeliveryContext {
  readonly attemptLimit: number;
  /** The attempt that is under way, or was the last: 1 for the first. */
  readonly attempt: number;
  /** From now to the next attempt, ms. */
  readonly delayMs: number;
}

/** What the machine of a delivery is told. */
export type DeliveryEvent =
  | { readonly type: "SUCCEED" }
  /** The attempt failed. `isRetried`: what it failed with may be gone the next time; `delayMs`: how long until then. */
  | { readonly type: "FAIL"; readonly isRetried: boolean; readonly delayMs: number }
  /** The webhook is disabled or gone. */
  | { readonly type: "DROP" };

/** What a delivery tells the platform. */
export type DeliveryFact =
  | { readonly type: "attempt"; readonly number: number }
  | { readonly type: "delivered" }
  | { readonly type: "givenUp"; readonly reason: "rejected" | "exhausted" }
  | { readonly type: "dropped" };

/** One event on its way to one webhook. */
export const deliveryMachine = setup({
  types: {
    input: {} as DeliveryInput,
    context: {} as DeliveryContext,
    events: {} as DeliveryEvent,
    emitted: {} as DeliveryFact,
  },
  delays: { backOff: ({ context }) => context.delayMs },
  guards: {
    isRejected: ({ event }) => event.type === "FAIL" && !event.isRetried,
    isExhausted: ({ context }) => context.attempt >= context.attemptLimit,
  },
  actions: {
    tellDropped: emit({ type: "dropped" }),
    remember: assign(({ event }) => (event.type === "FAIL" ? { delayMs: event.delayMs } : {})),
  },
}).createMachine({
  id: "delivery",
  description:
    "The delivery of one event to one webhook: attempt after attempt with back-off, until one succeeds, one is rejected for good, or there were as many as there may be.",
  context: ({ input }) => ({ attemptLimit: input.attempts, attempt: 1, delayMs: 0 }),
  initial: "attempting",
  states: {
    attempting: {
      description: "A request is under way.",
      entry: emit(({ context }) => ({ type: "attempt", number: context.attempt })),
      on: {
        SUCCEED: {
          description: "The endpoint took it.",
          target: "delivered",
          actions: emit({ type: "delivered" }),
        },
        FAIL: [
          {
            description: "The endpoint does not want it.",
            guard: "isRejected",
            target: "givenUp",
            actions: emit({ type: "givenUp", reason: "rejected" }),
          },
          {
            description: "That was the last attempt.",
            guard: "isExhausted",
            target: "givenUp",
            actions: emit({ type: "givenUp", reason: "exhausted" }),
          },
          { description: "There is another attempt to come.", target: "waiting", actions: "remember" },
        ],
        DROP: { description: "Nobody waits for it any more.", target: "dropped", actions: "tellDropped" },
      },
    },
    waiting: {
      description: "Until the next attempt.",
      after: {
        backOff: {
          description: "The next attempt.",
          target: "attempting",
          actions: assign({ attempt: ({ context }) => context.attempt + 1 }),
        },
      },
      on: {
        DROP: { description: "Nobody waits for it any more.", target: "dropped", actions: "tellDropped" },
      },
    },
    delivered: { type: "final", description: "The endpoint has it." },
    givenUp: { type: "final", description: "The endpoint never took it." },
    dropped: { type: "final", description: "The webhook was disabled or removed first." },
  },
});
