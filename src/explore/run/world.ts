import type { Deviation } from "../../core/engine/deviations.ts";
import type { ValueTree } from "../../core/narration/app-state.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Patience } from "../../findings/real-time.ts";
import type { ExploredApp } from "./explored-app.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { ExecutionRequest, WorldRun } from "./world-run.ts";

/** The parts of an execution that all worlds share. */
export interface WorldSetup<T> extends ExploredApp<T> {
  readonly recordedRun: RecordedRun;
  /** Waits for promises of the app. */
  readonly patience: Patience;
  /** How many steps a world may take. */
  readonly steps: number;
  /** Whether the app's clock and timers follow the virtual time. */
  readonly clock: "virtual" | "real";
  /** How long a world goes on after the last thing that was new, in virtual ms. */
  readonly horizonMs: number;
  /** Whether the app's states are left out, since what shows them does not return. */
  readonly leavesOutStates: boolean;
}

/** What all parts of one world share. */
export interface World<T = unknown> {
  readonly setup: WorldSetup<T>;
  /** What the run should return, and how it differs from a plain one. */
  readonly wanted: ExecutionRequest;
  readonly deviations: readonly Deviation[];
  /** Those that do not hold for the whole world. */
  readonly planned: readonly Deviation[];
  readonly simulator: Simulator;
}

/** Whether nothing unusual happens in a world: what the app refuses there, it refuses always. */
export function isPlain({ setup, deviations, wanted }: World): boolean {
  const { chooser, forgery, mutation } = wanted;
  const isAsWritten = (chooser ?? forgery ?? mutation) === undefined;
  return isAsWritten && deviations.length + setup.recordedRun.own.length === 0;
}

/**
 * A part of a world that stands beside its app and may be missing: it notes what happens, or changes what the platform does.
 * It begins to listen when it is made.
 */
export interface Attachment {
  /** Stops listening, and changes the platform no longer. Called at the end of the world, before the app is disposed of. */
  end?(): void;
  /** What it adds to the world's result. Called once, at the end. */
  result?(): Partial<WorldRun> | Promise<Partial<WorldRun>>;
}

/** What a part of a world may ask about its app, once that is built. */
export interface AppView {
  /** Returns the app's whole state, or a promise of it; undefined if nothing can show it. */
  state(): ValueTree | undefined | Promise<ValueTree | undefined>;
  /** Returns how much the app has received from outside: requests, answers, and events if it listens to any. */
  received(): number;
}

/** Makes a part of a world. @returns undefined if this world does without it */
export type Attach = (world: World, app: AppView) => Attachment | undefined;
