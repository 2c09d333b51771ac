import type { ValueTree } from "../../core/narration/app-state.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { stateDifference } from "../../findings/state-difference.ts";

/** After so many requests and timers, the app's state is not read any more: it may be large. */
const MOST_LOOKS = 50;

/**
 * Notices in one world whether the subject works on after it has answered a request: it asks the REST API, or its state
 * changes, also in timers that it set while it handled the request. What it leaves behind besides, such as a timer that
 * limits an answer, or a line of a log, does not count.
 */
export class LateWork {
  isSeen = false;
  /** Whether what runs now follows from a request. */
  private isOfRequest = false;
  /** How many requests to the REST API were over when the subject had returned. */
  private overWhenReturned: number | undefined;
  /** The app's state then. */
  private state: ValueTree | undefined;
  private looks = 0;

  /** @param stateNow returns the app's state; undefined if it is not to be looked at */
  constructor(
    private readonly simulator: Simulator,
    private readonly stateNow: (() => ValueTree | undefined) | undefined,
  ) {
    simulator.services.engine.work.onReturn = () => this.noteReturn();
  }

  /** Whether a timer that is set now follows from a request. */
  get isTimerOfRequest(): boolean {
    return this.isOfRequest;
  }

  /** Called when the subject receives a request. */
  requestReceived(): void {
    this.isOfRequest = true;
  }

  /** Called before a timer of the subject runs. @param isOfRequest whether it follows from a request */
  timerRuns(isOfRequest: boolean): void {
    this.isOfRequest = isOfRequest;
    if (this.isWatching) this.noteState();
  }

  /** Called after each item, when the subject has done what it can do without time. */
  itemDone(): void {
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

  /** Whether the subject has answered what it does now, so that nobody sends that again. */
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
