import type { LoggedEvent } from "../engine/event-log.ts";

export type { CreatedWebhook, WebhookRecord } from "../generated/records.ts";

/** Where a delivery stands: on its way, taken, given up, or dropped with its webhook. */
export type DeliveryState = "pending" | "delivered" | "givenUp" | "dropped";

/** Why a delivery came to nothing: not to be retried, no attempt left, or the webhook was disabled or deleted first. */
export type DeliveryReason = "rejected" | "exhausted" | "disabled" | "deleted";

/** One event on its way to one webhook. */
export interface DeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly event: LoggedEvent;
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
  /** The requests that it was attempted by, in order. */
  readonly requestIds: readonly string[];
  /** When it will be attempted again, ms; null while an attempt is under way, and when it is over. */
  readonly nextAttemptMs: number | null;
}
