import type { Deviation, ReachedPoint } from "../engine/choices.ts";
import { isPromise } from "../engine/values.ts";
import type { Simulator } from "../simulator.ts";
import { RUN_UNTIL_IDLE_MS } from "../virtual-time.ts";
import { type Broken, wordsOf } from "./failure.ts";
import type { ScriptPosition } from "./script.ts";

/** A subject that can be copied. */
interface Forkable<T> {
  /** Returns the copy, with its routes on this simulator; undefined while it cannot be copied. */
  fork(simulator: Simulator): T | undefined;
}

/** A world between two steps, kept so that others go on from copies of it. It never goes on itself. */
export interface Standing<T> {
  readonly simulator: Simulator;
  readonly subject: T;
  /** The subject's data. It must not change, since nothing runs the subject. */
  readonly data: string;
  /** Whether the copy's data differ from those of the subject that was copied. */
  readonly isAltered: boolean;
  readonly position: ScriptPosition;
  /** What comes next, in words. */
  readonly before: string;
  /** For each deviation that is planned, its index among all of the run. */
  readonly indices: readonly number[];
  readonly progress: Progress;
  /** The states and transitions of machines that were reached. */
  readonly reached: readonly number[];
  /** Whether a property read what may differ in worlds in which the subject sees the same. */
  readonly isRead: boolean;
  /** How many answers of the REST API the subject got. */
  readonly given: number;
}

/**
 * Learns which places need not be kept: where no choice point followed the first time, usually none follows later. If one
 * does, worlds go on from the place before.
 */
export class Prospects {
  private readonly known = new Map<string, boolean>();

  /** Whether to keep a world at a place. @param before what comes next there */
  areGood(before: string): boolean {
    return this.known.get(before) !== false;
  }

  /** @param isUseful whether worlds can go on from there */
  learn({ before }: Standing<unknown>, isUseful: boolean): void {
    this.known.set(before, isUseful || this.known.get(before) === true);
  }
}

/** What a world has come to. */
export class Progress {
  readonly points: ReachedPoint[] = [];
  /** The steps of the scenario that the run did not allow. */
  readonly skipped: number[] = [];
  readonly held = new Set<string>();
  readonly failures = new Map<string, Broken>();
  /** How many requests and callbacks the subject has received. */
  count = 0;
  checkedCount = 0;
  /** The count when the properties of `settled` were last checked. */
  settledCount = 0;
  requests = 0;
  steps = 0;
  /** When the script's next step is played. */
  nextStepMs = Number.NEGATIVE_INFINITY;
  /** When the run must be idle, once the script is over. */
  private idleByMs: number | undefined;

  /** How long the run may take from now on until it is idle, ms. */
  untilIdle(nowMs: number): number {
    this.idleByMs ??= nowMs + RUN_UNTIL_IDLE_MS;
    return this.idleByMs - nowMs;
  }

  copy(): Progress {
    const copy = new Progress();
    copy.points.push(...this.points);
    copy.skipped.push(...this.skipped);
    for (const name of this.held) copy.held.add(name);
    for (const [property, broken] of this.failures) copy.failures.set(property, broken);
    copy.count = this.count;
    copy.checkedCount = this.checkedCount;
    copy.settledCount = this.settledCount;
    copy.requests = this.requests;
    copy.steps = this.steps;
    copy.nextStepMs = this.nextStepMs;
    copy.idleByMs = this.idleByMs;
    return copy;
  }
}

/** How a copy of a subject does not go on as the subject does. Plain data. */
export interface Differing {
  readonly message: string;
  /** The deviations of the world in which it shows. */
  readonly deviations: readonly Deviation[];
  /** Whether the subject itself goes on alike each time. */
  readonly isSteady: boolean;
}

/** Thrown when a copy of a subject does not go on as the subject does. No world of a copy is to be believed then. */
export class CopyDiffers extends Error {
  override readonly name = "CopyDiffers";

  constructor(readonly differing: Differing) {
    super(differing.message);
  }
}

/** Whether a subject can be copied. */
export function canFork<T>(subject: T, simulator: Simulator): subject is T & Forkable<T> {
  if ((typeof subject !== "object" && typeof subject !== "function") || subject === null) return false;
  // a simulator as the subject forks itself, and not onto another one
  return (subject as unknown) !== simulator && typeof (subject as Partial<Forkable<T>>).fork === "function";
}

/**
 * Copies a subject onto a simulator. Returns undefined while it cannot be copied.
 * @throws {CopyDiffers} if its `fork` throws, or returns something else
 */
export function copyOf<T>(
  subject: T & Forkable<T>,
  simulator: Simulator,
  deviations: readonly Deviation[],
): T | undefined {
  const refuse = (message: string) => new CopyDiffers({ message, deviations, isSteady: true });
  let copy: T | undefined;
  try {
    copy = subject.fork(simulator);
  } catch (error) {
    throw refuse(`fork(simulator) throws: ${wordsOf(error)}`);
  }
  if (isPromise(copy)) throw refuse("fork(simulator) returns a promise: it must return the copy at once");
  if ((copy as unknown) === subject) throw refuse("fork(simulator) returns the subject itself, not a copy");
  return copy;
}
