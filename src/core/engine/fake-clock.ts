/** One timer of a fake clock. */
export interface FakeTimer {
  readonly id: string | number;
  /** When it is due, in ms by that clock. */
  readonly callAt: number;
  /** For an interval: how often it is due again, ms. Undefined for a timeout. */
  readonly interval?: number | undefined;
}

/** The used parts of the fake timers that Vitest, Jest and Sinon share. */
export interface FakeClock {
  now: number;
  readonly timers?: ReadonlyMap<unknown, FakeTimer> | Readonly<Record<string, FakeTimer>> | undefined;
  tickAsync(ms: number): Promise<unknown>;
  clearTimeout(id: unknown): void;
}

/** The installed fake clock, if any. */
export function clockNow(): FakeClock | undefined {
  return (globalThis.setTimeout as { readonly clock?: FakeClock }).clock;
}

/** The timers of a fake clock that are due once. */
export function singleTimersOf(clock: FakeClock): FakeTimer[] {
  return timersOf(clock).filter(({ interval }) => interval === undefined);
}

/** The timers of a fake clock. */
export function timersOf({ timers = {} }: FakeClock): FakeTimer[] {
  // in Jest it is a Map of another realm, so no instance of this one
  return isMap(timers) ? [...timers.values()] : Object.values(timers);
}

function isMap(timers: NonNullable<FakeClock["timers"]>): timers is ReadonlyMap<unknown, FakeTimer> {
  return Object.prototype.toString.call(timers) === "[object Map]";
}
