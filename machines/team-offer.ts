import { assign, emit, setup } from "xstate";

/** The input of the machine of an offer to a team. */
export interface TeamOfferInput {
  /** How long the team has in all, ms. */
  readonly timeoutMs: number;
  /** How long one tier rings, ms. */
  readonly nextOfferTimeoutMs: number;
}

/** The context of the machine of an offer to a team. */
export interface TeamOfferContext extends TeamOfferInput {
  /** The offer priority of the tier that rings or rang last; null before the first. */
  readonly tier: number | null;
  /** Whether any member was rung. */
  readonly everRang: boolean;
}

/** The events of the machine of an offer to a team. */
export type TeamOfferEvent =
  /** Free members of a tier ring. */
  | { readonly type: "RING"; readonly tier: number }
  /** No member can be rung: the call waits in the queue. */
  | { readonly type: "WAIT" }
  /** Nobody of the tier rings any more, although its time is not over. */
  | { readonly type: "SILENT" }
  /** Every member declined. */
  | { readonly type: "EXHAUST" }
  /** The call was answered or is over. */
  | { readonly type: "WITHDRAW" };

/** The facts that the machine of an offer to a team emits to the platform. */
export type TeamOfferFact =
  /**
   * Asks the platform to ring the tier after this one, starting again after the last, or to answer that nobody can be
   * rung.
   */
  | { readonly type: "choose"; readonly after: number | null }
  | { readonly type: "waits" }
  /** The tier's time is over, and its rings stop. */
  | { readonly type: "tierOver" }
  /** The team did not answer. */
  | { readonly type: "over"; readonly reason: "timeout" | "declined" | "noAvailableMembers" };

/**
 * The offer of one call to one team.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { teamOfferMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(teamOfferMachine, { timeoutMs: 60_000, nextOfferTimeoutMs: 20_000 });
 * const [after] = transition(teamOfferMachine, before, { type: "RING", tier: 1 });
 * [before.value, after.value]; // => ["choosing", "ringing"]
 */
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
    "The offer of one call to one team. The tiers ring in turn by offer priority, starting again after the last. The call waits while no member can be rung. The offer ends when the team's time is over.",
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
    WITHDRAW: { description: "The call was answered or is over.", target: ".withdrawn" },
  },
  states: {
    choosing: { description: "The platform chooses whom to ring.", entry: "choose" },
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
    timedOut: { type: "final", description: "Nobody answered within the team's time." },
    exhausted: { type: "final", description: "Every member declined." },
    withdrawn: { type: "final", description: "It was cancelled." },
  },
});
