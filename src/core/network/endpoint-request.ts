import type { RequestContent, RequestRecord } from "../records/request.ts";

/** A request as an endpoint sees it. Headers and body are computed on the first read. */
export interface EndpointRequest {
  /** The whole URL, with its query. */
  readonly url: string;
  /** The method, such as `POST`. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly body: string;
}

/** Answers requests; see `readAnswer` for what it may return. */
export interface Endpoint {
  (request: EndpointRequest): unknown;
  /** Whether it answers in real time: requests of one instant are then sent together. Must not throw. */
  readonly isConcurrent?: boolean;
}

const saidBy = Symbol("what a request says");

/** The results of a request's getters. */
interface Seen {
  readonly [saidBy]: {
    readonly content: RequestContent;
    headers: EndpointRequest["headers"] | undefined;
    body: string | undefined;
  };
}

const headersField: PropertyDescriptor = {
  get(this: Seen) {
    const said = this[saidBy];
    said.headers ??= said.content.headers();
    return said.headers;
  },
  enumerable: true,
  configurable: true,
};

const bodyField: PropertyDescriptor = {
  get(this: Seen) {
    const said = this[saidBy];
    said.body ??= said.content.body();
    return said.body;
  },
  enumerable: true,
  configurable: true,
};

/**
 * Computes headers and body on the first read: signing takes twice as long as the rest of a delivery. They are own
 * properties, for copies and `console.log`, with shared getters: getters of a literal keep their results alive.
 */
export function toEndpointRequest({ to, method, content }: RequestRecord): EndpointRequest {
  const seen = { url: to, method };
  Object.defineProperty(seen, saidBy, { value: { content, headers: undefined, body: undefined } });
  Object.defineProperty(seen, "headers", headersField);
  return Object.defineProperty(seen, "body", bodyField) as EndpointRequest;
}

/** `POST https://crm.acme.test/hooks (call.ended, attempt 2)`. */
export function requestText({ method, to, subject }: Pick<RequestRecord, "method" | "to" | "subject">) {
  const query = to.indexOf("?");
  return `${method} ${query < 0 ? to : to.slice(0, query)} (${subject})` as const;
}
