import { assign, emit, setup } from "xstate";

/** The input of the machine of a delivery. */
export interface DeliveryInput {
  /** How many attempts are made at most. */
  readonly attempts: number;
}

/** The context of the machine of a delivery. */
export interface DeliveryContext {
  /** How many attempts are made at most. */
  readonly attemptLimit: number;
  /** The number of the current or last attempt, 1 for the first. */
  readonly attempt: number;
  /** How long until the next attempt, ms. */
  readonly delayMs: number;
}

/** The events of the machine of a delivery. */
export type DeliveryEvent =
  | { readonly type: "SUCCEED" }
  /** An attempt failed. `isRetried`: whether another attempt may succeed. `delayMs`: how long until it, ms. */
  | { readonly type: "FAIL"; readonly isRetried: boolean; readonly delayMs: number }
  /** The webhook was disabled or deleted. */
  | { readonly type: "DROP" };

/** The facts that the machine of a delivery emits to the platform. */
export type DeliveryFact =
  | { readonly type: "attempt"; readonly number: number }
  | { readonly type: "delivered" }
  | { readonly type: "givenUp"; readonly reason: "rejected" | "exhausted" }
  | { readonly type: "dropped" };

/**
 * The delivery of one event to one webhook.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { deliveryMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(deliveryMachine, { attempts: 10 });
 * const [after] = transition(deliveryMachine, before, { type: "FAIL", isRetried: true, delayMs: 60_000 });
 * [before.value, after.value]; // => ["attempting", "waiting"]
 */
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
    "The delivery of one event to one webhook: attempts with back-off, until one succeeds, one is rejected for good, or no attempt is left.",
  context: ({ input }) => ({ attemptLimit: input.attempts, attempt: 1, delayMs: 0 }),
  initial: "attempting",
  states: {
    attempting: {
      description: "A request is under way.",
      entry: emit(({ context }) => ({ type: "attempt", number: context.attempt })),
      on: {
        SUCCEED: {
          description: "The endpoint accepted the event.",
          target: "delivered",
          actions: emit({ type: "delivered" }),
        },
        FAIL: [
          {
            description: "The endpoint rejected the event.",
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
          { description: "Another attempt follows.", target: "waiting", actions: "remember" },
        ],
        DROP: {
          description: "The webhook is disabled or deleted.",
          target: "dropped",
          actions: "tellDropped",
        },
      },
    },
    waiting: {
      description: "It waits for the next attempt.",
      after: {
        backOff: {
          description: "The next attempt.",
          target: "attempting",
          actions: assign({ attempt: ({ context }) => context.attempt + 1 }),
        },
      },
      on: {
        DROP: {
          description: "The webhook is disabled or deleted.",
          target: "dropped",
          actions: "tellDropped",
        },
      },
    },
    delivered: { type: "final", description: "The event is delivered." },
    givenUp: { type: "final", description: "The endpoint never accepted the event." },
    dropped: { type: "final", description: "The webhook was disabled or deleted first." },
  },
});
