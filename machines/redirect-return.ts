import { assign, emit, setup } from "xstate";

/** What the machine of the return of a redirected call begins with. */
export interface RedirectReturnInput {
  /** Whether the one that handed the call over is told by a request; otherwise the vendor takes the call back. */
  readonly isPosted: boolean;
}

/** What the machine of the return of a redirected call remembers. */
export interface RedirectReturnContext extends RedirectReturnInput {
  /** Why nobody answered. */
  readonly reason: string;
}

/** What the machine of the return of a redirected call is told. */
export type RedirectReturnEvent =
  /** Someone or something took the call: a person, voicemail; or the caller gave up. */
  | { readonly type: "KEEP" }
  | { readonly type: "UNANSWERED"; readonly reason: string }
  /** The request is over; `failure` says why it came to nothing. */
  | { readonly type: "POSTED"; readonly failure: string | null };

/** What a return tells the platform. */
export type RedirectReturnFact =
  /** The call goes back, for this reason. */
  | { readonly type: "returned"; readonly reason: string }
  /** Tell whoever handed it over, by a request. */
  | { readonly type: "post"; readonly reason: string };

/** A redirected call that goes back to where it came from if nobody answers. */
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
    "The way back of a redirected call: unanswered, it returns to a flow, a task queue or an application, or an endpoint is told of it.",
  context: ({ input }) => ({ reason: "", ...input }),
  initial: "waiting",
  states: {
    waiting: {
      description: "The call is offered.",
      on: {
        KEEP: { description: "The call was taken, or is gone.", target: "kept" },
        UNANSWERED: [
          {
            description: "An endpoint is told.",
            guard: "isPosted",
            target: "posting",
            actions: ["remember", "tellReturned"],
          },
          {
            description: "The vendor takes it back.",
            target: "returned",
            actions: ["remember", "tellReturned"],
          },
        ],
      },
    },
    posting: {
      description: "The request that tells of it is under way.",
      entry: emit(({ context }) => ({ type: "post", reason: context.reason })),
      on: {
        POSTED: [
          { description: "The endpoint took it.", guard: "isDelivered", target: "returned" },
          { description: "The endpoint did not.", target: "lost" },
        ],
      },
    },
    kept: { type: "final", description: "There was nothing to return." },
    returned: { type: "final", description: "The call went back." },
    lost: { type: "final", description: "Nobody heard that the call came back." },
  },
});
