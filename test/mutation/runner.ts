import { ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { type RunnerTestFile as File, type RunnerTestCase as Test, TestRunner } from "vitest";
import { MutationLog } from "./log.ts";
import type { Settings } from "./settings.ts";
import { mutantSwitch } from "./switch.ts";

const settings: Settings = JSON.parse(readFileSync(process.env.MUTATION_SETTINGS ?? "", "utf8"));
const log = new MutationLog(settings.log);
const wanted = new Set(settings.wanted);
/** The mutant that is being tried, for whoever watches over this process. */
const heartbeat = openSync(settings.heartbeat, "w");

/** How long a test may take with a mutant: this, ms, and many times as long as without one. */
const LIMIT_MS = 2_000;
const LIMIT_FACTOR = 10;
/** How often a mutant may run in a test. */
const MOST_RUNS = 200_000;

/**
 * Runs each test once as it is, and then again with each mutant that it reaches. All of it happens in one process, so the
 * sources are loaded once. A mutant that a test notices is not tried again.
 */
export default class MutationRunner extends TestRunner {
  override onCollectStart(file: File): void {
    mutantSwitch.seen = new Set();
    super.onCollectStart(file);
  }

  override async onBeforeRunSuite(suite: File): Promise<void> {
    if (suite.filepath !== undefined && mutantSwitch.seen !== undefined) {
      log.add({ loaded: [...mutantSwitch.seen] });
      mutantSwitch.seen = undefined;
    }
    await super.onBeforeRunSuite(suite);
  }

  override async onAfterRunSuite(suite: File): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (suite.filepath !== undefined) log.add({ over: suite.filepath });
  }

  async runTask(test: Test): Promise<void> {
    const name = `${test.file.name} > ${test.name} ${test.id}`;
    const run = TestRunner.getTestFn(test) as () => Promise<void>;
    if (log.tests.has(name) || log.skipped.has(name)) return;
    mutantSwitch.seen = new Set();
    const [startMs, startedMs] = [cpuMs(), Date.now()];
    await run();
    const tookMs = cpuMs() - startMs;
    const limitMs = LIMIT_MS + LIMIT_FACTOR * (Date.now() - startedMs);
    const reached = [...mutantSwitch.seen].filter((id) => this.isToTry(id, name));
    mutantSwitch.seen = undefined;
    if (reached.length > 0 && tookMs > settings.longestMs) {
      log.add({ slow: name });
      return;
    }
    if (reached.length > 0 && (await fails(run, limitMs))) {
      log.add({ unrepeatable: name });
      return;
    }
    const survived: [string, number][] = [];
    for (const id of reached) {
      const triedMs = cpuMs();
      const how = await this.noticed(id, run, limitMs);
      if (how !== undefined) log.add({ killed: id, by: name, how });
      else survived.push([id, Math.ceil(cpuMs() - triedMs)]);
      // Vitest stands in the way of process.exit
      if (how === "spoiled") process.kill(process.pid, "SIGKILL");
    }
    log.add({ done: name, survived });
  }

  private isToTry(id: string, test: string): boolean {
    if (!wanted.has(id) || log.killed.has(id) || log.survivedIn.get(test)?.has(id) === true) return false;
    return (log.survivedMs.get(id) ?? 0) < settings.budgetMs;
  }

  private async noticed(id: string, run: () => Promise<void>, limitMs: number) {
    writeSync(heartbeat, `${id}\n`, 0);
    mutantSwitch.activate(id, MOST_RUNS);
    const failed = await fails(run, limitMs);
    const runs = mutantSwitch.deactivate();
    const isSpoiled = failed && (await fails(run, limitMs));
    ftruncateSync(heartbeat);
    if (!failed) return undefined;
    if (isSpoiled) return "spoiled";
    return runs > MOST_RUNS ? "endless" : "failed";
  }
}

const TICK_MS = 100;

/**
 * Runs a test. Its time is counted in ticks, which are late when the whole process waits for a busy machine.
 * @returns whether it fails, or does not end
 */
async function fails(run: () => Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    let leftMs = limitMs;
    const limit = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        leftMs -= TICK_MS;
        if (leftMs <= 0) reject(new Error("the test does not end"));
      }, TICK_MS);
    });
    await Promise.race([run(), limit]);
    return false;
  } catch {
    return true;
  } finally {
    clearInterval(timer);
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
