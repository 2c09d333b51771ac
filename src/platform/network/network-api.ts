import type { AnswerInput, NoAnswerInput } from "../../network/answer.ts";
import type { Conditions, Fault } from "../../network/conditions.ts";
import type { EndpointRequest, Network } from "../../network/network.ts";
import type { Moment, OptionalMoment } from "../../records/moments.ts";
import type { RequestPurpose, RequestRecord } from "../../records/request.ts";
import type { Base } from "../base.ts";

export interface Needs extends Base {
  readonly network: Network;
}

/** What an endpoint's handler may return: a status, an answer, that there is none, a `Response`, or a promise of one of these. */
export type HandlerResult = number | AnswerInput | NoAnswerInput | Response;
/** What answers a request of the platform: a function of the request. */
export interface EndpointHandler {
  (request: EndpointRequest): HandlerResult | Promise<HandlerResult>;
  /** @internal It answers in real time: all that is sent to it at an instant is under way together. Must not throw. */
  readonly isConcurrent?: boolean;
}

/** One request, or one attempt of a delivery. */
export interface NetworkRequest extends Moment<"started">, OptionalMoment<"ended"> {
  readonly id: string;
  /** The URL. */
  readonly to: string;
  readonly method: string;
  /** Why the platform sent it: a data action, a redirected call that goes back, or a webhook. */
  readonly why: RequestPurpose;
  /** The record that it is about: a call, a conversation, a delivery. */
  readonly recordId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the endpoint answered; null while it has not, and if it never did. Names of headers in lower case. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** Why it came to nothing: `timeout`, `refused`, `lost`, `status 500`, or what is wrong with the answer; else null. */
  readonly failure: string | null;
  /** Why a real endpoint could not be asked, in words: its certificate, its name, a reset connection; else null. */
  readonly failureReason: string | null;
  /** The request of which the network made two; else null. */
  readonly duplicateOf: string | null;
}

/** `sim.network`: the endpoints outside that the platform sends requests to. */
export class NetworkApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /**
   * Answers requests to URLs that start like this; of several routes the longest prefix counts, of equal ones the latest.
   * @param handler one answer for all, or a function of the request. A function may issue commands and may return a
   *   promise, which only the `Async` time methods wait for. If it throws, the answer is a 500 and the error comes out
   *   of the time method.
   */
  route(urlPrefix: string, handler: EndpointHandler | number | AnswerInput): void {
    if (typeof handler === "function") {
      this.#world.engine.places.keep(handler);
      this.#world.network.route(urlPrefix, handler);
      return;
    }
    const answer = typeof handler === "number" ? { status: handler } : handler;
    this.#world.command("route", { url: urlPrefix, ...answer });
  }

  /** Takes away the function that answers requests to URLs that start like this; an answer that is data stays. */
  unroute(urlPrefix: string): void {
    this.#world.network.unroute(urlPrefix);
  }

  /** The starts of the URLs that have a route, sorted. */
  get routes(): readonly string[] {
    return this.#world.network.routes();
  }

  /**
   * Has the endpoints of these URLs fail: with a status, by refusing the connection, or by never answering.
   * @param fault a status (default 503), `refuse` or `timeout`; for so many requests (`times`), or for a span of time from now on
   *   (`for`). `after` is how long they take to. `times: 0` ends it.
   */
  fault(urlPrefix: string, fault: Fault | Fault["status"]): void {
    const parts = typeof fault === "object" ? fault : { status: fault };
    this.#world.command("fault", { url: urlPrefix, ...parts });
  }

  /**
   * Says what the way to these URLs is like: `latency` (a duration or a distribution) and the probabilities of `loss`,
   * `duplicate` and `reorder`. Replaces what was said before; `{}` makes the way perfect again.
   */
  conditions(urlPrefix: string, conditions: Conditions): void {
    this.#world.command("conditions", { url: urlPrefix, ...conditions });
  }

  /** @internal For a look ahead on a fork, which must not ask the endpoints of the simulator that it was made of. */
  replaceHandlers(handler: EndpointHandler): void {
    this.#world.network.replaceEndpoints(handler);
  }

  /** Every request and attempt so far, in the order in which they were sent. */
  get requests(): readonly NetworkRequest[] {
    return [...this.#world.network.requests()].map(shown);
  }
}

/**
 * Makes a handler of anything that answers a `Request`, such as the `fetch` of a Hono app or of a worker.
 * @param fetch its `fetch`; the answer is a promise, so time must pass by the `Async` methods
 */
export function fromFetch(fetch: (request: Request) => Response | Promise<Response>): EndpointHandler {
  return async ({ url, method, headers, body }) =>
    fetch(new Request(url, { method, headers: { ...headers }, ...(method === "GET" ? {} : { body }) }));
}

const views = new WeakMap<RequestRecord, NetworkRequest>();

/** What was sent is made when it is read: most is never looked at. */
function shown(record: RequestRecord): NetworkRequest {
  let view = views.get(record);
  if (view === undefined) {
    const { content, context: _, subject: __, ...rest } = record;
    view = Object.freeze({
      ...rest,
      get headers() {
        return content().headers;
      },
      get body() {
        return content().body;
      },
    });
    views.set(record, view);
  }
  return view;
}
