import * as v from "valibot";
import { duration, list, object, oneOf, text, wholeNumber } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";

const optional = v.optional;

const count = wholeNumber(0);

/** Lets requests to the REST API fail. */
export const restFaultSchema = object({
  /**
   * The path, such as `/calls`; paths under it fail too. The token endpoint and the redirect handler fail only if
   * named.
   */
  path: optional(v.pipe(text(), v.startsWith("/", "expected a path that begins with /"))),
  /** Requests with this method. @default all */
  method: optional(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  /**
   * The status to answer; `refused` (also `refuse`): the connection is refused; `unanswered`: it is handled, and the connection breaks;
   * `timeout`: nothing answers, and the client gives up after five minutes. With `after` and no status, the usual answer comes late.
   * @default 503
   */
  status: optional(
    v.union(
      [wholeNumber(400, 599), oneOf(["refused", "unanswered", "timeout", "refuse"])],
      (issue) =>
        `expected a status from 400 to 599, "refused", "unanswered" or "timeout", got ${show(issue.input)}`,
    ),
  ),
  /** The header `retry-after`, in whole seconds. */
  retryAfter: optional(duration()),
  /** For how many requests; 0 ends the faults of this path and method. */
  times: optional(count),
  /** For how long, from now on. */
  for: optional(duration()),
  /** How long the answer takes, on the virtual clock. */
  after: optional(duration()),
});
export type RestFaultArguments = v.InferOutput<typeof restFaultSchema>;

/** A request to the REST API was answered. Only `sim.fetch` records this. */
export const restServedSchema = object({
  /** The method, such as `GET`. */
  method: text(),
  /** The path with its query, such as `/calls?limit=1`. */
  path: text(),
  /** The body of the request; empty without one. */
  body: v.string("expected text"),
  /** The status of the answer; 0: there was none. */
  status: v.union([v.literal(0), wholeNumber(100, 599)], "expected 0 or a status"),
  /** The body of the answer; empty without one. */
  answer: v.string("expected text"),
  /** The client whose access token the request had. */
  by: optional(text()),
  /** The number of the fault that replaced or delayed the answer. The first fault is 1. */
  fault: optional(count),
  /** What became of the connection, if the client got no answer: `refused`, `unanswered` or `timeout`. */
  lost: optional(oneOf(["refused", "unanswered", "timeout"])),
  /** What an exploration did to the request, such as `503`, `slow` or `refused`. */
  deviation: optional(text()),
  /** How much later the answer comes. */
  after: optional(duration()),
  /** The id of the platform's own request whose handler asked, such as a delivery to a webhook. */
  during: optional(text()),
  /** The query parameters that the operation does not know, by name. */
  ignored: optional(list(v.string("expected text"))),
  /** The number that `restAsked` gave the request, if it gave commands. */
  asked: optional(count),
});
export type RestServedArguments = v.InferOutput<typeof restServedSchema>;
