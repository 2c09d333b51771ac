import { assign, emit, enqueueActions, setup } from "xstate";

/** What the machine of a conversation begins with. */
export interface ConversationInput {
  /** How long without an update until it is inactive, ms. */
  readonly inactivityMs: number;
  /** How long without an update until it closes, ms; null: never by itself. */
  readonly closeTimerMs: number | null;
}

/** What the machine of a conversation is told. */
export type ConversationEvent =
  /** A message came or went, or something else of it changed: both timers start again, the close timer at this length. */
  | { readonly type: "UPDATE"; readonly closeTimerMs: number | null }
  /** It is closed by hand. */
  | { readonly type: "CLOSE" }
  /** Raised by the machine: nothing was updated for as long as the close timer says. */
  | { readonly type: "closeTimer" };

/** What a conversation tells the platform. */
export type ConversationFact = { readonly type: "inactive" } | { readonly type: "closed" };

const CLOSE_TIMER = "closeTimer";

/** One conversation with outside contacts. */
export const conversationMachine = setup({
  types: {
    input: {} as ConversationInput,
    context: {} as ConversationInput,
    events: {} as ConversationEvent,
    emitted: {} as ConversationFact,
  },
  delays: {
    inactivity: ({ context }) => context.inactivityMs,
  },
  actions: {
    remember: assign(({ event }) => (event.type === "UPDATE" ? { closeTimerMs: event.closeTimerMs } : {})),
    // not an `after`: there may be no close timer, and it goes on running while the conversation is inactive
    restartCloseTimer: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel(CLOSE_TIMER);
      if (context.closeTimerMs !== null)
        enqueue.raise({ type: "closeTimer" }, { id: CLOSE_TIMER, delay: context.closeTimerMs });
    }),
  },
}).createMachine({
  id: "conversation",
  description:
    "A conversation with outside contacts: inactive when nothing is updated for a while, closed by its close timer or by hand, and never opened again.",
  context: ({ input }) => input,
  initial: "open",
  states: {
    open: {
      description: "Messages come and go; each starts both timers again.",
      // the close timer starts first: of two timers of one length it closes, without being inactive before
      entry: "restartCloseTimer",
      after: {
        inactivity: {
          description: "Nothing was updated for a while.",
          target: "inactive",
          actions: emit({ type: "inactive" }),
        },
      },
      on: {
        UPDATE: {
          description: "Both timers start again.",
          target: "open",
          reenter: true,
          actions: "remember",
        },
        closeTimer: {
          description: "Nothing was updated for as long as the close timer says.",
          target: "closed",
        },
        CLOSE: { description: "Closed by hand.", target: "closed" },
      },
    },
    inactive: {
      description: "Nothing was updated for a while; the close timer goes on running.",
      on: {
        UPDATE: {
          description: "It is open again, and both timers start again.",
          target: "open",
          actions: "remember",
        },
        closeTimer: {
          description: "Nothing was updated for as long as the close timer says.",
          target: "closed",
        },
        CLOSE: { description: "Closed by hand.", target: "closed" },
      },
    },
    closed: {
      type: "final",
      description: "It is over: the next message begins another.",
      entry: emit({ type: "closed" }),
    },
  },
});
