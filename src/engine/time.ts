import type { AgendaItem } from "./agenda.ts";
import type { Engine } from "./engine.ts";
import { InputError, type Keys, LimitError } from "./errors.ts";
import type { LoggedEvent } from "./event-log.ts";
import {
  type DurationInput,
  durationText,
  type InstantInput,
  iso,
  LAST_DATE_MS,
  readDurationMs,
  readInstantMs,
} from "./instants.ts";
import type { Stop } from "./time-loop.ts";

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

/** How far `runUntil` and `runUntilIdle` go. */
export interface LimitOptions {
  /** How much virtual time may pass at most. Default: no limit. */
  readonly within?: DurationInput;
}

type Matches<Event> = (event: Event) => boolean;

const RUN_UNTIL_MS = 7 * 86_400_000;
const RUN_UNTIL_IDLE_MS = 400 * 86_400_000;

/** The parts of the engine that move time, for any machines. */
type Clockwork = Pick<Engine, "log" | "loop" | "now">;

/** The time methods of a simulator. Virtual time passes only when one of them is called. */
export class VirtualTime<Event extends LoggedEvent> {
  constructor(
    private readonly engine: Clockwork,
    private readonly eventsSince: (total: number) => Event[],
  ) {}

  advance(duration: DurationInput): void {
    this.engine.loop.runTo(this.after(duration));
  }

  async advanceAsync(duration: DurationInput): Promise<void> {
    await this.engine.loop.runToAsync(this.after(duration));
  }

  advanceTo(instant: InstantInput): void {
    this.engine.loop.runTo(this.future(instant));
  }

  async advanceToAsync(instant: InstantInput): Promise<void> {
    await this.engine.loop.runToAsync(this.future(instant));
  }

  runUntil(wanted: string | Matches<Event>, options: LimitOptions = {}): Event {
    const watch = this.watchFor(wanted, options);
    try {
      return watch.found(this.engine.loop.runWhile(watch.limitMs, watch.shouldContinue));
    } finally {
      watch.end();
    }
  }

  async runUntilAsync(wanted: string | Matches<Event>, options: LimitOptions = {}): Promise<Event> {
    const watch = this.watchFor(wanted, options);
    try {
      return watch.found(await this.engine.loop.runWhileAsync(watch.limitMs, watch.shouldContinue));
    } finally {
      watch.end();
    }
  }

  runUntilIdle(options: LimitOptions = {}): void {
    const limitMs = this.limit(options, RUN_UNTIL_IDLE_MS);
    this.mustBeIdle(
      this.engine.loop.runWhile(limitMs, () => !this.engine.loop.isIdle),
      limitMs,
    );
  }

  async runUntilIdleAsync(options: LimitOptions = {}): Promise<void> {
    const limitMs = this.limit(options, RUN_UNTIL_IDLE_MS);
    this.mustBeIdle(await this.engine.loop.runWhileAsync(limitMs, () => !this.engine.loop.isIdle), limitMs);
  }

  step(): PendingItem | undefined {
    return shown(this.engine.loop.step());
  }

  async stepAsync(): Promise<PendingItem | undefined> {
    return shown(await this.engine.loop.stepAsync());
  }

  pending(): PendingItem[] {
    return this.engine.loop.pending().map((item) => shown(item));
  }

  /** Calls back after a duration. @returns a function that cancels this */
  schedule(duration: DurationInput, callback: () => unknown): () => void {
    return this.engine.loop.callBack(this.read(duration, ["schedule"]), callback);
  }

  private after(duration: DurationInput): number {
    return this.engine.now + this.read(duration, ["advance"]);
  }

  /** Reads a duration. Refuses one that leads beyond the last date before anything has changed. */
  private read(duration: DurationInput, keys: Keys): number {
    return readDurationMs(duration, keys, LAST_DATE_MS - this.engine.now);
  }

  private future(instant: InstantInput): number {
    const ms = readInstantMs(instant, ["advanceTo"]);
    if (ms < this.engine.now)
      throw new InputError(
        ["advanceTo"],
        `${iso(ms)} is in the past: it is ${iso(this.engine.now)}, and time never goes backwards`,
      );
    return ms;
  }

  private limit({ within }: LimitOptions, usualMs: number): number {
    const ms = within === undefined ? usualMs : this.read(within, ["within"]);
    return Math.min(this.engine.now + ms, LAST_DATE_MS);
  }

  private watchFor(wanted: string | Matches<Event>, options: LimitOptions) {
    const startMs = this.engine.now;
    const limitMs = this.limit(options, RUN_UNTIL_MS);
    const matches = typeof wanted === "string" ? (event: Event) => event.type === wanted : wanted;
    const startTotal = this.engine.log.total;
    let fresh: Event[] = [];
    let match: Event | undefined;
    // followed one by one: `retain` may drop the first events of a step before its end
    const end = this.engine.log.follow((event) => fresh.push(event as Event));
    return {
      limitMs,
      end,
      shouldContinue: () => {
        match ??= fresh.find(matches);
        fresh = [];
        return match === undefined;
      },
      found: (outcome: Stop): Event => {
        if (match !== undefined) return match;
        const what = typeof wanted === "string" ? `no ${wanted}` : "no matching event";
        const why =
          outcome === "idle"
            ? "nothing more is scheduled"
            : `none came within ${durationText(limitMs - startMs)}; next is ${describe(this.engine.loop.pending()[0])}`;
        const happened = this.eventsSince(startTotal).map((event) => `  ${event.createdAt} ${event.type}`);
        throw new LimitError(
          `runUntil: ${what}: ${why}. ${happened.length > 0 ? `What did happen:\n${happened.join("\n")}` : "Nothing happened meanwhile."}`,
        );
      },
    };
  }

  private mustBeIdle(outcome: Stop, limitMs: number): void {
    if (outcome !== "limit") return;
    const purposes = new Map<string, number>();
    for (const { purpose, recordId, isBackground } of this.engine.loop.pending()) {
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

function shown(item: AgendaItem): PendingItem;
function shown(item: AgendaItem | undefined): PendingItem | undefined;
function shown(item: AgendaItem | undefined): PendingItem | undefined {
  if (item === undefined) return undefined;
  const { dueMs, purpose, recordId, isBackground } = item;
  const shape = { dueAt: iso(dueMs), dueTimestamp: dueMs, purpose, recordId };
  return isBackground ? { ...shape, isBackground } : shape;
}

function describe(item: AgendaItem | undefined): string {
  return item === undefined ? "nothing" : `${item.purpose} of ${item.recordId} at ${iso(item.dueMs)}`;
}
