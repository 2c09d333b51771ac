import type { CapturedEvent, CapturedRequest } from "./capture.ts";
import { countWhile } from "./sorted.ts";

/** How late a request is that nothing overtakes, at most, ms: the platform waits five seconds for an answer. */
const LONGEST_ALONE_MS = 10_000;

/**
 * When requests were sent by the platform's clock and received by the receiver's. Where the clocks differ, any request may
 * look late, so asking about one takes only log(n) looks.
 */
export class Clocks {
  /** In the order in which requests were sent: when, and when the first of this and all later ones was received. */
  private readonly sent: readonly number[];
  private readonly firstArrivals: readonly number[];
  /** When requests were received, each instant once, in order. */
  private readonly arrivals: readonly number[];
  /** How much later a request usually arrives: the way, and how far the receiver's clock is ahead. */
  private readonly skewMs: number;

  constructor(events: readonly CapturedEvent[]) {
    const both = events
      .flatMap(({ requests }) => requests)
      .flatMap(({ signedTimestamp, receivedTimestamp }) =>
        signedTimestamp === null || receivedTimestamp === null
          ? []
          : [{ sentMs: signedTimestamp, arrivedMs: receivedTimestamp }],
      )
      .sort((a, b) => a.sentMs - b.sentMs);
    this.sent = both.map(({ sentMs }) => sentMs);
    let firstMs = Number.POSITIVE_INFINITY;
    this.firstArrivals = both
      .toReversed()
      .map(({ arrivedMs }) => {
        firstMs = Math.min(firstMs, arrivedMs);
        return firstMs;
      })
      .reverse();
    this.arrivals = [...new Set(both.map(({ arrivedMs }) => arrivedMs))].sort((a, b) => a - b);
    this.skewMs = middle(both.map(({ sentMs, arrivedMs }) => arrivedMs - sentMs));
  }

  /**
   * How late a request arrived, and after how many later ones, at most three. Of clocks that go at different speeds, as
   * while a simulator sends to a real receiver, only what overtakes it tells.
   */
  lateness(
    { signedTimestamp, receivedTimestamp }: CapturedRequest,
    toleranceMs: number,
  ): { readonly ms: number; readonly by: number } | undefined {
    if (signedTimestamp === null || receivedTimestamp === null) return undefined;
    const dueMs = signedTimestamp + this.skewMs;
    const ms = receivedTimestamp - dueMs;
    if (ms < toleranceMs) return undefined;
    const firstLaterMs = this.firstArrivals[countWhile(this.sent, (ms) => ms <= signedTimestamp)];
    const isOvertaken = firstLaterMs !== undefined && firstLaterMs <= receivedTimestamp;
    if (!isOvertaken && ms > LONGEST_ALONE_MS) return undefined;
    const between =
      countWhile(this.arrivals, (each) => each < receivedTimestamp) -
      countWhile(this.arrivals, (each) => each <= dueMs);
    return { ms, by: Math.min(3, Math.max(0, between) + 1) };
  }
}

/** The middle of some numbers, the lower of two: the other may be of an attempt after a lost one. 0 of none. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
