import type { DateTime } from "luxon";
import type { AgendaItem } from "../engine/agenda.ts";
import type { Engine } from "../engine/engine.ts";
import type { PlatformRead } from "../engine/probe.ts";
import type { Stop, TimeLoop } from "../engine/time-loop.ts";
import { InputError, type Keys, LimitError } from "../foundation/errors.ts";
import { mustBeFunction } from "../foundation/input-schemas.ts";
import {
  type DurationInput,
  durationText,
  type InstantInput,
  iso,
  LAST_DATE_MS,
  readDurationMs,
  readInstantMs,
  utc,
} from "../foundation/instants.ts";
import { type EventType, mustBeEventType, type PlatformEvent } from "../platform/declare/events.ts";

/** Something that is scheduled. */
export interface PendingItem {
  /** ISO 8601, UTC. */
  readonly dueAt: string;
  /** Milliseconds since the Unix epoch. */
  readonly dueTimestamp: number;
  /** What it is for, such as `ring: ringTimeout`. */
  readonly purpose: string;
  /** The record it concerns, such as a call; `sim.schedule` for a callback. */
  readonly recordId: string;
  /** Set if it repeats for ever, as working hours do. Such an item does not keep a run from being idle. */
  readonly isBackground?: true;
}

/** The limit of `runUntil` and `runUntilIdle`. */
export interface LimitOptions {
  /** How much virtual time may pass at most. Default: no limit. */
  readonly within?: DurationInput;
}

type Matches = (event: PlatformEvent) => boolean;

const RUN_UNTIL_MS = 7 * 86_400_000;
const RUN_UNTIL_IDLE_MS = 400 * 86_400_000;

/** Virtual time, which passes only in these methods. */
export class VirtualTime {
  readonly #engine: Pick<Engine, "log" | "loop" | "now" | "options" | "probes" | "registrationLines">;
  readonly #loop: TimeLoop;

  /** @internal */
  constructor(engine: Pick<Engine, "log" | "loop" | "now" | "options" | "probes" | "registrationLines">) {
    this.#engine = engine;
    this.#loop = engine.loop;
  }

  /** When virtual time began, milliseconds since the Unix epoch. */
  get startTimestamp(): number {
    return this.#engine.options.startMs;
  }

  /** Virtual time, UTC. */
  get now(): DateTime {
    this.noteRead("clock");
    return utc(this.#engine.now);
  }

  /** Virtual time, milliseconds since the Unix epoch. */
  get timestamp(): number {
    this.noteRead("clock");
    return this.#engine.now;
  }

  /**
   * Runs everything that is due, each at its own instant, then stops exactly at now + duration.
   * @param duration how much virtual time passes
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance("PT30S"); // nobody answers: voicemail
   * sim.events.at(-1)?.type; // => "call.not_answered"
   */
  advance(duration: DurationInput): void {
    this.#loop.runTo(this.#after(duration));
  }

  /**
   * As `advance`, and awaits what event handlers and endpoints return before it goes on.
   * @param duration how much virtual time passes
   * @example
   * sim.network.route("https://crm.test/", fromFetch(async () => new Response(null, { status: 204 })));
   * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * await sim.advanceAsync(0);
   */
  async advanceAsync(duration: DurationInput): Promise<void> {
    await this.#loop.runToAsync(this.#after(duration));
  }

  /**
   * As `advance`, to an instant.
   * @param instant the instant to stop at
   * @throws {InputError} for the past
   * @example
   * sim.advanceTo("2026-07-01T09:00:00Z");
   * sim.now.hour; // => 9
   */
  advanceTo(instant: InstantInput): void {
    this.#loop.runTo(this.#future(instant));
  }

  /**
   * As `advanceTo`, and awaits as `advanceAsync` does.
   * @param instant the instant to stop at
   * @throws {InputError} for the past
   * @example
   * await sim.advanceToAsync("2026-07-01T09:00:00Z");
   * sim.now.hour; // => 9
   */
  async advanceToAsync(instant: InstantInput): Promise<void> {
    await this.#loop.runToAsync(this.#future(instant));
  }

  /**
   * Runs until right after the first matching event from now on, and returns it.
   * @param type the type of the event
   * @param options.within default 7 days
   * @param matches or a function that says whether an event matches
   * @throws {LimitError} if none comes in that time; the message says what happened instead
   * @throws {TypeError} if `type` is not a known event type
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const missed = sim.runUntil("call.not_answered", { within: "PT1M" });
   * missed.data.call.id; // => call.id
   * sim.runUntil(({ type }) => type === "call.hungup");
   */
  runUntil<Type extends EventType>(type: Type, options?: LimitOptions): PlatformEvent<Type>;
  runUntil(matches: (event: PlatformEvent) => boolean, options?: LimitOptions): PlatformEvent;
  runUntil(wanted: EventType | Matches, options: LimitOptions = {}): PlatformEvent {
    if (typeof wanted === "string") mustBeEventType(wanted, "runUntil");
    const watch = this.#watchFor(wanted, options);
    try {
      return watch.found(this.#loop.runWhile(watch.limitMs, watch.shouldContinue));
    } finally {
      watch.end();
    }
  }

  /**
   * As `runUntil`, and awaits as `advanceAsync` does.
   * @param type the type of the event
   * @param options `within`: how much virtual time may pass; default 7 days
   * @param matches or a function that says whether an event matches
   * @throws {LimitError} as `runUntil`
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const missed = await sim.runUntilAsync("call.not_answered");
   * missed.data.call.status; // => "missed"
   */
  runUntilAsync<Type extends EventType>(type: Type, options?: LimitOptions): Promise<PlatformEvent<Type>>;
  runUntilAsync(matches: (event: PlatformEvent) => boolean, options?: LimitOptions): Promise<PlatformEvent>;
  async runUntilAsync(wanted: EventType | Matches, options: LimitOptions = {}): Promise<PlatformEvent> {
    if (typeof wanted === "string") mustBeEventType(wanted, "runUntilAsync");
    const watch = this.#watchFor(wanted, options);
    try {
      return watch.found(await this.#loop.runWhileAsync(watch.limitMs, watch.shouldContinue));
    } finally {
      watch.end();
    }
  }

  /**
   * Runs until nothing is scheduled except what goes on for ever, such as working hours.
   * @param options.within default 400 days
   * @throws {LimitError} naming what keeps being scheduled
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntilIdle();
   * sim.events.at(-1)?.type; // => "call.ended"
   */
  runUntilIdle(options: LimitOptions = {}): void {
    const limitMs = this.#limit(options, RUN_UNTIL_IDLE_MS);
    this.#mustBeIdle(
      this.#loop.runWhile(limitMs, () => !this.#loop.isIdle),
      limitMs,
    );
  }

  /**
   * As `runUntilIdle`, and awaits as `advanceAsync` does.
   * @param options as for `runUntilIdle`
   * @throws {LimitError} as `runUntilIdle`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * await sim.runUntilIdleAsync();
   * call.status; // => "missed"
   */
  async runUntilIdleAsync(options: LimitOptions = {}): Promise<void> {
    const limitMs = this.#limit(options, RUN_UNTIL_IDLE_MS);
    this.#mustBeIdle(await this.#loop.runWhileAsync(limitMs, () => !this.#loop.isIdle), limitMs);
  }

  /**
   * Runs only the next item; returns it, or undefined if nothing is scheduled.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.step()?.purpose; // => "ring: ringTimeout"
   */
  step(): PendingItem | undefined {
    return toPendingItem(this.#loop.step());
  }

  /**
   * As `step`, and awaits as `advanceAsync` does.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * while (await sim.stepAsync()) if (sim.calls.live().length === 0) break;
   */
  async stepAsync(): Promise<PendingItem | undefined> {
    return toPendingItem(await this.#loop.stepAsync());
  }

  /**
   * Calls back once a duration of virtual time has passed, after everything else that is due at that instant. The callback may
   * issue commands, which are in the journal; the callback itself is not, and a fork does not have it. What it throws comes
   * out of the time method that was running; a promise that it returns is awaited by the `Async` ones.
   * @param duration how much virtual time passes before the call
   * @param callback the function to call
   * @returns a function that cancels it
   * @throws {InputError} for an invalid duration, one that no date can hold, or without a callback
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.schedule("PT5S", () => call.answer("alice"));
   * const cancel = sim.schedule("PT6S", () => call.hangup("caller"));
   * cancel();
   * sim.advance("PT10S");
   * call.status; // => "accepted"
   */
  schedule(duration: DurationInput, callback: () => unknown): () => void {
    mustBeFunction(callback, "schedule");
    this.#engine.registrationLines.keep(callback);
    return this.#loop.callBack(this.#read(duration, ["schedule"]), callback);
  }

  /**
   * What an asynchronous time method is waiting for now, in words: endpoints and handlers whose promises have not settled.
   * After two seconds of real time it is also a warning on the console.
   */
  get waitingFor(): readonly string[] {
    return this.#loop.waitingFor;
  }

  /**
   * Everything that is scheduled, in the order in which it will run.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
   * sim.pending()[0]?.purpose; // => "ring: ringTimeout"
   */
  pending(): PendingItem[] {
    this.noteRead("records");
    return this.#loop.pending().map((item) => toPendingItem(item));
  }

  /** @internal Reports a read of the clock or of records. */
  protected noteRead(what: PlatformRead): void {
    this.#engine.probes.current?.platformRead?.(what);
  }

  #after(duration: DurationInput): number {
    return this.#engine.now + this.#read(duration, ["advance"]);
  }

  /** Reads a duration. Refuses one that ends beyond the last date. */
  #read(duration: DurationInput, keys: Keys): number {
    return readDurationMs(duration, keys, LAST_DATE_MS - this.#engine.now);
  }

  #future(instant: InstantInput): number {
    const ms = readInstantMs(instant, ["advanceTo"]);
    if (ms < this.#engine.now)
      throw new InputError(
        ["advanceTo"],
        `${iso(ms)} is in the past: it is ${iso(this.#engine.now)}, and time never goes backwards`,
      );
    return ms;
  }

  #limit({ within }: LimitOptions, defaultMs: number): number {
    const ms = within === undefined ? defaultMs : this.#read(within, ["within"]);
    return Math.min(this.#engine.now + ms, LAST_DATE_MS);
  }

  #watchFor(wanted: EventType | Matches, options: LimitOptions) {
    const startMs = this.#engine.now;
    const limitMs = this.#limit(options, RUN_UNTIL_MS);
    const matches = typeof wanted === "string" ? (event: PlatformEvent) => event.type === wanted : wanted;
    const startTotal = this.#engine.log.total;
    let fresh: PlatformEvent[] = [];
    let match: PlatformEvent | undefined;
    // one by one: `retain` may drop a step's first events before its end
    const end = this.#engine.log.follow((event) => fresh.push(event as PlatformEvent));
    return {
      limitMs,
      end,
      shouldContinue: () => {
        match ??= fresh.find(matches);
        fresh = [];
        return match === undefined;
      },
      found: (outcome: Stop): PlatformEvent => {
        if (match !== undefined) return match;
        const what = typeof wanted === "string" ? `no ${wanted}` : "no matching event";
        const why =
          outcome === "idle"
            ? "nothing more is scheduled"
            : `none came within ${durationText(limitMs - startMs)}; next is ${itemText(this.#loop.pending()[0])}`;
        const happened = this.#engine.log
          .since(startTotal)
          .map((event) => `  ${event.createdAt} ${event.type}`);
        throw new LimitError(
          `runUntil: ${what}: ${why}. ${happened.length > 0 ? `What did happen:\n${happened.join("\n")}` : "Nothing happened meanwhile."}`,
        );
      },
    };
  }

  #mustBeIdle(outcome: Stop, limitMs: number): void {
    if (outcome !== "limit") return;
    const purposes = new Map<string, number>();
    for (const { purpose, recordId, isBackground } of this.#loop.pending()) {
      if (isBackground) continue;
      const what = `${purpose} of ${recordId}`;
      purposes.set(what, (purposes.get(what) ?? 0) + 1);
    }
    const list = [...purposes]
      .slice(0, 5)
      .map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what));
    throw new LimitError(`runUntilIdle: not idle by ${iso(limitMs)}; still scheduled: ${list.join(", ")}`);
  }
}

function toPendingItem(item: AgendaItem): PendingItem;
function toPendingItem(item: AgendaItem | undefined): PendingItem | undefined;
function toPendingItem(item: AgendaItem | undefined): PendingItem | undefined {
  if (item === undefined) return undefined;
  const { dueMs, purpose, recordId, isBackground } = item;
  const shape = { dueAt: iso(dueMs), dueTimestamp: dueMs, purpose, recordId };
  return isBackground ? { ...shape, isBackground } : shape;
}

function itemText(item: AgendaItem | undefined): string {
  return item === undefined ? "nothing" : `${item.purpose} of ${item.recordId} at ${iso(item.dueMs)}`;
}
