import { once } from "node:events";
import { parentGone } from "../server/parent.ts";

/**
 * Resolves on the first signal to stop; a second signal ends the process at once. A process that npm or npx started also
 * stops when its parent is gone, because they may die of a signal without passing it on.
 */
export async function stopSignal(stopsOnEof: boolean, signal: AbortSignal): Promise<void> {
  const ways = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => once(process, name, { signal }));
  if (stopsOnEof) {
    process.stdin.resume();
    ways.push(once(process.stdin, "end", { signal }), once(process.stdin, "close", { signal }));
  }
  for (const way of ways) way.catch(() => {}); // the ways that were not first are cancelled
  const watch = process.env.npm_command === undefined ? undefined : parentGone(signal);
  await Promise.race(watch === undefined ? ways : [...ways, watch]);
}
