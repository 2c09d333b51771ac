import type { Reply } from "../engine/promised.ts";
import { type Answer, accepted, type EndpointReply } from "./answer.ts";

/** The result of a request. */
export type RequestOutcome =
  /** `isUnrouted`: there was no route, and the network itself accepted the request. */
  | { readonly answer: Answer; readonly isUnrouted?: true }
  | { readonly failure: string; readonly reason?: string };

/** An outcome, and its delay after the request's arrival, ms. */
export interface TimedOutcome {
  readonly outcome: RequestOutcome;
  readonly after: number;
}

/** The outcome of an endpoint's function. If a server's code throws, it answers 500. */
export function replyOf(reply: Reply): EndpointReply {
  return "thrown" in reply ? { ...accepted, status: 500 } : (reply.answer as EndpointReply);
}

/** No answer, unless one comes later. */
export const noAnswer: EndpointReply = Object.freeze({ failure: "timeout", after: 0 });

/** The result of a request without a route, if such requests are accepted. */
export const acceptedUnrouted: RequestOutcome = Object.freeze({
  answer: { status: 200, headers: {}, body: "" },
  isUnrouted: true,
});

/** The result of a request whose app restarts while it handles it. */
export const connectionReset: TimedOutcome = Object.freeze({
  outcome: { failure: "connection reset" },
  after: 0,
});

/** The answer of an overloaded server in front of the endpoint. */
export const rejection: RequestOutcome = Object.freeze({ answer: { status: 503, headers: {}, body: "" } });

/** The failure of an answer: any status other than 2xx. */
export function failureOf({ status }: Answer): string | null {
  return status >= 200 && status < 300 ? null : `status ${status}`;
}

/** The outcome of a reply for the sender. Silence lasts until the limit. */
export function timedOutcome(reply: EndpointReply): TimedOutcome {
  if ("failure" in reply) {
    const { after, failure, reason } = reply;
    const outcome = reason === undefined ? { failure } : { failure, reason };
    return { after: failure === "timeout" ? Number.POSITIVE_INFINITY : after, outcome };
  }
  const { after, status, headers, body } = reply;
  return { after, outcome: { answer: { status, headers, body } } };
}
