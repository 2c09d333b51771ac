import { exactDurationText } from "../../core/foundation/instants.ts";
import { realTimeMs } from "../../findings/real-time.ts";

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

  /** @param whyUntil says why the time is limited */
  constructor(
    private readonly allowed: Allowance,
    private readonly whyUntil = "as `for` says",
  ) {}

  /** The part of the allowance that is left. What has any time runs a world, so that a busy machine proves something too. */
  get left(): Allowance {
    const { worlds, leftMs } = this.allowed;
    const restMs = leftMs - (realTimeMs() - this.startedMs);
    const isBeforeFirst = this.worlds === 0 && leftMs > 0;
    return { worlds: worlds - this.worlds, leftMs: isBeforeFirst ? Math.max(restMs, 1) : restMs };
  }

  /** Why no further world may be run; undefined if one may. */
  whyToStop(): string | undefined {
    if (this.isFull) return `stopped after ${this.allowed.worlds.toLocaleString("en")}, as \`worlds\` says`;
    return this.whyOutOfTime();
  }

  /** Why the time is over; undefined if it is not. */
  whyOutOfTime(): string | undefined {
    // most explorations have no time limit and need not read the clock
    if (this.allowed.leftMs === Number.POSITIVE_INFINITY || this.left.leftMs > 0) return undefined;
    return `stopped after ${exactDurationText(Math.round(this.allowed.leftMs))}, ${this.whyUntil}`;
  }

  /** Whether the allowed number of worlds has been run. */
  get isFull(): boolean {
    return this.worlds >= this.allowed.worlds;
  }
}

/** Shrinking may take this part of `for`, even if exploring took all of it. */
const SHRINKING_PART = 1 / 5;

/** Divides the time for shrinking among failures. */
export class ShrinkingTime {
  private readonly startedMs = realTimeMs();
  private readonly allMs: number;

  /**
   * @param limits.forMs how long everything may take
   * @param limits.shrinkForMs how long one failure may take
   * @param budget knows how much of the time is left
   * @param waiting how many failures there are
   */
  constructor(
    private readonly limits: { readonly forMs: number; readonly shrinkForMs: number },
    budget: Budget,
    private waiting: number,
  ) {
    this.allMs =
      limits.forMs === Number.POSITIVE_INFINITY
        ? limits.forMs
        : Math.max(budget.left.leftMs, limits.forMs * SHRINKING_PART);
  }

  /** How long the next failure may take, ms: its share of what is left. */
  next(): number {
    const leftMs = this.allMs - (realTimeMs() - this.startedMs);
    const share = Math.max(0, leftMs / this.waiting--);
    return Math.min(share, this.limits.shrinkForMs);
  }
}
