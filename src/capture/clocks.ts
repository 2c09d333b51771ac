import type { CapturedEvent, CapturedRequest } from "./capture.ts";
import { countWhile } from "./sorted.ts";

/** How long the platform waits for an answer, ms. No request arrives later than that. */
const MAX_TRANSIT_MS = 5_000;
/** How late a request is that nothing overtakes, at most, ms. */
const MAX_LATENESS_MS = 2 * MAX_TRANSIT_MS;
/** After how many others a late request may come, at most. */
const MAX_OTHERS = 3;

/**
 * When requests were sent by the platform's clock and received by the receiver's. Where the clocks differ, any request may
 * look late, so asking about one takes only log(n) looks.
 */
export class Clocks {
  /** The place of each request in the order in which they were sent. */
  private readonly ordinals: ReadonlyMap<CapturedRequest, number>;
  /** When they were sent, in that order. */
  private readonly sent: readonly number[];
  /** The first arrivals of requests that were sent after each, in order. */
  private readonly nextArrivals: readonly (readonly number[])[];
  /** How much later a request usually arrives: the way, and how far the receiver's clock is ahead. */
  private readonly skewMs: number;

  constructor(events: readonly CapturedEvent[]) {
    const both = events
      .flatMap(({ requests }) => withoutRepeats(requests))
      .flatMap((request) => {
        const { signedTimestamp: sentMs, receivedTimestamp: arrivedMs } = request;
        return sentMs === null || arrivedMs === null ? [] : [{ request, sentMs, arrivedMs }];
      })
      .sort((a, b) => a.sentMs - b.sentMs);
    this.ordinals = new Map(both.map(({ request }, ordinal) => [request, ordinal]));
    this.sent = both.map(({ sentMs }) => sentMs);
    let next: readonly number[] = [];
    this.nextArrivals = both
      .toReversed()
      .map(({ arrivedMs }) => {
        const own = next;
        next = [...own, arrivedMs].sort((a, b) => a - b).slice(0, MAX_OTHERS);
        return own;
      })
      .reverse();
    this.skewMs = lowerMedian(both.map(({ sentMs, arrivedMs }) => arrivedMs - sentMs));
  }

  /**
   * How late a request arrived, and after how many later ones, at most three. Of clocks that go at different speeds, as
   * while a simulator sends to a real receiver, only what overtakes it tells.
   */
  lateness(
    request: CapturedRequest,
    toleranceMs: number,
  ): { readonly ms: number; readonly by: number } | undefined {
    const { signedTimestamp: sentMs, receivedTimestamp: arrivedMs } = request;
    if (sentMs === null || arrivedMs === null) return undefined;
    const dueMs = sentMs + this.skewMs;
    const ms = arrivedMs - dueMs;
    if (ms < toleranceMs) return undefined;
    const lastOfInstant = countWhile(this.sent, (each) => each <= sentMs) - 1;
    const isOvertaken = (this.nextArrivals[lastOfInstant]?.[0] ?? Number.POSITIVE_INFINITY) <= arrivedMs;
    if (!isOvertaken && ms > MAX_LATENESS_MS) return undefined;
    const others = this.nextArrivals[this.ordinals.get(request) ?? -1] ?? [];
    const distances = Array.from({ length: MAX_OTHERS }, (_, index) =>
      Math.abs(Math.min(others[index] ?? Number.POSITIVE_INFINITY, dueMs + MAX_TRANSIT_MS) - arrivedMs),
    );
    return { ms, by: 1 + distances.indexOf(Math.min(...distances)) };
  }
}

/** Requests without lines that only repeat one. */
function withoutRepeats(requests: readonly CapturedRequest[]): CapturedRequest[] {
  const seen = new Set<string>();
  return requests.filter(({ signedTimestamp, receivedTimestamp }) => {
    const key = `${signedTimestamp} ${receivedTimestamp}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The median; of two middle numbers the lower, since the other may be of an attempt after a lost one. 0 if there are none. */
export function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
