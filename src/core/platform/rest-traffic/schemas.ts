import * as v from "valibot";
import { duration, list, object, oneOf, text, wholeNumber } from "../../foundation/input-schemas.ts";

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
  /** The status to answer. With `after` and no status, the usual answer comes late. @default 503 */
  status: optional(wholeNumber(400, 599)),
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
  /** The status of the answer. */
  status: wholeNumber(100, 599),
  /** The body of the answer; empty without one. */
  answer: v.string("expected text"),
  /** The client whose access token the request had. */
  by: optional(text()),
  /** The number of the fault that replaced or delayed the answer. The first fault is 1. */
  fault: optional(count),
  /** What an exploration did to the request: `503`, `429`, `slow`, `tokenExpired` or `behind`. */
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
