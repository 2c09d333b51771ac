/** A timer of a fake clock. */
export interface FakeTimer {
  readonly id: string | number;
  /** When it is due, by that clock. */
  readonly callAt: number;
  /** How often it is due again, ms; undefined: never. */
  readonly interval?: number | undefined;
}

/** What is used of the fake timers that Vitest, Jest and Sinon share. */
export interface FakeClock {
  now: number;
  readonly timers?: ReadonlyMap<unknown, FakeTimer> | Readonly<Record<string, FakeTimer>> | undefined;
  tickAsync(ms: number): Promise<unknown>;
  clearTimeout(id: unknown): void;
}

/** The fake clock that is on, if one is. */
export function clockNow(): FakeClock | undefined {
  return (globalThis.setTimeout as { readonly clock?: FakeClock }).clock;
}

/** The timers of a fake clock. */
export function timersOf({ timers = {} }: FakeClock): FakeTimer[] {
  return timers instanceof Map ? [...timers.values()] : Object.values(timers as Record<string, FakeTimer>);
}
