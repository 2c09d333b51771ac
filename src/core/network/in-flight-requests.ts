import type { Deviation, DeviationPoint } from "../engine/deviations.ts";
import type { answersLater, EndpointReply } from "./answer.ts";
import type { RestartDeviation } from "./request-deviations.ts";

/** The state of an in-flight request beyond its record. */
export interface InFlightRequest {
  /** The answer of its endpoint, from the call until the request arrives. */
  answer: EndpointReply | typeof answersLater | undefined;
  /** If its endpoint answers later: the serial of the agenda item at which its sender stops waiting. */
  limitSerial: number | undefined;
  /** Its deviation point, while anyone asks for it. */
  point: DeviationPoint | undefined;
  /** Whether it is handled, but its answer is lost. */
  isAnswerLost: boolean;
  /** Whether its app restarts: while it handles this, or once it has answered. */
  restart: RestartDeviation | undefined;
  late: DelayedRequest | undefined;
  lost: LostRequest | undefined;
}

/** A request that is delayed until others have arrived. */
export interface DelayedRequest {
  readonly host: string;
  /** How many requests are still to arrive before it; none if it is to arrive now. */
  readonly left: number;
  /** When it was sent, as the serial of the agenda item by which it arrives at the latest. */
  readonly serial: number;
  readonly deviation: Deviation;
}

/** A request that is lost. */
export interface LostRequest {
  readonly deviation: Deviation;
  /** The first serial of the items scheduled from then on. */
  readonly serial: number;
  readonly sentMs: number;
  readonly recordId: string;
}

/** Extra state of in-flight requests, oldest first. Most requests have none. */
export class InFlightRequests {
  /** The newest, not yet in the map: most end before another begins, and refilling an empty map allocates. */
  private newest: { readonly requestId: string; readonly flight: InFlightRequest } | undefined;

  constructor(private readonly all = new Map<string, InFlightRequest>()) {}

  get size(): number {
    return this.settled().size;
  }

  get(requestId: string): InFlightRequest | undefined {
    if (this.newest?.requestId === requestId) return this.newest.flight;
    return this.all.size === 0 ? undefined : this.all.get(requestId);
  }

  /** The extra state of a request, created if it has none. */
  begin(requestId: string): InFlightRequest {
    let flight = this.get(requestId);
    if (flight === undefined) {
      flight = {
        answer: undefined,
        limitSerial: undefined,
        point: undefined,
        isAnswerLost: false,
        restart: undefined,
        late: undefined,
        lost: undefined,
      };
      this.settled();
      this.newest = { requestId, flight };
    }
    return flight;
  }

  end(requestId: string): void {
    if (this.newest?.requestId === requestId) this.newest = undefined;
    else if (this.all.size > 0) this.all.delete(requestId);
  }

  [Symbol.iterator](): Iterator<[requestId: string, flight: InFlightRequest]> {
    return this.settled()[Symbol.iterator]();
  }

  fork(): InFlightRequests {
    return this.load(this.settled());
  }

  /** The saved state, for `load`, which copies it. */
  save(): ReadonlyMap<string, InFlightRequest> {
    return this.settled();
  }

  /** @returns the saved state */
  load(saved: ReadonlyMap<string, InFlightRequest>): InFlightRequests {
    return new InFlightRequests(
      new Map(Array.from(saved, ([requestId, flight]) => [requestId, { ...flight }])),
    );
  }

  /** All entries, in the map. */
  private settled(): Map<string, InFlightRequest> {
    if (this.newest !== undefined) this.all.set(this.newest.requestId, this.newest.flight);
    this.newest = undefined;
    return this.all;
  }
}
