import { nodeModule } from "../../core/foundation/node-module.ts";
import { appDefects, type Death, endsItsThread, plainMessage } from "../../findings/property-failure.ts";
import type { MinimizedWorld } from "../minimize/shrink.ts";
import { everyMs } from "../sandbox/open-timers.ts";
import { threadFile } from "../sandbox/thread-file.ts";
import { CHECK_MS, canBeWatched, MEMORY_MB, progressSlots } from "../sandbox/watchdog.ts";
import type { Allowance } from "../search/budget.ts";
import type { PartEnd } from "../search/frontier.ts";
import type { NotRun } from "../search/not-run.ts";
import type { WorldRunner } from "../search/runner.ts";
import type { Failing, OutcomeSink, Part } from "../search/task.ts";
import type {
  PartResult,
  PlainRunsEnd,
  ThreadTask,
  WorkerAnswer,
  WorkerData,
  WorkerResult,
  WorkerTask,
} from "./worker-messages.ts";

/** A part that is running or about to run. */
export interface RunningPart {
  /** Passes its outcomes to the sink in order, until the sink wants no more. */
  finish(sink: OutcomeSink): Promise<PartEnd>;
}

/** Runs parts, on this thread or on several others. */
export interface Workers {
  /** How many parts are started before the first of them is finished. */
  readonly atOnce: number;
  begin(part: Part, allowance: Allowance): RunningPart;
  shrink(failing: Failing): Promise<MinimizedWorld>;
  /** Runs the world without deviations once more wherever worlds ran, and says what differs from its first run there. */
  endsOfPlainRuns(): Promise<readonly PlainRunsEnd[]>;
  close(): Promise<void>;
}

/** Runs parts on this thread, each when `finish` is called. */
export function thisThread(runner: WorldRunner): Workers {
  return {
    atOnce: 1,
    begin: (part) => ({ finish: (sink) => runner.run(part, sink) }),
    shrink: (failing) => runner.shrink(failing),
    endsOfPlainRuns: () => endsOfPlainRuns([runner]),
    close: async () => {},
  };
}

/** The end of all worlds in each of several runners, one after the other. */
export async function endsOfPlainRuns(runners: readonly WorldRunner[]): Promise<PlainRunsEnd[]> {
  const ends: PlainRunsEnd[] = [];
  for (const runner of runners) ends.push(await runner.endOfPlainRuns());
  return ends;
}

/** A thread of Node. */
interface Thread {
  on(event: "message", listener: (answer: WorkerAnswer) => void): void;
  on(event: "error", listener: (error: Error & { readonly code?: string }) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  postMessage(task: WorkerTask): void;
  terminate(): Promise<unknown>;
}

interface Threads {
  readonly Worker: new (file: URL | string, options: object) => Thread;
}

/** A task that a thread has, or will have. */
interface Job {
  readonly task: ThreadTask;
  readonly deaths: Death[];
  resolve(result: WorkerResult): void;
  reject(error: unknown): void;
}

/**
 * Starts threads, which each load the app.
 * @param runner runs worlds on this thread, where the watchdog can name the line of a loop
 */
export function startThreads(count: number, data: Omit<WorkerData, "shared">, runner: WorldRunner): Workers {
  const pool = new WorkerPool(count, data);
  return {
    // each thread has the next part at hand when it ends one
    atOnce: count * 2,
    begin: (part, allowance) =>
      workFrom(
        (pool.run({ part, allowance }) as Promise<PartResult>).catch((error: unknown) => ({
          outcomes: [],
          end: { leftOut: undefined, equivalentWorlds: 0, notRun: notRunInThread(error) },
        })),
      ),
    shrink: (failing) =>
      canBeWatched && endsItsThread(failing.failure.property)
        ? runner.shrink(failing)
        : (pool.run({ failing }) as Promise<MinimizedWorld>).catch(() => runner.shrink(failing)),
    async endsOfPlainRuns() {
      const ends = await pool.runInEach({ again: true });
      return [...(await endsOfPlainRuns([runner])), ...ends];
    },
    close: () => pool.close(),
  };
}

/** Says that no thread could run some worlds. */
function notRunInThread(error: unknown, what = "them"): NotRun {
  return { why: `a thread could not run ${what}: ${plainMessage(error)}`, isUnsteady: false };
}

/** A part that runs elsewhere. Its outcomes arrive together when it is done. */
export function workFrom(running: Promise<PartResult>): RunningPart {
  running.catch(() => {}); // handled where it is awaited
  return {
    async finish(sink) {
      const { outcomes, end } = await running;
      for (const outcome of outcomes) {
        // worlds that ran in time count, even if their outcomes come late
        if (sink.isFull()) return { leftOut: sink.whyToStop(), equivalentWorlds: outcome.equivalentWorlds };
        sink.add(outcome);
      }
      // the thread knows only the allowance of its part
      return end.leftOut === undefined ? end : { ...end, leftOut: sink.whyToStop() ?? end.leftOut };
    },
  };
}

/** Threads that take one task after the other. One that dies is replaced, and its death becomes a failure. */
class WorkerPool {
  private readonly waiting: Job[] = [];
  private readonly workers: PoolWorker[] = [];

  constructor(
    count: number,
    private readonly data: Omit<WorkerData, "shared">,
  ) {
    for (let index = 0; index < count; index++)
      this.workers.push(new PoolWorker(this.data, () => this.waiting.shift()));
  }

  run(task: ThreadTask): Promise<WorkerResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, deaths: [], resolve, reject });
      this.workers.find(({ isIdle }) => isIdle)?.takeNext();
    });
  }

  /** Runs a task in each thread that has run others. */
  runInEach(task: ThreadTask & { readonly again: true }): Promise<readonly PlainRunsEnd[]> {
    const started = this.workers.filter(({ isStarted }) => isStarted);
    const running = started.map((each) => {
      const ends = new Promise<WorkerResult>((resolve, reject) =>
        each.take({ task, deaths: [], resolve, reject }),
      ) as Promise<PlainRunsEnd>;
      return ends.catch((error: unknown) => ({
        ...{ difference: undefined, late: [] },
        notRun: notRunInThread(error, "the one without deviations once more"),
      }));
    });
    return Promise.all(running);
  }

  async close(): Promise<void> {
    this.waiting.length = 0;
    await Promise.all(this.workers.map((each) => each.close()));
  }
}

/** A thread of the pool, and those that replace it when it dies. */
class PoolWorker {
  private thread: Thread | undefined;
  private memory: Int32Array = new Int32Array(0);
  private job: Job | undefined;
  private readonly own: Job[] = [];
  private stopChecks: (() => void) | undefined;
  private isClosed = false;

  constructor(
    private readonly data: Omit<WorkerData, "shared">,
    private readonly next: () => Job | undefined,
  ) {}

  get isIdle(): boolean {
    return this.job === undefined;
  }

  /** Whether its thread runs. */
  get isStarted(): boolean {
    return this.thread !== undefined;
  }

  /** Takes a task that is for this thread alone, after the one that it has. */
  take(job: Job): void {
    this.own.push(job);
    this.takeNext();
  }

  /** Takes the next task, if there is one. */
  takeNext(): void {
    this.job ??= this.own.shift() ?? this.next();
    if (this.job === undefined || this.isClosed) return;
    this.thread ??= this.start();
    Atomics.store(this.memory, progressSlots.world, -1);
    this.thread.postMessage({ task: this.job.task, deaths: this.job.deaths });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
  }

  private start(): Thread {
    const threads = nodeModule<Threads>("node:worker_threads");
    if (threads === undefined) throw new Error("threads need Node");
    const own = typeof __filename === "string" ? __filename : import.meta.url;
    const shared = new SharedArrayBuffer(progressSlots.length * Int32Array.BYTES_PER_ELEMENT);
    this.memory = new Int32Array(shared);
    const thread = new threads.Worker(threadFile(own, "explore-worker", "ts"), {
      workerData: { ...this.data, shared },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const isCurrent = () => this.thread === thread;
    thread.on("message", (answer) => isCurrent() && this.answered(answer));
    thread.on("error", (error) => isCurrent() && this.failed(error));
    thread.on(
      "exit",
      (code) => isCurrent() && this.died(appDefects.exits, `the thread ended with code ${code}`),
    );
    this.stopChecks = this.watch();
    return thread;
  }

  private answered(answer: WorkerAnswer): void {
    const { job } = this;
    this.job = undefined;
    if ("error" in answer) job?.reject(answer.error);
    else job?.resolve(answer.result);
    this.takeNext();
  }

  private failed(error: Error & { readonly code?: string }): void {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      this.died(appDefects.memory, `it may take ${MEMORY_MB} MB`);
      return;
    }
    const { job } = this;
    this.job = undefined;
    void this.end();
    job?.reject(error);
    this.takeNext();
  }

  /** Ends a thread whose app does not return. */
  private watch(): () => void {
    let [count, turns, checks] = [-1, -1, 0];
    return everyMs(CHECK_MS, () => {
      const read = (at: number) => Atomics.load(this.memory, at);
      if (
        read(progressSlots.isRunning) === 0 ||
        read(progressSlots.count) !== count ||
        read(progressSlots.turns) !== turns
      ) {
        [count, turns, checks] = [read(progressSlots.count), read(progressSlots.turns), 0];
        return;
      }
      // counted in checks, so that a busy machine gets more time
      const limitMs = read(progressSlots.limitMs);
      if (++checks * CHECK_MS < limitMs) return;
      checks = 0;
      this.died(appDefects.loops, `it ran for ${limitMs} ms`);
    });
  }

  /** Gives the task to another thread, which skips the point at which this one died. */
  private died(property: string, message: string): void {
    const world = Atomics.load(this.memory, progressSlots.world);
    const happened = Atomics.load(this.memory, progressSlots.inWorld);
    void this.end();
    const { job } = this;
    if (world >= 0 && job?.deaths.some((each) => each.world === world && each.progress === 0)) {
      this.job = undefined;
      job.reject(
        new Error(`every thread dies in this world, however early it is ended: ${property}: ${message}`),
      );
    } else if (world >= 0) {
      const progress = progressToStopAt(job?.deaths ?? [], world, happened);
      job?.deaths.push({ world, progress, failure: { property, message } });
    } else {
      // it died while it loaded the module, and every other thread would too
      this.job = undefined;
      job?.reject(new Error(`a thread ended before its first world: ${property}: ${message}`));
    }
    this.takeNext();
  }

  private async end(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    this.stopChecks?.();
    await thread?.terminate();
  }
}

/**
 * Where to end a world in which threads died, as a count of steps.
 * @param happened how much had happened in it when this one died
 */
function progressToStopAt(deaths: readonly Death[], world: number, happened: number): number {
  const places = deaths.filter((each) => each.world === world).map(({ progress }) => progress);
  const first = Math.min(...places);
  if (happened < first) return happened;
  // a loop of microtasks goes on beside the world, so it began earlier: go back further each time
  return Math.max(0, first - 2 ** (places.length - 1));
}
