import { assign, emit, setup } from "xstate";

/** The input of the machine of a visit to voicemail. */
export interface VoicemailInput {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** The longest message, ms. */
  readonly maxMessageMs: number;
}

/** The context of the machine of a visit to voicemail. */
export interface VoicemailContext {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** The longest message, ms. */
  readonly maxMessageMs: number;
  /** The length of the message that the caller leaves, ms; null if it is not known. */
  readonly messageMs: number | null;
}

/** The events of the machine of a visit to voicemail. */
export type VoicemailEvent =
  /** The caller has a message of this length. It begins at the tone, or at once if the tone has sounded. */
  { readonly type: "SPEAK"; readonly messageMs: number } | { readonly type: "HANGUP" };

/** The facts that the machine of a visit to voicemail emits to the platform. */
export type VoicemailFact =
  /** The tone sounds, and the recording begins. */
  | { readonly type: "tone" }
  /** The caller has left: by hanging up, at the end of their message, or at the limit. */
  | { readonly type: "over"; readonly by: "caller" | "message" | "limit" };

/** A caller in voicemail. */
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
    isSilent: ({ context }) => context.messageMs === null,
    isSilentAndShort: ({ context, event }) =>
      event.type === "SPEAK" && context.messageMs === null && event.messageMs < context.maxMessageMs,
  },
  actions: {
    remember: assign({ messageMs: ({ event }) => (event.type === "SPEAK" ? event.messageMs : null) }),
  },
}).createMachine({
  id: "voicemail",
  description:
    "A caller in voicemail: the greeting, the tone, then at most one message. They may hang up at any time.",
  context: ({ input }) => ({ messageMs: null, ...input }),
  initial: "greeting",
  states: {
    greeting: {
      description: "The greeting plays, and ends with the tone.",
      after: {
        greeting: [
          {
            description: "The tone sounds, and the caller's message fits.",
            guard: "hasMessage",
            target: "speaking",
            actions: emit({ type: "tone" }),
          },
          {
            description: "The tone sounds. The length of the message is not known, or is over the limit.",
            target: "recording",
            actions: emit({ type: "tone" }),
          },
        ],
      },
      on: {
        SPEAK: {
          description: "The message will begin at the tone. There can be only one.",
          guard: "isSilent",
          actions: "remember",
        },
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    recording: {
      description: "The caller is recorded until they hang up or reach the limit.",
      after: {
        messageLimit: {
          description: "The message has reached the limit.",
          target: "finished",
          actions: emit({ type: "over", by: "limit" }),
        },
      },
      on: {
        SPEAK: [
          {
            description: "The message begins now, and fits.",
            guard: "isSilentAndShort",
            target: "speaking",
            actions: "remember",
          },
          {
            description: "The message begins now, and will be cut.",
            guard: "isSilent",
            target: "recording",
            reenter: true,
            actions: "remember",
          },
        ],
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    speaking: {
      description: "The caller leaves a message of a given length.",
      after: {
        message: {
          description: "The message ends, and the caller hangs up.",
          target: "finished",
          actions: emit({ type: "over", by: "message" }),
        },
      },
      on: {
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    finished: { type: "final", description: "The message is complete." },
    hungUp: {
      type: "final",
      description: "The caller hung up.",
      entry: emit({ type: "over", by: "caller" }),
    },
  },
});
