import { beginAtCaller, callerOf } from "../foundation/caller.ts";
import { CommandError, RunawayError } from "../foundation/errors.ts";
import { iso } from "../foundation/instants.ts";
import type { JournalEnd } from "./journal.ts";

/** How many steps may lead to each other at one instant. More count as an endless loop. */
const CAUSAL_LIMIT = 10_000;

/** The position of a run, shared by all parts of its engine. */
export class RunState {
  /** True while a step changes state. No other step may begin. */
  isStepping = false;
  /** Names the handler or endpoint that is being called, while one is. */
  calling: (() => string) | undefined;
  /** How many steps of this instant led to the current one. */
  depth = 0;
  isDisposed = false;
  /** Whether the run is over, but refuses nothing. */
  isAbandoned = false;

  /**
   * @param nowMs virtual time, ms since the epoch
   * @param stepsRun how many items of the agenda have run
   */
  constructor(
    public nowMs: number,
    public stepsRun: number,
  ) {}

  get position(): JournalEnd {
    return { atMs: this.nowMs, step: this.stepsRun };
  }

  /**
   * Notes that the consumer's code is called: a handler of events or an endpoint, which may issue commands.
   * @param calling names the handler or endpoint
   * @param depth how many steps of this instant led to it
   */
  enter(calling: () => string, depth: number): void {
    this.calling = calling;
    this.depth = depth;
  }

  /** Notes that the consumer's code has returned, perhaps with a promise, or thrown. */
  leave(): void {
    this.calling = undefined;
    this.depth = 0;
  }

  /** Sets the clock, unless a listener has disposed of the simulator. */
  setClock(atMs: number): void {
    if (!this.isDisposed) this.nowMs = atMs;
  }

  assertOpen(): void {
    if (this.isDisposed && !this.isAbandoned)
      throw new CommandError("disposed", "this simulator was disposed: create another");
  }

  /**
   * @param count how many steps led to each other at this instant
   * @param describe the last of them, in words
   * @throws {RunawayError} if there are so many that they count as an endless loop
   */
  mustEnd(count: number, describe: () => string): void {
    if (count <= CAUSAL_LIMIT) return;
    const caller = callerOf(beginAtCaller(new Error()).stack);
    throw new RunawayError(
      `stopped a loop: ${CAUSAL_LIMIT} steps led to each other at ${iso(this.nowMs)} without time passing, the last being ${describe()}${caller ? `, called from ${caller}` : ""}. Look for a handler that causes what it reacts to`,
    );
  }
}
