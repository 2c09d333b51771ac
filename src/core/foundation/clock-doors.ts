import { areGlobalTimersFake, DOORS, realOrigin } from "./real-functions.ts";
import { type AnyFunction, replaceFunction } from "./timer-functions.ts";

/**
 * The clock that apps read: `Date`, `performance.now` and `Temporal.Now`. Doors stand in front of these from the moment at
 * which this is loaded, so that a copy which a module takes later (`const now = Date.now`) is virtual where the original is.
 * A door that nobody has given a clock does what the function behind it does.
 */

/** A clock for some of the code that runs. */
export interface Clock {
  /** The time for the code that runs now, ms since the epoch; undefined if it has the clock of the runtime. */
  nowMs(): number | undefined;
  /** What `performance.now()` returns; undefined if that has the clock of the runtime. */
  performanceMs?(): number | undefined;
}

interface Doors {
  readonly clocks: Set<Clock>;
  /** The time of a test's fake timers that go with a simulator, ms since the epoch; undefined while these are off. */
  sharedMs?: () => number | undefined;
  /** What `performance.now()` returned last to code that no clock is for, ms. */
  lastPerformanceMs?: number;
  /** What stands behind each door. */
  readonly behind: WeakMap<object, object>;
}

/** Several copies of the package may be loaded: they share the doors. */
const place = globalThis as { [DOORS]?: Doors };

const { Date: RealDate } = globalThis;

/** The parts of `Temporal` that are used. */
interface TemporalPlace {
  readonly Now?: object;
  readonly Instant?: { fromEpochMilliseconds(ms: number): Instant };
}
interface Instant {
  toZonedDateTimeISO(zone: unknown): ZonedDateTime;
}
type ZonedDateTime = Record<"toPlainDateTime" | "toPlainDate" | "toPlainTime", () => unknown>;

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const inZone =
  (make: (time: ZonedDateTime) => unknown) =>
  (instant: Instant, zone: unknown = localZone()) =>
    make(instant.toZonedDateTimeISO(zone));

/** The functions of `Temporal.Now` that read the clock, and what each makes of an instant, in a zone that it is given. */
const temporalFunctions: Readonly<Record<string, (instant: Instant, zone?: unknown) => unknown>> = {
  instant: (instant) => instant,
  zonedDateTimeISO: inZone((time) => time),
  plainDateTimeISO: inZone((time) => time.toPlainDateTime()),
  plainDateISO: inZone((time) => time.toPlainDate()),
  plainTimeISO: inZone((time) => time.toPlainTime()),
};

/** Puts doors in front of the clock of the runtime, to stay. What has one keeps it. */
export function keepClockDoors(): void {
  // a test's fake clock goes away, and what stands in front of it would stay
  if (!areGlobalTimersFake() && !("isMock" in globalThis.Date)) placeDoors(false);
}

/**
 * Lets code that the clock is for read this clock.
 * @returns a function that ends this
 */
export function useClock(clock: Clock): () => void {
  const undo = placeDoors(true);
  doors().clocks.add(clock);
  return () => {
    doors().clocks.delete(clock);
    for (const each of undo.reverse()) each();
  };
}

/**
 * Lets code that no clock is for read the time of a test's fake timers: these leave `Temporal` real, and copies of `Date.now`.
 * @param nowMs their time, ms since the epoch; undefined once they are off
 */
export function shareClock(nowMs: () => number | undefined): void {
  doors().sharedMs = nowMs;
}

/** What `performance.now()` returned last to code that no clock is for, ms: such code may have kept it. */
export function lastPerformanceMs(): number {
  return doors().lastPerformanceMs ?? 0;
}

function doors(): Doors {
  place[DOORS] ??= { clocks: new Set(), behind: new WeakMap() };
  return place[DOORS];
}

/**
 * Places a door in front of a function of the runtime that has none. Frozen intrinsics, as of SES, stay as they are.
 * @param make makes the door from what stands behind it
 * @param undo gets what takes it away
 */
export function placeDoor(
  at: object,
  name: string,
  make: (before: AnyFunction) => AnyFunction,
  undo: (() => void)[],
): void {
  const { behind } = doors();
  if (Object.isFrozen(at) || behind.has(Reflect.get(at, name) as object)) return;
  undo.push(
    replaceFunction(at, name, (before) => {
      const door = make(before);
      behind.set(door, before);
      return door;
    }),
  );
}

/**
 * @param isForAWhile whether they are taken away again; else what belongs to other programs too gets none
 * @returns functions that take away what was placed
 */
function placeDoors(isForAWhile: boolean): (() => void)[] {
  const undo: (() => void)[] = [];
  const {
    Date: before,
    performance,
    Temporal,
  } = globalThis as typeof globalThis & { Temporal?: TemporalPlace };
  placeDoor(globalThis, "Date", dateDoor, undo);
  // `date.constructor === Date` holds on
  if (globalThis.Date !== before) placeDoor(before.prototype, "constructor", () => globalThis.Date, undo);
  // Jest gives each test file the same one, which outlives the file
  if (isForAWhile || performance instanceof Object) {
    placeDoor(performance, "now", performanceDoor, undo);
    placeOriginDoor(globalThis, undo);
  }
  if (Temporal?.Now !== undefined)
    for (const [name, make] of Object.entries(temporalFunctions))
      placeDoor(Temporal.Now, name, (real) => temporalDoor(real, make, Temporal), undo);
  return undo;
}

/** Lets `timeOrigin + now()` be the time of the code that runs now. */
function placeOriginDoor({ performance }: typeof globalThis, undo: (() => void)[]): void {
  const { behind } = doors();
  if (Object.isFrozen(performance) || behind.has(performance)) return;
  const own = Object.getOwnPropertyDescriptor(performance, "timeOrigin");
  const get = () => {
    const [ms, sinceMs] = [nowMs(), clockSays((clock) => clock.performanceMs?.())];
    return ms === undefined || sinceMs === undefined ? realOrigin : ms - sinceMs;
  };
  behind.set(performance, performance);
  Object.defineProperty(performance, "timeOrigin", { get, enumerable: true, configurable: true });
  undo.push(() => {
    behind.delete(performance);
    if (own === undefined) Reflect.deleteProperty(performance, "timeOrigin");
    else Object.defineProperty(performance, "timeOrigin", own);
  });
}

/** What the first clock says that is for the code that runs now. */
function clockSays(ask: (clock: Clock) => number | undefined): number | undefined {
  for (const clock of doors().clocks) {
    const ms = ask(clock);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

const nowMs = () => clockSays((clock) => clock.nowMs()) ?? doors().sharedMs?.();

function dateDoor(before: AnyFunction): AnyFunction {
  function DateDoor(...parts: unknown[]): unknown {
    const ms = new.target === undefined || parts.length === 0 ? nowMs() : undefined;
    if (new.target === undefined) return ms === undefined ? before() : new RealDate(ms).toString();
    const given = ms === undefined ? parts : [ms];
    return Reflect.construct(before, given, new.target === DateDoor ? before : new.target);
  }
  const readRealClock = Reflect.get(before, "now") as () => number;
  const now = () => nowMs() ?? readRealClock.call(before);
  doors().behind.set(now, readRealClock);
  return like(before, DateDoor, { now, toString: () => String(before) });
}

function performanceDoor(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown) {
    const ms = clockSays((clock) => clock.performanceMs?.());
    if (ms !== undefined) return ms;
    const realMs = Reflect.apply(before, this, []) as number;
    doors().lastPerformanceMs = realMs;
    return realMs;
  });
}

function temporalDoor(
  before: AnyFunction,
  make: (instant: Instant, zone?: unknown) => unknown,
  { Instant }: TemporalPlace,
): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const ms = nowMs();
    if (ms === undefined || Instant === undefined) return Reflect.apply(before, this, given);
    return make(Instant.fromEpochMilliseconds(Math.trunc(ms)), given[0]);
  });
}

/** Gives a function the properties of another, such as the clock of fake timers. @param own those that it has itself */
export function like(
  before: AnyFunction,
  made: AnyFunction,
  own: Readonly<Record<PropertyKey, unknown>> = {},
): AnyFunction {
  const properties: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(before);
  for (const name of Reflect.ownKeys(own))
    properties[name] = { value: own[name], enumerable: false, writable: true, configurable: true };
  // a fake `Date` is a class that inherits from the real one
  return Object.setPrototypeOf(Object.defineProperties(made, properties), Object.getPrototypeOf(before));
}
