import { assign, emit, setup } from "xstate";

/** What the machine of a webhook begins with. */
export interface WebhookInput {
  /** At first. */
  readonly isEnabled: boolean;
  /** How many events in a row may come to nothing. */
  readonly failureLimit: number;
}

/** What the machine of a webhook remembers. */
export interface WebhookContext extends WebhookInput {
  /** Events in a row that came to nothing. */
  readonly failures: number;
}

/** What the machine of a webhook is told. */
export type WebhookEvent =
  | { readonly type: "DELIVERED" }
  | { readonly type: "GIVEN_UP" }
  | { readonly type: "ENABLE" }
  | { readonly type: "DISABLE" }
  | { readonly type: "REMOVE" };

/** What a webhook tells the platform. */
export type WebhookFact =
  | { readonly type: "counted"; readonly failures: number }
  | { readonly type: "enabled" }
  /** By hand, or because too many events came to nothing. */
  | { readonly type: "disabled"; readonly by: "hand" | "failures" }
  | { readonly type: "removed" };

/** Whether a webhook is delivered to. */
export const webhookMachine = setup({
  types: {
    input: {} as WebhookInput,
    context: {} as WebhookContext,
    events: {} as WebhookEvent,
    emitted: {} as WebhookFact,
  },
  guards: {
    isEnabled: ({ context }) => context.isEnabled,
    isTooMany: ({ context }) => context.failures + 1 > context.failureLimit,
  },
  actions: {
    count: assign({ failures: ({ context }) => context.failures + 1 }),
    reset: assign({ failures: 0 }),
    tellCount: emit(({ context }) => ({ type: "counted", failures: context.failures })),
  },
}).createMachine({
  id: "webhook",
  description:
    "A webhook: enabled, or disabled by hand or after too many events in a row that could not be delivered. Enabling it starts the count anew.",
  context: ({ input }) => ({ failures: 0, ...input }),
  initial: "starting",
  on: { REMOVE: { description: "It is deleted.", target: ".removed", actions: emit({ type: "removed" }) } },
  states: {
    starting: {
      description: "Before anything is known; left at once.",
      always: [{ guard: "isEnabled", target: "enabled" }, { target: "disabled" }],
    },
    enabled: {
      description: "Events are delivered to it.",
      on: {
        DELIVERED: {
          description: "An event arrived: the count starts anew.",
          actions: ["reset", "tellCount"],
        },
        GIVEN_UP: [
          {
            description: "One event too many came to nothing.",
            guard: "isTooMany",
            target: "disabled",
            actions: ["count", "tellCount", emit({ type: "disabled", by: "failures" })],
          },
          { description: "An event came to nothing.", actions: ["count", "tellCount"] },
        ],
        DISABLE: {
          description: "Disabled by hand.",
          target: "disabled",
          actions: emit({ type: "disabled", by: "hand" }),
        },
      },
    },
    disabled: {
      description: "Events pass it by.",
      on: {
        ENABLE: {
          description: "Enabled again.",
          target: "enabled",
          actions: ["reset", "tellCount", emit({ type: "enabled" })],
        },
      },
    },
    removed: { type: "final", description: "It is gone." },
  },
});
