import type { ValueTree } from "../../core/narration/app-state.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { stateDifference } from "../../findings/state-difference.ts";
import { isRestartable } from "./explored-app.ts";
import type { Attachment, World } from "./world.ts";
import type { WorldRun } from "./world-run.ts";

/** After so many requests and timers, the app's state is not read any more: it may be large. */
const MOST_LOOKS = 50;

/**
 * Noticed in the world without deviations, and where an app that then asks again later is answered 503: others need not pay.
 * @param stateNow returns the app's state
 */
export function lateWork(
  { planned, setup, simulator, wanted }: World,
  stateNow: () => ValueTree | undefined,
): LateWork | undefined {
  const [only, ...more] = planned;
  const is503 = only?.is === "503" && more.length === 0;
  if (isRestartable(setup) || !(wanted.webhookReads === true || is503)) return undefined;
  return new LateWork(simulator, is503 ? undefined : stateNow);
}

/**
 * Notices in one world whether the app works on after it has answered a request: it asks the REST API, or its state
 * changes, also in timers that it set while it handled the request. What it leaves behind besides, such as a timer that
 * limits an answer, or a line of a log, does not count.
 */
export class LateWork implements Attachment {
  isSeen = false;
  readonly end: () => void;
  /** Whether what runs now follows from a request. */
  private isOfRequest = false;
  /** How many requests to the REST API were over when the app had returned. */
  private overWhenReturned: number | undefined;
  /** The app's state then. */
  private state: ValueTree | undefined;
  private looks = 0;

  /** @param stateNow returns the app's state; undefined if it is not to be looked at */
  constructor(
    private readonly simulator: Simulator,
    private readonly stateNow: (() => ValueTree | undefined) | undefined,
  ) {
    const { probes, work } = simulator.services.engine;
    work.onReturn = () => this.noteReturn();
    this.end = probes.attach({
      endpointAsked: () => this.requestReceived(),
      afterItem: () => this.itemDone(),
    });
  }

  result(): Partial<Pick<WorldRun, "worksLater">> {
    return this.isSeen ? { worksLater: true } : {};
  }

  /** Whether a timer that is set now follows from a request. */
  get isTimerOfRequest(): boolean {
    return this.isOfRequest;
  }

  /** Called when the app receives a request. */
  private requestReceived(): void {
    this.isOfRequest = true;
  }

  /** Called before a timer of the app runs. @param isOfRequest whether it follows from a request */
  timerRuns(isOfRequest: boolean): void {
    this.isOfRequest = isOfRequest;
    if (this.isWatching) this.noteState();
  }

  /** Called after each item, when the app has done what it can do without time. */
  private itemDone(): void {
    const { overWhenReturned, state } = this;
    if (overWhenReturned !== undefined)
      this.isSeen ||=
        this.work.begunRequests > overWhenReturned || (state !== undefined && this.isChanged(state));
    this.isOfRequest = false;
    this.overWhenReturned = undefined;
    this.state = undefined;
  }

  private get work() {
    return this.simulator.services.engine.work;
  }

  /** Whether the app has answered what it does now, so that nobody sends that again. */
  private get isWatching(): boolean {
    return this.isOfRequest && !this.isSeen && !this.simulator.services.engine.loop.isAnsweredAhead;
  }

  private noteReturn(): void {
    if (!this.isWatching || this.overWhenReturned !== undefined) return;
    const { begunRequests, openRequests } = this.work;
    this.overWhenReturned = begunRequests - openRequests;
    if (this.state === undefined) this.noteState();
  }

  private noteState(): void {
    if (this.stateNow === undefined || ++this.looks > MOST_LOOKS) return;
    const state = this.stateNow();
    // one that differs by itself, such as by a random id, tells nothing
    if (state !== undefined && !this.isChanged(state)) this.state = state;
  }

  private isChanged(before: ValueTree): boolean {
    const now = this.stateNow?.();
    return now !== undefined && stateDifference(now, before, undefined) !== undefined;
  }
}
