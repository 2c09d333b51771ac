import type { PossibleDeviation, UnnumberedDeviationPoint } from "../engine/deviations.ts";
import type { RequestRecord } from "../records/request.ts";

/** The deviations of a request to an outside endpoint. Overlapping is decided on its arrival. */
export const requestDeviations = [
  "lost",
  "unanswered",
  "duplicated",
  "late",
  "refused",
  "rejected",
  "overlapping",
  "never",
  "outage",
  "restarted",
  "restartedAfter",
] as const;

/** The deviations in which the app of a request restarts: while it handles the request, or once it has answered. */
export const restartDeviations = ["restarted", "restartedAfter"] as const;
export type RestartDeviation = (typeof restartDeviations)[number];

/** Who calls instead of whoever a command names, which `src/core/platform/calls` decides. */
export const callerDeviations = ["withheld", "shortCode", "unknown", "contact"] as const;
export type CallerDeviation = (typeof callerDeviations)[number];

/**
 * Deviations that are explored only if named: no listener survives an event that never arrives, and who calls is variety, not
 * the network. Restarts are also explored where the app says what outlives one.
 */
export const namedDeviations: ReadonlySet<string> = new Set([
  "never",
  "outage",
  ...restartDeviations,
  "behind",
  ...callerDeviations,
]);

/** The deviations of a request to the REST API, which `src/core/platform/rest-traffic` answers. */
export const restDeviations = [
  "503",
  "429",
  "slow",
  "tokenExpired",
  "behind",
  "refused",
  "unanswered",
  ...restartDeviations,
] as const;

/** How much later the second of two duplicates arrives, if it does not arrive at once, ms. */
const SECOND_ARRIVAL_MS = 1_000;

/** The options for each request, in the order in which they are explored. */
const requestOptions: readonly PossibleDeviation[] = Object.freeze([
  { is: "lost" },
  { is: "unanswered" },
  { is: "duplicated" },
  { is: "duplicated", after: SECOND_ARRIVAL_MS },
  { is: "late", by: 1 },
  { is: "late", by: 2 },
  { is: "late", by: 3 },
  { is: "refused" },
  { is: "rejected" },
  { is: "restarted" },
  { is: "restartedAfter" },
]);

/** What may happen to the first attempt of a delivery: all of its attempts are lost. Explored only where it is named. */
const never: PossibleDeviation = Object.freeze({ is: "never" });

/**
 * What may happen at an instant at which requests are sent: every request is refused from then on, for as long as
 * `after` says. Explored only where it is named, and then until each later instant at which something is sent.
 */
const outage: PossibleDeviation = Object.freeze({ is: "outage" });

const withNever = Object.freeze([...requestOptions, never]);
const withOutage = Object.freeze([...requestOptions, outage]);
const withBoth = Object.freeze([...requestOptions, never, outage]);

/**
 * The options for a request.
 * @param isFirstOfInstant whether nothing else was sent at this instant before
 */
export function possibleDeviations(
  { what, number }: Pick<UnnumberedDeviationPoint, "what" | "number">,
  isFirstOfInstant: boolean,
): readonly PossibleDeviation[] {
  const isFirstAttempt = what === "attempt" && number === 1;
  if (isFirstAttempt) return isFirstOfInstant ? withBoth : withNever;
  return isFirstOfInstant ? withOutage : requestOptions;
}

/** Whether the app of a request restarts because of a deviation. */
export function isRestart(is: string): is is RestartDeviation {
  return (restartDeviations as readonly string[]).includes(is);
}

/**
 * The deviation point of a request.
 * @param at from the start of the run, ms
 */
export function deviationPoint(
  { to, why, subject }: Pick<RequestRecord, "to" | "why" | "subject">,
  webhookId: string | undefined,
  at: number,
): UnnumberedDeviationPoint {
  if (why !== "webhook") return { what: "request", at, of: why, to };
  const [of = "", attempt] = subject.split(", attempt ");
  return { what: "attempt", at, of, webhook: webhookId, number: Number(attempt ?? 1), to };
}
