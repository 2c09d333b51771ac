import { assign, emit, setup } from "xstate";

/** Ids of parties, in the order in which they joined the bridge. */
type Parties = readonly string[];

/** The input of the machine of a call. */
export interface CallInput {
  /** The caller's party. */
  readonly caller: string;
  /** Whether someone inside dialled. */
  readonly isOutbound: boolean;
  /** Whether the call must first be allowed. Otherwise a caller from inside is on the bridge from the start. */
  readonly isAsked: boolean;
}

/** The context of the machine of a call. */
export interface CallContext {
  /** The caller's party. */
  readonly caller: string;
  /** Whether someone inside dialled. */
  readonly isOutbound: boolean;
  /** The parties on the bridge, in the order in which they joined. */
  readonly bridge: Parties;
  /** The outside parties on the bridge; the caller too while they wait for an answer. */
  readonly outside: Parties;
  /** Who rings further parties for the call by a warm transfer or an addition: one entry for each target that rings. */
  readonly adding: Parties;
  /** Whether anyone has answered. */
  readonly wasAnswered: boolean;
  /** Why nobody answered; null while that is undecided. */
  readonly unansweredReason: UnansweredReason | null;
}

/** Why nobody took a call. */
export type UnansweredReason =
  | ("timeout" | "declined" | "rejected" | "cancelled" | "busy")
  | ("noAvailableMembers" | "unavailable" | "sentToVoicemail" | "voicemail");
/** Why a call was not allowed. */
export type BlockReason = "dataAction" | "notAllowed";
/** Why the caller gave up before anyone answered. */
export type AbandonReason = "callerHungUp";

/** Why nobody took a call, in words. Reasons without words do not compile, and a call's record has no others. */
export const reasonWords: Readonly<Record<UnansweredReason | AbandonReason, string>> = {
  timeout: "nobody answered in time",
  declined: "declined",
  rejected: "declined",
  cancelled: "the caller hung up",
  busy: "the target was busy",
  noAvailableMembers: "no member was available",
  unavailable: "the target was not available",
  sentToVoicemail: "sent to voicemail",
  voicemail: "a voicemail was left",
  callerHungUp: "the caller hung up",
};
export const blockedWords: Readonly<Record<BlockReason, string>> = {
  dataAction: "Blocked",
  notAllowed: "Blocked",
};

/** The events of the machine of a call. */
export type CallEvent =
  /** The call is allowed: a caller from inside joins the bridge. */
  | { readonly type: "ALLOW" }
  /** An endpoint begins to ring. */
  | { readonly type: "OFFER" }
  /** A party that rang joins the bridge. `isOutside`: whether it is an outside party; default false. */
  | {
      readonly type: "ANSWER";
      readonly party: string;
      readonly endpoint: string;
      readonly isOutside?: boolean;
    }
  /** No further offer will be made. `voicemail` is the party of the voicemail that takes the call, if one does. */
  | { readonly type: "UNANSWERED"; readonly reason: UnansweredReason; readonly voicemail: string | null }
  | { readonly type: "HANGUP"; readonly party: string }
  /** A blind transfer: this party leaves, and the target rings. */
  | { readonly type: "TRANSFER"; readonly party: string }
  /** A warm transfer or an addition: this party stays, and a target rings. */
  | { readonly type: "ADD"; readonly party: string }
  /** A target that this party added rings no more. */
  | { readonly type: "ADDITION_OVER"; readonly party: string }
  /** The caller has left voicemail, with or without a message. */
  | { readonly type: "VOICEMAIL_ENDED"; readonly message: boolean }
  /** An outbound call is not allowed. */
  | { readonly type: "BLOCK"; readonly reason: BlockReason };

/** The facts that the machine of a call emits to the platform. */
export type CallFact =
  | { readonly type: "offered" }
  /** The first answer. */
  | { readonly type: "answered"; readonly party: string; readonly endpoint: string }
  /** A further party joined the bridge. */
  | { readonly type: "joined"; readonly party: string; readonly endpoint: string }
  /** Nobody answered, and the call goes on: to voicemail, or to the hang-up of the caller inside. */
  | { readonly type: "notAnswered" }
  | { readonly type: "sentToVoicemail"; readonly voicemail: string }
  | { readonly type: "left"; readonly party: string }
  /** The last outside party left, and the others go on: nobody is rung for the call any more. */
  | { readonly type: "outsideLeft" }
  | {
      readonly type: "closed";
      readonly status: "ended" | "missed" | "unanswered" | "abandoned" | "blocked";
      readonly outcome:
        | { readonly status: "answered"; readonly reason: null }
        | { readonly status: "missed" | "unanswered"; readonly reason: UnansweredReason }
        | { readonly status: "abandoned"; readonly reason: AbandonReason }
        | { readonly status: "blocked"; readonly reason: BlockReason };
      readonly with: "call.ended" | "call.not_answered";
      /** Who hangs up now, in this order. */
      readonly leaving: Parties;
    };

const without = (bridge: Parties, party: string) => bridge.filter((each) => each !== party);
/** Without the first entry of a party that may have several. */
const withoutOne = (parties: Parties, party: string) => {
  const at = parties.indexOf(party);
  return at < 0 ? parties : [...parties.slice(0, at), ...parties.slice(at + 1)];
};
const isLastOutside = ({ outside }: CallContext, event: CallEvent) =>
  "party" in event && outside.length === 1 && outside[0] === event.party;

/**
 * Closes a call that was answered: the given party hangs up first, then the rest in the order in which they joined.
 */
const ended = (leaving: Parties): CallFact => ({
  type: "closed",
  status: "ended",
  outcome: { status: "answered", reason: null },
  with: "call.ended",
  leaving,
});

const additionOver = {
  description: "A target that was added rings no more.",
  guard: "isAdding",
  actions: "addNoMore",
} as const;

/** Ends a call that nobody has answered. */
const unanswered = {
  UNANSWERED: [
    {
      description: "Voicemail takes the call.",
      guard: "hasVoicemail",
      target: "voicemail",
      actions: "tellNotAnswered",
    },
    {
      description: "Nobody will answer the caller inside.",
      guard: "isOutbound",
      target: "unanswered",
      actions: ["tellNotAnswered", "closeUnanswered"],
    },
    { description: "Nobody will answer.", target: "missed", actions: "closeUnanswered" },
  ],
  HANGUP: [
    {
      description: "The caller inside gives up.",
      guard: "isCallerOnBridge",
      target: "unanswered",
      actions: ["tellNotAnswered", "closeUnanswered"],
    },
    {
      description: "The caller inside gives up before the call is allowed.",
      guard: "isCallerInside",
      target: "unanswered",
      actions: "closeUnanswered",
    },
    { description: "The caller gives up.", guard: "isCaller", target: "abandoned" },
  ],
} as const;

/**
 * A call, from its start to its one closing event.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { callMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(callMachine, { caller: "jane", isOutbound: false, isAsked: false });
 * const [after] = transition(callMachine, before, { type: "OFFER" });
 * [before.value, after.value]; // => ["started", "offered"]
 */
export const callMachine = setup({
  types: {
    input: {} as CallInput,
    context: {} as CallContext,
    events: {} as CallEvent,
    emitted: {} as CallFact,
  },
  guards: {
    hasVoicemail: ({ event }) => event.type === "UNANSWERED" && event.voicemail !== null,
    isOutbound: ({ context }) => context.isOutbound,
    isCallerOnBridge: ({ context, event }) =>
      "party" in event && event.party === context.caller && context.bridge.includes(context.caller),
    isCallerInside: ({ context, event }) =>
      "party" in event && event.party === context.caller && context.isOutbound,
    isCaller: ({ context, event }) => "party" in event && event.party === context.caller,
    wasAnswered: ({ context }) => context.wasAnswered,
    isNew: ({ context, event }) => event.type === "ANSWER" && !context.bridge.includes(event.party),
    isOnBridge: ({ context, event }) => "party" in event && context.bridge.includes(event.party),
    twoRemain: ({ context, event }) =>
      "party" in event && context.bridge.length > 2 && context.bridge.includes(event.party),
    oneRemains: ({ context, event }) =>
      "party" in event && context.bridge.length > 1 && context.bridge.includes(event.party),
    isAdding: ({ context, event }) => "party" in event && context.adding.includes(event.party),
    leavesOnlyInside: ({ context, event }) =>
      "party" in event &&
      context.bridge.length > 2 &&
      context.bridge.includes(event.party) &&
      context.adding.length > 0 &&
      isLastOutside(context, event),
    // whoever added the target leaves, or has left before
    handsOn: ({ context, event }) =>
      "party" in event &&
      context.bridge.length === 2 &&
      context.bridge.includes(event.party) &&
      !isLastOutside(context, event) &&
      context.adding.some((each) => each === event.party || !context.bridge.includes(each)),
    someoneWaits: ({ context }) => context.bridge.length > 1,
  },
  actions: {
    offered: emit({ type: "offered" }),
    join: assign({
      bridge: ({ context, event }) => {
        if (event.type !== "ANSWER") return context.bridge;
        const others = context.bridge.length > 0 ? context.bridge : [context.caller];
        return [...others, event.party];
      },
      outside: ({ context, event }) =>
        event.type === "ANSWER" && event.isOutside === true
          ? [...context.outside, event.party]
          : context.outside,
      wasAnswered: true,
    }),
    tellJoined: emit(({ event }) =>
      event.type === "ANSWER"
        ? { type: "joined", party: event.party, endpoint: event.endpoint }
        : { type: "joined", party: "", endpoint: "" },
    ),
    leave: assign({
      bridge: ({ context, event }) =>
        "party" in event ? without(context.bridge, event.party) : context.bridge,
      outside: ({ context, event }) =>
        "party" in event ? without(context.outside, event.party) : context.outside,
    }),
    add: assign({
      adding: ({ context, event }) =>
        event.type === "ADD" ? [...context.adding, event.party] : context.adding,
    }),
    addNoMore: assign({
      adding: ({ context, event }) =>
        event.type === "ADDITION_OVER" ? withoutOne(context.adding, event.party) : context.adding,
    }),
    tellOutsideLeft: emit({ type: "outsideLeft" }),
    tellLeft: emit(({ event }) => ({ type: "left", party: "party" in event ? event.party : "" })),
    tellNotAnswered: emit({ type: "notAnswered" }),
    enterVoicemail: assign(({ context, event }) => {
      if (event.type !== "UNANSWERED" || event.voicemail === null) return {};
      const others = context.bridge.length > 0 ? context.bridge : [context.caller];
      return { bridge: [...others, event.voicemail], unansweredReason: event.reason };
    }),
    closeUnanswered: emit(({ context, event }) => {
      const reason = event.type === "UNANSWERED" ? event.reason : "cancelled";
      const status = context.isOutbound ? "unanswered" : "missed";
      return {
        type: "closed",
        status,
        outcome: { status, reason },
        with: context.bridge.length > 0 ? "call.ended" : "call.not_answered",
        leaving: context.bridge,
      };
    }),
    closeVoicemail: emit(({ context, event }) => {
      const hasMessage = event.type === "VOICEMAIL_ENDED" && event.message;
      const status = context.isOutbound ? "unanswered" : "missed";
      return {
        type: "closed",
        status,
        // on the way into voicemail it was decided
        outcome: { status, reason: hasMessage ? "voicemail" : (context.unansweredReason ?? "timeout") },
        with: "call.ended",
        leaving: context.bridge.slice(0, -1),
      };
    }),
    closeEnded: emit(({ context, event }) =>
      ended("party" in event ? [event.party, ...without(context.bridge, event.party)] : context.bridge),
    ),
  },
}).createMachine({
  id: "call",
  description:
    "A call: it is offered, answered by the first who does, and over when fewer than two parties are on the bridge. It closes exactly once: with `call.ended` if anyone was ever on the bridge or it was blocked, otherwise with `call.not_answered`.",
  context: ({ input: { caller, isOutbound, isAsked } }) => ({
    caller,
    isOutbound,
    bridge: isOutbound && !isAsked ? [caller] : [],
    outside: isOutbound ? [] : [caller],
    adding: [],
    wasAnswered: false,
    unansweredReason: null,
  }),
  initial: "started",
  states: {
    started: {
      description: "Nobody rings yet.",
      on: {
        ALLOW: {
          description: "The call is allowed: a caller inside joins the bridge.",
          actions: assign({ bridge: ({ context }) => [context.caller] }),
        },
        OFFER: { description: "Someone begins to ring.", target: "offered", actions: "offered" },
        BLOCK: {
          description: "The call is not allowed.",
          target: "blocked",
          actions: emit(({ event }) => ({
            type: "closed",
            status: "blocked",
            outcome: { status: "blocked", reason: event.reason },
            with: "call.ended",
            leaving: [],
          })),
        },
        ...unanswered,
      },
    },
    offered: {
      description: "Someone rings, or a team's queue holds the call.",
      on: {
        ANSWER: {
          description: "The first who answers joins the caller on the bridge.",
          target: "accepted",
          actions: [
            "join",
            emit(({ event }) => ({ type: "answered", party: event.party, endpoint: event.endpoint })),
          ],
        },
        ...unanswered,
      },
    },
    accepted: {
      description: "Two or more parties are on the bridge.",
      on: {
        ANSWER: { description: "A further party joins.", guard: "isNew", actions: ["join", "tellJoined"] },
        ADD: {
          description: "A warm transfer or an addition: a target rings.",
          guard: "isOnBridge",
          actions: "add",
        },
        ADDITION_OVER: additionOver,
        HANGUP: [
          {
            description: "The last outside party leaves: the others go on, and nobody is rung any more.",
            guard: "leavesOnlyInside",
            actions: ["leave", "tellLeft", "tellOutsideLeft"],
          },
          { description: "The others go on.", guard: "twoRemain", actions: ["leave", "tellLeft"] },
          {
            description: "A semi-attended transfer: whoever added the target leaves while it rings.",
            guard: "handsOn",
            target: "transferring",
            actions: ["leave", "tellLeft"],
          },
          {
            description: "The last other one hangs up too.",
            guard: "isOnBridge",
            target: "ended",
            actions: "closeEnded",
          },
        ],
        TRANSFER: {
          description: "A blind transfer: one leaves, another rings.",
          guard: "isOnBridge",
          target: "transferring",
          actions: ["leave", "tellLeft"],
        },
      },
    },
    transferring: {
      description: "A transfer left someone, who waits for the target to answer.",
      on: {
        ADDITION_OVER: additionOver,
        ANSWER: {
          description: "The target joins.",
          guard: "isNew",
          target: "accepted",
          actions: ["join", "tellJoined"],
        },
        UNANSWERED: [
          { description: "Voicemail takes the call.", guard: "hasVoicemail", target: "voicemail" },
          { description: "The parties that are left go on.", guard: "someoneWaits", target: "accepted" },
          { description: "Too few parties are left.", target: "ended", actions: "closeEnded" },
        ],
        HANGUP: [
          { description: "The others keep waiting.", guard: "oneRemains", actions: ["leave", "tellLeft"] },
          {
            description: "The last one gives up.",
            guard: "isOnBridge",
            target: "ended",
            actions: "closeEnded",
          },
        ],
      },
    },
    voicemail: {
      description: "Nobody answered, and the caller is on the bridge with voicemail.",
      entry: [
        "enterVoicemail",
        emit(({ context }) => ({ type: "sentToVoicemail", voicemail: context.bridge.at(-1) ?? "" })),
      ],
      on: {
        HANGUP: {
          description: "One of several parties that a blind transfer left hangs up; the others go on.",
          guard: "twoRemain",
          actions: ["leave", "tellLeft"],
        },
        VOICEMAIL_ENDED: [
          {
            description: "Whoever a blind transfer left has hung up.",
            guard: "wasAnswered",
            target: "ended",
            actions: emit(({ context }) => ended(context.bridge.slice(0, -1))),
          },
          {
            description: "The caller inside has left.",
            guard: "isOutbound",
            target: "unanswered",
            actions: "closeVoicemail",
          },
          { description: "The caller has left.", target: "missed", actions: "closeVoicemail" },
        ],
      },
    },
    ended: { type: "final", description: "It was answered, and is over." },
    missed: { type: "final", description: "Nobody answered a call from outside." },
    unanswered: { type: "final", description: "Nobody took a call that someone inside dialled." },
    blocked: { type: "final", description: "It was not allowed." },
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
