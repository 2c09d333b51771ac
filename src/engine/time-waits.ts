import type { Promised, TimeMark } from "./promised.ts";
import { untilStill } from "./quiet.ts";

/** The timers of an app that shares virtual time. */
export interface AppTimers {
  /** Those that are due once. */
  list(): readonly object[];
}

/**
 * What only the passing of virtual time brings: callbacks of `sim.schedule`, answers that are held back, the fake timers of
 * an app. A handler that began to wait for one, and does nothing else any more, is not waited for: time goes on, and the
 * handler with it.
 */
export class TimeWaits {
  private serial = 0;
  private readonly open = new Map<object, number>();
  private readonly hearing = new Set<() => void>();
  /** Requests to the REST API that are being answered: whoever asked waits for no time. */
  private answering = 0;
  /** Set where an app with fake timers shares virtual time. */
  app: AppTimers | undefined;
  /** Resolves when whoever does not wait for virtual time has gone on. */
  grace: () => Promise<void> = untilStill;

  /** @param late those whom time does not wait for: whoever is asked meanwhile may wait for one of them */
  constructor(private readonly late: () => readonly Promised[]) {}

  /** Someone begins to wait for something. */
  begin(what: object): void {
    this.open.set(what, ++this.serial);
    this.tell();
  }

  /** It is there, or nobody waits for it any more. */
  end(what: object): void {
    this.open.delete(what);
  }

  /** A request to the REST API is being answered. @returns what ends that */
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
    return { serial: this.serial, timers: this.app && new Set(this.app.list()) };
  }

  /** Something that a promise waited for is there, or will not come. */
  hasWoken({ isReal, waitsFor }: Promised): boolean {
    if (isReal || waitsFor.size === 0) return false;
    const timers = new Set(this.app?.list());
    return [...waitsFor].some((each) => !this.open.has(each) && !timers.has(each));
  }

  /** Resolves when a promise is there, or, with true, when it waits for virtual time. */
  async isBound(promised: Promised): Promise<boolean> {
    while (promised.reply === undefined) {
      if (this.app === undefined) await this.settledOrHeard(promised);
      if (promised.reply !== undefined) break;
      await Promise.race([promised.settling, this.grace()]);
      if (promised.reply !== undefined) break;
      const waitsFor = this.answering > 0 ? undefined : this.begunBy(promised);
      if (waitsFor === undefined || waitsFor.size === 0) continue;
      promised.waitsFor = waitsFor;
      return true;
    }
    return false;
  }

  /**
   * What is open of what a promise waited for, and of what anyone began to wait for since it was asked; without any, what
   * others wait for whom it may wait for.
   */
  private begunBy({ mark, waitsFor }: Promised): ReadonlySet<object> {
    const begun = new Set<object>();
    for (const [what, serial] of this.open) if (serial > mark.serial || waitsFor.has(what)) begun.add(what);
    for (const timer of this.app?.list() ?? [])
      if (mark.timers?.has(timer) !== true || waitsFor.has(timer)) begun.add(timer);
    return begun.size > 0 ? begun : new Set(this.late().flatMap((each) => [...each.waitsFor]));
  }

  private async settledOrHeard({ settling, mark, waitsFor }: Promised): Promise<void> {
    const isNews = this.serial > mark.serial || waitsFor.size > 0 || this.late().length > 0;
    if (isNews && this.answering === 0) return;
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    this.hearing.add(hear);
    await Promise.race([settling, heard]);
    this.hearing.delete(hear);
  }

  private tell(): void {
    for (const hear of this.hearing) hear();
  }
}
