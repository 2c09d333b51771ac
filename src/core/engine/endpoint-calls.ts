import { needsAsync } from "../foundation/errors.ts";
import { isPromise } from "../foundation/values.ts";
import type { Agenda, AgendaItem } from "./agenda.ts";
import type { AppWork } from "./app-work.ts";
import type { AsyncRun } from "./async-run.ts";
import type { Deviations } from "./deviations.ts";
import { type EndpointPort, MAX_TOGETHER } from "./endpoint-port.ts";
import { Promised, type Reply, type TimedReply, type TimeMark } from "./promised.ts";
import { untilNoMicrotask } from "./quiet.ts";
import type { RunState } from "./run-state.ts";
import type { TimeWaits } from "./time-waits.ts";
import type { Waits } from "./waits.ts";

/** The parts of the engine that calling endpoints needs. */
interface Parts {
  readonly run: RunState;
  readonly agenda: Agenda;
  readonly deviations: Deviations;
  readonly timeWaits: TimeWaits;
  readonly work: AppWork;
  endpoints(): EndpointPort;
}

/** Calls the endpoints of agenda items: one at a time, together, or while time goes on. */
export class EndpointCalls {
  /** Whether virtual time follows the wall clock. It then goes on while real endpoints answer. */
  isRealTime = false;
  /** Promises of endpoints whose items have not run, by the item's serial. */
  private readonly promised = new Map<
    number,
    { readonly promise: Promise<unknown>; readonly mark: TimeMark }
  >();

  /** The requests that could have been called while another was under way, by their items' serials. Each is one point. */
  private readonly offered = new Set<number>();

  constructor(
    private readonly parts: Parts,
    private readonly waits: Waits,
    private readonly asyncRun: AsyncRun,
  ) {}

  private get endpoints(): EndpointPort {
    return this.parts.endpoints();
  }

  /** Whether an endpoint was called whose item has not run. */
  get isAhead(): boolean {
    return this.promised.size > 0;
  }

  /** Whether an item calls an endpoint. */
  callsEndpoint(item: AgendaItem | undefined): item is AgendaItem {
    return item?.task === this.endpoints.task;
  }

  /**
   * Calls the endpoint of an item. Returns what the endpoint threw, to be thrown after the item has run.
   * @throws {CommandError} `not_allowed` if it returns a promise; the item is still due
   */
  callOut(item: AgendaItem): unknown[] {
    const answer = this.ask(item, false);
    if (!isPromised(answer)) return this.takeAnswer(item, answer);
    this.keepPromise(item, answer.answer, answer.mark);
    throw needsAsync(
      `${item.purpose}: the endpoint answers with a promise`,
      "nothing is lost, the request is still due",
    );
  }

  /** Like `callOut`, awaiting the endpoint's promise, unless time follows the wall clock or the promise waits for virtual time. */
  callOutAsync(item: AgendaItem): unknown[] | Promise<unknown[]> {
    if (this.isRealTime && this.endpoints.isConcurrent?.(item) === true) return this.callOutMeanwhile(item);
    const isFirst = !this.promised.has(item.serial);
    const answer = this.ask(item, true);
    if (isFirst) this.askTogether(item);
    return isPromised(answer) ? this.untilAnswered(item, answer) : this.takeAnswer(item, answer);
  }

  private async untilAnswered(item: AgendaItem, answer: PromisedReply): Promise<unknown[]> {
    const isReal = this.endpoints.isConcurrent?.(item) === true;
    const promised = new Promised(answer.answer, this.describeCall(item), answer.mark, isReal);
    if (this.parts.deviations.isActive && !this.promised.has(item.serial))
      await this.askAhead(item, promised);
    this.promised.delete(item.serial);
    await this.waits.untilSettled(promised);
    if (promised.reply !== undefined) return this.takeAnswer(item, promised.reply);
    return this.leaveForLater(item, promised);
  }

  /** Lets the endpoint answer while time goes on. */
  private leaveForLater(item: AgendaItem, promised: Promised): unknown[] {
    if (this.parts.run.isDisposed) return [];
    this.asyncRun.continueWithout(promised, this.endpoints.keyOf(item));
    this.endpoints.acceptAnswer(item, "later");
    return [];
  }

  private keepPromise(item: AgendaItem, answer: PromiseLike<unknown>, mark: TimeMark): void {
    const promise = Promise.resolve(answer);
    promise.catch(() => {}); // handled where the promise is awaited, when its item runs
    this.promised.set(item.serial, { promise, mark });
  }

  /** Calls a real endpoint without waiting. It answers while time goes on. */
  private callOutMeanwhile(item: AgendaItem): unknown[] {
    const answer = this.ask(item, true);
    if (!isPromised(answer)) return this.takeAnswer(item, answer);
    this.promised.delete(item.serial);
    return this.leaveForLater(item, new Promised(answer.answer, this.describeCall(item), answer.mark, true));
  }

  /**
   * Calls the endpoints of the other items of this instant at the same time, where that is allowed. Each answer is taken
   * when its item runs, so the order of the run does not depend on which endpoint is fast.
   */
  private askTogether(item: AgendaItem): void {
    const { endpoints } = this;
    if (endpoints.isConcurrent?.(item) !== true) return;
    for (const other of this.parts.agenda.dueAt(item.dueMs).slice(0, MAX_TOGETHER)) {
      if (!this.callsEndpoint(other) || this.promised.has(other.serial)) continue;
      if (other.serial === item.serial || !endpoints.isConcurrent(other)) continue;
      const answer = this.ask(other, true);
      if (answer === undefined || "thrown" in answer) continue;
      this.keepPromise(other, Promise.resolve(answer.answer), answer.mark);
    }
  }

  /**
   * Calls the endpoint of the next request while this one is still being handled, if a deviation says so. It is called at
   * once, before what the first handler waits for can happen. Its answer is taken when its own item runs.
   */
  private askAhead(busyWith: AgendaItem, promised: Promised): Promise<void> {
    const handlers = [promised];
    return this.askThoseBehind(
      busyWith,
      () => this.areBusy(handlers),
      (next) => handlers.push(next),
    );
  }

  /**
   * Calls the endpoint of the next request while the app still works on one that it has answered, if a deviation says so. A
   * server would take it then.
   */
  async askDuringWork(): Promise<void> {
    if (!this.parts.deviations.isActive) return;
    await this.askThoseBehind(
      undefined,
      () => this.parts.work.isUnderWay(),
      () => {},
    );
  }

  /**
   * @param item the one before the first that may be asked; undefined for one that has run
   * @param isBusy whether the app waits for more than microtasks
   * @param asked told of each handler that is called
   */
  private async askThoseBehind(
    item: AgendaItem | undefined,
    isBusy: () => Promise<boolean>,
    asked: (handler: Promised) => unknown,
  ): Promise<void> {
    for (let after = item; ; ) {
      const next = this.requestBehind(after);
      const isNew = next !== undefined && !this.promised.has(next.serial) && !this.offered.has(next.serial);
      const point = isNew ? this.endpoints.overlapOf(next) : undefined;
      if (next === undefined || point === undefined) return;
      if (!(await isBusy()) || this.parts.run.isDisposed) return;
      if (this.requestBehind(after) !== next) return; // a handler cancelled it
      this.offered.add(next.serial);
      if (this.parts.deviations.deviationAt(point, overlapping) === undefined) return;
      const answer = this.ask(next, true);
      if (answer === undefined) return;
      const promise = "thrown" in answer ? Promise.reject(answer.thrown) : Promise.resolve(answer.answer);
      this.keepPromise(next, promise, answer.mark);
      asked(new Promised(promise, this.describeCall(next), answer.mark, false));
      after = next;
    }
  }

  /** The item after another of this instant, or the first if there is none before it, if it calls an endpoint. */
  private requestBehind(item: AgendaItem | undefined): AgendaItem | undefined {
    const items = this.parts.agenda.ties();
    const next = items[item === undefined ? 0 : items.indexOf(item) + 1];
    // the work that a request would overlap takes no virtual time
    const isDue = next !== undefined && next.dueMs <= this.parts.run.nowMs;
    return isDue && this.callsEndpoint(next) ? next : undefined;
  }

  /** Whether one of the handlers waits for more than microtasks, so that a server could take another request now. */
  private async areBusy(handlers: readonly Promised[]): Promise<boolean> {
    const isOver = () => handlers.every(({ reply }) => reply !== undefined);
    await untilNoMicrotask(isOver);
    return !isOver();
  }

  /** Calls the endpoint, unless it was called before. */
  private ask(item: AgendaItem, canWait: boolean): TimedReply | undefined {
    const { run, timeWaits, work } = this.parts;
    run.setClock(item.dueMs);
    const promised = this.promised.get(item.serial);
    if (promised !== undefined) return { answer: promised.promise, mark: promised.mark };
    const endpoint = this.endpoints.findAnswerer(item, canWait);
    if (endpoint === undefined) return undefined;
    run.enter(this.describeCall(item), item.depth);
    const mark = timeWaits.mark();
    work.stir();
    try {
      return { answer: endpoint(), mark };
    } catch (thrown) {
      return { thrown, mark };
    } finally {
      run.leave();
    }
  }

  private takeAnswer(item: AgendaItem, reply: Reply | undefined): unknown[] {
    if (reply === undefined || this.parts.run.isDisposed) return [];
    this.endpoints.acceptAnswer(item, reply);
    return "thrown" in reply ? [reply.thrown] : [];
  }

  private describeCall(item: AgendaItem): () => string {
    return () => this.endpoints.describe(item);
  }
}

interface PromisedReply {
  readonly answer: PromiseLike<unknown>;
  readonly mark: TimeMark;
}

/** Whether an endpoint answered with a promise. */
function isPromised(reply: TimedReply | undefined): reply is PromisedReply {
  return reply !== undefined && "answer" in reply && isPromise(reply.answer);
}

const overlapping = Object.freeze([{ is: "overlapping" }]);
