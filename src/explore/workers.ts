import type { Allowance } from "./budget.ts";
import type { Failing, Part } from "./crew.ts";
import type { CorpusFile, ScenarioText } from "./files.ts";
import type { Hands } from "./hands.ts";
import type { Seeds } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import type { Shrunk } from "./shrink.ts";
import type { Bound, PartEnd } from "./worlds.ts";

/** What every thread gets once: everything that differs between explorations. */
export interface WorkerData {
  readonly module: string;
  readonly scenario: ScenarioText;
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  readonly seeds: Seeds | undefined;
  readonly patienceMs: number;
}

/** A task for a thread. */
export type WorkerTask =
  | { readonly part: Part; readonly allowance: Allowance }
  | { readonly failing: Failing };

/** All outcomes of a part. */
export interface PartResult {
  readonly outcomes: readonly Outcome[];
  readonly end: PartEnd;
}

/** How many parts each thread has to choose from. */
const PARTS_EACH = 4;

/** Starts threads, which each load the integration. */
export async function startWorkers(count: number, data: WorkerData): Promise<Hands> {
  // loaded only if threads are wanted
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
      running.catch(() => {}); // handled where it is awaited
      return {
        async finish(taker) {
          const { outcomes, end } = await running;
          for (const outcome of outcomes) {
            // worlds that ran in time count, even if they are taken too late
            if (taker.isFull()) return { leftOut: taker.whyToStop(), alike: outcome.alike };
            taker.take(outcome);
          }
          // a thread knows only its own allowance
          return end.leftOut === undefined ? end : { ...end, leftOut: taker.whyToStop() ?? end.leftOut };
        },
      };
    },
    shrink: (failing) => run({ failing }) as Promise<Shrunk>,
    close: () => pool.destroy(),
  };
}

/** The file of the threads, which is beside this one in the sources and in each build. */
function workerFile(): string {
  const own = typeof __filename === "string" ? __filename : import.meta.url;
  const [, folder = "", ending = "js"] = /^(.*[/\\]).*\.(\w+)$/.exec(own) ?? [];
  // the CommonJS build has it as an ES module too
  return `${folder}explore-worker.${ending === "cjs" ? "js" : ending}`;
}
