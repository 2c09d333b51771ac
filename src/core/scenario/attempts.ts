import { isoDuration } from "../foundation/instants.ts";
import type { NetworkRequest } from "../platform/network/network-api.ts";
import type { Delivery } from "../platform/webhooks/webhooks-api.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type ComparedRow, compareRows } from "./compare.ts";
import type { ExpectedAttempt } from "./scenario.ts";

/** A request to a webhook in a run. */
export interface SeenAttempt {
  readonly request: NetworkRequest;
  readonly delivery: Delivery;
}

/** Every request to a webhook, in the order of sending. */
export function attemptsOf(simulator: Simulator): SeenAttempt[] {
  return simulator.network.requests
    .filter(({ why }) => why === "webhook")
    .map((request) => ({ request, delivery: simulator.webhooks.delivery(request.recordId) }));
}

export interface AttemptsContext {
  readonly startMs: number;
  /** The ids by the names that steps gave. */
  readonly named: ReadonlyMap<string, string>;
  /** Whether the run was stopped before its end. Open requests are then not compared. */
  readonly isPartial: boolean;
}

/** Compares the attempts with the expected lines: instant, event, and the line's other properties. */
export function compareAttempts(
  expected: readonly ExpectedAttempt[],
  attempts: readonly SeenAttempt[],
  context: AttemptsContext,
): ComparedRow[] {
  return compareRows("attempts", expected, attempts, {
    isAlike: (line, { delivery }) => line.type === delivery.event.type,
    findProblem: (line, seen) => findProblem(line, seen, context),
    expectedText: expectedAttemptText,
    actualText: (seen) => attemptText(seen, context.startMs),
  });
}

/** An attempt as a line, such as `PT169.08S call.ended 503`. */
function attemptText({ request, delivery }: SeenAttempt, startMs: number): string {
  const result = request.answer?.status ?? request.failure ?? "under way";
  return `${isoDuration(request.startedTimestamp - startMs)} ${delivery.event.type} ${result}`;
}

/** An expected attempt as a line, with the properties that it has. */
function expectedAttemptText({ atMs, type, status, failure }: ExpectedAttempt): string {
  const result = status ?? failure;
  return `${isoDuration(atMs)} ${type}${result === undefined ? "" : ` ${result}`}`;
}

function findProblem(line: ExpectedAttempt, seen: SeenAttempt, context: AttemptsContext): string | undefined {
  const offMs = seen.request.startedTimestamp - context.startMs - line.atMs;
  if (line.type !== seen.delivery.event.type) return `expected ${line.type}`;
  if (offMs !== 0) return `${Math.abs(offMs)} ms ${offMs > 0 ? "late" : "early"}`;
  const different = comparedFields(line, seen, context).find(
    ([, wanted, actual]) => wanted !== undefined && wanted !== actual,
  );
  return different && `${different[0]} is ${different[2] ?? "none"}, expected ${different[1]}`;
}

type Field = readonly [name: string, wanted: unknown, actual: unknown];

/** The properties that a line may have, and their actual values. */
function comparedFields(
  line: ExpectedAttempt,
  { request, delivery }: SeenAttempt,
  context: AttemptsContext,
): Field[] {
  const { startMs, named, isPartial } = context;
  const { id, duplicateOf, answer, failure, endedTimestamp } = request;
  const number = delivery.attempts.find(({ requestId }) => requestId === (duplicateOf ?? id))?.number;
  const fields: Field[] = [
    ["webhook", line.webhook, webhookName(delivery.webhookId, named)],
    ["number", line.number, number],
    ["duplicate", line.isDuplicate, duplicateOf !== null],
  ];
  if (!isPartial || endedTimestamp !== null)
    fields.push(
      ["status", line.status, answer?.status],
      ["failure", line.failure, failure],
      [
        "ended",
        offsetText(line.endedMs),
        offsetText(endedTimestamp === null ? undefined : endedTimestamp - startMs),
      ],
    );
  if (!isPartial || delivery.state !== "pending")
    fields.push(["state", line.state, delivery.state], ["reason", line.reason, delivery.reason]);
  return fields;
}

function webhookName(webhookId: string, named: ReadonlyMap<string, string>): string {
  return [...named].find(([, id]) => id === webhookId)?.[0] ?? webhookId;
}

function offsetText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : isoDuration(ms);
}
