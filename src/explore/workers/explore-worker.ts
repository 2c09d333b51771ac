import { nodeModule } from "../../core/foundation/node-module.ts";
import { brokenApp, loadApp } from "../run/explored-app.ts";
import { preparedText } from "../run/prepare.ts";
import { Supervision, useSharedMemory } from "../sandbox/supervision.ts";
import { WorldRunner } from "../search/runner.ts";
import type { ThreadTask, WorkerAnswer, WorkerData, WorkerResult, WorkerTask } from "./worker-messages.ts";

/** The start of an exploring thread: it loads the app once, then does one task after the other. */

interface Threads {
  readonly workerData: WorkerData;
  readonly parentPort: {
    on(event: "message", listener: (task: WorkerTask) => void): void;
    postMessage(answer: WorkerAnswer): void;
  };
}

const { workerData, parentPort } = nodeModule<Threads>("node:worker_threads") as Threads;
const { module, scenario, readsNumbers, patienceMs, steps, shared, ...given } = workerData;
useSharedMemory(shared);
const supervision = new Supervision({ patienceMs, steps });
supervision.start();
const runner = begin();
runner.catch(() => {}); // handled in each task
parentPort.on("message", async ({ task, deaths }) => {
  try {
    const own = await runner;
    supervision.startTask(deaths);
    parentPort.postMessage({ result: await work(own, task) });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});

async function begin(): Promise<WorldRunner> {
  // the first request would load this, and so take other turns of the event loop than later ones
  await import("../../core/rest/rest.ts");
  const reader = readsNumbers ? (await import("../../phone-numbers/index.ts")).readPhoneNumber : undefined;
  const explored = await supervision.load(module, () => loadApp(module), brokenApp);
  return new WorldRunner(
    explored,
    { prepared: preparedText(scenario, { phoneNumbers: reader }), ...given },
    supervision,
  );
}

async function work(own: WorldRunner, task: ThreadTask): Promise<WorkerResult> {
  if ("again" in task) return own.endOfPlainRuns();
  return "failing" in task ? own.shrink(task.failing) : own.takeOutcomes(task.part, task.allowance);
}
