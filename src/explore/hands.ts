import type { Allowance } from "./budget.ts";
import type { Crew, Failing, Part, Taker } from "./crew.ts";
import type { Shrunk } from "./shrink.ts";
import type { PartEnd } from "./worlds.ts";

/** A part that is being run, or about to be. */
export interface Work {
  /** Hands over its outcomes in order, until all are there or the taker wants no more. */
  finish(taker: Taker): Promise<PartEnd>;
}

/** Those who do the work: this thread, or several others. */
export interface Hands {
  /** How many parts are begun before the first of them is finished. */
  readonly atOnce: number;
  begin(part: Part, allowance: Allowance): Work;
  shrink(failing: Failing): Promise<Shrunk>;
  close(): Promise<void>;
}

/** This thread alone: a part is run when its outcomes are wanted. */
export function ownHands<T>(crew: Crew<T>): Hands {
  return {
    atOnce: 1,
    begin: (part) => ({ finish: (taker) => crew.run(part, taker) }),
    shrink: (failing) => crew.shrink(failing),
    close: async () => {},
  };
}
