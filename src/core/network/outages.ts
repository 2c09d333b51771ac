import type { Deviation } from "../engine/deviations.ts";

/** The default length of an outage, ms. */
const OUTAGE_MS = 60_000;

export interface OutagesState {
  /** The deliveries whose attempts are all lost. */
  readonly neverArrive: Set<string>;
  /** Until when every request is refused, ms since the epoch. */
  refusedUntilMs: number;
  /** When a request was last sent while anyone asked for deviation points, ms since the epoch. */
  lastSentMs: number;
}

export const newOutages = (): OutagesState => ({
  neverArrive: new Set(),
  refusedUntilMs: 0,
  lastSentMs: -1,
});

/** Requests that are lost or refused by a deviation of an earlier request. */
export class Outages {
  constructor(
    private readonly engine: { readonly now: number },
    private readonly state: OutagesState,
  ) {}

  /** How a request fails; undefined if it arrives. */
  failureOf(recordId: string): "lost" | "refused" | undefined {
    const { neverArrive, refusedUntilMs } = this.state;
    if (neverArrive.size > 0 && neverArrive.has(recordId)) return "lost";
    return this.engine.now < refusedUntilMs ? "refused" : undefined;
  }

  /** Takes a deviation that also concerns later requests. Ignores any other. */
  begin({ is, after }: Deviation, recordId: string): void {
    if (is === "never") this.state.neverArrive.add(recordId);
    if (is === "outage") this.state.refusedUntilMs = this.engine.now + (after ?? OUTAGE_MS);
  }

  /** Whether nothing else was sent at this instant before. Called once for each request. */
  isFirstOfInstant(): boolean {
    const { now } = this.engine;
    const isFirst = this.state.lastSentMs !== now;
    this.state.lastSentMs = now;
    return isFirst;
  }
}
