import type { AskedInLife } from "../../engine/app-work.ts";
import type { PossibleDeviation } from "../../engine/deviations.ts";
import { whoseCode } from "../../engine/whose-code.ts";
import { ForkableList } from "../../foundation/collections.ts";
import { durationText, iso } from "../../foundation/instants.ts";
import type { ConnectionLoss } from "../../network/connection-lost.ts";
import { isRestart, type RestartDeviation } from "../../network/request-deviations.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import type { RestFaultArguments, RestServedArguments } from "./schemas.ts";

/** A request to the REST API and its answer. */
export interface RestRequest {
  /** The method, such as `GET`. */
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The first 16,384 characters of the body, and its length if it was longer. */
  readonly body: string;
  /** The status of the answer; 0 if there was none: the connection was refused, or nothing answered. */
  readonly status: number;
  /** The body of the answer, shortened in the same way; empty if it is not text. */
  readonly answer: string;
  /** When it was answered: ISO 8601, UTC. */
  readonly at: string;
  /** The same in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** The client whose access token it had, or that asked for a token; null if unknown. */
  readonly by: string | null;
  /** Whether a fault or an explored deviation replaced or delayed the answer. */
  readonly isFault: boolean;
  /**
   * The names of the query parameters that the operation does not know, each once: it ignored them. Empty if it knows
   * all, or if a fault or an earlier check answered.
   */
  readonly ignored: readonly string[];
  /**
   * The id of the platform's own request whose handler asked: a delivery to a webhook, or a data action. Null if no
   * handler was at work. Where handlers cannot be followed through their waits, as in browsers, also null while several wait.
   */
  readonly during: string | null;
}

/** A request that is to be answered. */
export interface IncomingRequest {
  readonly method: string;
  /** The path without the query. */
  readonly pathname: string;
  /** The whole URL, as the client knows it. */
  readonly url: string;
  /** Whether it is for the API itself, not for a token or a redirect. */
  readonly isApi: boolean;
  /** Whether its access token is valid. */
  readonly isAuthorised: boolean;
  /** Whether it reads a single record while a handler is at work, so that it may be answered from before this instant. */
  readonly mayBeBehind: () => boolean;
  /** The client of its access token. */
  readonly client: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** The requests of the life of the app that asks. */
  readonly asked: AskedInLife;
}

/** What happens to a request instead of its usual answer. */
export interface AnswerOverride {
  /** The status to answer; undefined: the platform's own answer. */
  readonly status: number | undefined;
  /** What becomes of the connection: the client gets no answer. */
  readonly lost?: ConnectionLoss | undefined;
  readonly retryAfterMs: number | undefined;
  /** How much later the answer comes. */
  readonly afterMs: number;
  /** The number of the fault; undefined for a deviation. */
  readonly fault?: number;
  /** The chosen deviation; undefined for a fault. */
  readonly deviation?: string;
  /** Set if the app is restarted: before the request is handled, or once it was. Its code gets no answer. */
  readonly restart?: { readonly is: RestartDeviation; begin(): void };
}

interface RestFault extends AnswerOverride {
  readonly fault: number;
  readonly path: string | undefined;
  readonly method: string | undefined;
  readonly untilMs: number;
  readonly timesLeft: number;
}

export interface State {
  readonly requests: ForkableList<RestRequest>;
  /** Faults, oldest first. The newest that matches wins. */
  readonly faults: RestFault[];
  /** How many faults and held answers there were in all, to number them. */
  readonly counts: { faults: number; held: number; asked: number };
}

const HELD = "rest.held";

/** How long an explored 429 tells a client to wait, ms. */
const RETRY_AFTER_MS = 30_000;

/**
 * How late a slow answer comes, ms: after anything that happens within a second, or after the platform has given up a
 * webhook's request.
 */
const SLOW_MS = 1_000;
const VERY_SLOW_MS = 10_000;

/** When clients give up where nothing answers, ms: `fetch` of Node does after five minutes. */
const CLIENT_TIMEOUT_MS = 300_000;

/** What an exploration can do to a request, in the order in which it is explored. */
const refusals: readonly PossibleDeviation[] = [{ is: "503" }, { is: "429", after: RETRY_AFTER_MS }];
const delays: readonly PossibleDeviation[] = [
  { is: "slow", after: SLOW_MS },
  { is: "slow", after: VERY_SLOW_MS },
];
const expiry: PossibleDeviation = { is: "tokenExpired" };
const behind: PossibleDeviation = { is: "behind" };
const refused: PossibleDeviation = { is: "refused" };
const unanswered: PossibleDeviation = { is: "unanswered" };
const restarted: PossibleDeviation = { is: "restarted" };
const restartedAfter: PossibleDeviation = { is: "restartedAfter" };

/** The requests to the REST API and their faults. */
export class RestTraffic {
  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<RestTraffic> = {
    [HELD]: (traffic, { data }) => traffic.release(data as number),
  };
  /**
   * Those who wait for a held answer, by its number. Not part of the state, since nobody waits in a fork or a replay.
   */
  private readonly waiting = new Map<number, () => void>();
  /** Called when another answer is held. */
  private onHeld: (() => void)[] = [];
  /**
   * How many requests each fault applies to that are not answered yet. Two at once must not both take a fault's last
   * turn.
   */
  private readonly unansweredByFault = new Map<number, number>();

  /**
   * Until when an explored 429 holds, by client and path. Not part of the state: a replay answers nobody.
   */
  private readonly limitedUntilMs = new Map<string, number>();

  constructor(
    private readonly services: CoreServices,
    private readonly state: State,
  ) {}

  fault(args: RestFaultArguments): void {
    const { path, method, status, retryAfter, times, for: forMs, after = 0 } = args;
    const { faults, counts } = this.state;
    if (times === 0) {
      const others = faults.filter((each) => each.path !== path || each.method !== method);
      faults.splice(0, faults.length, ...others);
      return;
    }
    const isLateOnly = status === undefined && after > 0;
    const lost = typeof status === "number" ? undefined : status === "refuse" ? "refused" : status;
    faults.push({
      fault: ++counts.faults,
      path,
      method,
      status: isLateOnly || typeof status === "string" ? undefined : (status ?? 503),
      lost,
      retryAfterMs: retryAfter,
      afterMs: lost === "timeout" ? CLIENT_TIMEOUT_MS : after,
      untilMs: forMs === undefined ? Number.POSITIVE_INFINITY : this.services.engine.now + forMs,
      timesLeft: times ?? Number.POSITIVE_INFINITY,
    });
  }

  /** What happens to a request: the deviation that is planned for it, otherwise the newest matching fault. */
  findOverride(asked: IncomingRequest): AnswerOverride | undefined {
    const deviation = this.limitOf(asked) ?? this.findDeviation(asked);
    if (deviation !== undefined) return deviation;
    const fault = this.state.faults.findLast((each) => this.applies(each, asked));
    if (fault !== undefined) this.unansweredByFault.set(fault.fault, this.countUnanswered(fault) + 1);
    return fault;
  }

  /** Counts the requests that give commands. @returns the number of this one */
  countAsked(): number {
    return ++this.state.counts.asked;
  }

  /** Records a request and its answer. @returns the number to pass to `untilDue` if the answer comes later */
  record(args: RestServedArguments): number | undefined {
    const { engine, settings } = this.services;
    const {
      method,
      path,
      body,
      status,
      answer,
      by,
      fault,
      deviation,
      ignored = [],
      after = 0,
      during = null,
    } = args;
    if (fault !== undefined) this.countAnswered(fault);
    const { requests, counts } = this.state;
    const at = engine.now + after;
    const isFault = fault !== undefined || deviation !== undefined;
    requests.push(
      Object.freeze({
        method,
        path,
        body,
        status,
        answer,
        at: iso(at),
        timestamp: at,
        by: by ?? null,
        isFault,
        ignored: Object.freeze([...ignored]),
        during,
      }),
    );
    if (requests.length > settings.keep.requests) requests.dropFirst(settings.keep.requests);
    if (after === 0) return undefined;
    engine.schedule(after, HELD, path, `the late answer to ${method} ${path}`, ++counts.held);
    return counts.held;
  }

  /**
   * Waits until a held answer is due in virtual time, or the client is gone.
   * @throws the reason of the aborted signal
   */
  async untilDue(
    number: number,
    { method, pathname, signal, asked }: IncomingRequest,
    afterMs: number,
  ): Promise<void> {
    const { loop, work } = this.services.engine;
    const cancelWarning = loop.warnUnlessSoon(
      () =>
        `somebody has waited for the answer to ${method} ${pathname}, which a fault holds back for ${durationText(afterMs)} of virtual time. It comes as time passes: do not await it before you \`advance\`.`,
    );
    const { timeWaits } = loop;
    const release = work.holdRequest(asked);
    await new Promise<void>((resolve) => {
      this.waiting.set(number, () => {
        timeWaits.end(resolve);
        release();
        resolve();
      });
      timeWaits.begin(resolve);
      signal.addEventListener("abort", () => this.release(number), { once: true });
      for (const notify of this.onHeld.splice(0)) notify();
    });
    cancelWarning();
    signal.throwIfAborted();
  }

  /** How many clients wait for a held answer. */
  get heldCount(): number {
    return this.waiting.size;
  }

  /** Resolves when another client waits for a held answer. */
  untilNextHeld(): Promise<void> {
    return new Promise((resolve) => this.onHeld.push(resolve));
  }

  /**
   * Whether a run in which records are behind answers a request from before this instant: the first time that it is asked for
   * at this instant.
   */
  isBehind({ method, pathname, mayBeBehind }: IncomingRequest): boolean {
    if (this.services.settings.assume.restConsistency === "immediate" || !mayBeBehind()) return false;
    const { now } = this.services.engine;
    for (let index = this.state.requests.length - 1; index >= 0; index--) {
      const before = this.state.requests.at(index);
      if (before === undefined || before.timestamp < now) return true;
      if (before.method === method && before.path.split("?", 1)[0] === pathname) return false;
    }
    return true;
  }

  requests(): RestRequest[] {
    return [...this.state.requests];
  }

  /** A 429 of an exploration holds until its `retry-after` is over, for the same client and path. */
  private limitOf({ client, pathname }: IncomingRequest): AnswerOverride | undefined {
    const leftMs = (this.limitedUntilMs.get(limitKey(client, pathname)) ?? 0) - this.services.engine.now;
    if (leftMs <= 0 || whoseCode() === "property") return undefined;
    return { status: 429, retryAfterMs: leftMs, afterMs: 0, deviation: "429" };
  }

  /** Returns undefined while nobody watches and nothing is planned, and for what a property asks to judge the app. */
  private findDeviation(asked: IncomingRequest): AnswerOverride | undefined {
    const { method, pathname, url, isAuthorised } = asked;
    const { deviations, loop, now, options: start, probes } = this.services.engine;
    if (!deviations.isActive || whoseCode() === "property") return undefined;
    const caller = probes.current?.dependencyCalled?.();
    const at = now - start.startMs;
    const point = deviations.numberPoint({ what: "rest", at, of: `${method} ${pathname}`, to: url });
    // if nobody moves time, an app under exploration would wait for ever
    const mayBeSlow = !loop.timeWaits.standsStill && (loop.isMoving || !deviations.isExplored);
    // who only reads, or asks for a token, cannot tell a lost answer from a lost request
    const isRead = method === "GET" || method === "HEAD" || !asked.isApi;
    const mayRestart = caller?.mayDeviate === true && caller.mayRestart;
    const options = [
      ...refusals,
      ...(mayBeSlow ? delays : []),
      ...(isAuthorised ? [expiry] : []),
      ...(asked.mayBeBehind() ? [behind] : []),
      refused,
      ...(isRead ? [] : [unanswered]),
      ...(mayRestart ? [restarted] : []),
      ...(mayRestart && !isRead ? [restartedAfter] : []),
    ];
    const chosen = deviations.deviationAt(point, options);
    if (chosen === undefined) return undefined;
    const { is, after } = chosen;
    const status = is === "503" || is === "429" ? Number(is) : undefined;
    if (is === "429")
      this.limitedUntilMs.set(limitKey(asked.client, pathname), now + (after ?? RETRY_AFTER_MS));
    return {
      status,
      lost: is === "refused" || is === "unanswered" ? is : undefined,
      retryAfterMs: is === "429" ? (after ?? RETRY_AFTER_MS) : undefined,
      afterMs: is === "slow" ? (after ?? VERY_SLOW_MS) : 0,
      deviation: is,
      ...(isRestart(is) ? { restart: { is, begin: () => caller?.restart?.(false) } } : {}),
    };
  }

  private release(number: number): void {
    this.waiting.get(number)?.();
    this.waiting.delete(number);
  }

  private applies(fault: RestFault, { method, pathname, isApi }: IncomingRequest): boolean {
    if (this.services.engine.now >= fault.untilMs || fault.timesLeft <= this.countUnanswered(fault))
      return false;
    if (fault.method !== undefined && fault.method !== method) return false;
    if (fault.path === undefined) return isApi;
    return pathname === fault.path || pathname.startsWith(`${fault.path.replace(/\/$/, "")}/`);
  }

  private countUnanswered({ fault }: RestFault): number {
    return this.unansweredByFault.get(fault) ?? 0;
  }

  private countAnswered(number: number): void {
    const { faults } = this.state;
    const unanswered = this.unansweredByFault.get(number) ?? 0;
    if (unanswered > 1) this.unansweredByFault.set(number, unanswered - 1);
    else this.unansweredByFault.delete(number);
    const index = faults.findIndex((each) => each.fault === number);
    const fault = faults[index];
    if (fault === undefined) return; // the fault was ended meanwhile
    if (fault.timesLeft <= 1) faults.splice(index, 1);
    else faults[index] = { ...fault, timesLeft: fault.timesLeft - 1 };
  }
}

const limitKey = (client: string | undefined, pathname: string) => `${client ?? ""} ${pathname}`;

/** The requests to the REST API and their faults. */
export const restTraffic = defineService({
  init: (): State => ({
    requests: new ForkableList(),
    faults: [],
    counts: { faults: 0, held: 0, asked: 0 },
  }),
  create: (services: CoreServices, state) => new RestTraffic(services, state),
  tasks: RestTraffic.tasks,
});
