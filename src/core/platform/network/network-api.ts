import { type ErrorDetail, InputError } from "../../foundation/errors.ts";
import { show } from "../../foundation/show.ts";
import { omit } from "../../foundation/values.ts";
import type { AnswerInput, NoAnswerInput } from "../../network/answer.ts";
import type { Conditions, Fault } from "../../network/conditions.ts";
import type { EndpointRequest } from "../../network/endpoint-request.ts";
import type { Network } from "../../network/network.ts";
import type { DateFields, OptionalDateFields } from "../../records/date-fields.ts";
import type { RequestPurpose, RequestRecord } from "../../records/request.ts";
import type { CoreServices } from "../base/core-services.ts";
import { serverAppProblem } from "./server-apps.ts";

export interface Needs extends CoreServices {
  readonly network: Network;
}

/**
 * The result of an endpoint's handler: a status, an answer, no answer, a `Response`, or a promise of one of these.
 */
export type HandlerResult = number | AnswerInput | NoAnswerInput | Response;
/** A function that answers the platform's requests. */
export interface EndpointHandler {
  (request: EndpointRequest): HandlerResult | Promise<HandlerResult>;
  /** @internal Its answers come in real time, so requests of one instant are sent to it together. Must not throw. */
  readonly isConcurrent?: boolean;
}

/** One request, or one attempt of a delivery. */
export interface NetworkRequest
  extends DateFields<"started">,
    OptionalDateFields<"arrived">,
    OptionalDateFields<"ended"> {
  /** The request's id. */
  readonly id: string;
  /** The URL. */
  readonly to: string;
  /** The method, such as `POST`. */
  readonly method: string;
  /** Why the platform sent it: a data action, a redirected call that goes back, or a webhook. */
  readonly why: RequestPurpose;
  /** The id of the record that it is about: a call, a conversation or a delivery. */
  readonly recordId: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly body: string;
  /** The endpoint's answer, with header names in lower case; null if there is none. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /**
   * Why the request failed: `timeout`, `refused`, `lost`, `status 500`, or what is wrong with the answer; otherwise
   * null.
   */
  readonly failure: string | null;
  /**
   * The fields of a data action's answer that could not be taken, each with what was expected: they are ignored, and the
   * others count. If none could be taken, `failure` says so. Empty for other requests.
   */
  readonly problems: readonly ErrorDetail[];
  /**
   * Why a real endpoint could not be asked, in words: its certificate, its name, a reset connection; otherwise null.
   */
  readonly failureReason: string | null;
  /** Whether the URL has no route and the network itself accepted the request, as `unrouted: "accept"` says. */
  readonly isUnrouted: boolean;
  /** The id of the request that this one duplicates; otherwise null. */
  readonly duplicateOf: string | null;
  /**
   * Which of all requests that reached their endpoints it is, counted from 1 in the order of arrival; null if it has not.
   * A lost or refused request never does, nor one that something in front of the endpoint answers.
   */
  readonly arrival: number | null;
}

/** `sim.network`: the endpoints outside that the platform sends requests to. */
export class NetworkApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Answers requests to URLs that start like this. If several routes match, the longest prefix wins, then the latest
   * route.
   * @param urlPrefix the start of the URLs
   * @param handler one answer for all requests, or a function of the request. A function may issue commands, and may
   * return a promise, which only the `Async` time methods wait for. If it throws, the answer is a 500 and the time
   * method throws the error.
   * @throws {InputError} if no URL can start like this, or the handler is missing or an app of a server library
   * @example
   * sim.network.route("https://crm.test/", ({ body }) => (JSON.parse(body).type === "call.ended" ? 204 : 422));
   * sim.network.route("https://crm.test/health", 200);
   */
  route(urlPrefix: string, handler: EndpointHandler | number | AnswerInput): void {
    if (!startsUrls(urlPrefix))
      throw new InputError(
        ["route"],
        `expected the start of a URL, such as "https://crm.test/", got ${show(urlPrefix)}`,
      );
    if (handler === undefined || handler === null)
      throw new InputError(
        ["route"],
        `expected a function, a status or { status, headers, body, after }, got ${show(handler)}`,
      );
    const problem = serverAppProblem(handler);
    if (problem !== undefined) throw new InputError(["route"], `expected a handler, ${problem}`);
    if (typeof handler === "function") {
      this.#services.engine.registrationLines.keep(handler);
      this.#services.network.routes.add(urlPrefix, handler);
      return;
    }
    const answer = typeof handler === "number" ? { status: handler } : handler;
    this.#services.command("route", { url: urlPrefix, ...answer });
  }

  /**
   * Removes a function that answers requests to URLs that start like this. Answers given as data stay.
   * @param urlPrefix the start of the URLs
   * @example
   * sim.network.route("https://crm.test/", () => 204);
   * sim.network.unroute("https://crm.test/");
   * sim.network.routes; // => []
   */
  unroute(urlPrefix: string): void {
    this.#services.network.routes.remove(urlPrefix);
  }

  /** The URL prefixes that have a route, sorted. */
  get routes(): readonly string[] {
    return this.#services.network.routes.list();
  }

  /**
   * Lets endpoints fail, by rule or by chance. By rule: with a status, by refusing the connection, or by never answering.
   * By chance: requests take time, get lost, come twice or are overtaken. An endpoint may have one fault of each sort.
   * @param urlPrefix the start of the URLs
   * @param fault by rule: a status (default 503), `refused`, `unanswered` (handled, the answer is lost) or `timeout`, for a number
   * of requests (`times`) or for a span of virtual time from now on (`for`). `after` is how long the answer takes. `times: 0` ends the fault. By chance:
   * `latency` (a duration or a distribution) and the probabilities of `loss`, `duplicate` and `reorder`, 0 to 1. It
   * replaces the last one by chance, so `loss: 0` alone ends that.
   * @throws {CommandError} `invalid_argument`, also for keys of both sorts
   * @example
   * sim.network.fault("https://crm.test/", 503);
   * sim.network.fault("https://crm.test/", { status: "timeout", for: "PT10M" });
   * sim.network.fault("https://crm.test/", { latency: exponential("PT0.2S"), loss: 0.01 });
   */
  fault(urlPrefix: string, fault: Fault | Fault["status"] | Conditions): void {
    const parts = typeof fault === "object" ? fault : { status: fault };
    this.#services.command("fault", { url: urlPrefix, ...parts });
  }

  /**
   * Lets requests meet trouble by chance; `{}` ends it.
   * @param urlPrefix the start of the URLs
   * @param conditions how likely each trouble is, and the latency
   * @deprecated `fault` takes the same.
   * @example
   * sim.network.conditions("https://crm.test/", { loss: 0.01 });
   */
  conditions(urlPrefix: string, conditions: Conditions): void {
    this.#services.command("conditions", { url: urlPrefix, ...conditions });
  }

  /** @internal For a look ahead on a fork, which must not ask its simulator's endpoints. */
  replaceHandlers(handler: EndpointHandler): void {
    this.#services.network.routes.replace(handler);
  }

  /**
   * Every request and attempt so far, in the order in which they were sent.
   * @example
   * const teamCall = "https://crm.test/team-call"; // answers the Team Call data action
   * const acting = createSimulator({ organisation: { ...demoOrganisation, dataActions: { teamCall } } });
   * acting.network.route(teamCall, { body: { priority: "high", displayName: "VIP" } });
   * acting.calls.inbound({ from: "+6421555001", to: "+6495550200" });
   * acting.advance(0);
   * acting.network.requests[0]?.problems.map(({ path }) => path); // => ["priority"]
   */
  get requests(): readonly NetworkRequest[] {
    this.#services.engine.probes.current?.platformRead?.("requests");
    return [...this.#services.network.requests()].map(shown);
  }
}

const views = new WeakMap<RequestRecord, NetworkRequest>();

/** Makes headers and body only when they are read, which is rare. */
function shown(record: RequestRecord): NetworkRequest {
  let view = views.get(record);
  if (view === undefined) {
    const { content } = record;
    view = Object.freeze({
      ...omit(record, "content", "context", "subject"),
      get headers() {
        return content.headers();
      },
      get body() {
        return content.body();
      },
    });
    views.set(record, view);
  }
  return view;
}

/** Whether any http or https URL starts like this. Every URL starts like an empty text. */
function startsUrls(prefix: string): boolean {
  return (
    typeof prefix === "string" &&
    (/^https?:\/\//.test(prefix) || ["http://", "https://"].some((scheme) => scheme.startsWith(prefix)))
  );
}
