import type { LoggedEvent } from "../engine/event-log.ts";

export type { CreatedWebhook, WebhookRecord } from "../generated/records.ts";

/** The state of a delivery: pending, delivered, given up after its last attempt, or dropped with its webhook. */
export type DeliveryState = "pending" | "delivered" | "givenUp" | "dropped";

/**
 * Why a delivery failed: the endpoint rejected it, no attempt is left, or the webhook was disabled or deleted first.
 */
export type DeliveryReason = "rejected" | "exhausted" | "disabled" | "deleted";

/** The delivery of one event to one webhook. */
export interface DeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly event: LoggedEvent;
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
  /** The ids of its attempts' requests, in order. */
  readonly requestIds: readonly string[];
  /** When the next attempt is due, ms since the epoch; null during an attempt and after the last. */
  readonly nextAttemptMs: number | null;
}
