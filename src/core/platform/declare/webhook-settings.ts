import * as v from "valibot";
import { duration, list, object, wholeNumber } from "../../foundation/input-schemas.ts";
import type { DurationInput } from "../../foundation/instants.ts";

/** When deliveries are attempted, and when a webhook is disabled. */
export interface WebhookSettings {
  /** When each attempt is made, counted from the first, ms. */
  readonly schedule: readonly number[];
  /** How many events in a row may fail before a webhook is disabled. */
  readonly failureLimit: number;
}

/** What `createSimulator({ webhooks })` accepts. */
export interface WebhookOptions {
  /**
   * When each attempt is made, counted from the first. The first is 0, and none is earlier than the one before.
   * @default ten in 24 hours
   */
  readonly schedule?: readonly DurationInput[];
  /** How many events in a row may fail before a webhook is disabled. @default 1000 */
  readonly failureLimit?: number;
}

const ATTEMPTS = 10;
const SPAN_MS = 86_400_000;

/** The gaps double, and the tenth attempt is 24 hours after the first. */
const schedule = Array.from({ length: ATTEMPTS }, (_, index) =>
  Math.round((SPAN_MS * (2 ** index - 1)) / (2 ** (ATTEMPTS - 1) - 1)),
);

const isAscending = (offsets: number[]) =>
  offsets[0] === 0 && offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0));

export const webhookSettingsSchema = object({
  schedule: v.optional(
    v.pipe(list(duration()), v.check(isAscending, "expected offsets that begin with 0 and never decrease")),
    schedule,
  ),
  failureLimit: v.optional(wholeNumber(0), 1_000),
});
