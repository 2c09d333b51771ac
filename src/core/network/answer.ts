import * as v from "valibot";
import { InputError, type Keys } from "../foundation/errors.ts";
import { duration, object, oneOf, readInput, text, wholeNumber } from "../foundation/input-schemas.ts";
import type { DurationInput } from "../foundation/instants.ts";
import { show } from "../foundation/show.ts";
import { isPromise } from "../foundation/values.ts";

/** The answer of an endpoint. */
export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, and its delay after the request's arrival, ms. */
export interface TimedAnswer extends Answer {
  readonly after: number;
}

/** No answer: the endpoint refuses the connection after this time, ms, or stays silent until the limit. */
export interface MissingAnswer {
  readonly failure: NoAnswerInput["failure"];
  readonly after: number;
  readonly reason?: string | undefined;
}

/** The result of calling an endpoint. */
export type EndpointReply = TimedAnswer | MissingAnswer;

/** The endpoint answers later. */
export const answersLater = Object.freeze({ pending: true });

/** An answer as an endpoint's handler writes it. A body that is not text is sent as JSON. */
export interface AnswerInput {
  /** Default 200. */
  readonly status?: number;
  /** Default: none, or `content-type: application/json` for a body that is sent as JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or any value that JSON can hold. Default: empty. */
  readonly body?: unknown;
  /** How long the endpoint takes, on the virtual clock. Default: no time. */
  readonly after?: DurationInput;
}

/** No answer, as an endpoint's handler writes it. */
export interface NoAnswerInput {
  /** The connection is refused, or nothing comes until the limit (`timing.endpointTimeout`). */
  readonly failure: "refused" | "timeout";
  /** Why, in words. */
  readonly reason?: string;
  /** How long the endpoint takes to refuse, on the virtual clock. Default: no time. */
  readonly after?: DurationInput;
}

const statusCode = wholeNumber(100, 599);

/** The body: text, or a value that JSON can hold. It is copied, so that later changes to it have no effect. */
const bodySchema = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): unknown => {
    if (typeof value === "string") return value;
    try {
      return JSON.parse(JSON.stringify(value));
    } catch {
      addIssue({ message: `expected text, or a JSON value, got ${typeof value}` });
      return NEVER;
    }
  }),
);

export const answerEntries = {
  /** The status, 100 to 599; default 200. */
  status: v.optional(statusCode, 200),
  /** The headers; default: none. */
  headers: v.optional(v.record(v.string(), v.string("expected text")), {}),
  /** The body: text, or anything that becomes JSON; default: empty. */
  body: v.optional(bodySchema),
  /** How long the answer takes; default: no time. */
  after: v.optional(duration(), 0),
};
const answerSchema = object(answerEntries);

export const noAnswerEntries = {
  failure: oneOf(["refused", "timeout"]),
  after: v.optional(duration(), 0),
  reason: v.optional(text()),
};
const noAnswerSchema = object(noAnswerEntries);

/** A 200 without a body. */
export const accepted: TimedAnswer = Object.freeze({
  status: 200,
  headers: Object.freeze({}),
  body: "",
  after: 0,
});

/** An endpoint's answer is not valid HTTP. */
export class AnswerError extends InputError {
  constructor({ problems: [first, ...more] }: InputError) {
    super(first?.keys ?? [], first?.message ?? "", more, first);
  }
}

function asAnswerError(error: unknown): never {
  throw error instanceof InputError ? new AnswerError(error) : error;
}

/**
 * Reads what a handler returned: a status, `{ status, headers, body, after }`, `{ failure, after }`, or a `Response`.
 * The body of a `Response` can only be read with a promise. `Response.error()` is a refused connection.
 * @param asked the request that is answered, in words
 * @throws {AnswerError} if it is none of these
 */
export function readAnswer(returned: unknown, asked: string): EndpointReply | Promise<EndpointReply> {
  try {
    const answer = readReturned(returned, asked);
    return isPromise(answer) ? answer.then(undefined, asAnswerError) : answer;
  } catch (error) {
    return asAnswerError(error);
  }
}

function readReturned(returned: unknown, asked: string): EndpointReply | Promise<EndpointReply> {
  const keys = [asked, "answer"];
  if (isResponse(returned)) {
    if (returned.body === null) return withoutBody(returned, asked);
    return returned.text().then((body) => fromResponse(returned, body, asked));
  }
  if (typeof returned === "number") return statusAlone(returned, keys);
  if (typeof returned !== "object" || returned === null)
    throw new InputError(
      keys,
      `expected a status, { status, headers, body, after }, { failure } or a Response, got ${show(returned)}`,
    );
  if ("failure" in returned) return readInput(noAnswerSchema, returned, keys);
  return timedAnswer(readInput(answerSchema, returned, keys));
}

/** Answers with only a status, which nearly all are: one object for each. */
const statusesAlone = new Map<number, TimedAnswer>();

function statusAlone(status: number, keys: Keys): TimedAnswer {
  let answer = statusesAlone.get(status);
  if (answer === undefined) {
    answer = Object.freeze({ ...accepted, status: readInput(statusCode, status, keys) });
    statusesAlone.set(status, answer);
  }
  return answer;
}

/** Creates an answer from parsed parts. */
export function timedAnswer({
  status,
  headers,
  body,
  after,
}: v.InferOutput<typeof answerSchema>): TimedAnswer {
  const names = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (body === undefined || typeof body === "string")
    return { status, headers: names, body: body ?? "", after };
  return {
    status,
    headers: { "content-type": "application/json", ...names },
    body: JSON.stringify(body),
    after,
  };
}

/** Reads a `Response` without a body. @param asked as in `readAnswer` */
export function withoutBody(response: Response, asked: string): EndpointReply {
  return fromResponse(response, "", asked);
}

function fromResponse({ status, headers }: Response, body: string, asked: string): EndpointReply {
  // by `Response.error()`, fetch reports a network error
  if (status === 0) return { failure: "refused", after: 0 };
  const known = readInput(statusCode, status, [asked, "answer", "status"]);
  return { status: known, headers: Object.fromEntries(headers), body, after: 0 };
}

/** Whether a value is a `Response`, of this realm or another. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, text, headers } = value as Partial<Response>;
  return typeof status === "number" && typeof text === "function" && typeof headers?.get === "function";
}
