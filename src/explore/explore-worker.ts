import Tinypool from "tinypool";
import { Budget } from "./budget.ts";
import { Crew } from "./crew.ts";
import { loadIntegration } from "./integration.ts";
import type { Outcome } from "./outcome.ts";
import { preparedText } from "./prepare.ts";
import type { PartResult, WorkerData, WorkerTask } from "./workers.ts";

/** The start of an exploring thread: it loads the integration once, then runs one part after the other. */

const { module, scenario, corpus, bound, seeds, patienceMs } = Tinypool.workerData as WorkerData;
const crew = begin();

async function begin(): Promise<Crew<unknown>> {
  // the first request would load this, and so take other turns of the event loop than later ones
  await import("../rest/rest.ts");
  const integration = await loadIntegration(module);
  return new Crew(integration, { prepared: preparedText(scenario), corpus, bound, seeds, patienceMs });
}

/** Runs one task. */
export default async function work(task: WorkerTask): Promise<unknown> {
  const own = await crew;
  if ("failing" in task) return own.shrink(task.failing);
  const outcomes: Outcome[] = [];
  const budget = new Budget(task.allowance);
  const end = await own.run(task.part, {
    isFull: () => budget.isFull,
    whyToStop: () => budget.whyToStop(),
    take(outcome) {
      budget.worlds++;
      outcomes.push(outcome);
    },
  });
  return { outcomes, end } satisfies PartResult;
}
