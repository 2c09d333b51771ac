import type { RequestContent, RequestRecord } from "../records/request.ts";

/** A request as an endpoint sees it. Headers and body are made when they are first read. */
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
  /** It answers in real time, so requests of one instant are sent to it together. Must not throw. */
  readonly isConcurrent?: boolean;
}

const saidBy = Symbol("what a request says");

/** What the getters of a request have made. */
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
 * Makes headers and body when they are read: signing takes twice as long as everything else that a delivery needs. They are
 * the object's own, so that a copy and `console.log` have them, but all objects share their getters: V8 makes a hidden class for
 * each literal with getters, and that keeps what they made until old objects are collected.
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
