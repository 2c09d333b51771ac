import { durationText } from "../engine/instants.ts";
import { realTimeMs } from "./real-time.ts";

/** How many worlds may be run, and for how long. `Infinity` means no limit. */
export interface Allowance {
  readonly worlds: number;
  /** Wall-clock time that is left, ms. */
  readonly leftMs: number;
}

/** Keeps track of an allowance. */
export class Budget {
  /** How many worlds have been run. */
  worlds = 0;
  private readonly startedMs = realTimeMs();

  constructor(private readonly allowed: Allowance) {}

  /** The part of the allowance that is left. */
  get left(): Allowance {
    const { worlds, leftMs } = this.allowed;
    return { worlds: worlds - this.worlds, leftMs: leftMs - (realTimeMs() - this.startedMs) };
  }

  /** Why no further world may be run; undefined if one may. */
  whyToStop(): string | undefined {
    if (this.isFull) return `stopped after ${this.allowed.worlds.toLocaleString("en")}, as \`worlds\` says`;
    // most explorations have no time limit and need not read the clock
    if (this.allowed.leftMs === Number.POSITIVE_INFINITY || this.left.leftMs > 0) return undefined;
    return `stopped after ${durationText(this.allowed.leftMs)}, as \`for\` says`;
  }

  /** Whether the allowed number of worlds has been run. */
  get isFull(): boolean {
    return this.worlds >= this.allowed.worlds;
  }
}
