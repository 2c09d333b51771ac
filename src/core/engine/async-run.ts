import { needsAsync, throwAll } from "../foundation/errors.ts";
import type { AgendaItem } from "./agenda.ts";
import { type EndpointPort, MAX_TOGETHER } from "./endpoint-port.ts";
import type { LateAnswers } from "./late-answers.ts";
import type { Promised, TimeMark } from "./promised.ts";
import type { RunState } from "./run-state.ts";
import type { TimeWaits } from "./time-waits.ts";
import type { Waits } from "./waits.ts";

/** The parts of the engine that waiting for endpoints and handlers needs. */
interface Parts {
  readonly run: RunState;
  readonly late: LateAnswers;
  readonly timeWaits: TimeWaits;
  endpoints(): EndpointPort;
  /** The item that runs next; undefined if a callback does, or nothing is scheduled. */
  next(): AgendaItem | undefined;
}

/** Endpoints and handlers that are still busy while time goes on. Decides when time waits for them, and takes their answers. */
export class AsyncRun {
  /** When they were last examined. */
  private mark: TimeMark | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly waits: Waits,
  ) {}

  /** Whether any is still busy. */
  get isOpen(): boolean {
    return this.parts.late.size > 0;
  }

  /**
   * Lets time go on while a promise is open.
   * @param key the request that it answers
   */
  continueWithout(promised: Promised, key?: string): void {
    this.parts.late.add(promised, key);
    this.mark = this.parts.timeWaits.mark();
  }

  /** Lets handlers that waited for virtual time go on until they are done or wait again. Returns what they threw. */
  async settle(): Promise<unknown[]> {
    const { late, timeWaits } = this.parts;
    const woken = late.open.filter((each) => timeWaits.hasWoken(each));
    await Promise.all(
      woken.map((each) => {
        each.mark = this.mark ?? each.mark;
        return this.waits.untilSettled(each);
      }),
    );
    this.mark = timeWaits.mark();
    return this.takeAnswers();
  }

  /** Waits for endpoints that must answer before the next item may run. */
  async untilNextMayRun(): Promise<void> {
    for (;;) {
      const next = this.parts.next();
      const waits = next && this.findBlocker(next);
      if (waits === undefined) return;
      await waits;
      this.takeAnswers();
    }
  }

  /**
   * Waits for the answers of all endpoints that were called before. Used when time is moved by a method after it followed
   * the wall clock.
   */
  async takeAll(): Promise<void> {
    const { late, timeWaits } = this.parts;
    await Promise.all(late.openReal.map((each) => this.waits.untilSettled(each)));
    // the app's timers may have run at a later instant
    throwAll(timeWaits.isShared ? [] : await this.settle());
  }

  /** @throws {CommandError} `not_allowed` if a real endpoint is still being asked */
  mustHaveSettled(): void {
    throwAll(this.takeAnswers());
    this.mustNotHaveWoken();
    const late = this.parts.late.openReal[0];
    if (late !== undefined) throw needsAsync(`${late.describe()} has not answered yet`);
  }

  /** @throws {CommandError} `not_allowed` if a handler has what it waited for and runs again */
  mustNotHaveWoken(): void {
    const woken = this.parts.late.open.find((each) => this.parts.timeWaits.hasWoken(each));
    if (woken !== undefined) throw needsAsync(`${woken.describe()} goes on now`);
  }

  /** Takes the answers that endpoints gave meanwhile. Returns what was thrown. */
  private takeAnswers(): unknown[] {
    const thrown: unknown[] = [];
    for (const { key, reply } of this.parts.late.takeSettled()) {
      if (key !== undefined) this.parts.endpoints().acceptLateAnswer(key, reply);
      if ("thrown" in reply) thrown.push(reply.thrown);
    }
    return thrown;
  }

  /**
   * The endpoint that an item must wait for: its own, if its request reached its time limit, or any, if too many are
   * busy.
   */
  private findBlocker(item: AgendaItem): Promise<unknown> | undefined {
    const { late, run } = this.parts;
    const endpoints = this.parts.endpoints();
    const own = late.get(endpoints.limitOf(item));
    if (own?.isReal === true) {
      run.setClock(item.dueMs);
      return this.waits.untilSettled(own);
    }
    if (item.task !== endpoints.task || late.size < MAX_TOGETHER) return undefined;
    const real = late.openReal;
    return real.length < MAX_TOGETHER ? undefined : Promise.race(real.map(({ settling }) => settling));
  }
}
