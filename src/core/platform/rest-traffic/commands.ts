import * as v from "valibot";
import { duration, object, oneOf, text, wholeNumber } from "../../foundation/input-schemas.ts";
import { exactDurationText } from "../../foundation/instants.ts";
import type { Sentence } from "../declare/description.ts";
import { spanText } from "../declare/words.ts";

const optional = v.optional;

const count = wholeNumber(0);

/** Lets requests to the REST API fail. */
export const restFaultSchema = object({
  /**
   * The path, such as `/calls`; paths under it fail too. The token endpoint and the redirect handler fail only if
   * named.
   */
  path: optional(v.pipe(text(), v.startsWith("/", "expected a path that begins with /"))),
  /** Requests with this method; default: all. */
  method: optional(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  /** The status to answer; default 503. With `after` and no status, the usual answer comes late. */
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

/** A request to the REST API is about to give its first command. Only `sim.fetch` records this. */
export const restAskedSchema = object({
  /** The method, such as `POST`. */
  method: text(),
  /** The path with its query, such as `/messages`. */
  path: text(),
  /** The client whose access token the request has. */
  by: optional(text()),
  /** The id of the platform's own request whose handler asks, such as a delivery to a webhook. */
  during: optional(text()),
});
type RestAskedArguments = v.InferOutput<typeof restAskedSchema>;

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
  /** What an exploration did to the request: `503`, `429`, `slow` or `tokenExpired`. */
  deviation: optional(text()),
  /** How much later the answer comes. */
  after: optional(duration()),
  /** The id of the platform's own request whose handler asked, such as a delivery to a webhook. */
  during: optional(text()),
  /** The number that `restAsked` gave the request, if it gave commands. */
  asked: optional(count),
});
export type RestServedArguments = v.InferOutput<typeof restServedSchema>;

export function restFaultWords(args: RestFaultArguments): Sentence {
  const { path, method, status, retryAfter, times, for: forMs, after } = args;
  if (times === 0) return { subject: "the REST API", verb: "answers as usual" };
  const subject = [method, path ?? "the REST API"].filter(Boolean).join(" ");
  const back = retryAfter === undefined ? "" : ` (retry after ${exactDurationText(retryAfter)})`;
  const how = status === undefined && after ? "late" : `${status ?? 503}${back}`;
  return { subject, verb: `is answered ${how}${spanText(times, "time", forMs)}` };
}

/** How many characters of a refusal's reason are shown. */
const LONGEST_REASON = 120;

/** `asks POST /messages`: what the request does stands below. */
export function restAskedWords({ method, path }: RestAskedArguments): Sentence {
  return { kind: "rest", verb: "asks", detail: `${method} ${path}` };
}

/** `asks GET /calls: 429 (fault)`, `asks POST /webhooks: 400 (url: missing)`. If it gave commands, `gets the answer to POST /messages: 201`. */
export function restServedWords(args: RestServedArguments): Sentence {
  const { method, path, status, answer, fault, deviation, asked, after: laterMs } = args;
  const instead = fault === undefined ? deviation && "deviation" : "fault";
  const why = instead ?? (status < 400 ? undefined : refusalIn(answer));
  const verb = asked === undefined ? "asks" : "gets the answer to";
  return { kind: "rest", verb, detail: `${method} ${path}`, status, why, laterMs };
}

/** The reason in the body of an error answer. */
function refusalIn(answer: string): string | undefined {
  const [, quoted] =
    /"(?:message|error_description)":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")/iu.exec(answer) ??
    [];
  if (quoted === undefined) return undefined;
  const said = String(JSON.parse(quoted));
  return said.length > LONGEST_REASON ? `${said.slice(0, LONGEST_REASON)}…` : said;
}
