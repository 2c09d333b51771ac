import { nodeModule } from "../../core/foundation/node-module.ts";
import { sum } from "../../core/foundation/values.ts";

/** How long its cores worked, and how long they were idle, ms, all added up. */
interface CpuTimes {
  readonly cores: number;
  readonly ms: number;
  readonly idleMs: number;
}

/** After this time, only what happens from then on counts, ms of each core. */
const LONG_ENOUGH_MS = 1_000;

/** Counts the cores of the machine that nothing uses. */
export class FreeCores {
  private startTimes = cpuTimes();

  /**
   * How many threads can have a core each: the idle cores, and this thread's own. Infinity if the system does not tell.
   */
  count(): number {
    const now = cpuTimes();
    const ms = now.ms - this.startTimes.ms;
    const idleMs = now.idleMs - this.startTimes.idleMs;
    if (ms > LONG_ENOUGH_MS * now.cores) this.startTimes = now;
    return ms > 0 ? 1 + Math.round((now.cores * idleMs) / ms) : Number.POSITIVE_INFINITY;
  }
}

function cpuTimes(): CpuTimes {
  const cores = nodeModule<typeof import("node:os")>("node:os")?.cpus() ?? [];
  return {
    cores: cores.length,
    ms: sum(cores.map(({ times }) => sum(Object.values(times)))),
    idleMs: sum(cores.map(({ times }) => times.idle)),
  };
}
