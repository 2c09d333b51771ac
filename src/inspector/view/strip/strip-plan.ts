import type { Chosen } from "../state/chosen.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { Scale } from "./scale.ts";

/** What the strip shows of a run. */
export interface StripProps {
  readonly run: LoadedRun;
  readonly scale: Scale;
  readonly width: number;
  readonly chosen: Chosen;
  readonly isSmall: boolean;
}

/** The sizes of the strip, px. */
interface Sizes {
  readonly height: number;
  /** How far the line of time is from the sides. */
  readonly inset: number;
  /** Where the line of time is. */
  readonly base: number;
  /** Where the marks of failures are. */
  readonly top: number;
  readonly brick: number;
  /** The height of a call's line, and how far one is below another. */
  readonly track: number;
  readonly tracks: number;
  /** How far the line of the present instant ends above the foot. */
  readonly foot: number;
}

const small: Sizes = { height: 84, inset: 14, base: 50, top: 14, brick: 4, track: 4, tracks: 6, foot: 16 };
const large: Sizes = { height: 132, inset: 22, base: 80, top: 22, brick: 7, track: 6, tracks: 10, foot: 22 };

export function sizesOf(isSmall: boolean): Sizes {
  return isSmall ? small : large;
}

/** What the parts of the strip draw, and where. */
export interface StripPlan extends StripProps, Sizes {
  x(atMs: number): number;
  /** How much of a row or a call is seen: those of other calls than the chosen one are pale. */
  opacityOf(record: number): number;
}
