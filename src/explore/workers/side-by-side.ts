import type { WorldRunner } from "../search/runner.ts";
import { endsOfPlainRuns, type Workers, workFrom } from "./worker-pool.ts";

/**
 * Runs parts side by side on this thread, each with its own runner. This saves time if worlds mostly wait, as for one of
 * several instances of a server.
 */
export function sideBySide(runners: readonly WorldRunner[], end: () => void): Workers {
  const free = [...runners];
  const waiting: (() => void)[] = [];
  const withRunner = async <R>(run: (runner: WorldRunner) => Promise<R>): Promise<R> => {
    let runner = free.shift();
    while (runner === undefined) {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      runner = free.shift();
    }
    try {
      return await run(runner);
    } finally {
      free.push(runner);
      waiting.shift()?.();
    }
  };
  return {
    // each runner has the next part at hand when it ends one
    atOnce: runners.length * 2,
    begin: (part, allowance) => workFrom(withRunner((runner) => runner.takeOutcomes(part, allowance))),
    shrink: (failing) => withRunner((runner) => runner.shrink(failing)),
    endsOfPlainRuns: () => endsOfPlainRuns(runners),
    close: async () => end(),
  };
}
