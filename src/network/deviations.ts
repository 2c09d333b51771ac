import type { Deviation, Option, Place } from "../engine/choices.ts";
import type { RequestRecord } from "../records/request.ts";

/** What the network may do with a request to an endpoint. Overlapping is decided when it arrives. */
export const requestDeviations = [
  "lost",
  "unanswered",
  "duplicated",
  "late",
  "refused",
  "rejected",
  "overlapping",
] as const;

/** What may happen to a request to the REST API. The platform answers it: `src/platform/rest-traffic`. */
export const restDeviations = ["503", "429", "slow", "tokenExpired"] as const;

/** How much later the second of two arrives, where it does not arrive at once, ms. */
const SECOND_ARRIVAL_MS = 1_000;

/** The options at each request, in the order in which they are explored. */
export const requestOptions: readonly Option[] = Object.freeze([
  { is: "lost" },
  { is: "unanswered" },
  { is: "duplicated" },
  { is: "duplicated", after: SECOND_ARRIVAL_MS },
  { is: "late", by: 1 },
  { is: "late", by: 2 },
  { is: "late", by: 3 },
  { is: "refused" },
  { is: "rejected" },
]);

/** A request that arrives late. */
export interface HeldRequest {
  readonly host: string;
  /** How many requests arrive before it. */
  readonly left: number;
  /** Of the item of the agenda by which it arrives at the latest. */
  readonly serial: number;
  readonly deviation: Deviation;
}

/** A request that is lost. */
export interface LostRequest {
  readonly deviation: Deviation;
  /** What is scheduled from then on has a serial from this one on. */
  readonly serial: number;
  readonly sentMs: number;
  readonly recordId: string;
}

/**
 * Where a request stands among the choice points.
 * @param at from the start of the run, ms
 */
export function placeOf(
  { to, why, subject }: Pick<RequestRecord, "to" | "why" | "subject">,
  webhookId: string | undefined,
  at: number,
): Place {
  if (why !== "webhook") return { what: "request", at, of: why, to };
  const [of = "", attempt] = subject.split(", attempt ");
  return { what: "attempt", at, of, webhook: webhookId, number: Number(attempt ?? 1), to };
}
