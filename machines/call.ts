import { assign, emit, setup } from "xstate";

/** Ids of parties, in the order in which they joined the bridge. */
type Parties = readonly string[];

export interface CallInput {
  /** The party that called. */
  readonly caller: string;
}

export interface CallContext {
  readonly caller: string;
  /** Who is on the bridge, in the order in which they joined. */
  readonly bridge: Parties;
  /** Why nobody answered; null while that is open. */
  readonly unansweredReason: string | null;
}

export type CallEvent =
  | { readonly type: "OFFER" }
  | { readonly type: "ANSWER"; readonly party: string; readonly endpoint: string }
  /** No further offer will be made. `voicemail` is the party that takes a message, if one does. */
  | { readonly type: "UNANSWERED"; readonly reason: string; readonly voicemail: string | null }
  | { readonly type: "HANGUP"; readonly party: string }
  /** The caller is gone from voicemail, with or without leaving a message. */
  | { readonly type: "VOICEMAIL_ENDED"; readonly message: boolean };

/** What a call tells the platform. */
export type CallFact =
  | { readonly type: "offered" }
  | { readonly type: "answered"; readonly party: string; readonly endpoint: string }
  | { readonly type: "sentToVoicemail"; readonly voicemail: string }
  | { readonly type: "left"; readonly party: string }
  | {
      readonly type: "closed";
      readonly status: "ended" | "missed" | "abandoned";
      readonly outcome: {
        readonly status: "answered" | "missed" | "abandoned";
        readonly reason: string | null;
      };
      readonly with: "call.ended" | "call.not_answered";
      /** Who hangs up now, in this order. */
      readonly leaving: Parties;
    };

/** A call, from its start to its one closing event. */
export const callMachine = setup({
  types: {
    input: {} as CallInput,
    context: {} as CallContext,
    events: {} as CallEvent,
    emitted: {} as CallFact,
  },
  guards: {
    hasVoicemail: ({ event }) => event.type === "UNANSWERED" && event.voicemail !== null,
    twoRemain: ({ context }) => context.bridge.length > 2,
  },
  actions: {
    closeUnanswered: emit(({ event }) => ({
      type: "closed",
      status: "missed",
      outcome: { status: "missed", reason: event.type === "UNANSWERED" ? event.reason : null },
      with: "call.not_answered",
      leaving: [],
    })),
  },
}).createMachine({
  id: "call",
  description:
    "A call: offered, answered by the first who does, and over when fewer than two are on the bridge. It closes exactly once: with `call.ended` if anyone was ever on the bridge, else with `call.not_answered`.",
  context: ({ input }) => ({ caller: input.caller, bridge: [], unansweredReason: null }),
  initial: "started",
  states: {
    started: {
      description: "Nobody rings yet.",
      on: {
        OFFER: {
          description: "Someone begins to ring.",
          target: "offered",
          actions: emit({ type: "offered" }),
        },
        UNANSWERED: [
          { description: "Voicemail takes the call.", guard: "hasVoicemail", target: "voicemail" },
          { description: "Nobody will answer.", target: "missed", actions: "closeUnanswered" },
        ],
        HANGUP: { description: "The caller gives up.", target: "abandoned" },
      },
    },
    offered: {
      description: "Someone rings.",
      on: {
        ANSWER: {
          description: "The first who answers joins the caller on the bridge.",
          target: "accepted",
          actions: [
            assign({ bridge: ({ context, event }) => [context.caller, event.party] }),
            emit(({ event }) => ({ type: "answered", party: event.party, endpoint: event.endpoint })),
          ],
        },
        UNANSWERED: [
          { description: "Voicemail takes the call.", guard: "hasVoicemail", target: "voicemail" },
          { description: "Nobody will answer.", target: "missed", actions: "closeUnanswered" },
        ],
        HANGUP: { description: "The caller gives up.", target: "abandoned" },
      },
    },
    accepted: {
      description: "Two or more are on the bridge.",
      on: {
        HANGUP: [
          {
            description: "The others go on.",
            guard: "twoRemain",
            actions: [
              assign({
                bridge: ({ context, event }) => context.bridge.filter((party) => party !== event.party),
              }),
              emit(({ event }) => ({ type: "left", party: event.party })),
            ],
          },
          {
            description: "The last other one hangs up too.",
            target: "ended",
            actions: emit(({ context, event }) => ({
              type: "closed",
              status: "ended",
              outcome: { status: "answered", reason: null },
              with: "call.ended",
              leaving: [event.party, ...context.bridge.filter((party) => party !== event.party)],
            })),
          },
        ],
      },
    },
    voicemail: {
      description: "Nobody answered, and the caller is on the bridge with voicemail.",
      entry: [
        assign(({ context, event }) =>
          event.type === "UNANSWERED" && event.voicemail !== null
            ? { bridge: [context.caller, event.voicemail], unansweredReason: event.reason }
            : {},
        ),
        emit(({ context }) => ({ type: "sentToVoicemail", voicemail: context.bridge[1] ?? "" })),
      ],
      on: {
        VOICEMAIL_ENDED: {
          description: "The caller is gone.",
          target: "missed",
          actions: emit(({ context, event }) => ({
            type: "closed",
            status: "missed",
            outcome: { status: "missed", reason: event.message ? "voicemail" : context.unansweredReason },
            with: "call.ended",
            leaving: [context.caller],
          })),
        },
      },
    },
    ended: { type: "final", description: "It was answered, and is over." },
    missed: { type: "final", description: "Nobody answered." },
    abandoned: {
      type: "final",
      description: "The caller gave up before anyone answered.",
      entry: emit({
        type: "closed",
        status: "abandoned",
        outcome: { status: "abandoned", reason: "callerHungUp" },
        with: "call.not_answered",
        leaving: [],
      }),
    },
  },
});
