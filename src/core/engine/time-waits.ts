import type { LateAnswers } from "./late-answers.ts";
import type { Probes } from "./probe.ts";
import type { Promised, TimeMark } from "./promised.ts";
import { untilQuiet, untilStill } from "./quiet.ts";

/**
 * Knows who waits for virtual time to pass: for a callback of `sim.schedule`, a held answer or a fake timer
 * of an app. If a handler waits only for one of these, the run does not wait for the handler: time goes on,
 * and so does the handler.
 */
export class TimeWaits {
  private serial = 0;
  private readonly open = new Map<object, number>();
  private readonly hearing = new Set<() => void>();
  /** How many requests to the REST API are being answered. Their senders do not wait for virtual time. */
  private answering = 0;

  /** @param late promises that time does not wait for; a handler asked meanwhile may wait for one of them */
  constructor(
    private readonly late: LateAnswers,
    private readonly probes: Probes,
  ) {}

  /** Whether an app with fake timers shares virtual time. */
  get isShared(): boolean {
    return this.probes.current?.appTimers !== undefined;
  }

  /** Resolves when those who do not wait for virtual time can do nothing more without an answer of the REST API. */
  untilQuiet(): Promise<void> {
    return this.probes.current?.untilQuiet?.() ?? untilQuiet();
  }

  /** Notes that someone began to wait for something. */
  begin(what: object): void {
    this.open.set(what, ++this.serial);
    this.tell();
  }

  /** Notes that it arrived, or that nobody waits for it any more. */
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
      this.tell();
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
  async settledOrBound(promised: Promised): Promise<void> {
    while (promised.reply === undefined) {
      if (!this.isShared) await this.settledOrHeard(promised);
      if (promised.reply !== undefined) break;
      await Promise.race([promised.settling, this.untilStill()]);
      if (promised.reply !== undefined) break;
      const waitsFor = this.answering > 0 ? undefined : this.begunBy(promised);
      if (waitsFor === undefined || waitsFor.size === 0) continue;
      promised.waitsFor = waitsFor;
      return;
    }
  }

  /**
   * Everything still open that a promise waited for or that anyone began to wait for since it was asked. If
   * there is none, the same for the promises that it may wait for.
   */
  private begunBy({ mark, waitsFor }: Promised): ReadonlySet<object> {
    const begun = new Set<object>();
    for (const [what, serial] of this.open) if (serial > mark.serial || waitsFor.has(what)) begun.add(what);
    for (const timer of this.appTimers)
      if (mark.timers?.has(timer) !== true || waitsFor.has(timer)) begun.add(timer);
    return begun.size > 0 ? begun : new Set(this.stillWaiting.flatMap((each) => [...each.waitsFor]));
  }

  private async settledOrHeard({ settling, mark, waitsFor }: Promised): Promise<void> {
    const isNews = this.serial > mark.serial || waitsFor.size > 0 || this.stillWaiting.length > 0;
    if (isNews && this.answering === 0) return;
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    this.hearing.add(hear);
    await Promise.race([settling, heard]);
    this.hearing.delete(hear);
  }

  /** The one-shot timers of an app that shares virtual time. */
  private get appTimers(): readonly object[] {
    return this.probes.current?.appTimers?.() ?? [];
  }

  /** Gives those who do not wait for virtual time a chance to go on. */
  private untilStill(): Promise<void> {
    return this.probes.current?.untilStill?.() ?? untilStill();
  }

  /** The late promises whose wait is not over. */
  private get stillWaiting(): readonly Promised[] {
    return this.late.open.filter((each) => !this.hasWoken(each));
  }

  private tell(): void {
    for (const hear of this.hearing) hear();
  }
}
