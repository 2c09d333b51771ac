import type { AgendaItem } from "../engine/agenda.ts";
import type { Engine, Outside } from "../engine/engine.ts";
import { CommandError } from "../engine/errors.ts";
import { moment, noMoment } from "../records/moments.ts";
import type { RequestContent, RequestRecord } from "../records/request.ts";
import { Table } from "../records/table.ts";
import { type Answer, accepted, readAnswer, type TimedAnswer } from "./answer.ts";

/** A request as an endpoint sees it. */
export interface EndpointRequest {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a plain handler may return; see `readAnswer`. */
export type Endpoint = (request: EndpointRequest) => unknown;

/** What becomes of a request that no route is for. */
export type Unrouted = "accept" | "refuse" | "error";

/** How a request came out. */
export type Outcome = { readonly answer: Answer } | { readonly failure: string };

/** What the network needs of those who send through it. */
export interface NetworkPorts {
  /** How long an endpoint may take, ms. */
  readonly limitMs: number;
  readonly unrouted: Unrouted;
  /** A request is over. */
  done(request: RequestRecord, outcome: Outcome): void;
}

export type NewRequest = Pick<
  RequestRecord,
  "to" | "method" | "why" | "recordId" | "subject" | "content" | "context"
>;

export interface NetworkState {
  readonly requests: Table<RequestRecord>;
  /** Answers that are data, by URL prefix. */
  readonly fixed: Map<string, TimedAnswer>;
  /** Endpoints that are functions, by URL prefix: they are outside, and a journal holds what they answered. */
  readonly endpoints: Map<string, Endpoint>;
  /** Answers that came before their request ran, by request. */
  readonly answers: Map<string, TimedAnswer>;
}

export const newNetwork = (): NetworkState => ({
  requests: new Table(),
  fixed: new Map(),
  endpoints: new Map(),
  answers: new Map(),
});

const ARRIVE = "network.arrive";
const DONE = "network.done";
/** What a tracer is told of as if it were a machine: a request that is over. */
export const NETWORK_FACT = "network";
/** The name that answers of endpoints have in a journal. */
export const ANSWER_ENTRY = "network.answer";

/**
 * The simulated network: requests go out as items of the agenda, endpoints answer before their item runs, and a request
 * is over when its answer has taken its time, or when the limit is reached. An answer on the very limit counts.
 */
export class Network implements Outside {
  readonly task = ARRIVE;
  /** The handlers of what this schedules. */
  readonly tasks = {
    [ARRIVE]: (item: AgendaItem) => this.arrived(item.data as string),
    [DONE]: (item: AgendaItem) => this.end(...(item.data as [string, Outcome])),
  };

  constructor(
    private readonly engine: Engine,
    private readonly ports: NetworkPorts,
    private readonly state: NetworkState,
  ) {}

  /** For a fork: the same requests and routes. */
  forkState(): NetworkState {
    const { requests, fixed, endpoints, answers } = this.state;
    return {
      requests: requests.fork(),
      fixed: new Map(fixed),
      endpoints: new Map(endpoints),
      answers: new Map(answers),
    };
  }

  /** Sends a request: it reaches its endpoint at this instant, after the step. Returns its id. */
  send(request: NewRequest): string {
    const id = this.engine.ids.next("request");
    this.state.requests.insert({
      ...request,
      id,
      ...moment("started", this.engine.now),
      ...noMoment("ended"),
      answer: null,
      failure: null,
    });
    this.engine.schedule(0, ARRIVE, request.recordId, describe(request), id);
    return id;
  }

  /** Has a function answer what goes to URLs that start like this. The longest prefix counts, then the latest route. */
  route(urlPrefix: string, endpoint: Endpoint): void {
    this.state.endpoints.set(urlPrefix, endpoint);
  }

  /** The same with one answer for all. */
  routeTo(urlPrefix: string, answer: TimedAnswer): void {
    this.state.endpoints.delete(urlPrefix);
    this.state.fixed.set(urlPrefix, answer);
  }

  /** Says why a request came to nothing after all: its answer is not what was asked for. */
  fail(requestId: string, failure: string): void {
    this.state.requests.patch(requestId, { failure });
  }

  /** What an endpoint answered in the run that is being replayed. */
  expectAnswer(requestId: string, answer: TimedAnswer): void {
    this.state.answers.set(requestId, answer);
  }

  request(id: string): RequestRecord {
    return this.state.requests.mustGet(id);
  }

  /** Every request, in the order in which they were sent. */
  requests(): Iterable<RequestRecord> {
    return this.state.requests;
  }

  endpointOf(item: AgendaItem): (() => unknown) | undefined {
    const requestId = item.data as string;
    if (this.state.answers.has(requestId)) return undefined;
    const request = this.state.requests.mustGet(requestId);
    const { endpoints, fixed } = this.state;
    const prefix = longestPrefix(request.to, endpoints, fixed);
    if (prefix === undefined && this.ports.unrouted === "error")
      throw new CommandError(
        "not_found",
        `${describe(request)}: no route is for it, and \`network.unrouted\` is "error"; the request is still due: add sim.network.route(${JSON.stringify(new URL(request.to).origin)}, ...)`,
      );
    const endpoint = prefix === undefined ? undefined : endpoints.get(prefix);
    if (endpoint === undefined) return undefined;
    return () => {
      const returned = endpoint(asSeen(request));
      return isPromise(returned) ? returned.then(readAnswer) : readAnswer(returned);
    };
  }

  answered(item: AgendaItem, reply: { readonly answer: unknown } | { readonly thrown: unknown }): void {
    const requestId = item.data as string;
    // what a server answers whose code threw
    const answer = "thrown" in reply ? { ...accepted, status: 500 } : (reply.answer as TimedAnswer);
    this.state.answers.set(requestId, answer);
    this.engine.journal.record({
      ...this.engine.position,
      command: ANSWER_ENTRY,
      args: { request: requestId, ...answer },
    });
  }

  private arrived(requestId: string): void {
    const { startedTimestamp, to } = this.state.requests.mustGet(requestId);
    const said = this.state.answers.get(requestId) ?? this.fixedAnswer(to);
    this.state.answers.delete(requestId);
    if (said === undefined) {
      this.end(requestId, { failure: "refused" });
      return;
    }
    const { after, ...answer } = said;
    const leftMs = startedTimestamp + this.ports.limitMs - this.engine.now;
    if (after === 0) this.end(requestId, { answer });
    else if (after <= leftMs) this.endLater(requestId, after, { answer });
    else this.endLater(requestId, leftMs, { failure: "timeout" });
  }

  private fixedAnswer(to: string): TimedAnswer | undefined {
    const { fixed } = this.state;
    const prefix = longestPrefix(to, fixed);
    if (prefix !== undefined) return fixed.get(prefix);
    return this.ports.unrouted === "accept" ? accepted : undefined;
  }

  private endLater(requestId: string, delayMs: number, outcome: Outcome): void {
    const request = this.state.requests.mustGet(requestId);
    this.engine.schedule(delayMs, DONE, request.recordId, `the answer of ${describe(request)}`, [
      requestId,
      outcome,
    ]);
  }

  private end(requestId: string, outcome: Outcome): void {
    const answer = "answer" in outcome ? outcome.answer : null;
    const request = this.state.requests.patch(requestId, {
      ...moment("ended", this.engine.now),
      answer,
      failure: "failure" in outcome ? outcome.failure : failureOf(outcome.answer),
    });
    this.engine.tracer?.fact(NETWORK_FACT, { recordId: request.recordId, request }, { type: "over" });
    this.ports.done(request, outcome);
  }
}

/** A status other than 2xx is a failure. */
function failureOf({ status }: Answer): string | null {
  return status >= 200 && status < 300 ? null : `status ${status}`;
}

function asSeen({ to, method, content }: RequestRecord): EndpointRequest {
  const { headers, body }: RequestContent = content();
  return { url: to, method, headers, body };
}

/** `POST https://crm.acme.test/hooks (call.ended, attempt 2)`. */
function describe({ method, to, subject }: Pick<RequestRecord, "method" | "to" | "subject">): string {
  return `${method} ${to.split("?", 1)[0]} (${subject})`;
}

/** The longest of the prefixes that a URL starts with. */
function longestPrefix(url: string, ...maps: readonly ReadonlyMap<string, unknown>[]): string | undefined {
  let longest: string | undefined;
  for (const map of maps)
    for (const prefix of map.keys())
      if (url.startsWith(prefix) && (longest === undefined || prefix.length > longest.length))
        longest = prefix;
  return longest;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
