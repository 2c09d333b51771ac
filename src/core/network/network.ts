import type { AgendaItem } from "../engine/agenda.ts";
import type { Deviation, DeviationPoint, UnnumberedDeviationPoint } from "../engine/deviations.ts";
import type { EndpointPort } from "../engine/endpoint-port.ts";
import type { Engine } from "../engine/engine.ts";
import type { Reply } from "../engine/promised.ts";
import type { Tracer } from "../engine/tracer.ts";
import { ForkableList } from "../foundation/collections.ts";
import type { DrawnMs } from "../foundation/distributions.ts";
import { CommandError, type ErrorDetail } from "../foundation/errors.ts";
import { isPromise } from "../foundation/values.ts";
import {
  arrivedRequest,
  endedRequest,
  type NewRequest,
  type RequestRecord,
  sentRequest,
} from "../records/request.ts";
import { RetentionQueue } from "../records/retention-queue.ts";
import { deepFreeze, Table } from "../records/table.ts";
import { accepted, answersLater, type EndpointReply, isResponse, readAnswer, withoutBody } from "./answer.ts";
import { type ConditionsState, type FaultArguments, NetworkConditions } from "./conditions.ts";
import { DelayAndLoss } from "./delay-and-loss.ts";
import { type Endpoint, requestText, toEndpointRequest } from "./endpoint-request.ts";
import { InFlightRequests } from "./in-flight-requests.ts";
import { OpenHandlers } from "./open-handlers.ts";
import { newOutages, Outages, type OutagesState } from "./outages.ts";
import {
  acceptedUnrouted,
  connectionReset,
  failureOf,
  noAnswer,
  type RequestOutcome,
  rejection,
  replyOf,
  type TimedOutcome,
  timedOutcome,
} from "./outcome.ts";
import {
  deviationPoint,
  isRestart,
  possibleDeviations,
  type RestartDeviation,
} from "./request-deviations.ts";
import { Routes, type RoutesState } from "./routes.ts";

/** What happens to a request without a route. */
export type Unrouted = "accept" | "refuse" | "error";

/** The order in which requests of one instant arrive. */
export type RequestOrder = "fifo" | "shuffled";

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
  | "deviations"
  | "dueSince"
  | "ids"
  | "isRecorded"
  | "now"
  | "options"
  | "registrationLines"
  | "probes"
  | "randomness"
  | "record"
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

export interface NetworkState {
  readonly requests: Table<RequestRecord>;
  readonly routes: RoutesState;
  readonly flights: InFlightRequests;
  readonly conditions: ConditionsState;
  /** The finished requests, if there is a limit on them. */
  readonly over: ForkableList<string>;
  /** Requests of this instant that are still to be shuffled. */
  readonly unordered: string[];
  readonly unreached: OutagesState;
  /** How many requests have reached their endpoints. */
  arrivals: number;
}

export const newNetwork = (): NetworkState => ({
  requests: new Table(),
  routes: { fixed: new Map(), endpoints: new Map() },
  flights: new InFlightRequests(),
  conditions: { ways: new Map(), faults: new Map() },
  over: new ForkableList(),
  unordered: [],
  unreached: newOutages(),
  arrivals: 0,
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
export class Network implements EndpointPort {
  readonly task = ARRIVE;
  /** The handlers of what this schedules. */
  static readonly tasks = {
    [ARRIVE]: (it: Network, { data, serial }: AgendaItem) => it.arrived(data as string, serial),
    [SHUFFLE]: (it: Network) => it.shuffle(),
    [DONE]: (it: Network, { data }: AgendaItem) => it.end(...(data as Ending)),
  };

  readonly routes: Routes;
  /** The network conditions and faults of URLs. */
  readonly conditions: NetworkConditions;
  /** The requests that functions are handling. */
  readonly handlers = new OpenHandlers();
  private readonly newest: RetentionQueue;
  private readonly lateAndLost: DelayAndLoss;
  private readonly unreached: Outages;

  constructor(
    private readonly engine: NetworkEngine,
    private readonly ports: NetworkPorts,
    private readonly state: NetworkState,
  ) {
    const { latency } = ports;
    this.newest = new RetentionQueue(ports.keepRequests, (id) => state.requests.remove(id), state.over);
    const usual = latency === undefined ? {} : { latency };
    this.conditions = new NetworkConditions(engine.randomness, usual, state.conditions);
    this.routes = new Routes(state.routes);
    this.unreached = new Outages(engine, state.unreached);
    this.lateAndLost = new DelayAndLoss({
      engine,
      flights: state.flights,
      limitMs: ports.limitMs,
      request: (id) => state.requests.mustGet(id),
      arrive: (id, delayMs) => this.schedule(delayMs, ARRIVE, id, "", id),
      arriveNext: (id) => {
        const request = state.requests.mustGet(id);
        engine.scheduleNext(ARRIVE, request.recordId, requestText(request), id);
      },
      fail: (id, delayMs, failure) => this.endLater(id, delayMs, { failure }, true),
    });
  }

  /**
   * Sends a request, which arrives when the network says so, by default at this instant. Returns its id.
   * @param webhookId the webhook that the request is for, if any
   */
  send(request: NewRequest, webhookId?: string): string {
    const failure = this.unreached.failureOf(request.recordId);
    if (failure !== undefined) return this.miss(this.record(request, null), failure);
    if (this.engine.deviations.isActive) {
      const place = deviationPoint(request, webhookId, this.engine.now - this.engine.options.startMs);
      const point = this.engine.deviations.numberPoint(place);
      const options = possibleDeviations(place, this.unreached.isFirstOfInstant());
      const deviation = this.engine.deviations.deviationAt(point, options);
      if (deviation !== undefined) return this.sendOtherwise(request, deviation, place, point);
      const id = this.sendAsUsual(request);
      this.state.flights.begin(id).point = point;
      return id;
    }
    return this.sendAsUsual(request);
  }

  /** Drops a request: `lost` times out, `refused` fails at once. */
  private miss(requestId: string, failure: "lost" | "refused"): string {
    this.endLater(requestId, failure === "lost" ? this.ports.limitMs : 0, { failure }, true);
    return requestId;
  }

  private sendAsUsual(request: NewRequest): string {
    const id = this.record(request, null);
    const journey = this.conditions.findDelays(request.to);
    if (journey === "lost") return this.miss(id, "lost");
    for (let index = 0; index < journey.length; index++)
      this.arriveInTime(index === 0 ? id : this.record(request, id), journey[index] ?? 0);
    return id;
  }

  /** Sends a request that is lost, duplicated, late or refused by a deviation. */
  private sendOtherwise(
    request: NewRequest,
    deviation: Deviation,
    place: UnnumberedDeviationPoint,
    point: DeviationPoint,
  ): string {
    const { is, after, by = 1 } = deviation;
    const { flights } = this.state;
    this.unreached.begin(deviation, request.recordId);
    const id = this.record(request, null);
    const flight = flights.begin(id);
    flight.point = point;
    this.engine.tracer?.requestDeviates(this.state.requests.mustGet(id), { is, by });
    if (is === "lost") this.lateAndLost.lose(id, deviation);
    else if (is === "never") this.miss(id, "lost");
    else if (is === "refused" || is === "outage") this.miss(id, "refused");
    else if (is === "rejected") this.endLater(id, 0, rejection, true);
    else if (is === "late") this.lateAndLost.hold(id, by, deviation);
    else this.arriveLater(id, 0);
    if (is === "unanswered") flight.isAnswerLost = true;
    if (isRestart(is)) flight.restart = is;
    if (is === "duplicated") {
      const duplicate = this.record(request, id);
      // the duplicate may arrive while the first is still being handled
      flights.begin(duplicate).point = this.engine.deviations.numberPoint(place);
      this.arriveInTime(duplicate, after ?? 0);
    }
    return id;
  }

  /** Tells how the sender of a lost request goes on: `againMs` is when it is sent again, undefined if it is not. */
  sentAgain(requestId: string, againMs: number | undefined): void {
    this.lateAndLost.sentAgain(requestId, againMs);
  }

  /** Lets the run take a deviation at its deviation point. */
  deviate(deviation: Deviation): void {
    this.engine.deviations.plan(deviation);
  }

  /** Lets requests meet a fault from now on. */
  setFault(fault: FaultArguments): void {
    this.conditions.setFault(fault, this.engine.now);
  }

  /**
   * Records what of a request's answer could not be taken.
   * @param failure why the request failed after all: nothing could be taken; null if something could
   */
  judge(requestId: string, failure: string | null, problems: readonly ErrorDetail[]): void {
    this.state.requests.patch(requestId, { failure, problems: deepFreeze([...problems]) });
  }

  /** Sets the answer of an endpoint in a replayed run. */
  expectAnswer(requestId: string, answer: EndpointReply | typeof answersLater): void {
    if ("pending" in answer || this.limitSerialOf(requestId) === undefined)
      this.takeAnswer(requestId, answer);
    else this.takeLateAnswer(requestId, answer);
  }

  /** A request, as long as it is kept. */
  request(id: string): RequestRecord | undefined {
    return this.state.requests.get(id);
  }

  /** Whether the app of a request restarts: while it handles the request, or once it has answered. */
  restartAt(requestId: string): RestartDeviation | undefined {
    return this.state.flights.get(requestId)?.restart;
  }

  /** Whether an item of the agenda only moves a delivery along. */
  isDelivering({ task, data }: AgendaItem): boolean {
    if (task === SHUFFLE) return true;
    const id = task === ARRIVE ? (data as string) : task === DONE ? (data as Ending)[0] : undefined;
    return id !== undefined && this.request(id)?.why === "webhook";
  }

  overlapOf(item: AgendaItem): DeviationPoint | undefined {
    const point = this.state.flights.get(item.data as string)?.point;
    return point && { ...point, what: "overlap" };
  }

  isOwn({ task }: AgendaItem): boolean {
    return Object.hasOwn(Network.tasks, task);
  }

  /** Every request, in the order in which they were sent. */
  requests(): Iterable<RequestRecord> {
    return this.state.requests;
  }

  isConcurrent({ data }: AgendaItem): boolean {
    const request = this.state.requests.get(data as string);
    return request !== undefined && this.routes.endpointOf(request.to)?.isConcurrent === true;
  }

  findAnswerer(item: AgendaItem, canWait: boolean): (() => unknown) | undefined {
    const requestId = item.data as string;
    const request = this.state.requests.mustGet(requestId);
    const isAnswered = this.state.flights.get(requestId)?.answer !== undefined;
    const fault = this.conditions.faultAt(request.to, item.dueMs)?.fault;
    if (isAnswered || (fault !== undefined && fault.status !== "unanswered")) return undefined;
    if (this.ports.unrouted === "error" && !this.routes.has(request.to))
      throw new CommandError(
        "not_found",
        `${requestText(request)}: no route is for it, and \`network.unrouted\` is "error"; the request is still due: add sim.network.route(${JSON.stringify(new URL(request.to).origin)}, ...)`,
      );
    const endpoint = this.routes.endpointOf(request.to);
    if (endpoint === undefined) return undefined;
    return () => {
      const returned = this.callEndpoint(request, endpoint);
      const words = item.purpose;
      const read = (answer: unknown) => readAnswer(answer, words);
      if (isPromise(returned)) return returned.then(read);
      // for a delivery only the status of the answer matters
      const isStatusEnough = !canWait && request.why === "webhook";
      return isStatusEnough && isResponse(returned) ? withoutBody(returned, words) : read(returned);
    };
  }

  /** Calls the function that answers a request, or the probe that stands between. */
  private callEndpoint(request: RequestRecord, endpoint: Endpoint): unknown {
    const { current } = this.engine.probes;
    current?.endpointAsked?.(request);
    const ask = (other: object = request) => endpoint(toEndpointRequest(other as RequestRecord));
    const handle = () => (current?.askEndpoint === undefined ? ask() : current.askEndpoint(request, ask));
    // what is asked while a real server is at work may come from anywhere
    if (endpoint.isConcurrent === true) return handle();
    const { handlers } = this;
    let returned: unknown;
    handlers.enter(request.id);
    try {
      returned = handlers.mustFollow ? handlers.follow(request.id, handle) : handle();
    } finally {
      handlers.leave(request.id, returned);
    }
    return returned;
  }

  describe(item: AgendaItem): string {
    const request = this.state.requests.mustGet(item.data as string);
    const endpoint = this.routes.endpointOf(request.to);
    return `the endpoint of ${requestText(request)}${endpoint === undefined ? "" : this.engine.registrationLines.lineOf(endpoint)}`;
  }

  acceptAnswer(item: AgendaItem, reply: Reply | "later"): void {
    this.takeAnswer(this.keyOf(item), reply === "later" ? answersLater : replyOf(reply));
  }

  keyOf(item: AgendaItem): string {
    return item.data as string;
  }

  limitOf({ task, data, serial }: AgendaItem): string | undefined {
    if (task !== DONE) return undefined;
    const [requestId] = data as Ending;
    return this.limitSerialOf(requestId) === serial ? requestId : undefined;
  }

  acceptLateAnswer(requestId: string, reply: Reply): void {
    // its sender stops waiting
    if (this.limitSerialOf(requestId) !== undefined) this.takeLateAnswer(requestId, replyOf(reply));
  }

  private takeAnswer(requestId: string, answer: EndpointReply | typeof answersLater): void {
    this.state.flights.begin(requestId).answer = answer;
    this.note(requestId, answer);
  }

  /** The endpoint answers at this instant. If it stays silent, the request waits for its limit. */
  private takeLateAnswer(requestId: string, answer: EndpointReply): void {
    this.note(requestId, answer);
    const { after, outcome } = timedOutcome(answer);
    if (after > this.leftMs(this.state.requests.mustGet(requestId))) return;
    this.engine.cancel(this.limitSerialOf(requestId) as number);
    this.state.flights.end(requestId);
    this.endLater(requestId, after, outcome, true);
  }

  /** If the endpoint answers later: the serial of the agenda item at which the sender stops waiting. */
  private limitSerialOf(requestId: string): number | undefined {
    return this.state.flights.get(requestId)?.limitSerial;
  }

  private note(requestId: string, answer: EndpointReply | typeof answersLater): void {
    const { engine } = this;
    if (engine.isRecorded) engine.record(ANSWER_ENTRY, { request: requestId, ...answer });
  }

  /** How long the sender still waits for the answer, ms. */
  private leftMs({ startedTimestamp }: RequestRecord): number {
    return startedTimestamp + this.ports.limitMs - this.engine.now;
  }

  private record(request: NewRequest, duplicateOf: string | null): string {
    const id = this.engine.ids.next("request");
    this.state.requests.add(sentRequest(id, request, duplicateOf, this.engine.now));
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
    const { flights } = this.state;
    const flight = flights.get(requestId);
    const answer = flight?.answer;
    flights.end(requestId);
    if (flights.size > 0) this.lateAndLost.release(to, flight?.late?.serial ?? serial);
    const isPending = answer !== undefined && "pending" in answer;
    const isReset =
      flight?.restart === "restarted" && this.conditions.faultAt(to, this.engine.now) === undefined;
    const isUnheard = answer !== undefined && this.losesAnswer(to);
    const { after, outcome } = isReset
      ? connectionReset
      : answer === undefined
        ? this.unanswered(to)
        : timedOutcome(isPending ? noAnswer : answer);
    const isAnswerLost = isUnheard || flight?.isAnswerLost === true;
    const isRefused = "failure" in outcome && outcome.failure === "refused";
    const arrival = isRefused ? undefined : ++this.state.arrivals;
    const leftMs = this.leftMs(request);
    const isOverNow = endedTimestamp === null && after <= 0 && leftMs >= 0 && !isAnswerLost;
    if (isOverNow) {
      this.end(requestId, outcome, true, arrival);
      return;
    }
    if (arrival !== undefined) this.state.requests.replace(arrivedRequest(request, this.engine.now, arrival));
    if (endedTimestamp !== null) {
      this.newest.addFinished(requestId); // too late for its sender
      return;
    }
    if (isAnswerLost) this.endLater(requestId, leftMs, { failure: "answer lost" }, true);
    else if (after > leftMs) {
      const limitSerial = this.endLater(requestId, leftMs, { failure: "timeout" }, true);
      if (isPending) flights.begin(requestId).limitSerial = limitSerial;
    } else this.endLater(requestId, after, outcome, true);
  }

  /** Whether a fault loses the answer to a request that was handled, which counts. */
  private losesAnswer(url: string): boolean {
    const active = this.conditions.faultAt(url, this.engine.now);
    if (active?.fault.status !== "unanswered") return false;
    this.conditions.countFault(active.prefix, active.fault);
    return true;
  }

  /** The result of a request that no function answers. */
  private unanswered(url: string): TimedOutcome {
    const active = this.conditions.faultAt(url, this.engine.now);
    if (active === undefined) {
      const answer = this.routes.answerOf(url);
      if (answer !== undefined) return timedOutcome(answer);
      const outcome = this.ports.unrouted === "accept" ? acceptedUnrouted : { failure: "refused" };
      return { outcome, after: 0 };
    }
    const { status, afterMs: after } = active.fault;
    this.conditions.countFault(active.prefix, active.fault);
    if (status === "timeout" || status === "unanswered") return timedOutcome({ failure: "timeout", after });
    if (status === "refuse" || status === "refused") return timedOutcome({ failure: "refused", after });
    return timedOutcome({ ...accepted, status, after });
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
    return this.engine.schedule(delayMs, task, request.recordId, `${prefix}${requestText(request)}`, data);
  }

  /**
   * @param hasArrived whether nothing more of it is to arrive
   * @param arrival set if it reaches its endpoint only now: which of all requests that did it is, from 1
   */
  private end(requestId: string, outcome: RequestOutcome, hasArrived: boolean, arrival?: number): void {
    const { flights, requests } = this.state;
    // whether a lost request looks like a refused one depends on the others that were lost with it
    if (hasArrived && flights.get(requestId)?.lost === undefined) flights.end(requestId);
    const isAnswered = "answer" in outcome;
    const end = {
      answer: isAnswered ? deepFreeze(outcome.answer) : null,
      failure: isAnswered ? failureOf(outcome.answer) : outcome.failure,
      failureReason: isAnswered ? null : (outcome.reason ?? null),
      isUnrouted: isAnswered && outcome.isUnrouted === true,
    };
    const sent = requests.mustGet(requestId);
    const request = requests.replace(endedRequest(sent, this.engine.now, end, arrival));
    this.engine.tracer?.requestOver(request);
    // if a request arrives twice, the first answer counts
    if (request.duplicateOf === null) this.ports.done(request, outcome);
    if (hasArrived) this.newest.addFinished(requestId);
  }
}
