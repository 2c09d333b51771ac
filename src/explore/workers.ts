import type { Allowance } from "./budget.ts";
import type { Failing, Part } from "./crew.ts";
import type { CorpusFile, ScenarioText } from "./files.ts";
import type { Hands } from "./hands.ts";
import type { Seeds } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import type { Shrunk } from "./shrink.ts";
import type { Bound, PartEnd } from "./worlds.ts";

/** What every thread is given once: all that differs from one exploration to another. */
export interface WorkerData {
  readonly module: string;
  readonly scenario: ScenarioText;
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  readonly seeds: Seeds | undefined;
  readonly patienceMs: number;
}

/** What a thread is asked to do. */
export type WorkerTask =
  | { readonly part: Part; readonly allowance: Allowance }
  | { readonly failing: Failing };

/** All outcomes of a part. */
export interface PartResult {
  readonly outcomes: readonly Outcome[];
  readonly end: PartEnd;
}

/** Each thread has a part to go on with when one is done. */
const PARTS_EACH = 4;

/** Starts threads that each load the integration by themselves. */
export async function startWorkers(count: number, data: WorkerData): Promise<Hands> {
  // only who wants threads loads what makes them
  const { Tinypool } = await import("tinypool");
  const pool = new Tinypool({
    filename: workerFile(),
    minThreads: count,
    maxThreads: count,
    isolateWorkers: false,
    workerData: data,
  });
  const run = (task: WorkerTask): Promise<unknown> => pool.run(task);
  return {
    atOnce: count * PARTS_EACH,
    begin(part, allowance) {
      const running = run({ part, allowance }) as Promise<PartResult>;
      running.catch(() => {}); // whoever finishes it hears of it
      return {
        async finish(taker) {
          const { outcomes, end } = await running;
          for (const outcome of outcomes) {
            // what was run in time counts, even if it is looked at too late
            if (taker.isFull()) return { leftOut: taker.whyToStop(), alike: outcome.alike };
            taker.take(outcome);
          }
          // a thread knows of its own allowance alone
          return end.leftOut === undefined ? end : { ...end, leftOut: taker.whyToStop() ?? end.leftOut };
        },
      };
    },
    shrink: (failing) => run({ failing }) as Promise<Shrunk>,
    close: () => pool.destroy(),
  };
}

/** The file that threads begin with lies beside this one: among the sources, and in each build. */
function workerFile(): string {
  const own = typeof __filename === "string" ? __filename : import.meta.url;
  const [, folder = "", ending = "js"] = /^(.*[/\\]).*\.(\w+)$/.exec(own) ?? [];
  // what is required has it as an ES module too
  return `${folder}explore-worker.${ending === "cjs" ? "js" : ending}`;
}
