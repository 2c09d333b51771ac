import { assign, emit, setup } from "xstate";

/** What the machine of a visit to voicemail begins with. */
export interface VoicemailInput {
  /** How long the greeting plays, ms. */
  readonly greetingMs: number;
  /** How long a message may be, ms. */
  readonly maxMessageMs: number;
}

/** What the machine of a visit to voicemail remembers. */
export interface VoicemailContext {
  readonly greetingMs: number;
  readonly maxMessageMs: number;
  /** The length of the message that the caller speaks, ms; null until they begin with one of a given length. */
  readonly messageMs: number | null;
}

/** What the machine of a visit to voicemail is told. */
export type VoicemailEvent =
  /** The caller has a message of this length: it begins at the tone, or at once if that has sounded. */
  { readonly type: "SPEAK"; readonly messageMs: number } | { readonly type: "HANGUP" };

/** What voicemail tells the platform. */
export type VoicemailFact =
  /** The tone: from here on the caller is recorded. */
  | { readonly type: "tone" }
  /** The caller is gone: hung up, spoke to the end, or reached the limit. */
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
            description: "The tone sounds, and the caller has a message that fits.",
            guard: "hasMessage",
            target: "speaking",
            actions: emit({ type: "tone" }),
          },
          {
            description: "The tone sounds, and nobody knows how long the caller will speak.",
            target: "recording",
            actions: emit({ type: "tone" }),
          },
        ],
      },
      on: {
        SPEAK: {
          description: "The message will begin at the tone. There is no second.",
          guard: "isSilent",
          actions: "remember",
        },
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    recording: {
      description: "The caller is recorded, for as long as they stay on the line and a message may be.",
      after: {
        messageLimit: {
          description: "The message is as long as it may be.",
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
          description: "The caller has said it all, and hangs up.",
          target: "finished",
          actions: emit({ type: "over", by: "message" }),
        },
      },
      on: {
        HANGUP: { description: "The caller hangs up.", target: "hungUp" },
      },
    },
    finished: { type: "final", description: "The message came to its end." },
    hungUp: {
      type: "final",
      description: "The caller hung up.",
      entry: emit({ type: "over", by: "caller" }),
    },
  },
});
