import type { LateAnswers } from "./late-answers.ts";
import type { Probes } from "./probe.ts";
import type { Promised, TimeMark } from "./promised.ts";
import { untilStill } from "./quiet.ts";

/**
 * Keeps what waits for virtual time to pass: for a callback of `sim.schedule`, a held answer or an app's fake timer. If a
 * handler waits only for one of these, the run does not wait for the handler: time goes on, and so does the handler.
 */
export class TimeWaits {
  private serial = 0;
  private readonly open = new Map<object, number>();
  private readonly observers = new Set<() => void>();
  /** How many requests to the REST API are being answered. Their senders do not wait for virtual time. */
  private answering = 0;
  /** How many ask that no time passes. */
  private standing = 0;

  /** @param late promises that time does not wait for; a handler asked meanwhile may wait for one of them */
  constructor(
    private readonly late: LateAnswers,
    private readonly probes: Probes,
  ) {}

  /** Whether an app with fake timers shares virtual time. */
  get isShared(): boolean {
    return this.probes.current?.appTimers !== undefined;
  }

  /** Whether anything waits for virtual time. */
  get isAwaited(): boolean {
    return this.open.size > 0 || this.appTimers.length > 0;
  }

  /** Notes that a wait began. @param what is awaited */
  begin(what: object): void {
    this.open.set(what, ++this.serial);
    this.notifyAll();
  }

  /** Notes that a wait is over or cancelled. */
  end(what: object): void {
    this.open.delete(what);
  }

  /** Notes that a request to the REST API is being answered. @returns a function that ends this */
  answer(): () => void {
    this.answering++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.answering--;
      this.notifyAll();
    };
  }

  /** Whether somebody asks that no time passes. */
  get standsStill(): boolean {
    return this.standing > 0;
  }

  /** Lets no time pass, whatever the open handlers wait for. @returns a function that ends this */
  standStill(): () => void {
    const letPass = this.answer();
    this.standing++;
    return () => {
      this.standing--;
      letPass();
    };
  }

  mark(): TimeMark {
    const timers = this.probes.current?.appTimers?.();
    return { serial: this.serial, timers: timers && new Set(timers) };
  }

  /** Whether anything that a promise waited for has arrived or was cancelled. */
  hasWoken({ isReal, waitsFor }: Promised): boolean {
    if (isReal || waitsFor.size === 0) return false;
    const timers = new Set(this.appTimers);
    return [...waitsFor].some((each) => !this.open.has(each) && !timers.has(each));
  }

  /** Resolves when a promise settles or waits for virtual time. */
  async untilSettledOrWaiting(promised: Promised): Promise<void> {
    while (promised.reply === undefined) {
      if (!this.isShared && !this.isNews(promised)) await this.untilSettledOrNotified(promised);
      if (promised.reply !== undefined) break;
      await Promise.race([promised.settling, this.untilStill()]);
      if (promised.reply !== undefined) break;
      const waitsFor = this.answering > 0 ? undefined : this.waitsSince(promised);
      if (waitsFor === undefined || waitsFor.size === 0) continue;
      promised.waitsFor = waitsFor;
      return;
    }
  }

  /**
   * The open waits that a promise had, or that began since its function was called. If there are none, those of the late
   * promises for which it may wait.
   */
  private waitsSince({ mark, waitsFor }: Promised): ReadonlySet<object> {
    const waits = new Set<object>();
    for (const [what, serial] of this.open) if (serial > mark.serial || waitsFor.has(what)) waits.add(what);
    for (const timer of this.appTimers)
      if (mark.timers?.has(timer) !== true || waitsFor.has(timer)) waits.add(timer);
    return waits.size > 0 ? waits : new Set(this.stillWaiting.flatMap((each) => [...each.waitsFor]));
  }

  /** Whether a promise may wait for virtual time already. */
  private isNews({ mark, waitsFor }: Promised): boolean {
    if (this.answering > 0) return false;
    return this.serial > mark.serial || waitsFor.size > 0 || this.stillWaiting.length > 0;
  }

  private untilSettledOrNotified({ settling }: Promised): Promise<void> {
    // not by a race, which makes more promises: each takes time where hooks follow it
    return new Promise((resolve) => {
      const notify = () => {
        this.observers.delete(notify);
        resolve();
      };
      this.observers.add(notify);
      void settling.then(notify);
    });
  }

  /** The one-shot timers of an app that shares virtual time. */
  private get appTimers(): readonly object[] {
    return this.probes.current?.appTimers?.() ?? [];
  }

  /** Gives code that does not wait for virtual time a chance to go on. */
  private untilStill(): Promise<void> {
    return this.probes.current?.untilStill?.() ?? untilStill();
  }

  /** The late promises that still wait. */
  private get stillWaiting(): readonly Promised[] {
    return this.late.open.filter((each) => !this.hasWoken(each));
  }

  private notifyAll(): void {
    for (const notify of this.observers) notify();
  }
}
