import { assign, emit, setup } from "xstate";

export interface VoicemailInput {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** How long a message may be, ms. */
  readonly maxMessageMs: number;
}

export interface VoicemailContext {
  readonly greetingMs: number;
  readonly maxMessageMs: number;
  /** The length of the message that the caller speaks, ms; null until they begin with one of a given length. */
  readonly messageMs: number | null;
}

export type VoicemailEvent =
  /** The caller has a message of this length: it begins at the tone, or at once if that has sounded. */
  { readonly type: "SPEAK"; readonly messageMs: number } | { readonly type: "HANGUP" };

/** What voicemail tells the platform. */
export type VoicemailFact =
  /** The tone: from here on the caller is recorded. */
  | { readonly type: "tone" }
  /** The caller is gone: hung up, spoke to the end, or reached the limit. */
  | { readonly type: "over"; readonly by: "caller" | "message" | "limit" };

/** A caller in voicemail: the greeting, the tone, then at most one message. They may hang up at any time. */
export const voicemailMachine = setup({
  types: {
    input: {} as VoicemailInput,
    context: {} as VoicemailContext,
    events: {} as VoicemailEvent,
    emitted: {} as VoicemailFact,
  },
  delays: {
    greeting: ({ context }) => context.greetingMs,
    messageLimit: ({ context }) => context.maxMessageMs,
    message: ({ context }) => context.messageMs ?? 0,
  },
  guards: {
    hasMessage: ({ context }) => context.messageMs !== null && context.messageMs < context.maxMessageMs,
    isShort: ({ context, event }) => event.type === "SPEAK" && event.messageMs < context.maxMessageMs,
  },
  actions: {
    remember: assign({ messageMs: ({ event }) => (event.type === "SPEAK" ? event.messageMs : null) }),
  },
}).createMachine({
  id: "voicemail",
  context: ({ input }) => ({ ...input, messageMs: null }),
  initial: "greeting",
  states: {
    greeting: {
      after: {
        greeting: [
          { guard: "hasMessage", target: "speaking", actions: emit({ type: "tone" }) },
          { target: "recording", actions: emit({ type: "tone" }) },
        ],
      },
      on: {
        SPEAK: { actions: "remember" },
        HANGUP: "hungUp",
      },
    },
    recording: {
      after: {
        messageLimit: { target: "finished", actions: emit({ type: "over", by: "limit" }) },
      },
      on: {
        SPEAK: [
          { guard: "isShort", target: "speaking", actions: "remember" },
          { target: "recording", reenter: true, actions: "remember" },
        ],
        HANGUP: "hungUp",
      },
    },
    speaking: {
      after: {
        message: { target: "finished", actions: emit({ type: "over", by: "message" }) },
      },
      on: {
        HANGUP: "hungUp",
      },
    },
    finished: { type: "final" },
    hungUp: { type: "final", entry: emit({ type: "over", by: "caller" }) },
  },
});
