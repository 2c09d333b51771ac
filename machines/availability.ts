import { assign, emit, setup } from "xstate";

/** The availability that a user chose by hand. */
export interface ChosenAvailability {
  /** Whether calls can ring the user. */
  readonly status: "available" | "busy" | "offline";
  /** Why not; null if they can. */
  readonly rule: "doNotDisturb" | "outOfHours" | "loggedOut" | null;
  /** The reason in the user's own words, if there is one. */
  readonly reason: string | null;
}

/** The input of the machine of a user's availability. */
export interface AvailabilityInput {
  /** Whether at least one endpoint is registered. */
  readonly isLoggedIn: boolean;
  /** Whether the working hours are over. */
  readonly isOutOfHours: boolean;
  /** Whether the user is active, not invited or suspended; default true. */
  readonly isActive?: boolean;
}

/** The context of the machine of a user's availability. */
export interface AvailabilityContext {
  /** The user's choice by hand. */
  readonly chosen: ChosenAvailability;
  /** Whether at least one endpoint is registered. */
  readonly isLoggedIn: boolean;
  /** Whether the working hours are over and the user has not chosen `available` since. */
  readonly isOutOfHours: boolean;
  /** Whether the user is active, not invited or suspended. */
  readonly isActive: boolean;
  /** The id of the call that the user is on; null without one. */
  readonly call: string | null;
  /** How long the user stays busy after their last call, ms. During a call: what they asked for, 0 for nothing. */
  readonly wrapUpMs: number;
}

/** The events of the machine of a user's availability. */
export type AvailabilityEvent =
  | { readonly type: "CHOOSE"; readonly chosen: ChosenAvailability }
  | { readonly type: "LOG_IN" }
  | { readonly type: "LOG_OUT" }
  | { readonly type: "ACTIVATE" }
  | { readonly type: "DEACTIVATE" }
  | { readonly type: "HOURS_BEGIN" }
  | { readonly type: "HOURS_END" }
  | { readonly type: "JOIN_CALL"; readonly call: string }
  /** `wrapUpMs`: how long they stay busy if they have not asked for a time themselves, ms; default 0. */
  | { readonly type: "LEAVE_CALL"; readonly wrapUpMs?: number }
  /** `wrapUpMs`: how long they stay busy from now on, or after the present call, ms; above 0. */
  | { readonly type: "WRAP_UP"; readonly wrapUpMs: number };

/** The facts that the machine of a user's availability emits to the platform. */
export interface AvailabilityFact {
  /** The availability may have changed. */
  readonly type: "settled";
  /** Whether calls can ring the user. */
  readonly status: "available" | "busy" | "offline";
  /** Why not; null if they can, or during wrap-up. */
  readonly rule: "busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut" | null;
  /** The reason in the user's own words, `wrapUp`, or null. */
  readonly reason: string | null;
  /** The id of the call that the user is on; null without one. */
  readonly call: string | null;
}

/** The context after an event. Guards and the assignment both use it. */
function after(context: AvailabilityContext, event: AvailabilityEvent): AvailabilityContext {
  switch (event.type) {
    case "CHOOSE":
      return {
        ...context,
        chosen: event.chosen,
        // `available` chosen by hand lasts until the hours next begin or end
        isOutOfHours: context.isOutOfHours && event.chosen.status !== "available",
      };
    case "LOG_IN":
      return { ...context, isLoggedIn: true };
    case "LOG_OUT":
      return { ...context, isLoggedIn: false };
    case "ACTIVATE":
      return { ...context, isActive: true };
    case "DEACTIVATE":
      return { ...context, isActive: false };
    case "HOURS_BEGIN":
      return { ...context, isOutOfHours: false };
    case "HOURS_END":
      return { ...context, isOutOfHours: true };
    case "JOIN_CALL":
      return { ...context, call: event.call, wrapUpMs: context.call === null ? 0 : context.wrapUpMs };
    case "LEAVE_CALL":
      return {
        ...context,
        call: null,
        wrapUpMs: context.call !== null && context.wrapUpMs > 0 ? context.wrapUpMs : (event.wrapUpMs ?? 0),
      };
    case "WRAP_UP":
      return { ...context, wrapUpMs: event.wrapUpMs };
    default:
      return context; // XState's own initial event
  }
}

/** Whether a user is outside their hours and has not chosen anything else. */
function isOff({ chosen, isOutOfHours }: AvailabilityContext): boolean {
  return isOutOfHours && chosen.status === "available";
}

/** The state of a user without a call. Being logged out wins over a choice by hand, which wins over the hours. */
const settle = [
  {
    description: "Invited or suspended, logged out, chose to be offline, or is out of hours.",
    guard: "isOffline",
    target: ".offline",
    reenter: true,
    actions: "remember",
  },
  { description: "Chose to be busy.", guard: "isBusy", target: ".busy", reenter: true, actions: "remember" },
  {
    description: "Chose to be available, or made no choice.",
    target: ".available",
    reenter: true,
    actions: "remember",
  },
] as const;

/**
 * A user's availability.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { availabilityMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(availabilityMachine, { isLoggedIn: true, isOutOfHours: false });
 * const [after] = transition(availabilityMachine, before, { type: "LOG_OUT" });
 * [before.value, after.value]; // => ["available", "offline"]
 */
export const availabilityMachine = setup({
  types: {
    input: {} as AvailabilityInput,
    context: {} as AvailabilityContext,
    events: {} as AvailabilityEvent,
    emitted: {} as AvailabilityFact,
  },
  delays: {
    wrapUp: ({ context }) => context.wrapUpMs,
  },
  guards: {
    isOffline: ({ context, event }) => {
      const next = after(context, event);
      return !next.isActive || !next.isLoggedIn || next.chosen.status === "offline" || isOff(next);
    },
    wrapsUp: ({ context, event }) => after(context, event).wrapUpMs > 0,
    isBusy: ({ context, event }) => after(context, event).chosen.status === "busy",
  },
  actions: {
    remember: assign(({ context, event }) => after(context, event)),
    tell: emit(({ context }) => {
      if (context.call !== null)
        return { type: "settled", status: "busy", rule: "busyOnACall", reason: null, call: context.call };
      if (!context.isActive)
        return { type: "settled", status: "offline", rule: null, reason: null, call: null };
      if (!context.isLoggedIn)
        return { type: "settled", status: "offline", rule: "loggedOut", reason: null, call: null };
      if (isOff(context))
        return { type: "settled", status: "offline", rule: "outOfHours", reason: null, call: null };
      return { type: "settled", ...context.chosen, call: null };
    }),
  },
}).createMachine({
  id: "availability",
  description:
    "A user's availability. In this order, these decide: being on a call, being invited or suspended, being logged out, the user's own choice, the working hours. What happens during a call applies when it is over. Busy and offline last until the next choice; available, chosen outside working hours, lasts until the hours next begin or end. A user who would be available after a call may first stay busy to wrap it up.",
  context: ({ input }) => ({
    chosen: { status: "available", rule: null, reason: null },
    isLoggedIn: input.isLoggedIn,
    isOutOfHours: input.isOutOfHours,
    isActive: input.isActive ?? true,
    call: null,
    wrapUpMs: 0,
  }),
  initial: "starting",
  on: {
    CHOOSE: [...settle],
    LOG_IN: [...settle],
    LOG_OUT: [...settle],
    ACTIVATE: [...settle],
    DEACTIVATE: [...settle],
    HOURS_BEGIN: [...settle],
    HOURS_END: [...settle],
    JOIN_CALL: { description: "Joins a call.", target: ".onCall", actions: "remember" },
    LEAVE_CALL: [
      ...settle.slice(0, 2),
      {
        description: "Stays busy for a while.",
        guard: "wrapsUp",
        target: ".wrappingUp",
        actions: "remember",
      },
      ...settle.slice(2),
    ],
  },
  states: {
    starting: {
      description: "The start; left at once.",
      always: [{ guard: "isOffline", target: "offline" }, { target: "available" }],
    },
    available: {
      description: "Calls can ring the user.",
      entry: "tell",
      on: { WRAP_UP: { description: "Stays busy for a while.", target: "wrappingUp", actions: "remember" } },
    },
    busy: { description: "Busy by their own choice.", entry: "tell" },
    offline: {
      description: "Invited or suspended, logged out, out of hours, or offline by their own choice.",
      entry: "tell",
    },
    wrappingUp: {
      description: "Busy for a while after a call, or because the user said so. A choice by hand ends it.",
      entry: emit({ type: "settled", status: "busy", rule: null, reason: "wrapUp", call: null }),
      after: { wrapUp: { description: "The wrap-up is over.", target: "available" } },
      on: {
        HOURS_BEGIN: { description: "The wrap-up goes on.", actions: "remember" },
        WRAP_UP: {
          description: "The wrap-up takes another time, from now on.",
          target: "wrappingUp",
          reenter: true,
          actions: "remember",
        },
      },
    },
    onCall: {
      description: "Busy on a call.",
      entry: "tell",
      on: {
        CHOOSE: { description: "Applies when the call is over.", actions: "remember" },
        LOG_IN: { description: "Applies when the call is over.", actions: "remember" },
        LOG_OUT: { description: "Applies when the call is over.", actions: "remember" },
        ACTIVATE: { description: "Applies when the call is over.", actions: "remember" },
        DEACTIVATE: { description: "Applies when the call is over.", actions: "remember" },
        HOURS_BEGIN: { description: "Applies when the call is over.", actions: "remember" },
        HOURS_END: { description: "Applies when the call is over.", actions: "remember" },
        WRAP_UP: { description: "Applies when the call is over.", actions: "remember" },
      },
    },
  },
});
