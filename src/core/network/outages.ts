import type { Deviation } from "../engine/deviations.ts";

/** How long an outage lasts if a deviation does not say, ms. */
const OUTAGE_MS = 60_000;

export interface OutagesState {
  /** The deliveries whose attempts are all lost. */
  readonly neverArrive: Set<string>;
  /** Until when every request is refused, ms since the epoch. */
  refusedUntilMs: number;
  /** When a request was last sent while anyone asked for choice points, ms since the epoch. */
  lastSentMs: number;
}

export const newOutages = (): OutagesState => ({
  neverArrive: new Set(),
  refusedUntilMs: 0,
  lastSentMs: -1,
});

/** Requests that reach nobody, because of a deviation that took effect before they were sent. */
export class Outages {
  constructor(
    private readonly engine: { readonly now: number },
    private readonly state: OutagesState,
  ) {}

  /** What becomes of a request; undefined if nothing keeps it from arriving. */
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
