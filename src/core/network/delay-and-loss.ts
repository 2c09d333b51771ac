import type { Deviation } from "../engine/deviations.ts";
import type { Engine } from "../engine/engine.ts";
import type { RequestRecord } from "../records/request.ts";
import { readHost } from "./endpoint-url.ts";
import type { InFlightRequests } from "./in-flight-requests.ts";

/** The part of the network that delays and losses need. */
interface Ports {
  readonly engine: Pick<Engine, "cancel" | "deviations" | "dueSince" | "now">;
  readonly flights: InFlightRequests;
  /** How long a sender waits, ms. */
  readonly limitMs: number;
  request(id: string): RequestRecord;
  /** Lets a request arrive after this time. @returns the serial of the agenda item */
  arrive(requestId: string, delayMs: number): number;
  /** Lets a request arrive before all else of this instant. */
  arriveNext(requestId: string): void;
  /** Lets a request fail after this time. @returns the serial of the agenda item */
  fail(requestId: string, delayMs: number, failure: string): number;
}

/** Requests that deviations delay or lose. */
export class DelayAndLoss {
  constructor(private readonly ports: Ports) {}

  /** Delays a request until a number of others have arrived at its host, or its sender's limit. */
  hold(requestId: string, left: number, deviation: Deviation): void {
    const { flights, limitMs } = this.ports;
    const serial = this.ports.arrive(requestId, limitMs);
    const host = readHost(this.ports.request(requestId).to);
    flights.begin(requestId).late = { host, left, serial, deviation };
  }

  /**
   * Called when a request has arrived: requests that were delayed for it follow at once.
   * @param sent when it was sent, as a serial of the agenda
   */
  release(to: string, sent: number): void {
    const { engine, flights } = this.ports;
    let host: string | undefined;
    for (const [id, flight] of flights) {
      const { late } = flight;
      // a request that was sent earlier does not overtake it
      if (late === undefined || late.left === 0 || sent < late.serial) continue;
      host ??= readHost(to);
      if (late.host !== host) continue;
      flight.late = { left: late.left - 1, host, serial: late.serial, deviation: late.deviation };
      if (late.left > 1) continue;
      engine.deviations.distinguish(late.deviation);
      engine.cancel(late.serial);
      this.ports.arriveNext(id);
    }
  }

  lose(requestId: string, deviation: Deviation): void {
    const { engine, flights, limitMs } = this.ports;
    const { now: sentMs } = engine;
    // those of one instant are forgotten together: see `sentAgain`
    for (const [id, { lost }] of flights)
      if (lost !== undefined && lost.sentMs + limitMs < sentMs) flights.end(id);
    const serial = this.ports.fail(requestId, limitMs, "lost");
    const { recordId } = this.ports.request(requestId);
    flights.begin(requestId).lost = { deviation, serial, recordId, sentMs };
  }

  /**
   * Tells how the sender of a lost request goes on. A refused request would have shown the endpoint the same, unless
   * it is sent again at once or never, or something else was meanwhile scheduled for the instant of the next attempt.
   * @param againMs when the request is sent again; undefined if it is not
   */
  sentAgain(requestId: string, againMs: number | undefined): void {
    const { engine, flights } = this.ports;
    const lost = flights.get(requestId)?.lost;
    if (lost === undefined) return;
    if (againMs === undefined || againMs <= engine.now) {
      engine.deviations.distinguish(lost.deviation);
      return;
    }
    const meanwhile = engine.dueSince(againMs, lost.serial);
    if (meanwhile.length === 0) return;
    const others = [...flights].filter(([, flight]) => flight.lost?.sentMs === lost.sentMs);
    const areAlike = meanwhile.every((item) =>
      others.some(([, flight]) => flight.lost?.recordId === item.recordId),
    );
    engine.deviations.distinguish(lost.deviation, areAlike ? "together" : "no");
  }
}
