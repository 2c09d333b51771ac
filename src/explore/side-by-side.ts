import type { Crew } from "./crew.ts";
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
    begin: (part, allowance) => laterWork(withCrew((crew) => crew.outcomesOf(part, allowance))),
    shrink: (failing) => withCrew((crew) => crew.shrink(failing)),
    close: async () => end(),
  };
}
