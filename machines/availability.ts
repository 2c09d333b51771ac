import { assign, emit, setup } from "xstate";

/** What a user chose by hand. */
export interface ChosenAvailability {
  readonly status: "available" | "busy" | "offline";
  readonly rule: "doNotDisturb" | "outOfHours" | "loggedOut" | null;
  readonly reason: string | null;
}

/** What the machine of a user's availability begins with. */
export interface AvailabilityInput {
  readonly isLoggedIn: boolean;
  readonly isOutOfHours: boolean;
  /** Neither invited nor suspended; default true. */
  readonly isActive?: boolean;
}

/** What the machine of a user's availability remembers. */
export interface AvailabilityContext {
  readonly chosen: ChosenAvailability;
  /** At least one endpoint is registered. */
  readonly isLoggedIn: boolean;
  /** Their hours are over, and they have not said since that they are available all the same. */
  readonly isOutOfHours: boolean;
  /** Neither invited nor suspended. */
  readonly isActive: boolean;
  /** The call that the user is on. */
  readonly call: string | null;
  /** How long the user stays busy after the call that they left last, ms. */
  readonly wrapUpMs: number;
}

/** What the machine of a user's availability is told. */
export type AvailabilityEvent =
  | { readonly type: "CHOOSE"; readonly chosen: ChosenAvailability }
  | { readonly type: "LOG_IN" }
  | { readonly type: "LOG_OUT" }
  | { readonly type: "ACTIVATE" }
  | { readonly type: "DEACTIVATE" }
  | { readonly type: "HOURS_BEGIN" }
  | { readonly type: "HOURS_END" }
  | { readonly type: "JOIN_CALL"; readonly call: string }
  /** `wrapUpMs`: they stay busy for as long; not at all without it. */
  | { readonly type: "LEAVE_CALL"; readonly wrapUpMs?: number };

/** What availability tells the platform: it may have changed. */
export interface AvailabilityFact {
  readonly type: "settled";
  readonly status: "available" | "busy" | "offline";
  readonly rule: "busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut" | null;
  readonly reason: string | null;
  readonly call: string | null;
}

/** The context after an event: guards and the assignment read the same. */
function after(context: AvailabilityContext, event: AvailabilityEvent): AvailabilityContext {
  switch (event.type) {
    case "CHOOSE":
      return {
        ...context,
        chosen: event.chosen,
        // who says that they are available is, until their hours begin or end next
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
      return { ...context, call: event.call };
    case "LEAVE_CALL":
      return { ...context, call: null, wrapUpMs: event.wrapUpMs ?? 0 };
    default:
      return context; // XState's own initial event
  }
}

/** Out of hours, and nothing else was chosen. */
function isOff({ chosen, isOutOfHours }: AvailabilityContext): boolean {
  return isOutOfHours && chosen.status === "available";
}

/** Where a user is without a call: being logged out goes before what they chose by hand, that before their hours. */
const settle = [
  {
    description: "Invited or suspended, logged out, chose to be offline, or is out of hours.",
    guard: "isOffline",
    target: ".offline",
    reenter: true,
    actions: "remember",
  },
  { description: "Chose to be busy.", guard: "isBusy", target: ".busy", reenter: true, actions: "remember" },
  { description: "Neither.", target: ".available", reenter: true, actions: "remember" },
] as const;

/** A user's availability. */
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
    "A user's availability. A call goes before all else, being invited or suspended before being logged out, that before what they chose by hand, and that before their working hours; what happens while on a call applies when it is over. Busy and offline stay chosen until the user chooses again; available, chosen out of hours, holds until the hours begin or end next. Who would be available after a call may have it to wrap up first.",
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
      description: "Before anything is known; left at once.",
      always: [{ guard: "isOffline", target: "offline" }, { target: "available" }],
    },
    available: { description: "Can be rung.", entry: "tell" },
    busy: { description: "Busy by their own choice.", entry: "tell" },
    offline: {
      description: "Invited or suspended, logged out, out of hours, or offline by their own choice.",
      entry: "tell",
    },
    wrappingUp: {
      description: "Busy with what is left to do after a call. What they choose by hand ends it.",
      entry: emit({ type: "settled", status: "busy", rule: null, reason: "wrapUp", call: null }),
      after: { wrapUp: { description: "Done with it.", target: "available" } },
      on: { HOURS_BEGIN: { description: "Goes on with it.", actions: "remember" } },
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
      },
    },
  },
});
