import type { ErrorDetail } from "../foundation/errors.ts";
import { internInstant, iso, shareInstants } from "../foundation/instants.ts";
import type { DateFields, OptionalDateFields } from "./date-fields.ts";

/** Why the platform sends a request. */
export type RequestPurpose =
  | "outboundCall"
  | "callInsights"
  | "teamCall"
  | "inboundConversations"
  | "return"
  | "webhook";

/** The content of a request, frozen. Each part is computed on its first read: most are never read. */
export interface RequestContent {
  headers(): Readonly<Record<string, string>>;
  body(): string;
}

/** Creates the content of a request. @param makeBody called once, on the first read of the body */
export function makeContent(
  headers: Readonly<Record<string, string>>,
  makeBody: () => string,
): RequestContent {
  let body: string | undefined;
  return Object.freeze({
    headers: () => headers,
    body: () => {
      body ??= makeBody();
      return body;
    },
  });
}

const NO_PROBLEMS: readonly ErrorDetail[] = Object.freeze([]);

/** A request of the platform to an outside endpoint, from sending to its end. */
export interface RequestRecord
  extends DateFields<"started">,
    OptionalDateFields<"arrived">,
    OptionalDateFields<"ended"> {
  readonly id: string;
  readonly to: string;
  readonly method: "GET" | "POST";
  readonly why: RequestPurpose;
  /** The id of its call, conversation or delivery. */
  readonly recordId: string;
  /** What it is about, in words: the event's type and the number of the attempt. */
  readonly subject: string;
  readonly content: RequestContent;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** Why it failed: `timeout`, `refused`, `lost`, `answer lost`, `connection reset`, `status 500`, or what is wrong with the answer; otherwise null. */
  readonly failure: string | null;
  /** What of a data action's answer could not be taken, field by field; empty if all could. */
  readonly problems: readonly ErrorDetail[];
  /** Why a real endpoint could not be reached, in words: certificate, name, reset connection; otherwise null. */
  readonly failureReason: string | null;
  /** Whether its URL has no route and the network itself accepted it. */
  readonly isUnrouted: boolean;
  /** The id of the request that this one duplicates; otherwise null. */
  readonly duplicateOf: string | null;
  /** Its number among all requests that reached their endpoints, from 1; null if it has not. */
  readonly arrival: number | null;
  /** Text that the sender gets back with the answer. */
  readonly context: string | null;
}

/** The part of a request that its sender gives. */
export type NewRequest = Pick<
  RequestRecord,
  "to" | "method" | "why" | "recordId" | "subject" | "content" | "context"
>;

/** The record of a request that has just been sent. */
export function sentRequest(
  id: string,
  { to, method, why, recordId, subject, content, context }: NewRequest,
  duplicateOf: string | null,
  nowMs: number,
): RequestRecord {
  return {
    id,
    to,
    method,
    why,
    recordId,
    subject,
    content,
    context,
    duplicateOf,
    startedAt: iso(nowMs),
    startedTimestamp: internInstant(nowMs),
    arrivedAt: null,
    arrivedTimestamp: null,
    arrival: null,
    endedAt: null,
    endedTimestamp: null,
    answer: null,
    failure: null,
    problems: NO_PROBLEMS,
    failureReason: null,
    isUnrouted: false,
  };
}

/** The record of a request that reaches its endpoint now. @param arrival its number among all arrivals, from 1 */
export function arrivedRequest(sent: RequestRecord, nowMs: number, arrival: number): RequestRecord {
  return { ...sent, arrivedAt: iso(nowMs), arrivedTimestamp: internInstant(nowMs), arrival };
}

/**
 * The record of a request that ends now.
 * @param arrival set if it reaches its endpoint only now, as in `arrivedRequest`
 */
export function endedRequest(
  sent: RequestRecord,
  nowMs: number,
  outcome: Pick<RequestRecord, "answer" | "failure" | "failureReason" | "isUnrouted">,
  arrival: number | undefined,
): RequestRecord {
  const arrivesNow = arrival !== undefined;
  // a literal: a spread of twenty fields costs a fifth of a call with a webhook
  return {
    id: sent.id,
    to: sent.to,
    method: sent.method,
    why: sent.why,
    recordId: sent.recordId,
    subject: sent.subject,
    content: sent.content,
    context: sent.context,
    duplicateOf: sent.duplicateOf,
    startedAt: sent.startedAt,
    startedTimestamp: sent.startedTimestamp,
    arrivedAt: arrivesNow ? iso(nowMs) : sent.arrivedAt,
    arrivedTimestamp: arrivesNow ? internInstant(nowMs) : sent.arrivedTimestamp,
    arrival: arrivesNow ? arrival : sent.arrival,
    endedAt: iso(nowMs),
    endedTimestamp: internInstant(nowMs),
    answer: outcome.answer,
    failure: outcome.failure,
    problems: sent.problems,
    failureReason: outcome.failureReason,
    isUnrouted: outcome.isUnrouted,
  };
}

shareInstants((nothing) => {
  const what = { to: "", method: "POST", why: "webhook", recordId: "", subject: "", context: null } as const;
  const sent = sentRequest("", { ...what, content: makeContent({}, () => "") }, null, nothing);
  return endedRequest(sent, nothing, sent, 0);
});
