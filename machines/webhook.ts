import { assign, emit, setup } from "xstate";

/** The input of the machine of a webhook. */
export interface WebhookInput {
  /** Whether it is enabled at first. */
  readonly isEnabled: boolean;
  /** How many events in a row may fail. */
  readonly failureLimit: number;
}

/** The context of the machine of a webhook. */
export interface WebhookContext extends WebhookInput {
  /** How many events in a row have failed. */
  readonly failures: number;
}

/** The events of the machine of a webhook. */
export type WebhookEvent =
  | { readonly type: "DELIVERED" }
  | { readonly type: "GIVEN_UP" }
  | { readonly type: "ENABLE" }
  | { readonly type: "DISABLE" }
  | { readonly type: "REMOVE" };

/** The facts that the machine of a webhook emits to the platform. */
export type WebhookFact =
  | { readonly type: "counted"; readonly failures: number }
  | { readonly type: "enabled" }
  /** Disabled by hand, or because too many events failed. */
  | { readonly type: "disabled"; readonly by: "hand" | "failures" }
  | { readonly type: "removed" };

/**
 * Whether events are delivered to a webhook.
 * @example
 * import { initialTransition, transition } from "xstate";
 * import { webhookMachine } from "ringback/machines";
 *
 * const [before] = initialTransition(webhookMachine, { isEnabled: true, failureLimit: 50 });
 * const [after] = transition(webhookMachine, before, { type: "DISABLE" });
 * [before.value, after.value]; // => ["enabled", "disabled"]
 */
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
    "A webhook: enabled, or disabled by hand or because too many events in a row could not be delivered. Enabling it resets the count.",
  context: ({ input }) => ({ failures: 0, ...input }),
  initial: "starting",
  on: { REMOVE: { description: "It is deleted.", target: ".removed", actions: emit({ type: "removed" }) } },
  states: {
    starting: {
      description: "The start; left at once.",
      always: [{ guard: "isEnabled", target: "enabled" }, { target: "disabled" }],
    },
    enabled: {
      description: "Events are delivered to it.",
      on: {
        DELIVERED: {
          description: "An event was delivered: the count is reset.",
          actions: ["reset", "tellCount"],
        },
        GIVEN_UP: [
          {
            description: "One event too many failed.",
            guard: "isTooMany",
            target: "disabled",
            actions: ["count", "tellCount", emit({ type: "disabled", by: "failures" })],
          },
          { description: "An event failed.", actions: ["count", "tellCount"] },
        ],
        ENABLE: {
          description: "Enabled by hand though it is enabled: the count is reset.",
          actions: ["reset", "tellCount"],
        },
        DISABLE: {
          description: "Disabled by hand.",
          target: "disabled",
          actions: emit({ type: "disabled", by: "hand" }),
        },
      },
    },
    disabled: {
      description: "No events are delivered to it.",
      on: {
        ENABLE: {
          description: "Enabled again.",
          target: "enabled",
          actions: ["reset", "tellCount", emit({ type: "enabled" })],
        },
      },
    },
    removed: { type: "final", description: "It was deleted." },
  },
});
