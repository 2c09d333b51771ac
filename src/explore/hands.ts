import type { Allowance } from "./budget.ts";
import type { Crew, Failing, Part, Taker } from "./crew.ts";
import type { Shrunk } from "./shrink.ts";
import type { PartEnd } from "./worlds.ts";

/** A part that is running or about to run. */
export interface Work {
  /** Passes its outcomes to the taker in order, until all are passed or the taker wants no more. */
  finish(taker: Taker): Promise<PartEnd>;
}

/** Runs parts, on this thread or on several others. */
export interface Hands {
  /** How many parts are started before the first of them is finished. */
  readonly atOnce: number;
  begin(part: Part, allowance: Allowance): Work;
  shrink(failing: Failing): Promise<Shrunk>;
  close(): Promise<void>;
}

/** Runs parts on this thread, each when its outcomes are wanted. */
export function ownHands<T>(crew: Crew<T>): Hands {
  return {
    atOnce: 1,
    begin: (part) => ({ finish: (taker) => crew.run(part, taker) }),
    shrink: (failing) => crew.shrink(failing),
    close: async () => {},
  };
}
