import type { Option, UnnumberedPoint } from "../engine/choices.ts";
import type { RequestRecord } from "../records/request.ts";

/** What may happen to a request to an endpoint outside. Overlapping is decided when the request arrives. */
export const requestDeviations = [
  "lost",
  "unanswered",
  "duplicated",
  "late",
  "refused",
  "rejected",
  "overlapping",
] as const;

/** What may happen to a request to the REST API. The platform answers it, in `src/platform/rest-traffic`. */
export const restDeviations = ["503", "429", "slow", "tokenExpired"] as const;

/** How much later the second of two duplicates arrives, if it does not arrive at once, ms. */
const SECOND_ARRIVAL_MS = 1_000;

/** The options for each request, in the order in which they are explored. */
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

/**
 * The choice point of a request.
 * @param at from the start of the run, ms
 */
export function placeOf(
  { to, why, subject }: Pick<RequestRecord, "to" | "why" | "subject">,
  webhookId: string | undefined,
  at: number,
): UnnumberedPoint {
  if (why !== "webhook") return { what: "request", at, of: why, to };
  const [of = "", attempt] = subject.split(", attempt ");
  return { what: "attempt", at, of, webhook: webhookId, number: Number(attempt ?? 1), to };
}
