import type { CapturedEvent, CapturedRequest } from "./capture.ts";
import { countWhile } from "./lists.ts";

/** How long the platform waits for an answer, ms. No request is in transit longer. */
const MAX_TRANSIT_MS = 5_000;
/** How late a request may be that no other has overtaken, ms. */
const MAX_LATENESS_MS = 2 * MAX_TRANSIT_MS;
/** How many others may overtake a late request. */
const MAX_OTHERS = 3;

/**
 * Compares when requests were sent by the platform's clock with when they arrived by the app's. If the clocks differ,
 * any request may look late, so each is looked up by binary search.
 */
export class Clocks {
  /** The position of each request in the order of sending. */
  private readonly ordinals: ReadonlyMap<CapturedRequest, number>;
  /** When requests were sent, in that order. */
  private readonly sent: readonly number[];
  /** For each request, the earliest arrivals among those sent after it. */
  private readonly nextArrivals: readonly (readonly number[])[];
  /** The usual time from sending to arrival: transit, and how far the app's clock is ahead. */
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
   * How late a request arrived, and after how many later ones, at most three. If the clocks run at different speeds, as
   * while a simulator sends to a real app, only being overtaken shows that a request is late.
   */
  lateness(
    request: CapturedRequest,
    toleranceMs: number,
  ): { readonly ms: number; readonly lateMs: number } | undefined {
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
    return { ms, lateMs: 1 + distances.indexOf(Math.min(...distances)) };
  }
}

/** Leaves out lines that repeat a request. */
function withoutRepeats(requests: readonly CapturedRequest[]): CapturedRequest[] {
  const keys = new Set<string>();
  return requests.filter(({ signedTimestamp, receivedTimestamp }) => {
    const key = `${signedTimestamp} ${receivedTimestamp}`;
    return !keys.has(key) && keys.add(key);
  });
}

/** The median, or 0 of none. Of two middle values the lower, since the other may belong to an attempt after a lost one. */
export function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
