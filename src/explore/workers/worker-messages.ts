import type { Bound } from "../../findings/bound.ts";
import type { Death } from "../../findings/property-failure.ts";
import type { MinimizedWorld } from "../minimize/shrink.ts";
import type { CorpusFile, ScenarioText } from "../run/files.ts";
import type { WorldOutcome } from "../run/outcome.ts";
import type { EndedWorldError } from "../sandbox/ended-worlds.ts";
import type { Allowance } from "../search/budget.ts";
import type { PartEnd } from "../search/frontier.ts";
import type { Seeds } from "../search/limits.ts";
import type { NotRun } from "../search/not-run.ts";
import type { ShardContents } from "../search/sharding.ts";
import type { Failing, Part } from "../search/task.ts";

/** The exploration, which every thread gets when it starts. */
export interface WorkerData {
  readonly module: string;
  readonly scenario: ScenarioText;
  /** Whether the thread reads contacts' numbers with `readPhoneNumber`: a function cannot be handed to it. */
  readonly readsNumbers: boolean;
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  readonly seeds: Seeds | undefined;
  readonly clock: "virtual" | "real";
  readonly horizonMs: number;
  readonly patienceMs: number;
  readonly steps: number;
  readonly shardContents: ShardContents | undefined;
  /** Whether the app's states are left out, since what shows them does not return. */
  readonly leavesOutStates: boolean;
  /** Where the thread reports its progress, laid out as `progressSlots` in watchdog.ts. */
  readonly shared: SharedArrayBuffer;
}

/** Work for a thread: a part to run, a failure to shrink, or to run the world without deviations once more. */
export type ThreadTask =
  | { readonly part: Part; readonly allowance: Allowance }
  | { readonly failing: Failing }
  | { readonly again: true };

/** A task, and what killed the threads that had it before. */
export interface WorkerTask {
  readonly task: ThreadTask;
  readonly deaths: readonly Death[];
}

/** All outcomes of a part. */
export interface PartResult {
  readonly outcomes: readonly WorldOutcome[];
  readonly end: PartEnd;
}

/** The end of all worlds in a thread, when the world without deviations was run once more there. */
export interface PlainRunsEnd {
  /** What differs between its runs; undefined if nothing does. */
  readonly difference: string | undefined;
  /** Why it did not run once more; undefined if it did. */
  readonly notRun?: NotRun | undefined;
  /** What worlds threw that were over. */
  readonly late: readonly EndedWorldError[];
}

/** The result of a task. */
export type WorkerResult = PartResult | MinimizedWorld | PlainRunsEnd;

/** The answer of a thread. An error loses its class on the way. */
export type WorkerAnswer = { readonly result: WorkerResult } | { readonly error: unknown };
