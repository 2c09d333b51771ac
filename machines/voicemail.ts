import { assign, emit, setup } from "xstate";

/** The input of the machine of a visit to voicemail. */
export interface VoicemailInput {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** The longest message, ms. */
  readonly maxMessageMs: number;
  /** How long nobody may say anything after the tone, ms. */
  readonly silenceMs: number;
}

/** The context of the machine of a visit to voicemail. */
export interface VoicemailContext {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** The longest message, ms. */
  readonly maxMessageMs: number;
  /** How long nobody may say anything after the tone, ms. */
  readonly silenceMs: number;
  /** The length of the message that the caller leaves, ms; null before they begin one. */
  readonly messageMs: number | null;
}

/** The events of the machine of a visit to voicemail. */
export type VoicemailEvent =
  /** The caller has a message of this length. It begins at the tone, or at once if the tone has sounded. */
  { readonly type: "SPEAK"; readonly messageMs: number } | { readonly type: "HANGUP" };

/** The facts that the machine of a visit to voicemail emits to the platform. */
export type VoicemailFact =
  /** The tone sounds. */
  | { readonly type: "tone" }
  /** The caller has left: by hanging up, at the end of their message, at the limit, or after saying nothing. */
  | { readonly type: "over"; readonly by: "caller" | "message" | "limit" | "silence" };

/**
 * A caller in voicemail.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { voicemailMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(voicemailMachine, { greetingMs: 5_000, maxMessageMs: 180_000, silenceMs: 30_000 });
 * const [after] = transition(voicemailMachine, before, { type: "HANGUP" });
 * [before.value, after.value]; // => ["greeting", "hungUp"]
 */
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
    silence: ({ context }) => context.silenceMs,
  },
  guards: {
    hasShortMessage: ({ context }) => context.messageMs !== null && context.messageMs < context.maxMessageMs,
    hasMessage: ({ context }) => context.messageMs !== null,
    isSilent: ({ context }) => context.messageMs === null,
    isShort: ({ context, event }) => event.type === "SPEAK" && event.messageMs < context.maxMessageMs,
  },
  actions: {
    remember: assign({ messageMs: ({ event }) => (event.type === "SPEAK" ? event.messageMs : null) }),
  },
}).createMachine({
  id: "voicemail",
  description:
    "A caller in voicemail: the greeting, the tone, then at most one message. They may hang up at any time, and are hung up on if they say nothing.",
  context: ({ input }) => ({ messageMs: null, ...input }),
  initial: "greeting",
  states: {
    greeting: {
      description: "The greeting plays, and ends with the tone.",
      after: {
        greeting: [
          {
            description: "The tone sounds, and the caller's message fits.",
            guard: "hasShortMessage",
            target: "speaking",
            actions: emit({ type: "tone" }),
          },
          {
            description: "The tone sounds, and the caller's message will be cut.",
            guard: "hasMessage",
            target: "recording",
            actions: emit({ type: "tone" }),
          },
          {
            description: "The tone sounds, and nobody speaks yet.",
            target: "silent",
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
    silent: {
      description: "The tone has sounded, and nobody has said anything.",
      after: {
        silence: {
          description: "Nobody has said anything for too long: silence is no message.",
          target: "finished",
          actions: emit({ type: "over", by: "silence" }),
        },
      },
      on: {
        SPEAK: [
          {
            description: "The message begins now, and fits.",
            guard: "isShort",
            target: "speaking",
            actions: "remember",
          },
          {
            description: "The message begins now, and will be cut.",
            target: "recording",
            actions: "remember",
          },
        ],
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    recording: {
      description: "The caller leaves a message that is longer than the limit.",
      after: {
        messageLimit: {
          description: "The message has reached the limit.",
          target: "finished",
          actions: emit({ type: "over", by: "limit" }),
        },
      },
      on: {
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
    finished: { type: "final", description: "The message is complete, or there was none." },
    hungUp: {
      type: "final",
      description: "The caller hung up.",
      entry: emit({ type: "over", by: "caller" }),
    },
  },
});
