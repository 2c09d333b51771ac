import { assign, emit, setup } from "xstate";

/** The input of the machine of a redirected call's return. */
export interface RedirectReturnInput {
  /**
   * Whether the application that handed the call over is told by a request; otherwise the vendor takes the call back.
   */
  readonly isPosted: boolean;
}

/** The context of the machine of a redirected call's return. */
export interface RedirectReturnContext extends RedirectReturnInput {
  /** Why nobody answered. */
  readonly reason: string;
}

/** The events of the machine of a redirected call's return. */
export type RedirectReturnEvent =
  /** The call was answered by a person or by voicemail, or the caller gave up. */
  | { readonly type: "KEEP" }
  | { readonly type: "UNANSWERED"; readonly reason: string }
  /** The request is over. `failure` says why it failed; null if it succeeded. */
  | { readonly type: "POSTED"; readonly failure: string | null };

/** The facts that the machine of a redirected call's return emits to the platform. */
export type RedirectReturnFact =
  /** The call returns, for this reason. */
  | { readonly type: "returned"; readonly reason: string }
  /** Asks the platform to send the request to the application that handed the call over. */
  | { readonly type: "post"; readonly reason: string };

/**
 * The return of a redirected call to where it came from, if nobody answers.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { redirectReturnMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(redirectReturnMachine, { isPosted: true });
 * const [after] = transition(redirectReturnMachine, before, { type: "UNANSWERED", reason: "timeout" });
 * [before.value, after.value]; // => ["waiting", "posting"]
 */
export const redirectReturnMachine = setup({
  types: {
    input: {} as RedirectReturnInput,
    context: {} as RedirectReturnContext,
    events: {} as RedirectReturnEvent,
    emitted: {} as RedirectReturnFact,
  },
  guards: {
    isPosted: ({ context }) => context.isPosted,
    isDelivered: ({ event }) => event.type === "POSTED" && event.failure === null,
  },
  actions: {
    remember: assign(({ event }) => (event.type === "UNANSWERED" ? { reason: event.reason } : {})),
    tellReturned: emit(({ context }) => ({ type: "returned", reason: context.reason })),
  },
}).createMachine({
  id: "redirectReturn",
  description:
    "The return of a redirected call. If nobody answers, the call returns to a flow, a task queue or an application, or an endpoint is told.",
  context: ({ input }) => ({ reason: "", ...input }),
  initial: "waiting",
  states: {
    waiting: {
      description: "The call is offered.",
      on: {
        KEEP: { description: "The call was answered or is over.", target: "kept" },
        UNANSWERED: [
          {
            description: "An endpoint is told.",
            guard: "isPosted",
            target: "posting",
            actions: ["remember", "tellReturned"],
          },
          {
            description: "The vendor takes the call back.",
            target: "returned",
            actions: ["remember", "tellReturned"],
          },
        ],
      },
    },
    posting: {
      description: "The request to the endpoint is under way.",
      entry: emit(({ context }) => ({ type: "post", reason: context.reason })),
      on: {
        POSTED: [
          { description: "The endpoint accepted the request.", guard: "isDelivered", target: "returned" },
          { description: "The request failed.", target: "lost" },
        ],
      },
    },
    kept: { type: "final", description: "There was nothing to return." },
    returned: { type: "final", description: "The call returned." },
    lost: { type: "final", description: "The endpoint was not told." },
  },
});
