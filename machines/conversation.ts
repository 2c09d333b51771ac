import { assign, emit, enqueueActions, setup } from "xstate";
import { MAX_PARTICIPANTS } from "./participants.ts";

/** The input of the machine of a conversation. */
export interface ConversationInput {
  /** How long without an update until it becomes inactive, ms. */
  readonly inactivityMs: number;
  /** How long without an update until it closes, ms; null if it never closes by itself. */
  readonly closeTimerMs: number | null;
  /** Who takes part from the start: numbers of contacts, ids of users. Default: nobody. */
  readonly participants?: readonly string[];
}

/** The context of the machine of a conversation. */
export interface ConversationContext extends ConversationInput {
  readonly participants: readonly string[];
}

/** The events of the machine of a conversation. */
export type ConversationEvent =
  /** A message, or another change. Both timers restart, the close timer with this length in ms. */
  | { readonly type: "UPDATE"; readonly closeTimerMs: number | null }
  /** A user is assigned. Not taken for one who takes part already, or would be the eleventh. */
  | { readonly type: "JOIN"; readonly participant: string }
  /** The conversation is closed by hand. */
  | { readonly type: "CLOSE" }
  /** Raised by the machine when the close timer is over. */
  | { readonly type: "closeTimer" };

/** The facts that the machine of a conversation emits to the platform. */
export type ConversationFact =
  | { readonly type: "joined"; readonly participant: string }
  | { readonly type: "inactive" }
  | { readonly type: "closed" };

const CLOSE_TIMER = "closeTimer";

/**
 * One conversation with outside contacts.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { conversationMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(conversationMachine, { inactivityMs: 600_000, closeTimerMs: null });
 * const [after] = transition(conversationMachine, before, { type: "CLOSE" });
 * [before.value, after.value]; // => ["open", "closed"]
 */
export const conversationMachine = setup({
  types: {
    input: {} as ConversationInput,
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    emitted: {} as ConversationFact,
  },
  delays: {
    inactivity: ({ context }) => context.inactivityMs,
  },
  guards: {
    mayJoin: ({ context: { participants }, event }) =>
      event.type === "JOIN" &&
      participants.length < MAX_PARTICIPANTS &&
      !participants.includes(event.participant),
  },
  actions: {
    join: assign(({ context: { participants }, event }) =>
      event.type === "JOIN" ? { participants: [...participants, event.participant] } : {},
    ),
    remember: assign(({ event }) => (event.type === "UPDATE" ? { closeTimerMs: event.closeTimerMs } : {})),
    // not an `after`: the close timer is optional, and keeps running while the conversation is inactive
    restartCloseTimer: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel(CLOSE_TIMER);
      if (context.closeTimerMs !== null)
        enqueue.raise({ type: "closeTimer" }, { id: CLOSE_TIMER, delay: context.closeTimerMs });
    }),
  },
}).createMachine({
  id: "conversation",
  description:
    "A conversation with outside contacts. It becomes inactive when there is no update for a while, is closed by its close timer or by hand, and never opens again. At most ten take part.",
  context: ({ input }) => ({ participants: [], ...input }),
  initial: "open",
  on: {
    JOIN: {
      description: "The user takes part from now on. Nobody does twice, or as the eleventh.",
      guard: "mayJoin",
      actions: ["join", emit(({ event }) => ({ type: "joined", participant: event.participant }))],
    },
  },
  states: {
    open: {
      description: "Each message or other change restarts both timers.",
      // the close timer starts first: if both have the same length, the conversation closes without becoming inactive
      entry: "restartCloseTimer",
      after: {
        inactivity: {
          description: "There was no update for a while.",
          target: "inactive",
          actions: emit({ type: "inactive" }),
        },
      },
      on: {
        UPDATE: {
          description: "Both timers restart.",
          target: "open",
          reenter: true,
          actions: "remember",
        },
        closeTimer: {
          description: "There was no update until the close timer was over.",
          target: "closed",
        },
        CLOSE: { description: "Closed by hand.", target: "closed" },
      },
    },
    inactive: {
      description: "There was no update for a while. The close timer keeps running.",
      on: {
        UPDATE: {
          description: "It becomes open, and both timers restart.",
          target: "open",
          actions: "remember",
        },
        closeTimer: {
          description: "There was no update until the close timer was over.",
          target: "closed",
        },
        CLOSE: { description: "Closed by hand.", target: "closed" },
      },
    },
    closed: {
      type: "final",
      description: "It is over. The next message begins another conversation.",
      entry: emit({ type: "closed" }),
    },
  },
});
