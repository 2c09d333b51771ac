import { assign, emit, setup } from "xstate";

/** What the machine of an offer to a team begins with. */
export interface TeamOfferInput {
  /** How long the team has in all, from here, ms. */
  readonly timeoutMs: number;
  /** How long one tier rings, ms. */
  readonly nextOfferTimeoutMs: number;
}

/** What the machine of an offer to a team remembers. */
export interface TeamOfferContext extends TeamOfferInput {
  /** The offer priority of the tier that rings or rang last; null before the first. */
  readonly tier: number | null;
  readonly everRang: boolean;
}

/** What the machine of an offer to a team is told. */
export type TeamOfferEvent =
  /** Free members of a tier ring. */
  | { readonly type: "RING"; readonly tier: number }
  /** No member can be rung: the call waits in the queue. */
  | { readonly type: "WAIT" }
  /** Nobody of the tier rings any more, before its time is over. */
  | { readonly type: "SILENT" }
  /** Every member declined. */
  | { readonly type: "EXHAUST" }
  /** The call was answered or is gone. */
  | { readonly type: "WITHDRAW" };

/** What a team offer tells the platform. */
export type TeamOfferFact =
  /** Ring the tier after this one, wrapping around, or say that nobody can be rung. */
  | { readonly type: "choose"; readonly after: number | null }
  | { readonly type: "waits" }
  /** The tier's time is over: its rings stop. */
  | { readonly type: "tierOver" }
  /** The team did not answer. */
  | { readonly type: "over"; readonly reason: "timeout" | "declined" | "noAvailableMembers" };

/** One call that is offered to one team. */
export const teamOfferMachine = setup({
  types: {
    input: {} as TeamOfferInput,
    context: {} as TeamOfferContext,
    events: {} as TeamOfferEvent,
    emitted: {} as TeamOfferFact,
  },
  delays: {
    teamTimeout: ({ context }) => context.timeoutMs,
    nextOffer: ({ context }) => context.nextOfferTimeoutMs,
  },
  actions: {
    choose: emit(({ context }) => ({ type: "choose", after: context.tier })),
    remember: assign(({ event }) => (event.type === "RING" ? { tier: event.tier, everRang: true } : {})),
  },
}).createMachine({
  id: "teamOffer",
  description:
    "The offering of one call to one team: tier after tier by offer priority, around and around, waiting while no member can be rung, until the team's time is over.",
  context: ({ input }) => ({ tier: null, everRang: false, ...input }),
  initial: "choosing",
  after: {
    teamTimeout: {
      description: "The team's time is over.",
      target: ".timedOut",
      actions: [
        emit({ type: "tierOver" }),
        emit(({ context }) => ({
          type: "over",
          reason: context.everRang ? "timeout" : "noAvailableMembers",
        })),
      ],
    },
  },
  on: {
    RING: { description: "Free members of a tier ring.", target: ".ringing", actions: "remember" },
    WAIT: { description: "No member can be rung.", target: ".waiting" },
    EXHAUST: {
      description: "Every member declined.",
      target: ".exhausted",
      actions: emit({ type: "over", reason: "declined" }),
    },
    WITHDRAW: { description: "The call was answered or is gone.", target: ".withdrawn" },
  },
  states: {
    choosing: { description: "The platform looks for whom to ring.", entry: "choose" },
    ringing: {
      description: "A tier rings.",
      after: {
        nextOffer: {
          description: "The next tier's turn.",
          target: "choosing",
          actions: emit({ type: "tierOver" }),
        },
      },
      on: { SILENT: { description: "Nobody of the tier rings any more.", target: "choosing" } },
    },
    waiting: { description: "The call waits in the team's queue.", entry: emit({ type: "waits" }) },
    timedOut: { type: "final", description: "Nobody answered in the team's time." },
    exhausted: { type: "final", description: "Nobody is left who may answer." },
    withdrawn: { type: "final", description: "It was called off." },
  },
});
