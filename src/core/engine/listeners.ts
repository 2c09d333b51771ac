import type { AppWork } from "./app-work.ts";
import type { Appended, EventLog, Returned } from "./event-log.ts";
import { Promised, type TimeMark } from "./promised.ts";
import type { RegistrationLines } from "./registration-lines.ts";
import type { RunState } from "./run-state.ts";
import type { TimeWaits } from "./time-waits.ts";
import type { Waits } from "./waits.ts";

interface Parts {
  readonly run: RunState;
  readonly log: EventLog;
  readonly registrationLines: RegistrationLines;
  readonly timeWaits: TimeWaits;
  readonly work: AppWork;
}

/** Calls the handlers of events, which may issue commands. */
export class Listeners {
  /** What handlers and callbacks returned during an asynchronous run, awaited before the next item. */
  private promises: Promised[] | undefined;
  /** The type of the event that is being delivered. */
  private currentType = "";

  constructor(private readonly parts: Parts) {}

  /** Keeps what handlers and callbacks return, from the start of an asynchronous run to its end. */
  keepPromises(isKept: boolean): void {
    this.promises = isKept ? [] : undefined;
  }

  /** Whether the run is asynchronous. */
  get keepsPromises(): boolean {
    return this.promises !== undefined;
  }

  /** Whether any handler or callback returned a promise. */
  get areAwaited(): boolean {
    return this.promises !== undefined && this.promises.length > 0;
  }

  /** Keeps the promise of a handler or a callback, if the run is asynchronous. */
  keep(promise: unknown, describe: () => string, mark: TimeMark, isReal = false): void {
    this.promises?.push(new Promised(promise, describe, mark, isReal));
  }

  /**
   * Delivers the events that listeners have not received.
   * @param thrown collects what the handlers throw
   */
  deliverEvents(thrown: unknown[]): void {
    const { run, log } = this.parts;
    if (run.calling !== undefined || !log.hasUndelivered) return;
    if (log.hasListeners) this.parts.work.stir();
    run.enter(this.describeCurrent, 0);
    try {
      for (let next = log.takeUndelivered(); next !== undefined; next = log.takeUndelivered()) {
        run.depth = next.depth;
        this.currentType = next.event.type;
        if (this.promises === undefined) log.deliver(next.event, undefined, thrown);
        else this.deliverAndKeep(next.event, thrown);
      }
    } finally {
      run.leave();
    }
  }

  private deliverAndKeep(event: Appended, thrown: unknown[]): void {
    const { log, timeWaits } = this.parts;
    const mark = timeWaits.mark();
    const returned: Returned[] = [];
    log.deliver(event, returned, thrown);
    for (const { value, handler } of returned)
      this.keep(value, () => this.describeHandler(event.type, handler), mark);
  }

  /**
   * Awaits what handlers and callbacks returned, and what handlers of their commands returned, until nothing is left.
   * @param continueWithout is called with a promise that waits for virtual time
   * @returns what they were rejected with
   */
  async settle(waits: Waits, continueWithout: (promised: Promised) => void): Promise<unknown[]> {
    const rejected: unknown[] = [];
    for (let round = 0; this.promises !== undefined && this.promises.length > 0; round++) {
      this.parts.run.mustEnd(round, () => "the asynchronous listeners of events");
      const all = this.promises.splice(0);
      await Promise.all(all.map((each) => waits.untilSettled(each)));
      for (const each of all) {
        if (each.reply === undefined) continueWithout(each);
        else if ("thrown" in each.reply) rejected.push(each.reply.thrown);
      }
    }
    return rejected;
  }

  /**
   * Names the handler that is being called. A field: V8 puts a function expression that is assigned to another object's
   * field among old objects, which would keep the run in memory until those are collected.
   */
  private readonly describeCurrent = () =>
    this.describeHandler(this.currentType, this.parts.log.currentHandler);

  private describeHandler(type: string, handler: object | undefined): string {
    return `the handler of ${type}${this.parts.registrationLines.lineOf(handler)}`;
  }
}
