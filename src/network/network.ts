import type { AgendaItem } from "../engine/agenda.ts";
import type { Outside } from "../engine/asking.ts";
import type { ChoicePoint, Deviation, UnnumberedPoint } from "../engine/choices.ts";
import { ForkableList } from "../engine/collections.ts";
import type { DrawnMs } from "../engine/distributions.ts";
import type { Engine, Tracer } from "../engine/engine.ts";
import { CommandError } from "../engine/errors.ts";
import { iso } from "../engine/instants.ts";
import { isPromise } from "../engine/promises.ts";
import { Newest } from "../records/newest.ts";
import type { RequestContent, RequestRecord } from "../records/request.ts";
import { deepFreeze, Table } from "../records/table.ts";
import {
  type Answer,
  accepted,
  answersLater,
  type EndpointReply,
  isResponse,
  readAnswer,
  type TimedAnswer,
  withoutBody,
} from "./answer.ts";
import { type ConditionsState, type FaultArguments, longestPrefix, NetworkConditions } from "./conditions.ts";
import { type HeldRequest, type LostRequest, placeOf, requestOptions } from "./deviations.ts";

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

/** What happens to a request without a route. */
export type Unrouted = "accept" | "refuse" | "error";

/** The order in which requests of one instant arrive. */
export type RequestOrder = "fifo" | "shuffled";

/** The result of a request. */
export type RequestOutcome =
  /** `isUnrouted`: there was no route, and the network itself accepted the request. */
  | { readonly answer: Answer; readonly isUnrouted?: true }
  | { readonly failure: string; readonly reason?: string };

/** What an item of the agenda is for that moves a request along. */
export type NetworkPurpose =
  | `${RequestRecord["method"]} ${string}`
  | `the answer of ${string}`
  | "network: requests overtake each other";
type Scheduled = [task: string, recordId: string, purpose: NetworkPurpose, data: unknown];

/** What the network needs of the engine. */
type NetworkEngine = Pick<
  Engine,
  | "cancel"
  | "choices"
  | "dueSince"
  | "ids"
  | "journal"
  | "now"
  | "options"
  | "registrationLines"
  | "position"
  | "randomness"
> & {
  // properties, since methods would accept any purpose that a stricter engine refuses
  readonly schedule: (delayMs: number, ...of: Scheduled) => number;
  readonly scheduleNext: (...of: Scheduled) => void;
  readonly tracer: Pick<Tracer, "requestOver" | "requestDeviates"> | undefined;
};

/** What the network needs from the senders of requests. */
export interface NetworkPorts {
  /** How long an endpoint may take, ms. */
  readonly limitMs: number;
  readonly unrouted: Unrouted;
  /** How long requests take to arrive if no conditions are set. */
  readonly latency?: DrawnMs | undefined;
  /** Whether requests of one instant arrive in the order in which they were sent, or in an order that is drawn. */
  readonly order: RequestOrder;
  /** How many finished requests to keep. */
  readonly keepRequests: number;
  /** Called when a request is over. */
  done(request: RequestRecord, outcome: RequestOutcome): void;
}

/** The arguments of `Network.end`. */
type Ending = [requestId: string, outcome: RequestOutcome, hasArrived: boolean];

/** An outcome, and how long after the request's arrival it comes, ms. */
interface TimedOutcome {
  readonly outcome: RequestOutcome;
  readonly after: number;
}

export type NewRequest = Pick<
  RequestRecord,
  "to" | "method" | "why" | "recordId" | "subject" | "content" | "context"
>;

export interface NetworkState {
  readonly requests: Table<RequestRecord>;
  /** Answers given as data, by URL prefix. */
  readonly fixed: Map<string, TimedAnswer>;
  /** Endpoints given as functions, by URL prefix. They are outside, so the journal holds their answers. */
  readonly endpoints: Map<string, Endpoint>;
  /** Answers that came before their request ran, by request. */
  readonly answers: Map<string, EndpointReply | typeof answersLater>;
  /** Requests whose endpoints answer later, each with the agenda item at which its sender stops waiting. */
  readonly pending: Map<string, number>;
  readonly conditions: ConditionsState;
  /** The finished requests, if there is a limit on them. */
  readonly over: ForkableList<string>;
  /** Requests of this instant that are still to be shuffled. */
  readonly unordered: string[];
  /** Requests that arrive late: after others that were sent later. */
  readonly held: Map<string, HeldRequest>;
  /** When the late ones were sent, as serials of the agenda. */
  readonly sentLate: Map<string, number>;
  /** Requests that will be handled, but whose answer is lost. */
  readonly unanswered: Set<string>;
  readonly lost: Map<string, LostRequest>;
  /** The choice points of requests, while anyone asks for them. */
  readonly points: Map<string, ChoicePoint>;
}

export const newNetwork = (): NetworkState => ({
  requests: new Table(),
  fixed: new Map(),
  endpoints: new Map(),
  answers: new Map(),
  pending: new Map(),
  conditions: { ways: new Map(), faults: new Map() },
  over: new ForkableList(),
  unordered: [],
  held: new Map(),
  sentLate: new Map(),
  unanswered: new Set(),
  lost: new Map(),
  points: new Map(),
});

const ARRIVE = "network.arrive";
const DONE = "network.done";
const SHUFFLE = "network.shuffle";
/** The name that answers of endpoints have in a journal. */
export const ANSWER_ENTRY = "network.answer";

/**
 * The simulated network. Requests are items of the agenda. An endpoint answers before its item runs, and a request
 * is over when its answer has taken its time, or at the limit. An answer exactly at the limit counts.
 */
export class Network implements Outside {
  readonly task = ARRIVE;
  /** The handlers of what this schedules. */
  readonly tasks = {
    [ARRIVE]: (item: AgendaItem) => this.arrived(item.data as string, item.serial),
    [SHUFFLE]: () => this.shuffle(),
    [DONE]: (item: AgendaItem) => this.end(...(item.data as Ending)),
  };

  /** The network conditions and faults of URLs. */
  readonly conditions: NetworkConditions;
  /** Called with each request that a function is about to answer. */
  asked: ((request: RequestRecord) => void) | undefined;
  /** Called instead of such a function. It answers itself or calls `ask`. */
  between: ((request: RequestRecord, ask: () => unknown) => unknown) | undefined;
  private readonly newest: Newest;

  constructor(
    private readonly engine: NetworkEngine,
    private readonly ports: NetworkPorts,
    private readonly state: NetworkState,
  ) {
    const { latency } = ports;
    this.newest = new Newest(ports.keepRequests, (id) => state.requests.remove(id), state.over);
    const usual = latency === undefined ? {} : { latency };
    this.conditions = new NetworkConditions(engine.randomness, usual, state.conditions);
  }

  /**
   * Sends a request, which arrives when the network says so, by default at this instant. Returns its id.
   * @param webhookId the webhook that the request is for, if any
   */
  send(request: NewRequest, webhookId?: string): string {
    if (this.engine.choices.isActive) {
      const place = placeOf(request, webhookId, this.engine.now - this.engine.options.startMs);
      const point = this.engine.choices.pointAt(place);
      const deviation = this.engine.choices.deviationAt(point, requestOptions);
      if (deviation !== undefined) return this.sendOtherwise(request, deviation, place, point);
      const id = this.sendAsUsual(request);
      this.state.points.set(id, point);
      return id;
    }
    return this.sendAsUsual(request);
  }

  private sendAsUsual(request: NewRequest): string {
    const id = this.record(request, null);
    const journey = this.conditions.journeyOf(request.to);
    if (journey === "lost") {
      this.endLater(id, this.ports.limitMs, { failure: "lost" }, true);
      return id;
    }
    const [firstMs = 0, ...again] = journey;
    this.arriveInTime(id, firstMs);
    for (const delayMs of again) this.arriveInTime(this.record(request, id), delayMs);
    return id;
  }

  /** Sends a request that is lost, duplicated, late or refused by a deviation. */
  private sendOtherwise(
    request: NewRequest,
    deviation: Deviation,
    place: UnnumberedPoint,
    point: ChoicePoint,
  ): string {
    const { is, after, by = 1 } = deviation;
    const { points, unanswered } = this.state;
    const id = this.record(request, null);
    points.set(id, point);
    this.tellDeviation(id, is, by);
    if (is === "lost") this.lose(id, deviation);
    else if (is === "refused") this.endLater(id, 0, { failure: "refused" }, true);
    else if (is === "rejected") this.endLater(id, 0, rejection, true);
    else if (is === "late") this.hold(id, by, deviation);
    else this.arriveLater(id, 0);
    if (is === "unanswered") unanswered.add(id);
    if (is === "duplicated") {
      const duplicate = this.record(request, id);
      // the duplicate may arrive while the first is still being handled
      points.set(duplicate, this.engine.choices.pointAt(place));
      this.arriveInTime(duplicate, after ?? 0);
    }
    return id;
  }

  private lose(requestId: string, deviation: Deviation): void {
    const serial = this.endLater(requestId, this.ports.limitMs, { failure: "lost" }, true);
    const { recordId } = this.state.requests.mustGet(requestId);
    this.state.lost.set(requestId, { deviation, serial, recordId, sentMs: this.engine.now });
  }

  /**
   * Tells how the sender of a lost request goes on. A refused request would have shown the endpoint the same, unless
   * it is sent again at once or never, or something else was meanwhile scheduled for the instant of the next attempt.
   * @param againMs when the request is sent again; undefined if it is not
   */
  sentAgain(requestId: string, againMs: number | undefined): void {
    const lost = this.state.lost.size === 0 ? undefined : this.state.lost.get(requestId);
    if (lost === undefined) return;
    const { choices } = this.engine;
    if (againMs === undefined || againMs <= this.engine.now) {
      choices.distinguish(lost.deviation);
      return;
    }
    const meanwhile = this.engine.dueSince(againMs, lost.serial);
    if (meanwhile.length === 0) return;
    const others = [...this.state.lost.values()].filter(({ sentMs }) => sentMs === lost.sentMs);
    const areAlike = meanwhile.every((item) => others.some(({ recordId }) => recordId === item.recordId));
    choices.distinguish(lost.deviation, areAlike ? "together" : "no");
  }

  private tellDeviation(requestId: string, is: string, by: number): void {
    this.engine.tracer?.requestDeviates(this.state.requests.mustGet(requestId), { is, by });
  }

  /** Holds a request back until a number of others have arrived at its host, but not beyond its sender's limit. */
  private hold(requestId: string, by: number, deviation: Deviation): void {
    const { to } = this.state.requests.mustGet(requestId);
    const serial = this.schedule(this.ports.limitMs, ARRIVE, requestId, "", requestId);
    this.state.sentLate.set(requestId, serial);
    this.state.held.set(requestId, { host: hostOf(to), left: by, serial, deviation });
  }

  /** Called when a request has arrived: requests that were held back for it follow at once. */
  private release(arrivedId: string, to: string, arrivalSerial: number): void {
    const { held, sentLate } = this.state;
    held.delete(arrivedId);
    const serial = sentLate.get(arrivedId) ?? arrivalSerial;
    const host = hostOf(to);
    for (const [id, waiting] of held) {
      // a request sent earlier that arrives only now does not overtake it
      if (waiting.host !== host || serial < waiting.serial) continue;
      const left = waiting.left - 1;
      if (left > 0) {
        held.set(id, { ...waiting, left });
        continue;
      }
      held.delete(id);
      this.engine.choices.distinguish(waiting.deviation);
      this.engine.cancel(waiting.serial);
      const request = this.state.requests.mustGet(id);
      this.engine.scheduleNext(ARRIVE, request.recordId, describe(request), id);
    }
  }

  /** Lets a function answer requests to URLs that start like this. The longest prefix wins, then the latest route. */
  route(urlPrefix: string, endpoint: Endpoint): void {
    this.state.endpoints.set(urlPrefix, endpoint);
  }

  /** Removes such a function. */
  unroute(urlPrefix: string): void {
    this.state.endpoints.delete(urlPrefix);
  }

  /** The URL prefixes that have a route. */
  routes(): string[] {
    return [...new Set([...this.state.endpoints.keys(), ...this.state.fixed.keys()])].sort();
  }

  /** Lets one answer serve all requests to URLs that start like this. */
  routeTo(urlPrefix: string, answer: TimedAnswer): void {
    this.state.endpoints.delete(urlPrefix);
    this.state.fixed.set(urlPrefix, answer);
  }

  /** Lets the run take a deviation at its choice point. */
  deviate(deviation: Deviation): void {
    this.engine.choices.plan(deviation);
  }

  /** Lets requests meet a fault from now on. */
  setFault(fault: FaultArguments): void {
    this.conditions.setFault(fault, this.engine.now);
  }

  /** Replaces all endpoints by one function. */
  replaceEndpoints(endpoint: Endpoint): void {
    for (const urlPrefix of this.state.endpoints.keys()) this.route(urlPrefix, endpoint);
  }

  /** Records why a request failed after all: its answer is not valid for what was asked. */
  fail(requestId: string, failure: string): void {
    this.state.requests.patch(requestId, { failure });
  }

  /** Says what an endpoint answered in the run that is being replayed. */
  expectAnswer(requestId: string, answer: EndpointReply | typeof answersLater): void {
    if ("pending" in answer || !this.state.pending.has(requestId)) this.takeAnswer(requestId, answer);
    else this.takeLateAnswer(requestId, answer);
  }

  /** A request, as long as it is kept. */
  request(id: string): RequestRecord | undefined {
    return this.state.requests.get(id);
  }

  /** Whether an item of the agenda only moves a delivery along. */
  isDelivering({ task, data }: AgendaItem): boolean {
    if (task === SHUFFLE) return true;
    const id = task === ARRIVE ? (data as string) : task === DONE ? (data as Ending)[0] : undefined;
    return id !== undefined && this.request(id)?.why === "webhook";
  }

  overlapOf(item: AgendaItem): ChoicePoint | undefined {
    const point = this.state.points.get(item.data as string);
    return point && { ...point, what: "overlap" };
  }

  isOwn({ task }: AgendaItem): boolean {
    return Object.hasOwn(this.tasks, task);
  }

  /** Every request, in the order in which they were sent. */
  requests(): Iterable<RequestRecord> {
    return this.state.requests;
  }

  isConcurrent({ data }: AgendaItem): boolean {
    const request = this.state.requests.get(data as string);
    const { endpoints, fixed } = this.state;
    const prefix = request && longestPrefix(request.to, endpoints, fixed);
    return prefix !== undefined && endpoints.get(prefix)?.isConcurrent === true;
  }

  endpointOf(item: AgendaItem, canWait: boolean): (() => unknown) | undefined {
    const requestId = item.data as string;
    const request = this.state.requests.mustGet(requestId);
    if (this.state.answers.has(requestId) || this.conditions.faultAt(request.to, item.dueMs) !== undefined)
      return undefined;
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
      this.asked?.(request);
      const ask = () => endpoint(asSeen(request));
      const returned = this.between === undefined ? ask() : this.between(request, ask);
      const words = describe(request);
      const read = (answer: unknown) => readAnswer(answer, words);
      if (isPromise(returned)) return returned.then(read);
      // for a delivery only the status of the answer matters
      const isStatusEnough = !canWait && request.why === "webhook";
      return isStatusEnough && isResponse(returned) ? withoutBody(returned, words) : read(returned);
    };
  }

  describe(item: AgendaItem): string {
    const request = this.state.requests.mustGet(item.data as string);
    const prefix = longestPrefix(request.to, this.state.endpoints);
    const endpoint = prefix === undefined ? undefined : this.state.endpoints.get(prefix);
    return `the endpoint of ${describe(request)}${endpoint === undefined ? "" : this.engine.registrationLines.lineOf(endpoint)}`;
  }

  answered(item: AgendaItem, reply: AskedReply | "later"): void {
    this.takeAnswer(this.keyOf(item), reply === "later" ? answersLater : replyOf(reply));
  }

  keyOf(item: AgendaItem): string {
    return item.data as string;
  }

  limitOf({ task, data, serial }: AgendaItem): string | undefined {
    if (task !== DONE) return undefined;
    const [requestId] = data as Ending;
    return this.state.pending.get(requestId) === serial ? requestId : undefined;
  }

  answeredLate(requestId: string, reply: AskedReply): void {
    // its sender stops waiting
    if (this.state.pending.has(requestId)) this.takeLateAnswer(requestId, replyOf(reply));
  }

  private takeAnswer(requestId: string, answer: EndpointReply | typeof answersLater): void {
    this.state.answers.set(requestId, answer);
    this.note(requestId, answer);
  }

  /** The endpoint answers at this instant. If it stays silent, the request waits for its limit. */
  private takeLateAnswer(requestId: string, answer: EndpointReply): void {
    this.note(requestId, answer);
    const { pending, requests } = this.state;
    const { after, outcome } = timed(answer);
    if (after > this.leftMs(requests.mustGet(requestId))) return;
    this.engine.cancel(pending.get(requestId) as number);
    pending.delete(requestId);
    this.endLater(requestId, after, outcome, true);
  }

  private note(requestId: string, answer: EndpointReply | typeof answersLater): void {
    this.engine.journal.record(this.engine.position, ANSWER_ENTRY, { request: requestId, ...answer });
  }

  /** How long the sender still waits for the answer, ms. */
  private leftMs({ startedTimestamp }: RequestRecord): number {
    return startedTimestamp + this.ports.limitMs - this.engine.now;
  }

  private record(request: NewRequest, duplicateOf: string | null): string {
    const id = this.engine.ids.next("request");
    const { to, method, why, recordId, subject, content, context } = request;
    this.state.requests.add({
      id,
      to,
      method,
      why,
      recordId,
      subject,
      content,
      context,
      duplicateOf,
      startedAt: iso(this.engine.now),
      startedTimestamp: this.engine.now,
      endedAt: null,
      endedTimestamp: null,
      answer: null,
      failure: null,
      failureReason: null,
      isUnrouted: false,
    });
    return id;
  }

  /** Lets a request arrive before its sender stops waiting for it. */
  private arriveInTime(requestId: string, delayMs: number): void {
    this.arriveLater(requestId, delayMs);
    if (delayMs > this.ports.limitMs)
      this.endLater(requestId, this.ports.limitMs, { failure: "timeout" }, false);
  }

  private arriveLater(requestId: string, delayMs: number): void {
    if (this.ports.order === "fifo" || delayMs > 0) {
      this.schedule(delayMs, ARRIVE, requestId, "", requestId);
      return;
    }
    // once everything of this instant is sent, the order is drawn
    if (this.state.unordered.length === 0)
      this.engine.schedule(0, SHUFFLE, requestId, "network: requests overtake each other", null);
    this.state.unordered.push(requestId);
  }

  private shuffle(): void {
    const ids = this.state.unordered.splice(0);
    for (let last = ids.length - 1; last > 0; last--) {
      const other = Math.floor(this.engine.randomness.uniform("network order") * (last + 1));
      [ids[last], ids[other]] = [ids[other] as string, ids[last] as string];
    }
    for (const id of ids) this.schedule(0, ARRIVE, id, "", id);
  }

  private arrived(requestId: string, serial: number): void {
    const request = this.state.requests.mustGet(requestId);
    const { endedTimestamp, to } = request;
    const answer = this.state.answers.get(requestId);
    this.state.answers.delete(requestId);
    if (this.state.held.size > 0) this.release(requestId, to, serial);
    const isAnswerLost = this.state.unanswered.delete(requestId);
    const isPending = answer !== undefined && "pending" in answer;
    const { after, outcome } =
      answer === undefined ? this.unanswered(to) : timed(isPending ? silence : answer);
    if (endedTimestamp !== null) {
      this.newest.over(requestId); // too late for its sender
      return;
    }
    const leftMs = this.leftMs(request);
    if (isAnswerLost) this.endLater(requestId, leftMs, { failure: "answer lost" }, true);
    else if (after > leftMs) {
      const serial = this.endLater(requestId, leftMs, { failure: "timeout" }, true);
      if (isPending) this.state.pending.set(requestId, serial);
    } else if (after > 0) this.endLater(requestId, after, outcome, true);
    else this.end(requestId, outcome, true);
  }

  /** The result of a request that no function answers. */
  private unanswered(url: string): TimedOutcome {
    const active = this.conditions.faultAt(url, this.engine.now);
    if (active === undefined) {
      const prefix = longestPrefix(url, this.state.fixed);
      const answer = prefix === undefined ? undefined : this.state.fixed.get(prefix);
      if (answer !== undefined) return timed(answer);
      const outcome = this.ports.unrouted === "accept" ? acceptedUnrouted : { failure: "refused" };
      return { outcome, after: 0 };
    }
    const { status, afterMs: after } = active.fault;
    this.conditions.countFault(active.prefix, active.fault);
    if (status === "timeout") return timed({ failure: "timeout", after });
    if (status === "refuse") return timed({ failure: "refused", after });
    return timed({ ...accepted, status, after });
  }

  private endLater(requestId: string, delayMs: number, outcome: RequestOutcome, hasArrived: boolean): number {
    const data: Ending = [requestId, outcome, hasArrived];
    return this.schedule(delayMs, DONE, requestId, "the answer of ", data);
  }

  private schedule(
    delayMs: number,
    task: string,
    requestId: string,
    prefix: "" | "the answer of ",
    data: unknown,
  ): number {
    const request = this.state.requests.mustGet(requestId);
    return this.engine.schedule(delayMs, task, request.recordId, `${prefix}${describe(request)}`, data);
  }

  /** @param hasArrived whether it has reached its endpoint */
  private end(requestId: string, outcome: RequestOutcome, hasArrived: boolean): void {
    if (this.state.pending.size > 0) this.state.pending.delete(requestId);
    const answer = "answer" in outcome ? deepFreeze(outcome.answer) : null;
    const sent = this.state.requests.mustGet(requestId);
    // written out: a spread with changes costs several times a literal, and every request comes here
    const request = this.state.requests.replace({
      id: sent.id,
      to: sent.to,
      method: sent.method,
      why: sent.why,
      recordId: sent.recordId,
      subject: sent.subject,
      content: sent.content,
      context: sent.context,
      duplicateOf: sent.duplicateOf,
      startedAt: sent.startedAt,
      startedTimestamp: sent.startedTimestamp,
      endedAt: iso(this.engine.now),
      endedTimestamp: this.engine.now,
      answer,
      failure: "failure" in outcome ? outcome.failure : failureOf(outcome.answer),
      failureReason: ("failure" in outcome ? outcome.reason : undefined) ?? null,
      isUnrouted: "answer" in outcome && outcome.isUnrouted === true,
    });
    this.engine.tracer?.requestOver(request);
    // if a request arrives twice, the first answer counts
    if (request.duplicateOf === null) this.ports.done(request, outcome);
    if (hasArrived) this.newest.over(requestId);
  }
}

/** What a function returned or threw. */
type AskedReply = { readonly answer: unknown } | { readonly thrown: unknown };

/** If a server's code throws, it answers 500. */
function replyOf(reply: AskedReply): EndpointReply {
  return "thrown" in reply ? { ...accepted, status: 500 } : (reply.answer as EndpointReply);
}

/** No answer, unless one comes later. */
const silence: EndpointReply = Object.freeze({ failure: "timeout", after: 0 });

/** The result of a request without a route, if such requests are accepted. */
const acceptedUnrouted: RequestOutcome = Object.freeze({
  answer: { status: 200, headers: {}, body: "" },
  isUnrouted: true,
});

/** What an overloaded server in front of the endpoint answers. */
const rejection: RequestOutcome = Object.freeze({ answer: { status: 503, headers: {}, body: "" } });

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The failure of an answer: any status other than 2xx. */
function failureOf({ status }: Answer): string | null {
  return status >= 200 && status < 300 ? null : `status ${status}`;
}

function timed(reply: EndpointReply): TimedOutcome {
  if ("failure" in reply) {
    const { after, failure, reason } = reply;
    const outcome = reason === undefined ? { failure } : { failure, reason };
    return { after: failure === "timeout" ? Number.POSITIVE_INFINITY : after, outcome };
  }
  const { after, status, headers, body } = reply;
  return { after, outcome: { answer: { status, headers, body } } };
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
function asSeen({ to, method, content }: RequestRecord): EndpointRequest {
  const seen = { url: to, method };
  Object.defineProperty(seen, saidBy, { value: { content, headers: undefined, body: undefined } });
  Object.defineProperty(seen, "headers", headersField);
  return Object.defineProperty(seen, "body", bodyField) as EndpointRequest;
}

/** `POST https://crm.acme.test/hooks (call.ended, attempt 2)`. */
function describe({ method, to, subject }: Pick<RequestRecord, "method" | "to" | "subject">) {
  const query = to.indexOf("?");
  return `${method} ${query < 0 ? to : to.slice(0, query)} (${subject})` as const;
}
