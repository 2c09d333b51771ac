import { durationText } from "../engine/instants.ts";
import { wallClockMs } from "./real-time.ts";

/** How many worlds may be run, and for how long: `Infinity` where there is no limit. */
export interface Allowance {
  readonly worlds: number;
  /** Wall-clock time from now on, ms. */
  readonly leftMs: number;
}

/** Keeps an allowance. */
export class Budget {
  /** How many worlds were run. */
  worlds = 0;
  private readonly startedMs = wallClockMs();

  constructor(private readonly allowed: Allowance) {}

  /** What is left of it. */
  get left(): Allowance {
    const { worlds, leftMs } = this.allowed;
    return { worlds: worlds - this.worlds, leftMs: leftMs - (wallClockMs() - this.startedMs) };
  }

  /** Why no further world may be run; undefined: one may. */
  whyToStop(): string | undefined {
    if (this.isFull) return `stopped after ${this.allowed.worlds.toLocaleString("en")}, as \`worlds\` says`;
    // most have no such limit, and need not look at the clock
    if (this.allowed.leftMs === Number.POSITIVE_INFINITY || this.left.leftMs > 0) return undefined;
    return `stopped after ${durationText(this.allowed.leftMs)}, as \`for\` says`;
  }

  /** As many worlds were run as may be. */
  get isFull(): boolean {
    return this.worlds >= this.allowed.worlds;
  }
}
