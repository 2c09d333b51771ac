import { Budget } from "./budget.ts";
import type { Crew, Part } from "./crew.ts";
import type { Outcome } from "./outcome.ts";
import type { PartResult } from "./worker-messages.ts";
import { laterWork, type Workers } from "./worker-pool.ts";

/**
 * Runs parts on this thread side by side, each with a crew of its own. It pays where a world mostly waits: for one of
 * several instances of a server.
 */
export function sideBySide<T>(crews: readonly Crew<T>[], end: () => void): Workers {
  const free = [...crews];
  const waiting: (() => void)[] = [];
  const withCrew = async <R>(run: (crew: Crew<T>) => Promise<R>): Promise<R> => {
    let crew = free.shift();
    while (crew === undefined) {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      crew = free.shift();
    }
    try {
      return await run(crew);
    } finally {
      free.push(crew);
      waiting.shift()?.();
    }
  };
  return {
    // each crew has the next part at hand when it ends one
    atOnce: crews.length * 2,
    begin: (part, allowance) => laterWork(withCrew((crew) => outcomesOf(crew, part, new Budget(allowance)))),
    shrink: (failing) => withCrew((crew) => crew.shrink(failing)),
    close: async () => end(),
  };
}

async function outcomesOf<T>(crew: Crew<T>, part: Part, budget: Budget): Promise<PartResult> {
  const outcomes: Outcome[] = [];
  const end = await crew.run(part, {
    isFull: () => budget.isFull,
    whyToStop: () => budget.whyToStop(),
    take(outcome) {
      budget.worlds++;
      outcomes.push(outcome);
    },
  });
  return { outcomes, end };
}
